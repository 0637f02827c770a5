//! Runs jq programs over results. With jq, an agent reads only the values that it needs.
//!
//! Programs run in a child process ([`crypto_intel_jq`]), because even a short jq program can crash its process.
//! [`Settings::jq_worker`](crate::Settings::jq_worker) sets the executable of the child process. Without this setting,
//! the server rejects jq programs.

use crypto_intel_jq::ErrorKind;

use crate::json::Json;
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::session::Session;

/// Runs a jq program over the rows of a result and returns its outputs.
pub(crate) async fn run(
    session: &Session,
    program: &str,
    result: &Stored,
) -> Result<Vec<Json>, Problem> {
    let Some(worker) = &session.settings.jq_worker else {
        return Err(Problem::arguments("this server cannot run jq programs")
            .next("omit `jq`, and pass the result's `handle` to `read_result`"));
    };
    worker.run(program, &result.json(), &result.members()).await.map_err(problem)
}

/// Returns an error if the text is not a valid jq program. The check happens before a call, so that an invalid program
/// costs no credits.
pub(crate) async fn check(session: &Session, program: Option<&str>) -> Result<(), Problem> {
    let (Some(program), Some(worker)) = (program, &session.settings.jq_worker) else {
        return Ok(());
    };
    match worker.check(program).await {
        Err(error) if error.kind() == ErrorKind::Program => Err(problem(error)),
        // Other errors concern the child process. They do not prevent the call, because its result is stored and can be
        // read without jq.
        _ => Ok(()),
    }
}

fn problem(error: crypto_intel_jq::Error) -> Problem {
    let next = match error.kind() {
        ErrorKind::Time | ErrorKind::Memory | ErrorKind::Output => {
            "filter with `select` first, or use a simpler program"
        }
        ErrorKind::Worker => "omit `jq`, and pass the result's `handle` to `read_result`",
        _ => {
            "correct the program; its input is the list of rows (or the single value), so \
             begin with `.[]` or `map(...)`"
        }
    };
    Problem::arguments(format!("jq: {}", error.message())).next(next)
}
