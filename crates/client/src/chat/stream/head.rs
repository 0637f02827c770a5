//! Data of a chat stream that is known before its first event, such as the HTTP status.

use std::pin::Pin;
use std::time::Duration;

use crypto_intel_core::{Error, Handle, ModelUse, Operation};
use http::{HeaderMap, StatusCode};
use tokio::time::Sleep;

/// Data of a chat stream that is known when the HTTP response headers have arrived.
pub(crate) struct Head {
    pub(crate) handle: Handle,
    pub(crate) operation: &'static Operation,
    pub(crate) model: Option<ModelUse>,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) attempts: u32,
    /// Time limit of the whole stream, with the timer that fires at the limit.
    pub(crate) total: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl Head {
    /// Adds the operation, the number of attempts, the HTTP status and the request identifier to an error of the
    /// stream. Also masks API keys in the error.
    pub(crate) fn add_details(&self, error: Error) -> Error {
        let error = error.with_operation(self.operation.id).with_attempts(self.attempts);
        let error = match error.status() {
            Some(_) => error,
            None => error.with_status(self.status),
        };
        let error = match self.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        };
        self.handle.masked(error)
    }

    pub(super) fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }
}
