//! The one error type.

use std::error::Error as StdError;
use std::fmt;
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

    /// The same with secrets taken out of every text that may have come from the service: the
    /// message, the code, the request identifier, the details and the body. Every error leaves a
    /// client through here.
    #[must_use]
    pub fn masked(mut self, mask: &dyn Fn(&mut String)) -> Self {
        let inner = &mut *self.0;
        mask(&mut inner.message);
        for text in [&mut inner.code, &mut inner.request_id].into_iter().flatten() {
            mask(text);
        }

        if let Some(details) = inner.details.take() {
            inner.details = Some(masked_members(details, mask));
        }
        inner.body = inner.body.take().map(|body| body.masked(mask));

        cut(&mut inner.message);
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

/// An object without secrets, in its names as well.
fn masked_members(members: Map<String, Value>, mask: &dyn Fn(&mut String)) -> Map<String, Value> {
    let masked = |(mut name, mut value): (String, Value)| {
        mask(&mut name);
        mask_value(&mut value, mask);
        (name, value)
    };
    members.into_iter().map(masked).collect()
}

fn mask_value(value: &mut Value, mask: &dyn Fn(&mut String)) {
    match value {
        Value::String(text) => mask(text),
        Value::Array(values) => values.iter_mut().for_each(|value| mask_value(value, mask)),
        Value::Object(members) => *members = masked_members(std::mem::take(members), mask),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Cuts a message to a bounded length: one about a body quotes it, however long. After masking,
/// because half a secret is not found.
fn cut(message: &mut String) {
    if let Some((cut, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
        message.truncate(cut);
        message.push('…');
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "{operation}: ")?;
        }
        f.write_str(self.kind.words())?;
        if let Some(status) = self.status {
            write!(f, " ({}", status.as_u16())?;
            match &self.code {
                Some(code) => write!(f, " {})", OneLine(code, CODE_LIMIT))?,
                None => f.write_str(")")?,
            }
        }
        if !self.message.is_empty() {
            write!(f, ": {}", OneLine(&self.message, MESSAGE_LIMIT))?;
        }
        Ok(())
    }
}

/// Characters of a code that `Display` shows.
const CODE_LIMIT: usize = 80;
/// Characters of a message that are shown, and kept of one that came from the service.
const MESSAGE_LIMIT: usize = 1000;

/// A text, much of which may come from a service, in one line of bounded length: control
/// characters, which could move a terminal's cursor, are blanks.
struct OneLine<'a>(&'a str, usize);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OneLine(text, limit) = *self;
        let cut = text.char_indices().nth(limit).map(|(cut, _)| cut);
        for (index, piece) in text[..cut.unwrap_or(text.len())].split(char::is_control).enumerate()
        {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(piece)?;
        }
        if cut.is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Several lines, in every form of `Debug`: it is what `unwrap` and `main` print.
impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n  kind: {:?}", self.kind)?;
        if let (Some(code), None) = (&self.code, self.status) {
            write!(f, "\n  code: {code:?}")?;
        }
        if let Some(request_id) = &self.request_id {
            write!(f, "\n  request id: {request_id:?}")?;
        }
        if let Some(wait) = self.retry_after {
            write!(f, "\n  retry after: {wait:?}")?;
        }
        write!(f, "\n  retryable: {}\n  attempts: {}", self.retryable, self.attempts)?;
        if let Some(body) = &self.body {
            write!(f, "\n  body: {body:?}, see `Error::body`")?;
        }
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(f, "\n  caused by: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

// An error is one pointer, so that `Result` stays small; it crosses threads. Losing either is a
// breaking change.
const _: () = {
    assert!(size_of::<Error>() == size_of::<usize>());
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Error>();
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_one_line_and_debug_tells_the_rest() {
        let error = Error::new(ErrorKind::InsufficientCredits, "the balance is used up")
            .with_status(StatusCode::PAYMENT_REQUIRED)
            .with_code("PAID_BALANCE_ZERO")
            .with_operation("market-price")
            .with_attempts(1)
            .with_body("{}");
        assert_eq!(
            error.to_string(),
            "market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up"
        );
        let error = error.with_source(std::fmt::Error);
        let expected =
            "market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up
  kind: InsufficientCredits
  retryable: false
  attempts: 1
  body: 2 bytes, see `Error::body`
  caused by: an error occurred when formatting an argument";
        assert_eq!(format!("{error:?}"), expected);
        assert_eq!(format!("{error:#?}"), expected);
    }

    #[test]
    fn display_is_one_bounded_line_whatever_a_service_puts_into_it() {
        let error =
            Error::new(ErrorKind::Service, "a\nb\u{1b}[31mc".to_owned() + &"x".repeat(5000))
                .with_status(StatusCode::BAD_GATEWAY)
                .with_code("UP\r\nSTREAM");
        let shown = error.to_string();
        assert!(shown.starts_with("service failed (502 UP  STREAM): a b [31mcxx"), "{shown}");
        assert!(shown.ends_with("x…") && shown.len() < 1100 && !shown.contains(char::is_control));
        assert_eq!(error.code(), Some("UP\r\nSTREAM"));
    }
}
