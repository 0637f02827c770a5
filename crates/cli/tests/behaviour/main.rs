//! Tests of the program `cintel`. They test exit codes, exact bytes of the output, files, pipes, and the protection of
//! API keys. Each test runs `cintel` against a sandbox on loopback.

#[cfg(feature = "agents")]
mod agents;
mod completeness;
mod completions;
mod contract;
#[cfg(feature = "agents")]
mod exam;
#[cfg(unix)]
mod interrupts;
mod jq;
mod keys;
#[cfg(all(unix, feature = "export"))]
mod kills;
mod ledger;
mod odd_inputs;
mod repeated;
mod resolving;
mod settings;
mod terminals;
#[cfg(feature = "export")]
mod updates;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crypto_intel_sandbox::{Clock, Fault, Sandbox, UnixSeconds};
use serde_json::Value;

const KEY: &str = "sk-behaviour-0123456789";

fn builder() -> crypto_intel_sandbox::Builder {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    Sandbox::builder().clock(clock).key(KEY, 1_000)
}

/// Returns a `cintel` command whose environment contains only the home folder, the base URL and the API key.
fn cintel(home: &Path, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cintel"));
    command.args(arguments).env_clear().env("HOME", home).env("CRYPTO_INTEL_BASE_URL", url);
    command.env("CRYPTO_INTEL_API_KEY", KEY).stdin(Stdio::null());
    command
}

async fn run(mut command: Command) -> Output {
    let running = tokio::task::spawn_blocking(move || command.output());
    running.await.expect("a thread").expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_have_exit_codes_and_next_steps() {
    let home = tempfile::tempdir().expect("a folder");
    for (fault, code, kind) in [
        ("status=401", 3, "authentication"),
        ("status=402", 4, "credits"),
        ("status=429;retry-after=3600", 5, "rate_limit"),
        ("status=404", 6, "not_found"),
        ("status=400", 2, "usage"),
        ("status=500", 7, "service"),
        ("malformed", 7, "service"),
        ("stall", 8, "network"),
    ] {
        let sandbox = builder().fault(fault.parse::<Fault>().expect("a fault"));
        let sandbox = sandbox.start().await.expect("a free port");
        let arguments = ["market-price", "BTC", "--output", "json", "--deadline", "2s"];
        let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;

        assert_eq!(output.status.code(), Some(code), "{fault}: {}", stderr(&output));
        let error: Value = serde_json::from_slice(&output.stderr).expect("one JSON object");
        assert_eq!(error["error"]["kind"], kind, "{fault}");
        assert!(error["error"]["next"].as_str().is_some_and(|next| !next.is_empty()), "{fault}");
    }

    let nowhere = run(cintel(
        home.path(),
        "http://127.0.0.1:1",
        &["market-price", "BTC", "--deadline", "2s"],
    ));
    assert_eq!(nowhere.await.status.code(), Some(8));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_the_bytes_of_the_service() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let of = |form: &'static [&'static str]| {
        let arguments = [&["market-ranking", "--limit", "5"][..], form].concat();
        run(cintel(home.path(), &sandbox.url(), &arguments))
    };

    let raw = stdout(&of(&["--raw"]).await);
    let lines = stdout(&of(&["--output", "ndjson"]).await);
    let joined = lines.lines().collect::<Vec<_>>().join(",");
    assert_eq!(lines.lines().count(), 5);
    assert!(raw.contains(&format!("\"data\":[{joined}]")), "{raw}\n{joined}");

    let list = stdout(&of(&["--output", "json"]).await);
    assert_eq!(list, format!("[\n{}\n]\n", lines.lines().collect::<Vec<_>>().join(",\n")));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_before_a_page_that_fails_are_printed() {
    let home = tempfile::tempdir().expect("a folder");
    // The account has credits for only one page, and no repeat is free.
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).key(KEY, 1).free_repeats(Duration::ZERO);
    let sandbox = sandbox.start().await.expect("a free port");

    let arguments = ["news-feed", "--all", "--output", "ndjson"];
    let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
    assert_eq!(output.status.code(), Some(9), "{}", stderr(&output));
    assert!(stdout(&output).lines().count() >= 20, "{}", stdout(&output));
    assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_never_shown() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    for arguments in [
        &["market-price", "BTC", "--verbose"][..],
        &["market-price", "NOSUCH", "--verbose", "--output", "json"],
        &["auth", "status"],
        &["doctor"],
        &["api", "GET", "/gateway/v1/nothing", "--verbose"],
    ] {
        let output = run(cintel(home.path(), &sandbox.url(), arguments)).await;
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.is_empty() && !all.contains(KEY), "{arguments:?}: {all}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn second_run_reuses_cached_response_and_prints_saved_credits() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let call =
        || run(cintel(home.path(), &sandbox.url(), &["market-price", "BTC", "--max-age", "5m"]));

    let first = call().await;
    let second = call().await;
    assert_eq!(stdout(&first), stdout(&second));
    assert_eq!(stderr(&first), "");
    assert_eq!(stderr(&second), "the cache saved 2 credits\n");
    assert_eq!(sandbox.requests_served(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn profile_fills_settings_without_flag_or_variable() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let config = home.path().join("config.toml");
    let text = format!(
        "[profile.work]\nbase_url = \"{}\"\nkey_env = \"WORK_KEY\"\nmax_credits = 1\noutput = \"csv\"\n",
        sandbox.url()
    );
    std::fs::write(&config, text).expect("a file");
    let run_with = |arguments: &[&str]| {
        let mut command = cintel(home.path(), "", arguments);
        command.env("CINTEL_CONFIG", &config).env("CINTEL_PROFILE", "work");
        command.env_remove("CRYPTO_INTEL_API_KEY").env("WORK_KEY", KEY);
        run(command)
    };

    let price = run_with(&["market-price", "BTC"]).await;
    assert_eq!(price.status.code(), Some(4), "{}", stderr(&price));
    let price = run_with(&["market-price", "BTC", "--max-credits", "10"]).await;
    assert!(stdout(&price).starts_with("exchange,"), "{}", stderr(&price));
    assert_eq!(sandbox.charged(KEY), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_leaves_ends_the_program_quietly() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let arguments = ["market-price", "BTC", "--time-range", "365d", "--output", "ndjson"];
    let mut command = cintel(home.path(), &sandbox.url(), &arguments);

    let left = tokio::task::spawn_blocking(move || {
        let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut program = spawned.expect("the program starts");
        let mut line = String::new();
        BufReader::new(program.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        program.wait_with_output().expect("an end")
    });
    let output = left.await.expect("a thread");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_of_a_run_tells_each_operation() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let arguments = ["market-ranking", "--limit", "250", "--verbose", "--output", "ndjson"];
    let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
    let last = stderr(&output).lines().last().expect("a line").to_owned();
    // The list price of a page is 2 credits, and repeats in the free window cost nothing.
    assert!(last.starts_with("market-ranking: "), "{}", stderr(&output));
    assert!(last.contains("list price") && last.contains("2 credits reported"), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn continue_restores_a_conversation_with_the_embedded_sandbox() {
    let home = tempfile::tempdir().expect("a folder");
    let ask = |arguments: &[&str]| {
        let mut command = cintel(home.path(), "", arguments);
        command.env("CINTEL_SANDBOX", "1").env("CINTEL_SANDBOX_CLOCK", "1780000000");
        run(command)
    };

    let none = ask(&["ask", "And its supply?", "--continue"]).await;
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
    let first = ask(&["ask", "What is ETH?"]).await;
    assert!(first.status.success(), "{}", stderr(&first));
    for _ in 0..2 {
        let second = ask(&["ask", "And what of BTC?", "--continue", "--verbose"]).await;
        assert!(second.status.success(), "{}", stderr(&second));
        assert!(stdout(&second).contains("BTC"), "{}", stdout(&second));
        // The cost of this run does not include questions that are sent again to restore the conversation.
        assert!(stderr(&second).contains("responses-stream: 1 call,"), "{}", stderr(&second));
    }
    let misspelt = ["ask", "What is ETH?", "--model", "svc-2.0-instnat"];
    let refused = ask(&misspelt).await;
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("svc-2.0-instant"), "{}", stderr(&refused));
    let sent = ask(&[&misspelt[..], &["--unchecked"]].concat()).await;
    assert!(sent.status.success(), "{}", stderr(&sent));
    let empty = ask(&["ask", " "]).await;
    assert_eq!(empty.status.code(), Some(2), "{}", stderr(&empty));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_that_the_manual_refers_to_is_written() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("man");
    let output = run(cintel(home.path(), "", &["man", folder.to_str().expect("a path")])).await;
    assert!(output.status.success(), "{}", stderr(&output));

    let mut references = 0;
    for page in std::fs::read_dir(&folder).expect("pages") {
        let text = std::fs::read_to_string(page.expect("a page").path()).expect("a page of text");
        let text = text.replace('\\', "");
        for (end, _) in text.match_indices("(1)") {
            let name = text[..end].rsplit(|c: char| c.is_whitespace()).next().expect("a name");
            assert!(folder.join(format!("{name}.1")).is_file(), "{name}");
            references += 1;
        }
    }
    assert!(references > 150, "{references}");
    assert!(!folder.join("cintel-help.1").exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_to_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("file");
    std::fs::write(&file, "").expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o400)).expect("a mode");
    // A file in place of a folder makes the path unusable, even for an administrator.
    let below = file.join("x");
    let below = below.to_str().expect("a path of this machine");
    for arguments in [&["skill", "install", below][..], &["man", below]] {
        let output = run(cintel(home.path(), "", arguments)).await;
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains(below), "{}", stderr(&output));
        assert!(stderr(&output).contains("  next: "), "{}", stderr(&output));
    }

    let keys = home.path().join(".config/cintel");
    std::fs::create_dir_all(&keys).expect("a folder");
    std::fs::write(keys.join("keys"), "").expect("a file where a folder should be");
    let mut login = cintel(home.path(), "http://127.0.0.1:1", &["auth", "login"]);
    login.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut login = login.spawn().expect("it starts");
    std::io::Write::write_all(&mut login.stdin.take().expect("a pipe"), b"sk-0123456789-abc\n")
        .expect("written");
    let output = login.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!stderr(&output).contains("sk-0123456789-abc"), "{}", stderr(&output));
}
