//! Messages between a process and the child process that runs a jq program.
//!
//! A request is one line of JSON, followed by the input of the program. A response is a sequence of JSON texts
//! (RFC 7464). Each text begins with the byte 0x1E. The parent ignores all bytes before the first 0x1E, because
//! the executable may print something before it runs the program.

use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, Json};

/// Environment variable that marks a child process as a jq worker.
pub(crate) const WORKER_VARIABLE: &str = "CRYPTO_INTEL_JQ_WORKER";

/// Byte at the start of each message of a response.
pub(crate) const RECORD_SEPARATOR: u8 = 0x1e;

/// First line of a request, as a JSON object.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) program: String,
    /// Names of optional fields of the input rows. Helper functions such as `sum(f)` accept these fields even if no row
    /// has them.
    pub(crate) members: Vec<String>,
    /// True if the worker compiles the program but does not run it.
    pub(crate) only_check: bool,
}

/// One message of a response.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Response {
    /// One result of the program.
    Output(Json),
    /// The program failed. This message is the last one.
    Error {
        /// Reason of the failure.
        kind: ErrorKind,
        /// One sentence about the failure.
        message: String,
    },
    /// The program ended without a failure. This message is the last one.
    Done,
}
