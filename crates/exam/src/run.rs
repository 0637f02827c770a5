//! Runs an examined program and collects its marks.
//!
//! The inputs are the program and the exam. The output is one mark per question.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crypto_intel_mcp::JqWorker;
use crypto_intel_mcp::http::Listen;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::oneshot;

use crate::exam::Exam;
use crate::report::Mark;
use crate::sandbox::secret;
use crate::secrecy::close_process;
use crate::task::Question;
use crate::task_environment::TaskEnvironment;

/// A program that takes the exam.
///
/// The exam starts it once per question, in an empty folder. Standard input is one JSON object: `task` (name of the
/// question), `question`, `mcp_url` and `mcp_token` (a streamable HTTP endpoint and its bearer token), and `credits`
/// (the maximum cost). The environment contains the same values as `CINTEL_EXAM_TASK`, `CINTEL_EXAM_QUESTION`,
/// `CINTEL_EXAM_MCP_URL`, `CINTEL_EXAM_MCP_TOKEN` and `CINTEL_EXAM_CREDITS`. The last line of standard output is the
/// answer: `{"answer": …}`.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time limit of one question. At the limit, the program is killed.
    pub time: Duration,
    /// Names of environment variables that the program gets, in addition to `PATH`. Without `HOME`, the program's
    /// home is the empty folder, so that it does not find the user's key.
    pub variables: Vec<String>,
}

/// Gives the tasks of an exam to a program, or only the task named `only`. `report` is called with each mark.
///
/// On Linux, this makes the process not dumpable, so that the program cannot read the seed from `/proc`.
///
/// # Errors
/// If no port is free, no token can be generated, or the process cannot be closed. Failures of the program are notes in
/// its marks.
pub async fn run(
    candidate: &Candidate,
    exam: Exam,
    only: Option<&str>,
    jq_worker: &JqWorker,
    mut report: impl FnMut(&Mark),
) -> io::Result<Vec<Mark>> {
    close_process()?;
    check_program(candidate)?;
    let world = exam.world().map_err(io::Error::other)?;
    let mut marks = Vec::new();
    for question in exam.questions(only).map_err(io::Error::other)? {
        let right = world.answer(&question).await;
        let environment = exam.environment(&question, jq_worker);
        let mark = match right.and_then(|right| Ok((right, environment?))) {
            Ok((right, environment)) => examine(candidate, &question, environment, right).await?,
            Err(error) => Mark::failed(&question, error),
        };
        report(&mark);
        marks.push(mark);
    }
    Ok(marks)
}

/// Checks that a program named by its path exists and is a file. Others are found in the folders of `PATH` when they start.
fn check_program(candidate: &Candidate) -> io::Result<()> {
    let Some(program) = candidate.command.first() else {
        return Err(io::Error::other("no program is given"));
    };
    let is_path = program.contains(std::path::MAIN_SEPARATOR);
    match !is_path || Path::new(program).is_file() {
        true => Ok(()),
        false => Err(io::Error::other(format!("there is no program `{program}`"))),
    }
}

async fn examine(
    candidate: &Candidate,
    question: &Question,
    environment: TaskEnvironment,
    right: Value,
) -> io::Result<Mark> {
    let token = secret()?;
    let listener = Listen::new(&*token)?.bind(environment.server.clone()).await?;
    let url = listener.url();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(listener.serve(async {
        let _ = stopped.await;
    }));

    let folder = tempfile::tempdir()?;
    let answer = answer(candidate, question, folder.path(), &url, &token).await;
    let _ = stop.send(());
    // Does not wait longer for connections that the program left open.
    let _ = tokio::time::timeout(Duration::from_secs(2), serving).await;
    Ok(environment.mark(question, right, answer))
}

async fn answer(
    candidate: &Candidate,
    question: &Question,
    folder: &Path,
    url: &str,
    token: &str,
) -> Result<Value, String> {
    let (program, arguments) = candidate.command.split_first().ok_or("no command is given")?;
    // Nothing of the examiner's environment reaches the program, which could hold a key.
    let passed = candidate.variables.iter().map(String::as_str).chain(["PATH"]);
    let passed = passed.filter_map(|name| Some((name, std::env::var_os(name)?)));

    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .envs(passed)
        .env("CINTEL_EXAM_TASK", &question.id)
        .env("CINTEL_EXAM_QUESTION", &question.text)
        .env("CINTEL_EXAM_MCP_URL", url)
        .env("CINTEL_EXAM_MCP_TOKEN", token)
        .env("CINTEL_EXAM_CREDITS", question.credits.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;

    let sheet = json!({
        "task": question.id, "question": question.text, "mcp_url": url, "mcp_token": token, "credits": question.credits,
    });
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read standard input can read the environment.
        let _ = stdin.write_all(format!("{sheet}\n").as_bytes()).await;
    }

    let output = tokio::time::timeout(candidate.time, child.wait_with_output())
        .await
        .map_err(|_| format!("no answer within {:?}", candidate.time))?
        .map_err(|error| error.to_string())?;
    read(&String::from_utf8_lossy(&output.stdout)).map_err(|error| {
        error.unwrap_or_else(|| format!("no answer: the program ended with {}", output.status))
    })
}

/// Reads the answer from the last line. The error is `None` without a line.
fn read(text: &str) -> Result<Value, Option<String>> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).ok_or(None)?;
    let mut given: Value = serde_json::from_str(line)
        .map_err(|error| Some(format!("the last line of the output is not JSON: {error}")))?;
    match given.get_mut("answer") {
        Some(answer) => Ok(answer.take()),
        None => Err(Some("the last line of the output has no `answer`".to_owned())),
    }
}
