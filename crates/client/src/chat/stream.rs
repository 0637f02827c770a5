//! A streamed answer: events, text, and the whole at the end.

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

/// An answer that is read while it is written. Nothing is read before it is asked for; dropping it
/// cancels the request.
///
/// Three ways lead through it: [`next_text`](Self::next_text) gives just the text,
/// [`next_event`](Self::next_event) (or the `Stream` that this is) gives everything, and
/// [`into_answer`](Self::into_answer) gives the answer that has added up. They can be mixed.
///
/// An answer is at its end when it says so: an answer of `responses` by its closing event, one of
/// `chat-completions` by a finish reason for each choice. The interface promises `[DONE]` behind
/// that reason. `[DONE]` alone ends nothing; a reason without `[DONE]` ends the answer, and
/// [`FinishedAnswer::usage_missing`] then says that usage and cost may be lost.
///
/// Any other end is an error of [`ErrorKind::Truncated`]. An answer that failed and an error object
/// inside the stream are errors of the kind they report. Silence is one of [`ErrorKind::Timeout`],
/// and so is a stream that goes on for longer than [`CallOptions::total_timeout`]. A request is
/// never sent again once its stream began.
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
    /// A whole answer that came instead of a stream.
    whole: Option<String>,
    /// How the body began, until the first event: it may be no stream.
    start: Vec<u8>,
    fold: P,
    head: Head,
    state: State,
    linger: Option<Pin<Box<Sleep>>>,
    /// `[DONE]` came.
    is_closed: bool,
    /// A whole answer came instead of a stream.
    is_whole: bool,
    events: u64,
    /// Credits already reported to the ledger.
    settled: i64,
}

#[derive(Debug)]
enum State {
    Reading,
    Ended,
    /// The error has been given out; this is its summary, for [`AnswerStream::into_answer`].
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

    /// The next event, or `None` at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`], [`ErrorKind::Timeout`], [`ErrorKind::Decode`] for an event that is not JSON or
    /// is too large, and the errors that the service reports inside the stream. An error ends the stream.
    pub async fn next_event(&mut self) -> Result<Option<P::Item>, Error> {
        std::future::poll_fn(|cx| self.poll_event(cx)).await.transpose()
    }

    /// The next piece of the answer's text, or `None` at the end. In whichever form the service
    /// sends its text, each character comes once.
    ///
    /// # Errors
    /// As of [`next_event`](Self::next_event).
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

    /// The whole answer, once the stream has been read to its end.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with the partial answer. Its kind is [`ErrorKind::Truncated`] if the
    /// stream was not read to its end, otherwise the kind of the error that ended the stream.
    pub fn into_answer(mut self) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
        if matches!(self.state, State::Reading) && self.fold.is_complete() {
            // Read to the end of the answer, and not to that of the stream.
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

    /// Keeps no text from here on, so that memory does not grow with the stream. The answer of
    /// [`into_answer`](Self::into_answer) then has the text of the closing event, if that repeats it.
    pub fn without_text(mut self) -> Self {
        self.fold.forget();
        self
    }

    /// Credits used, as soon as the service reports them in the stream. The client's ledger records
    /// them too.
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.fold.credits_used()
    }

    /// Status of the answer that the stream is.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// Headers of the answer that the stream is.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// The service's identifier of the request, where it sent one.
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
