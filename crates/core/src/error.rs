//! The one error type.

mod masked;
mod shown;

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use serde_json::{Map, Value};

use crate::error_body::ErrorBody;
use crate::error_kind::ErrorKind;

/// What went wrong with a call, and whether trying again can help.
///
/// `Display` is one line without headers, bodies or keys; `Debug`, which `unwrap` and `main` show,
/// is that line and below it a line for everything else that is known. What caused it is in
/// [`source`](StdError::source).
///
/// A program branches on [`kind`](Self::kind), and where it wants more detail on
/// [`code`](Self::code):
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

/// Characters of a message that are shown, and kept of one that came from the service.
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
    /// An error of this kind; `message` is a sentence without a final stop that does not repeat
    /// the kind.
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

    /// A request that is at fault, found before sending.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidRequest, message)
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the same call may succeed later. It does not say that sending it again is free of
    /// risk: a POST may have been carried out.
    ///
    /// A call that its caller's own deadline ended is retryable too. The deadline says how long
    /// this call was worth waiting for, and nothing of whether the service will answer the next
    /// one; only the client itself sends nothing more for it.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// The sentence, without the kind.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// HTTP status, where an answer arrived.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        self.0.status
    }

    /// The service's own code, such as `PAID_BALANCE_ZERO`. The set is open.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Identifier of the operation that was called.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.0.operation
    }

    /// The service's identifier of the request, where it sent one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// How long the service asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Requests that were sent for the call; 0 when it was refused before.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// The service's error object, whole: members that have no method here are found in it.
    #[must_use]
    pub fn details(&self) -> Option<&Map<String, Value>> {
        self.0.details.as_ref()
    }

    fn detail(&self, name: &str) -> Option<&str> {
        self.details()?.get(name)?.as_str()
    }

    /// What the service recommends, such as `use_async_job`, `wait_and_retry` or `narrow_query`.
    #[must_use]
    pub fn recommended_action(&self) -> Option<&str> {
        self.detail("recommended_action")
    }

    /// Why a listed company has no financial data, such as `publication_missing`.
    #[must_use]
    pub fn financial_serving_reason(&self) -> Option<&str> {
        self.detail("financial_serving_reason")
    }

    /// Whether the day's free allowance of this address is what is used up, rather than the
    /// balance of an account.
    #[must_use]
    pub fn is_free_allowance(&self) -> bool {
        self.code() == Some("FREE_QUOTA_EXHAUSTED")
    }

    /// The answer's body, so that nothing that was paid for is lost: of a successful answer that
    /// does not decode it is whole. Neither `Display` nor `Debug` shows it.
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

    /// Sets whether trying again can help.
    #[must_use]
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Sets the HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Sets the service's code.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// Sets the operation, unless one is set: the innermost knows best.
    #[must_use]
    pub fn with_operation(mut self, id: &'static str) -> Self {
        self.0.operation.get_or_insert(id);
        self
    }

    /// Sets the request identifier.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = Some(id.into());
        self
    }

    /// Sets the wait the service asks for.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Sets the number of requests sent.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// Keeps the service's error object.
    #[must_use]
    pub fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.0.details = Some(details);
        self
    }

    /// Keeps the answer's body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.0.body = Some(ErrorBody::from(body.into()));
        self
    }

    /// Sets the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }
}

// By hand, because the cause itself is the source, and not the pointer to it.
impl StdError for Inner {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

// An error is one pointer, so that `Result` stays small; it crosses threads. Losing either is a
// breaking change.
const _: () = {
    assert!(size_of::<Error>() == size_of::<usize>());
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Error>();
};
