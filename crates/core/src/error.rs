//! The error type of all crates of this project, and the `Result` alias that uses it.
//!
//! An error has a kind for programs, a message for people, and data such as the HTTP status, the error code and the
//! request identifier.

mod display;
mod masked;

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use serde_json::{Map, Value};

use crate::error_body::ErrorBody;
use crate::error_kind::ErrorKind;

/// Failure of a call. It contains a kind, and the error code and message of the service.
/// [`is_retryable`](Self::is_retryable) returns true if a retry can help.
///
/// `Display` writes one line without headers, bodies or keys:
///
/// ```text
/// market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up
/// ```
///
/// `Debug` writes one line per value, with further values such as the number of attempts. `unwrap` and `main` print
/// errors with `Debug`:
///
/// ```text
/// market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up
///   kind: InsufficientCredits
///   retryable: false
///   attempts: 1
///   body: 2 bytes, see `Error::body`
/// ```
///
/// [`source`](StdError::source) returns the error that caused this one.
///
/// Programs branch on [`kind`](Self::kind) and, for more detail, on [`code`](Self::code):
///
/// ```
/// use std::time::Duration;
/// use crypto_intel_core::{Error, ErrorKind};
///
/// fn wait_before_next(error: &Error) -> Option<Duration> {
///     match error.kind() {
///         ErrorKind::RateLimited => Some(error.retry_after().unwrap_or(Duration::from_secs(60))),
///         ErrorKind::InsufficientCredits if error.is_free_allowance() => Some(Duration::from_secs(86_400)),
///         _ if error.is_retryable() => Some(Duration::from_secs(5)),
///         _ => None,
///     }
/// }
///
/// let error = Error::new(ErrorKind::RateLimited, "slow down").with_retry_after(Duration::from_secs(7));
/// assert_eq!(wait_before_next(&error), Some(Duration::from_secs(7)));
/// assert_eq!(error.to_string(), "rate limited: slow down");
/// assert_eq!(wait_before_next(&Error::invalid("`limit` must be 1 to 100, not 0")), None);
/// ```
#[derive(Clone, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Inner>);

/// Result of a call. The error type is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Maximum length of an error message, in characters. [`Error::masked`] and `Display` cut longer messages, and add the
/// character `…`.
const MESSAGE_LIMIT: usize = 1000;

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    retryable: bool,
    status: Option<StatusCode>,
    code: Option<String>,
    operation: Option<&'static str>,
    request_id: Option<String>,
    retry_after: Option<Duration>,
    attempts: u32,
    details: Option<Map<String, Value>>,
    body: Option<ErrorBody>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    /// Creates an error of this kind. `message` is a sentence without a final full stop. It should not repeat the kind,
    /// because `Display` writes the kind before the message.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            retryable: matches!(
                kind,
                ErrorKind::RateLimited
                    | ErrorKind::Service
                    | ErrorKind::Transport
                    | ErrorKind::Timeout
            ),
            status: None,
            code: None,
            operation: None,
            request_id: None,
            retry_after: None,
            attempts: 0,
            details: None,
            body: None,
            source: None,
        }))
    }

    /// Creates an error of kind [`ErrorKind::InvalidRequest`], for a call that the client rejected before sending it.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidRequest, message)
    }

    /// Returns the kind of the failure, for programs that branch on it.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns true if the same call may succeed later. A retry of a POST can be charged a second time, because the
    /// service may have executed the first POST although its response was lost.
    ///
    /// Also returns true if the call reached its deadline. The client itself makes no further attempt after the
    /// deadline.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// Returns the message of the error. The kind is not part of the message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the HTTP status of the response, or `None` if no response arrived.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        self.0.status
    }

    /// Returns the error code that the service sent, such as `PAID_BALANCE_ZERO`. The service can add codes.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Returns the identifier of the operation that was called.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.0.operation
    }

    /// Returns the identifier that the service gave to the request. Returns `None` if the response contained no
    /// identifier.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Returns the duration that the service asks the client to wait before a retry. Returns `None` if the response
    /// contained no duration.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns the number of HTTP requests sent for the call. The number is 0 if the call was rejected before
    /// sending.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// Returns the JSON object with which the response describes the error. The object includes fields for which
    /// `Error` has no method. A string of more than 64 KiB is cut. The [body](Self::body) contains the whole string.
    #[must_use]
    pub fn details(&self) -> Option<&Map<String, Value>> {
        self.0.details.as_ref()
    }

    fn detail(&self, name: &str) -> Option<&str> {
        self.details()?.get(name)?.as_str()
    }

    /// Returns the action that the service recommends, such as `use_async_job`, `wait_and_retry` or `narrow_query`.
    #[must_use]
    pub fn recommended_action(&self) -> Option<&str> {
        self.detail("recommended_action")
    }

    /// Returns the reason why a listed company has no financial data, such as `publication_missing`.
    #[must_use]
    pub fn financial_serving_reason(&self) -> Option<&str> {
        self.detail("financial_serving_reason")
    }

    /// Returns true if the call failed because the daily free allowance of this IP address is used up. Returns false
    /// for all other errors, for example if the balance of the account is used up.
    #[must_use]
    pub fn is_free_allowance(&self) -> bool {
        self.code() == Some("FREE_QUOTA_EXHAUSTED")
    }

    /// Returns the response body, if the error contains one. [`ErrorBody`] describes in which cases the body is
    /// incomplete. Neither `Display` nor `Debug` of the error shows the body.
    ///
    /// ```
    /// use crypto_intel_core::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Decode, "`data[0].price`: invalid type").with_body("{}");
    /// assert_eq!(error.body().unwrap().text(), "{}");
    /// assert!(!format!("{error:?}").contains("{}"));
    /// ```
    #[must_use]
    pub fn body(&self) -> Option<&ErrorBody> {
        self.0.body.as_ref()
    }

    /// Sets the value that [`is_retryable`](Self::is_retryable) returns: true if the same call may succeed later.
    #[doc(hidden)]
    #[must_use]
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Sets the HTTP status.
    #[doc(hidden)]
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Sets the error code of the service.
    #[doc(hidden)]
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// Sets the identifier of the operation, unless the error already has one.
    #[doc(hidden)]
    #[must_use]
    pub fn with_operation(mut self, id: &'static str) -> Self {
        self.0.operation.get_or_insert(id);
        self
    }

    /// Sets the request identifier.
    #[doc(hidden)]
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = Some(id.into());
        self
    }

    /// Sets the duration that the service asks the client to wait before a retry.
    #[doc(hidden)]
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Sets the number of HTTP requests sent.
    #[doc(hidden)]
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// Sets the JSON object with which the response describes the error.
    #[doc(hidden)]
    #[must_use]
    pub fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.0.details = Some(details);
        self
    }

    /// Sets the body of the response.
    #[doc(hidden)]
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.0.body = Some(ErrorBody::from(body.into()));
        self
    }

    /// Sets the error that caused this one.
    #[doc(hidden)]
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }
}

// Written by hand, because `source` must return the cause and not the `Arc` around it.
impl StdError for Inner {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

// An error is one pointer, so that `Result` stays small, and it can be sent to other threads. Losing either property
// is a breaking change.
const _: () = {
    assert!(size_of::<Error>() == size_of::<usize>());
    const fn assert_send_sync<T: Send + Sync + 'static>() {}
    assert_send_sync::<Error>();
};
