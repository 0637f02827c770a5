//! The interface between generated requests and the client that sends them.
//!
//! A [`Transport`] sends a call and returns the undecoded response. A [`Handle`] is a request's reference to the
//! transport.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{Call, ModelUse};
use crate::error::Error;
use crate::operation::Operation;
use crate::raw_reply::{RawReply, RawStream};
use crate::redact::Redact;

/// A boxed future. Unlike the type of an `async` block, this type has a name, so trait methods such as
/// [`Transport::send`] can return it.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The part of the client that sends calls. It adds API keys, retries, deadlines, budgets and the classification of
/// errors.
///
/// Dropping a returned future cancels its call. It also cancels an HTTP request in flight, unless other calls wait for
/// the same response.
pub trait Transport: Redact {
    /// Sends `call`, and resolves to the complete response. An unsuccessful response becomes an error.
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>>;

    /// Sends `call`, and resolves as soon as the status and headers of a successful response arrive. Dropping the body
    /// of the response cancels the remaining transfer.
    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>>;

    /// Records the credits used, which the service reports in a response. The function is called after the response is
    /// decoded.
    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        let _ = (operation, model, credits_used);
    }

    /// Returns the maximum size, in bytes, of a response body that may be collected in memory.
    fn max_body(&self) -> usize {
        usize::MAX
    }

    /// Returns true if all replies keep their response body, even if the options of the call do not require it.
    fn keep_body(&self) -> bool {
        false
    }

    /// Returns the base URL of the service, if the transport has one. The URL contains no credentials and no final
    /// slash.
    fn base_url(&self) -> Option<&str> {
        None
    }
}

/// Reference from a request to the client that sends the request. Clones refer to the same client.
#[derive(Clone)]
pub struct Handle(Arc<dyn Transport>);

impl Handle {
    /// Creates a handle whose calls are sent by `transport`.
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        Handle(transport)
    }

    /// Returns the transport of this handle. A caller can wrap it in another transport.
    #[must_use]
    pub fn transport(&self) -> Arc<dyn Transport> {
        self.0.clone()
    }

    /// Creates a call of `operation` without parameter values.
    pub fn call(&self, operation: &'static Operation) -> Call {
        Call::new(self.clone(), operation)
    }

    /// Records the credits used by a call, as the service reports them. [`Call::send`] calls this function for each
    /// decoded response that is not reused. Code that reads a stream must call this function when the stream reports
    /// the credits.
    pub fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        self.0.settled(operation, model, credits_used);
    }

    /// Masks secrets in a string that came from the service.
    pub fn redact(&self, text: &mut String) {
        self.0.redact(text);
    }

    /// Masks all secrets in the strings of an error.
    #[must_use]
    pub fn masked(&self, error: Error) -> Error {
        error.masked(&|text| self.redact(text))
    }

    /// Returns the maximum size, in bytes, of a response body that may be collected in memory.
    #[must_use]
    pub fn max_body(&self) -> usize {
        self.0.max_body()
    }

    /// Returns the base URL of the service, if the transport has one. The URL contains no credentials and no final
    /// slash.
    #[must_use]
    pub fn base_url(&self) -> Option<&str> {
        self.0.base_url()
    }

    pub(crate) fn keep_body(&self) -> bool {
        self.0.keep_body()
    }

    pub(crate) fn open(self, call: Call) -> BoxFuture<Result<RawStream, Error>> {
        self.0.open(call)
    }

    pub(crate) fn send(self, call: Call) -> BoxFuture<Result<RawReply, Error>> {
        self.0.send(call)
    }
}

/// Writes only the name of the type, because the transport can contain secrets.
impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle")
    }
}
