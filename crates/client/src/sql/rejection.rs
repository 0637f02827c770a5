//! Reason why the service rejected a job.

use crypto_intel_core::{Error, ErrorKind, Extra};
use serde_json::Value;

/// The service's reason for rejecting a job: too many jobs wait, or all jobs fail. Read it with
/// [`from_error`](Self::from_error).
///
/// ```
/// use crypto_intel::sql::SqlRejection;
///
/// # fn run(error: crypto_intel::Error) {
/// if let Some(rejection) = SqlRejection::from_error(&error) {
///     println!("{}: {:?}", rejection.code, rejection.recommended_action);
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SqlRejection {
    /// `ASYNC_SQL_QUEUE_FULL` or `ASYNC_SQL_CIRCUIT_OPEN`; the service may add others.
    pub code: String,
    /// Explanation in words.
    pub message: Option<String>,
    /// The service's identifier of the request.
    pub request_id: Option<String>,
    /// Identifier of the job; a rejected query has none.
    pub job_id: Option<String>,
    /// Identifier of the query; a rejected query has none.
    pub query_id: Option<String>,
    /// Always `rejected`.
    pub status: Option<String>,
    /// True if an equal query may be accepted later.
    pub retryable: Option<bool>,
    /// Time to wait before the next attempt, in milliseconds; at least 1.
    pub retry_after_ms: Option<i64>,
    /// `wait_and_retry` or `narrow_query`; the service may add others.
    pub recommended_action: Option<String>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

crypto_intel_core::record!(SqlRejection {
    0 required code "code",
    1 optional message "message",
    2 optional request_id "request_id",
    3 nullable job_id "job_id",
    4 nullable query_id "query_id",
    5 optional status "status",
    6 optional retryable "retryable",
    7 optional retry_after_ms "retry_after_ms",
    8 optional recommended_action "recommended_action",
});

impl SqlRejection {
    /// Reads the rejection from an error of [`ErrorKind::SqlRejected`]; `None` for other errors, and for a rejection
    /// without a code.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<Self> {
        let details = error.details().filter(|_| error.kind() == ErrorKind::SqlRejected)?;
        serde_json::from_value(Value::Object(details.clone())).ok()
    }
}
