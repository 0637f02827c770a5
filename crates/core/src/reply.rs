//! A decoded answer with what is known about how it came.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use http::{HeaderMap, StatusCode};

use crate::operation::{Operation, Price};

/// A decoded answer. It derefs to the answer itself, so that `reply.data` is the rows.
///
/// What the service says a call used and what the published list says it costs are two figures, at
/// times different ones: [`credits_used`](Self::credits_used) and [`list_price`](Self::list_price).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The answer.
    pub value: T,
    /// HTTP status.
    pub status: StatusCode,
    /// Headers of the answer.
    pub headers: HeaderMap,
    /// Requests that were sent for it.
    pub attempts: u32,
    /// Time from the first request to the end of the body.
    pub elapsed: Duration,
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Credits the service says the call used. May differ from [`list_price`](Self::list_price)
    /// in both directions.
    pub credits_used: Option<i64>,
    /// Whether the service says that the answer came from its cache.
    pub cached: Option<bool>,
    pub(crate) price: Price,
}

impl<T> Reply<T> {
    /// The price of this call in the published list, which is not what was charged. Where it
    /// depends on the model, it is that of the model and the effort that were asked for.
    #[must_use]
    pub fn list_price(&self) -> Price {
        self.price
    }

    /// The service's identifier of the request, where it sent one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }

    /// The answer alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The same reply around another value.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        Reply {
            value: change(self.value),
            status: self.status,
            headers: self.headers,
            attempts: self.attempts,
            elapsed: self.elapsed,
            operation: self.operation,
            credits_used: self.credits_used,
            cached: self.cached,
            price: self.price,
        }
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
