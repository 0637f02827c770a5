//! Parent side of a jq worker. It starts a child process for each program. It kills a child process that exceeds the
//! time limit, or whose response reaches the maximum length.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use crate::error::{Error, ErrorKind, Json};
use crate::limits;
use crate::message::{RECORD_SEPARATOR, Request, Response, WORKER_VARIABLE};

/// Runs jq programs, each in a new child process.
///
/// Clones share the limit on concurrent programs.
#[derive(Debug, Clone)]
pub struct Worker {
    executable: PathBuf,
    arguments: Vec<OsString>,
    time_limit: Duration,
    slots: Arc<Semaphore>,
}

impl Worker {
    /// Creates a worker that starts `executable`. The executable must call [`run_worker`](crate::run_worker) if
    /// [`is_worker`](crate::is_worker) returns true.
    #[must_use]
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Worker {
            executable: executable.into(),
            arguments: Vec::new(),
            time_limit: limits::TIME,
            slots: Arc::new(Semaphore::new(limits::SIDE_BY_SIDE)),
        }
    }

    /// Appends an argument to the command line of the child process.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets the time limit of one program. The default and the maximum are five seconds.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit.min(limits::TIME);
        self
    }

    /// Compiles a program in a child process without running it.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Program`] if the text cannot be compiled or is too long. Returns [`ErrorKind::Time`],
    /// [`ErrorKind::Memory`] or [`ErrorKind::Worker`] if the child process fails.
    pub async fn check(&self, program: &str) -> Result<(), Error> {
        self.send(program, "", &[], true).await.map(drop)
    }

    /// Runs a jq program over a JSON text and returns its results as JSON texts.
    ///
    /// `members` are the names of optional fields of the input rows. The functions of [`HELPERS`](crate::HELPERS)
    /// accept these fields even if no row has them. Dropping the future kills the child process.
    ///
    /// # Errors
    /// Returns an error if the program or the child process fails, or if a limit is exceeded. [`Error::outputs`]
    /// contains the results before the failure. It is empty if the program exceeded its time limit.
    pub async fn run(
        &self,
        program: &str,
        input: &str,
        members: &[&str],
    ) -> Result<Vec<Json>, Error> {
        self.send(program, input, members, false).await
    }

    async fn send(
        &self,
        program: &str,
        input: &str,
        members: &[&str],
        only_check: bool,
    ) -> Result<Vec<Json>, Error> {
        // `acquire` never fails, because the semaphore is never closed.
        let _slot = self.slots.acquire().await.map_err(|error| worker_error(&error))?;
        let mut child = self.start_child()?;
        let request = Request {
            program: program.to_owned(),
            members: members.iter().map(|name| (*name).to_owned()).collect(),
            only_check,
        };
        let request = serde_json::to_string(&request).map_err(|error| worker_error(&error))?;

        let work = exchange(&mut child, &request, input);
        let outcome = tokio::time::timeout(self.time_limit, work).await;
        // Waits for the end of a killed child, so that its memory is free before the next one starts.
        if !matches!(outcome, Ok(Ok(_))) {
            let _ = child.kill().await;
        }
        match outcome {
            Ok(Ok(response)) => parse_response(&response),
            Ok(Err(error)) => Err(worker_error(&error)),
            Err(_) => Err(Error::new(
                ErrorKind::Time,
                format!("the program ran for more than {:?}", self.time_limit),
            )),
        }
    }

    fn start_child(&self) -> Result<Child, Error> {
        let mut command = Command::new(&self.executable);
        command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        // The program must not see the environment. Windows needs some variables to start a process.
        #[cfg(unix)]
        command.env_clear();
        command.env(WORKER_VARIABLE, "1").spawn().map_err(|error| worker_error(&error))
    }
}

/// Writes the request to the child's standard input, and reads the response from its standard output. Reads at most
/// [`limits::RESPONSE`] bytes.
async fn exchange(child: &mut Child, request: &str, input: &str) -> std::io::Result<Vec<u8>> {
    if let Some(mut stdin) = child.stdin.take() {
        let write = async {
            stdin.write_all(request.as_bytes()).await?;
            stdin.write_all(b"\n").await?;
            stdin.write_all(input.as_bytes()).await
        };
        // The write fails if the child ended early. The child may still have sent a response. If not, `parse_response`
        // returns an error.
        let _ = write.await;
    }

    let mut response = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(limits::RESPONSE).read_to_end(&mut response).await?;
    }
    if response.len() as u64 == limits::RESPONSE {
        // The rest of the response is not read, so the child would wait forever.
        child.start_kill()?;
    }
    child.wait().await?;
    Ok(response)
}

/// Parses the results in a response of the child process.
///
/// # Errors
/// Returns the error that the child process sent. If the response ends without a `Done` or `Error` message, returns one
/// of these errors:
///
/// - [`ErrorKind::Output`] if the response has the maximum length. The program has too many results.
/// - [`ErrorKind::Memory`] if the response is shorter. The child process usually ended because the program exceeded the
///   limit on memory or on the stack.
fn parse_response(response: &[u8]) -> Result<Vec<Json>, Error> {
    let mut outputs = Vec::new();
    for message in response.split(|byte| *byte == RECORD_SEPARATOR).skip(1) {
        match serde_json::from_slice(message) {
            Ok(Response::Output(output)) => outputs.push(output),
            Ok(Response::Error { kind, message }) => {
                return Err(Error::new(kind, message).with_outputs(outputs));
            }
            Ok(Response::Done) => return Ok(outputs),
            // The child ended while it wrote a message.
            Err(_) => break,
        }
    }
    let (kind, message) = if response.len() as u64 == limits::RESPONSE {
        (ErrorKind::Output, "the program has too many results")
    } else {
        let message = "the program needs too much memory, or its data are nested too deeply";
        (ErrorKind::Memory, message)
    };
    Err(Error::new(kind, message).with_outputs(outputs))
}

fn worker_error(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Worker, format!("the process for jq programs failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_of_maximum_length_is_output_error() {
        let mut response = b"\x1e{\"output\":1}\n".to_vec();
        let short = parse_response(&response).expect_err("`Done` is missing");
        assert_eq!(short.kind(), ErrorKind::Memory);
        response.resize(usize::try_from(limits::RESPONSE).expect("64 MiB"), b' ');
        let long = parse_response(&response).expect_err("the response is cut off");
        assert_eq!(long.kind(), ErrorKind::Output);
    }
}
