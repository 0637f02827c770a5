//! Final results of a streamed or awaited chat answer: finished, unfinished or failed.
//!
//! A finished answer is a value. Its token usage can be missing. An unfinished or failed answer is an error that
//! contains the part of the answer that arrived.

use std::error::Error as StdError;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crypto_intel_core::Error;

/// An answer that has ended without an error. It dereferences to the answer type, for example
/// [`Response`](super::Response).
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedAnswer<A> {
    value: A,
    usage_missing: Option<UsageMissing>,
}

impl<A> FinishedAnswer<A> {
    pub(crate) fn new(value: A, usage_missing: Option<UsageMissing>) -> Self {
        FinishedAnswer { value, usage_missing }
    }

    /// Returns the reason why the answer has no token usage. Returns `None` if the answer has its usage.
    #[must_use]
    pub fn usage_missing(&self) -> Option<UsageMissing> {
        self.usage_missing
    }

    /// Returns the answer itself, such as a [`Response`](super::Response). The result of
    /// [`usage_missing`](Self::usage_missing) is lost.
    #[must_use]
    pub fn into_inner(self) -> A {
        self.value
    }
}

impl<A> Deref for FinishedAnswer<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.value
    }
}

impl<A> DerefMut for FinishedAnswer<A> {
    fn deref_mut(&mut self) -> &mut A {
        &mut self.value
    }
}

/// The error of a stream, with the part of the answer that arrived before the error. The operator `?` converts an
/// [`UnfinishedAnswer`] to an [`Error`]. [`failed_answer`] returns the partial answer from this [`Error`]. If the error
/// already has a source, such as an I/O error, the conversion keeps this source and drops the partial answer.
pub struct UnfinishedAnswer<A>(Box<(Error, A)>);

impl<A> UnfinishedAnswer<A> {
    pub(crate) fn new(error: Error, partial: A) -> Self {
        UnfinishedAnswer(Box::new((error, partial)))
    }

    /// Returns the error that ended the stream.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.0
    }

    /// Returns the part of the answer that arrived before the error.
    #[must_use]
    pub fn partial(&self) -> &A {
        &self.0.1
    }

    /// Returns the error and the partial answer.
    #[must_use]
    pub fn into_parts(self) -> (Error, A) {
        *self.0
    }
}

impl<A: Send + Sync + 'static> From<UnfinishedAnswer<A>> for Error {
    fn from(unfinished: UnfinishedAnswer<A>) -> Error {
        let (error, partial) = unfinished.into_parts();
        // If the error already has a source, such as the I/O error of a broken connection, it keeps this source. The
        // partial answer is then dropped.
        match error.source() {
            Some(_) => error,
            None => error.with_source(FailedAnswer::new(partial)),
        }
    }
}

impl<A> fmt::Display for UnfinishedAnswer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl<A> fmt::Debug for UnfinishedAnswer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnfinishedAnswer").field(self.error()).finish()
    }
}

impl<A> StdError for UnfinishedAnswer<A> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error().source()
    }
}

/// Failed or unfinished chat answer, stored as the source of an [`Error`]. `Debug` and `Display` print no text of the
/// answer, so that logs do not contain this text.
pub(crate) struct FailedAnswer<A>(A);

impl<A> FailedAnswer<A> {
    pub(crate) fn new(answer: A) -> Self {
        FailedAnswer(answer)
    }
}

impl<A> fmt::Display for FailedAnswer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the error contains the answer")
    }
}

impl<A> fmt::Debug for FailedAnswer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FailedAnswer")
    }
}

impl<A> StdError for FailedAnswer<A> {}

/// Returns the failed or unfinished answer that an error contains. `A` must be the answer type of the operation:
/// [`Response`](super::Response) for `responses` or [`ChatCompletion`](super::ChatCompletion) for `chat-completions`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel::chat::{Response, failed_answer};
/// use crypto_intel::prelude::*;
///
/// match client.responses("svc-2.0-instant", "What is ETH?").await {
///     Ok(reply) => println!("{}", reply.text()),
///     Err(error) => match failed_answer::<Response>(&error) {
///         Some(answer) => println!("{error}, after {:?}", answer.text()),
///         None => return Err(error.into()),
///     },
/// }
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn failed_answer<A: 'static>(error: &Error) -> Option<&A> {
    error.source()?.downcast_ref::<FailedAnswer<A>>().map(|failed| &failed.0)
}

/// Reason why a finished answer has no token usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageMissing {
    /// The answer was read to its end, but the service sent no token usage.
    NotSent,
    /// The stream of a `chat-completions` answer ended after the answer, but without `[DONE]`, for example because the
    /// connection broke. The text is complete. Token usage and cost may be lost, because the service sends them last.
    CutOff,
    /// The caller stopped reading the stream after the answer had ended, but before the token usage arrived.
    NotRead,
}

impl fmt::Display for UsageMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSent => "the service sent no token usage",
            Self::CutOff => "the stream ended after the answer, without token usage",
            Self::NotRead => "the stream was not read to its end",
        })
    }
}
