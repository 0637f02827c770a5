//! The child process. It limits its own resources, reads one program with its input, and writes the results.

use std::io::{Read, Write};

use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::message::{RECORD_SEPARATOR, Request, Response, WORKER_VARIABLE};
use crate::program::Program;

/// Returns true if this process was started by a [`Worker`](crate::Worker).
#[must_use]
pub fn is_worker() -> bool {
    std::env::var_os(WORKER_VARIABLE).is_some()
}

/// Reads a program and its input from standard input, runs the program, and writes its results to standard output.
///
/// The executable should exit when this function returns. If the program exceeds its memory or stack, the process is
/// aborted.
pub fn run_worker() {
    limit_resources();

    // A separate thread has a stack of known size.
    let thread = std::thread::Builder::new().stack_size(limits::STACK).spawn(serve_request);
    if let Ok(thread) = thread {
        // After a panic, the response has no last message. The parent reports this as an error.
        let _ = thread.join();
    }
}

/// Limits memory, processor time and core dumps of this process.
#[cfg(unix)]
fn limit_resources() {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let limits = [
        (Resource::Data, limits::MEMORY),
        // More than the limit for `Data`, because mapped files and reserved addresses count here too.
        (Resource::As, 4 * limits::MEMORY),
        // Ends a child process whose parent was killed, because nobody else enforces the time limit then.
        (Resource::Cpu, limits::TIME.as_secs() + 1),
        (Resource::Core, 0),
    ];
    for (resource, limit) in limits {
        // If the system does not support a limit, the time and output limits of the parent process still apply.
        let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    }
}

#[cfg(not(unix))]
fn limit_resources() {}

/// Reads the request, runs its program and writes the response.
fn serve_request() {
    let mut text = Vec::new();
    if std::io::stdin().lock().read_to_end(&mut text).is_err() {
        return;
    }
    let last = match run_request(&text) {
        Ok(()) => Response::Done,
        Err(error) => Response::Error { kind: error.kind(), message: error.message().to_owned() },
    };
    // If the write fails, the reader has gone, so nobody can receive an error.
    let _ = write_response(&last);
}

fn run_request(text: &[u8]) -> Result<(), Error> {
    let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    let request: Request = serde_json::from_slice(&text[..line])
        .map_err(|error| Error::new(ErrorKind::Worker, format!("unreadable request: {error}")))?;
    if request.program.len() > limits::PROGRAM {
        let message = format!("the program is longer than {} bytes", limits::PROGRAM);
        return Err(Error::new(ErrorKind::Program, message));
    }

    let program = Program::compile(&request.program)?;
    if request.only_check {
        return Ok(());
    }
    let mut bytes = 0;
    program.run(text.get(line + 1..).unwrap_or_default(), request.members, |output| {
        bytes += output.get().len();
        if bytes > limits::OUTPUT {
            let message = format!("the results are larger than {} bytes", limits::OUTPUT);
            return Err(Error::new(ErrorKind::Output, message));
        }
        write_response(&Response::Output(output))
            .map_err(|error| Error::new(ErrorKind::Worker, error.to_string()))
    })
}

fn write_response(response: &Response) -> std::io::Result<()> {
    let mut line = vec![RECORD_SEPARATOR];
    serde_json::to_writer(&mut line, response)?;
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}
