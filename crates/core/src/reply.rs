//! A decoded response with the details of its HTTP exchange.
//!
//! Await a request to get a reply. It dereferences to the data, and returns headers, attempts, time and credits.

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

/// A decoded response. It derefs to the response data, so `reply.data` is the rows.
///
/// It has no public fields, so a field that is read through it always belongs to the response. For example,
/// `reply.status` is the status of a job, and the HTTP status is `reply.http().status`. The generator rejects a
/// response with a field that has the name of a method here.
///
/// The credits that the service reports and the list price can differ, so they are two methods:
/// [`credits_used`](Self::credits_used) and [`list_price`](Self::list_price).
///
/// `Debug` masks the API key in the response.
#[derive(Clone)]
pub struct Reply<T> {
    pub(crate) value: T,
    pub(crate) exchange: Exchange,
}

/// All parts of a reply except the data. As a type of their own, they do not add code for each type of data.
#[derive(Clone)]
pub(crate) struct Exchange {
    /// Masks the keys in `Debug`.
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
    /// Number of requests sent for the response.
    pub attempts: u32,
    /// Time from the first request to the end of the body.
    pub elapsed: Duration,
    /// True if the response comes from the client's own cache, or from an equal call in flight. Nothing was sent or
    /// charged for it.
    pub reused: bool,
}

impl HttpInfo {
    /// Returns the service's identifier of the request, if the service sent one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }

    /// Returns the date since which the operation is deprecated, as the service sends it in `Deprecation`, such as
    /// `@1767225600`.
    #[must_use]
    pub fn deprecation(&self) -> Option<&str> {
        self.headers.get("deprecation")?.to_str().ok()
    }

    /// Returns the date from which the operation may no longer respond, as the service sends it in `Sunset`.
    #[must_use]
    pub fn sunset(&self) -> Option<&str> {
        self.headers.get("sunset")?.to_str().ok()
    }
}

// The generator reads the names of these methods from this file.
impl<T> Reply<T> {
    /// Returns HTTP status, headers, request identifier, attempts and time.
    #[must_use]
    pub fn http(&self) -> &HttpInfo {
        &self.exchange.http
    }

    /// Returns the operation that was called.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.exchange.operation
    }

    /// Returns the credits used, as the service reports them; `None` for a [reused](HttpInfo::reused) response. The
    /// number may be above or below the [`list_price`](Self::list_price).
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.exchange.reported.credits_used
    }

    /// Returns true if the service answered from its own cache; `None` if the response does not report it.
    #[must_use]
    pub fn cached(&self) -> Option<bool> {
        self.exchange.reported.cached
    }

    /// Returns the reason why the response has no rows, as the service reports it in `meta.empty_reason`, such as
    /// `no_data_in_range`.
    #[must_use]
    pub fn empty_reason(&self) -> Option<&str> {
        self.exchange.reported.empty_reason.as_deref()
    }

    /// Returns the time at which the service computed the response (`meta.watermark`). Operations that read a
    /// warehouse report it: older rows come from the warehouse, newer rows from a live feed.
    #[must_use]
    pub fn watermark(&self) -> Option<UnixSeconds> {
        self.exchange.reported.watermark
    }

    /// Returns the number of rows of the whole list (`meta.total`), not of this page.
    #[must_use]
    pub fn total_rows(&self) -> Option<i64> {
        self.exchange.reported.total
    }

    /// Returns the list price of this call, which is not a charge. If the price depends on the model, it is resolved
    /// for the model and effort of the request.
    #[must_use]
    pub fn list_price(&self) -> Price {
        self.exchange.price
    }

    /// Returns the body as received, if [`CallOptions::keep_body`](crate::CallOptions::keep_body) was set.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.exchange.body.as_ref()
    }

    /// Returns the response data alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Converts the data and keeps all other parts of the reply.
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
