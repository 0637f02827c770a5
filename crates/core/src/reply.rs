//! A decoded response with the details of its HTTP exchange.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::operation::{Operation, Price};
use crate::redact::Redact;

/// A decoded answer. It derefs to the answer itself, so that `reply.data` is the rows.
///
/// It has no public fields, so that a field that is read through it is always the answer's:
/// `reply.status` is what the service says of a response or a job, and the HTTP status is
/// `reply.http().status`. The generator refuses an answer that has a member with the name of one of
/// the methods here.
///
/// The credits that the service reports and the list price can differ. They are two methods:
/// [`credits_used`](Self::credits_used) and [`list_price`](Self::list_price).
///
/// `Debug` shows the answer without the API key, should the service have repeated it there.
#[derive(Clone)]
pub struct Reply<T> {
    pub(crate) value: T,
    /// Knows the keys that `Debug` must not show.
    pub(crate) secrets: Arc<dyn Redact>,
    pub(crate) http: HttpInfo,
    pub(crate) operation: &'static Operation,
    pub(crate) credits_used: Option<i64>,
    pub(crate) cached: Option<bool>,
    pub(crate) price: Price,
    pub(crate) body: Option<Bytes>,
}

/// Details of the HTTP exchange that returned a response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpInfo {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers of the answer.
    pub headers: HeaderMap,
    /// Requests that were sent for it.
    pub attempts: u32,
    /// Time from the first request to the end of the body.
    pub elapsed: Duration,
    /// Whether the answer comes from the client's own cache, or from an equal call that was under
    /// way: nothing was sent or charged for it.
    pub reused: bool,
}

impl HttpInfo {
    /// The service's identifier of the request, where it sent one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }

    /// Date since which the operation is deprecated, as the service sends it in `Deprecation`, such as `@1767225600`.
    #[must_use]
    pub fn deprecation(&self) -> Option<&str> {
        self.headers.get("deprecation")?.to_str().ok()
    }

    /// Date from which the operation may no longer respond, as the service sends it in `Sunset`.
    #[must_use]
    pub fn sunset(&self) -> Option<&str> {
        self.headers.get("sunset")?.to_str().ok()
    }
}

// The generator reads the names of these methods from this file.
impl<T> Reply<T> {
    /// Status, headers, identifier of the request, attempts and time.
    #[must_use]
    pub fn http(&self) -> &HttpInfo {
        &self.http
    }

    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Credits the service says the call used; none for an answer that was
    /// [reused](HttpInfo::reused). May differ from [`list_price`](Self::list_price) in both
    /// directions.
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.credits_used
    }

    /// Whether the service says that the answer came from its cache.
    #[must_use]
    pub fn cached(&self) -> Option<bool> {
        self.cached
    }

    /// The price of this call in the published list, which is not what was charged. Where it
    /// depends on the model, it is that of the model and the effort that were asked for.
    #[must_use]
    pub fn list_price(&self) -> Price {
        self.price
    }

    /// The body as it came, where [`CallOptions::keep_body`](crate::CallOptions::keep_body) asks
    /// for it.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_ref()
    }

    /// The answer alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Converts the data and keeps all other parts of the reply.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        Reply {
            value: change(self.value),
            secrets: self.secrets,
            http: self.http,
            operation: self.operation,
            credits_used: self.credits_used,
            cached: self.cached,
            price: self.price,
            body: self.body,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = match f.alternate() {
            true => format!("{:#?}", self.value),
            false => format!("{:?}", self.value),
        };
        self.secrets.redact(&mut value);

        f.debug_struct("Reply")
            .field("value", &format_args!("{value}"))
            .field("http", &self.http)
            .field("operation", &self.operation.id)
            .field("credits_used", &self.credits_used)
            .field("cached", &self.cached)
            .field("price", &self.price)
            .field("body_bytes", &self.body.as_ref().map(Bytes::len))
            .finish()
    }
}

impl<T> Deref for Reply<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Reply<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
