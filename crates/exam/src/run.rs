//! Runs the examined program on the questions of an exam, and marks the answers of the program.
//!
//! The inputs are the program and the exam. The output is one mark per question.

use std::io;
use std::path::{Path, PathBuf};
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

/// A program that takes the exam (the examined program).
///
/// The exam starts the program once per question, in an empty folder. Standard input is one JSON object. The value of
/// each field is in an environment variable too:
///
/// - `task` (`CINTEL_EXAM_TASK`): name of the question.
/// - `question` (`CINTEL_EXAM_QUESTION`): text of the question.
/// - `mcp_url` (`CINTEL_EXAM_MCP_URL`): URL of an MCP server with streamable HTTP.
/// - `mcp_token` (`CINTEL_EXAM_MCP_TOKEN`): bearer token of the MCP server.
/// - `credits` (`CINTEL_EXAM_CREDITS`): maximum cost, in credits.
///
/// The program writes its answer as the last line of standard output: `{"answer": …}`. Blank lines after it are
/// ignored.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Path or name of the program, followed by its arguments.
    pub command: Vec<String>,
    /// Time limit for one question. When it is reached, the program is killed.
    pub time: Duration,
    /// Names of the environment variables that are passed to the program, in addition to `PATH`. If the list does not
    /// contain `HOME`, the program gets an empty home folder, so that it does not find the user's API key.
    pub variables: Vec<String>,
}

/// Runs an examined program on all questions of an exam, and returns the marks of its answers. If `only` is set, runs
/// the program only on the questions of the task with this name. Calls `report` with each mark.
///
/// On Linux, this function makes the current process not dumpable, so that the program cannot read the seed from
/// `/proc`.
///
/// # Errors
/// Returns an error if the program does not exist, or if no port is free. Also returns an error if no bearer token can
/// be generated, or if this process stays dumpable. If the program gives no answer to a question, the mark contains a
/// note, and the exam continues.
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

/// Returns an error if the command is empty, or begins with the path of a file that does not exist. A program name
/// without a path is not checked, because the operating system looks for the program in the folders of `PATH`.
fn check_program(candidate: &Candidate) -> io::Result<()> {
    let Some(program) = candidate.command.first() else {
        return Err(io::Error::other("no program is given"));
    };
    match !is_path(program) || Path::new(program).is_file() {
        true => Ok(()),
        false => Err(io::Error::other(format!("there is no program `{program}`"))),
    }
}

/// Returns true for the path of a program, and false for a name that the operating system searches in `PATH`.
fn is_path(program: &str) -> bool {
    program.contains(std::path::MAIN_SEPARATOR)
}

/// Converts the path of a program to an absolute path, so that the program can start in another working directory. A
/// program name without a path is returned unchanged.
fn absolute(program: &str) -> io::Result<PathBuf> {
    if is_path(program) { std::path::absolute(program) } else { Ok(PathBuf::from(program)) }
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
    // The program can leave connections open, so the wait for the server has a limit.
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
    // The program gets only these variables, because the examiner's environment can contain an API key.
    let passed = candidate.variables.iter().map(String::as_str).chain(["PATH"]);
    let passed = passed.filter_map(|name| Some((name, std::env::var_os(name)?)));

    let cannot_start = |error: io::Error| format!("`{program}` cannot be started: {error}");
    let mut child = Command::new(absolute(program).map_err(cannot_start)?)
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
        .map_err(cannot_start)?;

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

/// Reads the answer from the last line of the program's output. Ignores blank lines at the end. If the last line
/// contains no answer, the error is `Some` with a message. If all lines are blank, the error is `None`.
fn read(text: &str) -> Result<Value, Option<String>> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).ok_or(None)?;
    let mut given: Value = serde_json::from_str(line)
        .map_err(|error| Some(format!("the last line of the output is not JSON: {error}")))?;
    match given.get_mut("answer") {
        Some(answer) => Ok(answer.take()),
        None => Err(Some("the last line of the output has no field `answer`".to_owned())),
    }
}
