//! A decoded response together with the details of its HTTP exchange.
//!
//! Awaiting a request returns a [`Reply`]. It dereferences to the response, and its methods return the headers, the
//! number of attempts, the time and the credits used.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::operation::{Operation, Price};
use crate::redact::Redact;
use crate::reported::Reported;
use crate::time::UnixSeconds;

/// A decoded response. It dereferences to the type of the response: `reply.data` contains the rows of a list.
///
/// `Reply` itself has no public fields, so `reply.status` always reads the field `status` of the decoded response, such
/// as the status of a job. The HTTP status is `reply.http().status`. If a response field has the name of a method of
/// `Reply`, the field gets another name in Rust. For example, a response field `body` is called `body_`.
///
/// [`credits_used`](Self::credits_used) returns the credits that the service reports. They can differ from the
/// [`list_price`](Self::list_price).
///
/// `Debug` masks secrets, such as the API key, in the response.
#[derive(Clone)]
pub struct Reply<T> {
    pub(crate) value: T,
    pub(crate) exchange: Exchange,
}

/// All data of a reply except the decoded response. This struct has no type parameter, so its code is compiled only
/// once, not once for each type of response.
#[derive(Clone)]
pub(crate) struct Exchange {
    /// Masks secrets in the `Debug` output of the response.
    pub(crate) secrets: Arc<dyn Redact>,
    pub(crate) http: HttpInfo,
    pub(crate) operation: &'static Operation,
    pub(crate) reported: Reported,
    pub(crate) price: Price,
    pub(crate) body: Option<Bytes>,
}

/// Details of the HTTP exchange that returned a response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpInfo {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers of the response.
    pub headers: HeaderMap,
    /// Number of HTTP requests that were sent until this response arrived. It is 0 for a reused response.
    pub attempts: u32,
    /// Time from the start of the call to the end of the response body. It includes the time to get the API key, the
    /// wait for the rate limit, and the waits between attempts. For a reused response, the time ends when this call
    /// received the response.
    pub elapsed: Duration,
    /// True if the response comes from the client's own cache, or from an equal call that was in flight. A call with a
    /// reused response sends no request and is not charged.
    pub reused: bool,
}

impl HttpInfo {
    /// Returns the identifier that the service gave to the request. Returns `None` if the response contained no
    /// identifier.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }

    /// Returns the header `Deprecation` of the response: the time from which the operation is deprecated, such as
    /// `@1767225600`.
    #[must_use]
    pub fn deprecation(&self) -> Option<&str> {
        self.headers.get("deprecation")?.to_str().ok()
    }

    /// Returns the header `Sunset` of the response: the date from which the operation may no longer be available.
    #[must_use]
    pub fn sunset(&self) -> Option<&str> {
        self.headers.get("sunset")?.to_str().ok()
    }
}

// The generator reads the names of these methods from this file.
impl<T> Reply<T> {
    /// Returns details of the HTTP exchange, such as the status, the headers, the number of attempts and the elapsed
    /// time.
    #[must_use]
    pub fn http(&self) -> &HttpInfo {
        &self.exchange.http
    }

    /// Returns the operation that was called, as described in the catalogue.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.exchange.operation
    }

    /// Returns the credits used, as the service reports them, or `None` if the response does not report them. The
    /// number is 0 for a [reused](HttpInfo::reused) response. It can differ from the [`list_price`](Self::list_price).
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.exchange.reported.credits_used
    }

    /// Returns true if the response came from the cache of the service. Returns `None` if the response does not report
    /// it.
    #[must_use]
    pub fn cached(&self) -> Option<bool> {
        self.exchange.reported.cached
    }

    /// Returns the reason why the response has no rows, such as `no_data_in_range`. The service sends it in
    /// `meta.empty_reason`.
    #[must_use]
    pub fn empty_reason(&self) -> Option<&str> {
        self.exchange.reported.empty_reason.as_deref()
    }

    /// Returns the time at which the service computed the response (`meta.watermark`). Only operations that read a data
    /// warehouse report this time. Rows that are newer than this time come from a live feed.
    #[must_use]
    pub fn watermark(&self) -> Option<UnixSeconds> {
        self.exchange.reported.watermark
    }

    /// Returns the number of rows of the whole list (`meta.total`), if the service reports it. The current page can
    /// have fewer rows.
    #[must_use]
    pub fn total_rows(&self) -> Option<i64> {
        self.exchange.reported.total
    }

    /// Returns the list price of this call. The service may charge another amount. If the price depends on the model,
    /// the result is the price for the model and reasoning effort of the request.
    #[must_use]
    pub fn list_price(&self) -> Price {
        self.exchange.price
    }

    /// Returns the response body as received, or `None` if the body was not kept. To keep the body, set
    /// [`CallOptions::keep_body`](crate::CallOptions::keep_body) or the client setting `keep_body`.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.exchange.body.as_ref()
    }

    /// Returns the response without the details of its HTTP exchange.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Converts the response with a function, and keeps the details of the HTTP exchange.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        Reply { value: change(self.value), exchange: self.exchange }
    }
}

impl<T: fmt::Debug> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = match f.alternate() {
            true => format!("{:#?}", self.value),
            false => format!("{:?}", self.value),
        };
        self.exchange.secrets.redact(&mut value);
        self.exchange.fmt_with(&value, f)
    }
}

impl Exchange {
    fn fmt_with(&self, value: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("value", &format_args!("{value}"))
            .field("http", &self.http)
            .field("operation", &self.operation.id)
            .field("reported", &self.reported)
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
