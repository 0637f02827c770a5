//! The interface between generated code and the client's transport.
//!
//! A transport receives a call and returns a raw response. A handle gives requests access to it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{Call, ModelUse};
use crate::error::Error;
use crate::operation::Operation;
use crate::raw_reply::{RawReply, RawStream};
use crate::redact::Redact;

/// A boxed future, as a type that can be named.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Sends calls. The client implements it once, with keys, retries, deadlines, budgets and the classification of
/// errors.
///
/// Dropping the future cancels the call and a request in flight.
pub trait Transport: Redact {
    /// Sends `call` and resolves to its complete response. A response without success is an error.
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>>;

    /// Sends `call` and resolves when a successful response begins. Dropping the body of the response cancels the
    /// rest.
    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>>;

    /// Records the credits used that the service reports. It is called after a response is decoded.
    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        let _ = (operation, model, credits_used);
    }

    /// Returns the maximum size of one response that a reader should keep in memory, in bytes.
    fn max_body(&self) -> usize {
        usize::MAX
    }

    /// Returns true if replies keep their body even if the call does not set that option.
    fn keep_body(&self) -> bool {
        false
    }

    /// Returns the base URL of the service, if there is one, without credentials and without a slash at the end.
    fn base_url(&self) -> Option<&str> {
        None
    }
}

/// Reference from a request to the client that sends it.
#[derive(Clone)]
pub struct Handle(Arc<dyn Transport>);

impl Handle {
    /// Creates a handle on `transport`.
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        Handle(transport)
    }

    /// Returns the transport behind the handle. Use it to wrap the transport in another one.
    #[must_use]
    pub fn transport(&self) -> Arc<dyn Transport> {
        self.0.clone()
    }

    /// Creates a call of `operation` without parameter values.
    pub fn call(&self, operation: &'static Operation) -> Call {
        Call::new(self.clone(), operation)
    }

    /// Records the credits used by a call, as the service reports them. For a complete response, this is called
    /// automatically. Readers of a stream call it when the number arrives.
    pub fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        self.0.settled(operation, model, credits_used);
    }

    /// Masks secrets in a text that came from the service.
    pub fn redact(&self, text: &mut String) {
        self.0.redact(text);
    }

    /// Returns the error with secrets masked in all its texts.
    #[must_use]
    pub fn masked(&self, error: Error) -> Error {
        error.masked(&|text| self.redact(text))
    }

    /// Returns the maximum size of one response that a reader should keep in memory, in bytes.
    #[must_use]
    pub fn max_body(&self) -> usize {
        self.0.max_body()
    }

    /// Returns the base URL of the service, if there is one, without credentials and without a slash at the end.
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

/// Formats the handle without its transport, which can contain secrets.
impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle")
    }
}
