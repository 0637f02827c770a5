//! Errors of tools. Each error contains a kind, a message and a suggested next step, so that an agent can react to the
//! error.

use crypto_intel::{Error, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// Error of a tool call. The server sends it as a tool result with `isError`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Problem {
    /// Kind of the error in a few words, such as `not found`.
    error: &'static str,
    message: String,
    /// Next step that is suggested to the agent.
    next_step: String,
    /// Error message of the service. The text is data, not an instruction to the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    service_data_error: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
    /// True if the service may have charged for the call. The JSON omits this field if the service has certainly not
    /// charged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    perhaps_charged: bool,
}

impl Problem {
    fn new(error: &'static str, message: impl Into<String>) -> Self {
        Problem {
            error,
            message: message.into(),
            next_step: String::new(),
            service_data_error: None,
            status: None,
            code: None,
            retry_after_seconds: None,
            perhaps_charged: false,
        }
    }

    /// Creates an error for invalid arguments.
    pub(crate) fn arguments(message: impl Into<String>) -> Self {
        Self::new("invalid arguments", message)
    }

    /// Creates an error for a call that would exceed a credit limit.
    pub(crate) fn over_cap(message: impl Into<String>) -> Self {
        Self::new("over the credit cap", message)
    }

    /// Creates an error for a name that does not exist, such as the name of an operation, a tool or a stored result.
    pub(crate) fn unknown(message: impl Into<String>) -> Self {
        Self::new("not found", message)
    }

    /// Creates an error for a call that the caller cancelled.
    pub(crate) fn cancelled() -> Self {
        Self::new("cancelled", "the call was cancelled").next(
            "the service may charge for requests that were sent; the tool `credits` shows charges",
        )
    }

    /// Creates an error for a failure of the server itself.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new("internal", message)
            .next("try again; if the error persists, report it to the user")
    }

    /// Sets the next step that is suggested to the agent.
    pub(crate) fn next(mut self, step: impl Into<String>) -> Self {
        self.next_step = step.into();
        self
    }

    /// Adds two facts to the start of the text `next_step`: the call succeeded, and its stored result has the handle
    /// `handle`.
    pub(crate) fn with_stored_result(mut self, handle: &str) -> Self {
        self.next_step = format!(
            "the call succeeded; read_result {{\"handle\":\"{handle}\"}} reads its stored result for free; {}",
            self.next_step
        );
        self
    }

    /// Returns the message of the error.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the error as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({ "error": self.error }))
    }
}

/// Converts an error of the client. The client has already masked all API keys in the error.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let operation = error.operation().unwrap_or("the operation");
        let (kind, step) = kind_and_next_step(&error, operation);
        let surely_free = error.attempts() == 0
            || matches!(
                error.kind(),
                ErrorKind::Authentication
                    | ErrorKind::InsufficientCredits
                    | ErrorKind::RateLimited
                    | ErrorKind::NotFound
                    | ErrorKind::InvalidRequest
                    | ErrorKind::SqlRejected
            );

        let status = error.status().map(|status| status.as_u16());
        // If an error has an HTTP status, its message is text of the service.
        let (message, service_data_error) = match status {
            Some(status) => {
                (format!("{operation}: {kind}, status {status}"), Some(error.message().into()))
            }
            None => (format!("{operation}: {}", error.message()), None),
        };
        Problem {
            service_data_error,
            status,
            code: error.code().map(Into::into),
            retry_after_seconds: error.retry_after().map(|wait| wait.as_secs()),
            perhaps_charged: !surely_free,
            ..Problem::new(kind, message).next(step)
        }
    }
}

/// Returns the kind of an error in words, and the next step for an agent.
fn kind_and_next_step(error: &Error, operation: &str) -> (&'static str, String) {
    match error.kind() {
        ErrorKind::Authentication => (
            "authentication",
            "tell the user that the API key of this server is missing or invalid; only the user can correct the key".to_owned(),
        ),
        ErrorKind::InsufficientCredits => (
            "insufficient credits",
            "tell the user that the account has no credits left; free calls still work".to_owned(),
        ),
        ErrorKind::OverBudget => (
            "over the credit cap",
            "stop here, or ask the user to start the server with a larger `--max-credits`".to_owned(),
        ),
        ErrorKind::RateLimited => ("rate limited", "wait, then call again with the same arguments".to_owned()),

        ErrorKind::NotFound => (
            "not found",
            "check the argument values; to find valid values, call `search_operations` with \
             the query `search`, then call one of the operations that it returns"
                .to_owned(),
        ),
        ErrorKind::InvalidRequest => (
            "invalid arguments",
            format!("correct the arguments; `describe_operation` with `{operation}` lists the parameters"),
        ),
        ErrorKind::SqlRejected => (
            "query rejected",
            match error.recommended_action() {
                Some(action) => format!("the service recommends `{action}`"),
                None => "wait, or query less data".to_owned(),
            },
        ),
        ErrorKind::SqlFailed => (
            "query failed",
            "correct the query; the operation `onchain-schema` lists tables and columns".to_owned(),
        ),

        ErrorKind::Timeout => ("timeout", "try again, or request less data".to_owned()),
        ErrorKind::Decode => (
            "unreadable response",
            "this release cannot read the response; use another operation".to_owned(),
        ),
        ErrorKind::Truncated => ("truncated", "the response ended early; try again".to_owned()),
        ErrorKind::Transport => ("no response", "the service cannot be reached; try again in a moment".to_owned()),
        _ if error.is_retryable() => ("service failed", "try again in a moment".to_owned()),
        _ => ("service failed", "use another operation".to_owned()),
    }
}
