//! A streamed answer: its events, its text, and the complete answer at its end.

mod end;
mod head;
mod read;

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind};
use futures_core::Stream;
use http::{HeaderMap, StatusCode};
use tokio::time::Sleep;

use super::outcome::{FinishedAnswer, UnfinishedAnswer, UsageMissing};
use super::protocol::{Fresh, StreamProtocol};
use crate::sse::Decoder;

pub(crate) use head::Head;
use read::{Step, Wanted};

pub(crate) type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// An answer that is read while the model writes it. Bytes are read only when the caller requests them. Dropping the
/// stream cancels the request.
///
/// There are three ways to read it, which can be mixed:
/// - [`next_text`](Self::next_text) returns only text.
/// - [`next_event`](Self::next_event), or the `Stream` implementation, returns all events.
/// - [`into_answer`](Self::into_answer) returns the answer built from the events so far.
///
/// A `responses` answer ends with its closing event. A `chat-completions` answer ends with a finish reason for each
/// choice. The interface promises `[DONE]` after that reason. `[DONE]` alone does not end the answer. A finish reason
/// without `[DONE]` ends the answer, and [`FinishedAnswer::usage_missing`] then reports that usage and cost may be
/// lost.
///
/// Any other end is an error of [`ErrorKind::Truncated`]. A failed answer or an error object in the stream is an
/// error of the reported kind. A stream without bytes for too long, or longer than [`CallOptions::total_timeout`], is
/// an error of [`ErrorKind::Timeout`]. The request is never sent again once its stream has begun.
///
/// [`CallOptions::total_timeout`]: crate::CallOptions::total_timeout
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel::prelude::*;
///
/// let mut answer = client.responses("svc-2.0-instant", "What moved ETH today?").stream().await?;
/// while let Some(text) = answer.next_text().await? {
///     print!("{text}");
/// }
/// let response = answer.into_answer()?;
/// match &response.usage {
///     Some(usage) => println!("{:?} tokens", usage.total_tokens),
///     None => println!("no usage: {:?}", response.usage_missing()),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a stream does nothing until it is read"]
pub struct AnswerStream<P: StreamProtocol> {
    body: Body,
    decoder: Decoder,
    /// A complete answer that arrived in place of a stream.
    whole: Option<String>,
    /// First bytes of the body, kept until the first event, because the body may not be a stream.
    start: Vec<u8>,
    fold: P,
    head: Head,
    state: State,
    linger: Option<Pin<Box<Sleep>>>,
    /// True if `[DONE]` arrived.
    is_closed: bool,
    /// True if a complete answer arrived in place of a stream.
    is_whole: bool,
    events: u64,
    /// Credits already recorded in the ledger.
    settled: i64,
}

#[derive(Debug)]
enum State {
    Reading,
    Ended,
    /// The error was returned. Its summary is kept for [`AnswerStream::into_answer`].
    Failed(ErrorKind, String),
}

impl<P: StreamProtocol> AnswerStream<P> {
    pub(crate) fn new(head: Head, body: Body, decoder: Decoder, whole: Option<String>) -> Self {
        AnswerStream {
            body,
            decoder,
            whole,
            start: Vec::new(),
            fold: P::default(),
            head,
            state: State::Reading,
            linger: None,
            is_closed: false,
            is_whole: false,
            events: 0,
            settled: 0,
        }
    }

    /// Returns the next event, or `None` at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`], [`ErrorKind::Timeout`], [`ErrorKind::Decode`] for an event that is not JSON or
    /// is too large, and the errors that the service reports inside the stream. An error ends the stream.
    pub async fn next_event(&mut self) -> Result<Option<P::Item>, Error> {
        std::future::poll_fn(|cx| self.poll_event(cx)).await.transpose()
    }

    /// Returns the next text of the answer, or `None` at the end. Each character is returned once, even if the
    /// service repeats its text.
    ///
    /// # Errors
    /// Errors of [`next_event`](Self::next_event).
    pub async fn next_text(&mut self) -> Result<Option<String>, Error> {
        loop {
            let next = std::future::poll_fn(|cx| self.poll_step(cx, Wanted::Text)).await;
            let text = match next.transpose()? {
                None => return Ok(None),
                Some(Step::Text(text)) => Some(text),
                Some(Step::Event(_, Fresh::None)) => None,
                Some(Step::Event(event, Fresh::Event)) => P::into_text(event),
                Some(Step::Event(_, Fresh::Rest(text))) => Some(text),
            };
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                return Ok(Some(text));
            }
        }
    }

    /// Returns the complete answer, after the stream was read to its end.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with the partial answer. The kind of its error is [`ErrorKind::Truncated`] if the stream
    /// was not read to its end. Otherwise it is the kind of the error that ended the stream.
    pub fn into_answer(mut self) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
        if matches!(self.state, State::Reading) && self.fold.is_complete() {
            // The answer has ended, but the stream was not read to its end.
            let missing = (!self.fold.has_usage()).then_some(UsageMissing::NotRead);
            return match self.judged() {
                Ok(()) => Ok(FinishedAnswer::new(self.fold.answer(), missing)),
                Err(error) => Err(UnfinishedAnswer::new(error, self.fold.answer())),
            };
        }
        let (kind, message) = match self.state {
            State::Ended => {
                let missing = self.usage_missing();
                return Ok(FinishedAnswer::new(self.fold.answer(), missing));
            }
            State::Reading => {
                (ErrorKind::Truncated, "the stream was not read to its end".to_owned())
            }
            State::Failed(kind, message) => (kind, message),
        };
        let error = self.head.place(Error::new(kind, message).with_retryable(false));
        Err(UnfinishedAnswer::new(error, self.fold.answer()))
    }

    /// Reads the rest of the stream, and returns the whole answer.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with the error of the stream and the partial answer before it.
    pub async fn read_to_end(
        mut self,
    ) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
        loop {
            match self.next_event().await {
                Ok(Some(_)) => {}
                Ok(None) => return self.into_answer(),
                Err(error) => return Err(UnfinishedAnswer::new(error, self.fold.answer())),
            }
        }
    }

    fn usage_missing(&self) -> Option<UsageMissing> {
        if self.fold.has_usage() {
            None
        } else if P::CLOSES_WITH_DONE && !self.is_closed && !self.is_whole {
            Some(UsageMissing::CutOff)
        } else {
            Some(UsageMissing::NotSent)
        }
    }

    /// Stops storing text, so that memory does not grow with the stream. The answer of
    /// [`into_answer`](Self::into_answer) then contains text only if the closing event repeats it.
    pub fn without_text(mut self) -> Self {
        self.fold.forget();
        self
    }

    /// Returns the credits used, as soon as the service reports them in the stream. The client's ledger records them
    /// too.
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.fold.credits_used()
    }

    /// Returns the HTTP status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// Returns the headers of the response.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// Returns the service's identifier of the request, if the service sent one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.head.request_id()
    }
}

impl<P: StreamProtocol> Stream for AnswerStream<P> {
    type Item = Result<P::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_event(cx)
    }
}

impl<P: StreamProtocol> fmt::Debug for AnswerStream<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerStream")
            .field("operation", &self.head.operation.id)
            .field("events", &self.events)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
