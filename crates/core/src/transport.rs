//! The seam between generated code and the client's policies.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::{Call, ModelUse};
use crate::error::Error;
use crate::operation::Operation;
use crate::raw_reply::{RawReply, RawStream};
use crate::redact::Redact;

/// A future that can be named.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Carries calls. Implemented once, by the client, which does all that is policy: keys, retries,
/// deadlines, budgets, the classification of errors.
///
/// Dropping the future abandons the call; a request that is under way is cancelled.
pub trait Transport: Redact {
    /// Sends `call` and resolves to its successful answer, whole. Every other answer is an error.
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>>;

    /// Sends `call` and resolves when its successful answer begins. Dropping the answer's body
    /// cancels what is still to come.
    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>>;

    /// Called after a response is decoded, with the credits used that the service reports.
    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        let _ = (operation, model, credits_used);
    }

    /// Most bytes of one answer that a reader should hold.
    fn max_body(&self) -> usize {
        usize::MAX
    }

    /// Whether replies keep their body although the call does not ask for it.
    fn keep_body(&self) -> bool {
        false
    }

    /// Base URL of the service, without credentials and without a slash at the end, if there is one.
    fn base_url(&self) -> Option<&str> {
        None
    }
}

/// Reference from a request to the client that sends it.
#[derive(Clone)]
pub struct Handle(Arc<dyn Transport>);

impl Handle {
    /// A handle on `transport`.
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        Handle(transport)
    }

    /// The transport behind the handle, for a transport that wraps it.
    #[must_use]
    pub fn transport(&self) -> Arc<dyn Transport> {
        self.0.clone()
    }

    /// A call of `operation`, with nothing set yet.
    pub fn call(&self, operation: &'static Operation) -> Call {
        Call::new(self.clone(), operation)
    }

    /// Notes what the service says a call used. Whole answers note it themselves; readers of a
    /// stream do when it turns up.
    pub fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        self.0.settled(operation, model, credits_used);
    }

    /// Takes secrets out of a text that came from the service.
    pub fn redact(&self, text: &mut String) {
        self.0.redact(text);
    }

    /// The error without secrets in any of its texts.
    #[must_use]
    pub fn masked(&self, error: Error) -> Error {
        error.masked(&|text| self.redact(text))
    }

    /// Most bytes of one answer that a reader should hold.
    #[must_use]
    pub fn max_body(&self) -> usize {
        self.0.max_body()
    }

    /// Base URL of the service, without credentials and without a slash at the end, if there is one.
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

/// Says nothing: what a transport holds is not for output.
impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle")
    }
}
