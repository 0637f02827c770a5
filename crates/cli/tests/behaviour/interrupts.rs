//! Tests of Ctrl-C: the received rows are printed, and `cintel` shows how to continue.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crypto_intel::Client;
use crypto_intel::catalogue::{ONCHAIN_SQL, Price};
use crypto_intel_sandbox::{Fault, Sandbox};
use serde_json::Value;

use super::{KEY, builder, cintel, run, stderr, stdout};

/// Timeout of a test. It is long enough for slow machines.
const PATIENCE: Duration = Duration::from_secs(120);

/// Sends the signal SIGINT to the process, as a terminal does for Ctrl-C.
fn interrupt(program: &Child) {
    let sent = Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_list_prints_rows_and_resume_token() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().fault("latency=2000".parse::<Fault>().expect("a fault"));
    let sandbox = sandbox.start().await.expect("a free port");
    let arguments = ["news-feed", "--all", "--output", "ndjson"];
    let mut command = cintel(home.path(), &sandbox.url(), &arguments);

    let running = tokio::task::spawn_blocking(move || {
        let mut program =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut reader = BufReader::new(program.stdout.take().expect("a pipe"));
        let mut lines = String::new();
        reader.read_line(&mut lines).expect("a row");
        interrupt(&program);
        std::io::Read::read_to_string(&mut reader, &mut lines).expect("text");
        (lines, program.wait_with_output().expect("an end"))
    });
    let (lines, output) = running.await.expect("a thread");

    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{lines}");
    let said: Value = serde_json::from_slice(&output.stderr).expect("one JSON object");
    let read = lines.lines().count();
    assert_eq!(said["error"]["message"], format!("interrupted after {read} rows"));
    let next = said["error"]["next"].as_str().expect("a next step");
    let token = next.split('\'').nth(1).expect("a token").to_owned();
    let arguments = ["news-feed", "--resume", &token, "--output", "ndjson"];
    let rest = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
    let first = stdout(&rest).lines().next().expect("a row").to_owned();
    assert!(!lines.lines().any(|line| line == first), "{first}");
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_wait_names_the_commands_for_its_job() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    // This query runs for minutes, because it reads billions of rows. The test has enough time to send the signal.
    let query = "SELECT count() AS n FROM numbers(4000000000) WHERE number % 7 = 3";
    let submitted =
        run(cintel(home.path(), &sandbox.url(), &["sql", "--submit", query, "-o", "json"])).await;
    let job: Value = serde_json::from_str(&stdout(&submitted)).expect("a job");
    let id = job["job_id"].as_str().expect("an identifier").to_owned();

    let command = cintel(home.path(), &sandbox.url(), &["sql", "--wait", &id]);
    let output = interrupted_after(1, &sandbox, command).await;

    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("cintel sql --wait {id}")));
    assert!(stderr(&output).contains(&format!("cintel sql --cancel {id}")));
    let cancelled = run(cintel(home.path(), &sandbox.url(), &["sql", "--cancel", &id])).await;
    assert!(stdout(&cancelled).contains("cancel"), "{}", stderr(&cancelled));
}

#[cfg(feature = "export")]
#[tokio::test(flavor = "multi_thread")]
async fn same_command_continues_an_interrupted_export() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().fault("latency=2000".parse::<Fault>().expect("a fault"));
    let sandbox = sandbox.start().await.expect("a free port");
    let folder = home.path().join("news").display().to_string();
    let export = |limit| {
        let line = ["export", "news-feed", "--folder", &folder, "--limit", limit, "-o", "json"];
        cintel(home.path(), &sandbox.url(), &line)
    };

    let output = interrupted_after(2, &sandbox, export("250")).await;
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let first: Value = serde_json::from_str(&stdout(&output)).expect("a report");
    assert_eq!(first["outcome"], "stopped");
    let said: Value = serde_json::from_slice(&output.stderr).expect("one JSON object");
    assert_eq!(said["error"]["kind"], "interrupted", "{said}");

    sandbox.clear_faults();
    let output = run(export("250")).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let last: Value = serde_json::from_str(&stdout(&output)).expect("a report");
    assert_eq!((&last["rows"], &last["outcome"]), (&250.into(), &"row_limit".into()));
    assert!(first["rows"].as_u64() < last["rows"].as_u64(), "{first} {last}");
    assert_eq!(last["unchanged_since"], Value::Null, "{last}");

    let again: Value = serde_json::from_str(&stdout(&run(export("250")).await)).expect("a report");
    assert!(again["unchanged_since"].is_string(), "{again}");
    let real = ["export", "news-feed", "--folder", &folder, "--limit", "250", "--sandbox"];
    let other = run(cintel(home.path(), &sandbox.url(), &real)).await;
    assert_eq!(other.status.code(), Some(1), "{}", stderr(&other));
}

/// Runs a command and interrupts it after the sandbox has received `requests` requests. The sandbox must delay the
/// response to the last request. The command then still waits when it is interrupted.
async fn interrupted_after(requests: u64, sandbox: &Sandbox, mut command: Command) -> Output {
    let wanted = sandbox.requests_served() + requests;
    let program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let program = program.expect("it starts");
    let asked = async {
        while sandbox.requests_served() < wanted {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.expect("it asks");

    interrupt(&program);
    let output = tokio::task::spawn_blocking(move || program.wait_with_output());
    let output = tokio::time::timeout(PATIENCE, output).await.expect("it ends");
    output.expect("a thread").expect("an end")
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_query_names_its_possible_charge() {
    let home = tempfile::tempdir().expect("a folder");
    let fault = "stall;operation=onchain-sql".parse::<Fault>().expect("a fault");
    let sandbox = builder().fault(fault).start().await.expect("a free port");
    let query = ["sql", "SELECT 1", "--output", "json"];
    let output = interrupted_after(1, &sandbox, cintel(home.path(), &sandbox.url(), &query)).await;

    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let said: Value = serde_json::from_slice(&output.stderr).expect("one JSON object");
    let message = said["error"]["message"].as_str().expect("a message");
    let Price::Credits(price) = ONCHAIN_SQL.price else { panic!("{:?}", ONCHAIN_SQL.price) };
    assert!(message.contains(&format!("list price of {price} credits")), "{message}");
    assert!(said["error"]["next"].as_str().is_some_and(|next| next.contains("--job")), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_submission_warns_of_a_possible_job() {
    let home = tempfile::tempdir().expect("a folder");
    let fault = "stall;operation=onchain-sql-job-create".parse::<Fault>().expect("a fault");
    let sandbox = builder().fault(fault).start().await.expect("a free port");
    let command = cintel(home.path(), &sandbox.url(), &["sql", "--job", "SELECT 1"]);
    let output = interrupted_after(1, &sandbox, command).await;

    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("may have been created"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_job_that_are_not_answered_can_be_asked_for_again() {
    let home = tempfile::tempdir().expect("a folder");
    let fault = "stall;operation=onchain-sql-job-results".parse::<Fault>().expect("a fault");
    let sandbox = builder().fault(fault).start().await.expect("a free port");
    let client = Client::builder().base_url(sandbox.url()).api_key(KEY).build().expect("a client");
    let mut job = client.sql("SELECT 1 AS one").submit().await.expect("a job");
    job.wait().await.expect("it ends");
    let id = job.id().to_owned();

    // `--wait` first requests the state of the job, and then its rows.
    let command = cintel(home.path(), &sandbox.url(), &["sql", "--wait", &id]);
    let output = interrupted_after(2, &sandbox, command).await;

    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("job {id} has ended")), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("cintel sql --wait {id}")), "{}", stderr(&output));
}

/// Tests that the received text of a chat answer is printed as JSON if the answer is interrupted. The service may
/// charge for this text.
#[tokio::test(flavor = "multi_thread")]
async fn received_part_of_a_broken_answer_is_printed_as_json() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().fault("cut=3000".parse::<Fault>().expect("a fault"));
    let sandbox = sandbox.start().await.expect("a free port");

    let command = cintel(home.path(), &sandbox.url(), &["ask", "What is ETH?", "--json"]);
    let output = run(command).await;

    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let part: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    assert_eq!(part["status"], "in_progress", "{part}");
    assert!(part.to_string().contains("Invented"), "{part}");
}
