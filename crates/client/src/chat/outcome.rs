//! Results of answers: finished, unfinished, or failed.
//!
//! A finished answer is a value with its usage. An unfinished or failed answer is an error that contains the answer so
//! far.

use std::error::Error as StdError;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crypto_intel_core::Error;

/// A finished answer. It derefs to the answer itself.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedAnswer<A> {
    value: A,
    usage_missing: Option<UsageMissing>,
}

impl<A> FinishedAnswer<A> {
    pub(crate) fn new(value: A, usage_missing: Option<UsageMissing>) -> Self {
        FinishedAnswer { value, usage_missing }
    }

    /// Returns the reason why the answer has no `usage`; `None` if it has one.
    #[must_use]
    pub fn usage_missing(&self) -> Option<UsageMissing> {
        self.usage_missing
    }

    /// Returns the answer alone.
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

/// An answer that did not finish: the error and the partial answer. `?` converts it to the [`Error`], which keeps the
/// partial answer for [`failed_answer`].
pub struct UnfinishedAnswer<A>(Box<(Error, A)>);

impl<A> UnfinishedAnswer<A> {
    pub(crate) fn new(error: Error, partial: A) -> Self {
        UnfinishedAnswer(Box::new((error, partial)))
    }

    /// Returns the reason why the answer is incomplete.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.0
    }

    /// Returns the partial answer.
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
        // The cause of a broken connection is a more useful source than the partial answer.
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

/// The partial answer of a failed call. It is stored as the source of the error. `Debug` and `Display` show nothing of
/// the answer.
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

/// Returns the answer in an error: a failed or an unfinished answer. `A` is [`Response`](super::Response) or
/// [`ChatCompletion`](super::ChatCompletion), depending on the operation.
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

/// Reason why a finished answer has no `usage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageMissing {
    /// The stream ended normally, and the service sent no `usage`.
    NotSent,
    /// The connection broke after the answer was finished. The text is complete. Usage and cost, which arrive last,
    /// may be lost.
    CutOff,
    /// The caller stopped reading the stream after the answer was finished.
    NotRead,
}

impl fmt::Display for UsageMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSent => "the service sent no usage",
            Self::CutOff => "the stream ended after the answer, but before the usage",
            Self::NotRead => "the stream was not read to its end",
        })
    }
}
