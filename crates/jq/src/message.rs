//! Messages between a process and its jq worker.
//!
//! A request is one line of JSON, followed by the input of the program. A response is a sequence of JSON texts (RFC
//! 7464). Each text begins with the byte 0x1E, so output that the host program printed before the worker started is
//! ignored.

use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, Json};

/// Environment variable that marks a child process as a worker.
pub(crate) const WORKER_VARIABLE: &str = "CRYPTO_INTEL_JQ_WORKER";

/// Byte at the start of each message of a response.
pub(crate) const RECORD_SEPARATOR: u8 = 0x1e;

/// First line of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) program: String,
    /// Fields that rows may have, even if no row has them.
    pub(crate) members: Vec<String>,
    /// True if the program is only compiled.
    pub(crate) only_check: bool,
}

/// One message of a response.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Response {
    /// One result of the program.
    Output(Json),
    /// The program failed. No message follows.
    Error {
        /// Reason of the failure.
        kind: ErrorKind,
        /// One sentence about the failure.
        message: String,
    },
    /// The program ended. No message follows.
    Done,
}
