//! Runs an examined program and collects its marks.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use crypto_intel_mcp::JqWorker;
use crypto_intel_mcp::http::Listen;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::oneshot;

use crate::report::Mark;
use crate::sandbox::{NOW, secret};
use crate::task::{Outcome, Task};
use crate::task_environment::TaskEnvironment;
use crate::tasks::all;

/// A program that takes the exam.
///
/// The exam starts it once per task. Standard input is one JSON object: `task` (its name),
/// `question`, `mcp_url` and `mcp_token` (a streamable HTTP endpoint and its bearer token), and
/// `credits` (the maximum cost). The environment holds the same values as `CINTEL_EXAM_TASK`,
/// `CINTEL_EXAM_QUESTION`, `CINTEL_EXAM_NOW`, `CINTEL_EXAM_MCP_URL`, `CINTEL_EXAM_MCP_TOKEN` and
/// `CINTEL_EXAM_CREDITS`. The last line of standard output is the answer: `{"answer": …}`.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time limit of one task. The program is killed when it ends.
    pub time: Duration,
    /// Names of environment variables that the program gets, in addition to `PATH`.
    pub variables: Vec<String>,
}

/// Gives the tasks of a seed to a program, or only the task named `only`. `report` is called with
/// each mark.
///
/// # Errors
/// If no port is free or no token can be generated. Failures of the program are notes in its marks.
pub async fn run(
    candidate: &Candidate,
    seed: u64,
    only: Option<&str>,
    jq_worker: &JqWorker,
    mut report: impl FnMut(&Mark),
) -> io::Result<Vec<Mark>> {
    let mut marks = Vec::new();
    for task in all().iter().filter(|task| only.is_none_or(|id| id == task.id)) {
        let mark = match TaskEnvironment::start(seed, task, jq_worker).await {
            Ok(environment) => examine(candidate, task, environment).await?,
            Err(error) => Mark::failed(task, seed, error),
        };
        report(&mark);
        marks.push(mark);
    }
    Ok(marks)
}

async fn examine(
    candidate: &Candidate,
    task: &Task,
    environment: TaskEnvironment,
) -> io::Result<Mark> {
    let token = secret()?;
    let listener = Listen::new(&*token)?.bind(environment.server.clone()).await?;
    let url = listener.url();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(listener.serve(async {
        let _ = stopped.await;
    }));

    let answer = answer(candidate, task, &url, &token).await;
    let _ = stop.send(());
    // Does not wait longer for connections that the program left open.
    let _ = tokio::time::timeout(Duration::from_secs(2), serving).await;
    Ok(environment.mark(task, answer).await)
}

async fn answer(candidate: &Candidate, task: &Task, url: &str, token: &str) -> Outcome {
    let (program, arguments) = candidate.command.split_first().ok_or("no command is given")?;
    // Nothing of the examiner's environment reaches the program, which could hold a key.
    let passed = candidate.variables.iter().map(String::as_str).chain(["PATH"]);
    let passed = passed.filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(passed)
        .env("CINTEL_EXAM_NOW", NOW)
        .env("CINTEL_EXAM_TASK", task.id)
        .env("CINTEL_EXAM_QUESTION", task.question)
        .env("CINTEL_EXAM_MCP_URL", url)
        .env("CINTEL_EXAM_MCP_TOKEN", token)
        .env("CINTEL_EXAM_CREDITS", task.credits.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;

    let sheet = json!({
        "task": task.id, "question": task.question, "now": NOW, "mcp_url": url, "mcp_token": token, "credits": task.credits,
    });
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read standard input can read the environment.
        let _ = stdin.write_all(format!("{sheet}\n").as_bytes()).await;
    }

    let output = tokio::time::timeout(candidate.time, child.wait_with_output())
        .await
        .map_err(|_| format!("no answer within {:?}", candidate.time))?
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    let line =
        last.ok_or_else(|| format!("no answer; the program ended with {}", output.status))?;
    let mut given: Value = serde_json::from_str(line)
        .map_err(|error| format!("the last line of the output is not JSON: {error}"))?;
    match given.get_mut("answer") {
        Some(answer) => Ok(answer.take()),
        None => Err("the last line of the output has no `answer`".to_owned()),
    }
}
