//! Details of the error with which the service rejects an SQL job.

use crypto_intel_core::{Error, ErrorKind, Extra};
use serde_json::Value;

/// Details of the error with which the service rejects an SQL job. [`from_error`](Self::from_error) reads them from an
/// [`Error`]. The code `ASYNC_SQL_QUEUE_FULL` means that too many jobs are queued. The code `ASYNC_SQL_CIRCUIT_OPEN`
/// means that the service accepts no SQL jobs for some time because of earlier failures.
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
    /// Error code: `ASYNC_SQL_QUEUE_FULL` or `ASYNC_SQL_CIRCUIT_OPEN`. The service may add other codes.
    pub code: String,
    /// Error message of the service.
    pub message: Option<String>,
    /// The service's identifier of the HTTP request.
    pub request_id: Option<String>,
    /// Identifier of the job. The service always sends `null`, because it creates no job for a rejected query.
    pub job_id: Option<String>,
    /// Identifier of the query. The service should not send this field, because it does not run a rejected query.
    pub query_id: Option<String>,
    /// Status of the job, which is always `rejected`.
    pub status: Option<String>,
    /// True if the service may accept an equal query later.
    pub retryable: Option<bool>,
    /// Time to wait before submitting the query again, in milliseconds; at least 1.
    pub retry_after_ms: Option<i64>,
    /// Action that the service recommends: `wait_and_retry` or `narrow_query`. The service may add other actions.
    pub recommended_action: Option<String>,
    /// JSON fields that this release has no Rust fields for.
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
    /// Reads the details from an error of [`ErrorKind::SqlRejected`]. Returns `None` for an error of another kind, and
    /// for an error without an error code.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<Self> {
        let details = error.details().filter(|_| error.kind() == ErrorKind::SqlRejected)?;
        serde_json::from_value(Value::Object(details.clone())).ok()
    }
}
