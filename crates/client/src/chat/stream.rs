//! A streamed chat answer. A caller reads its events or its text, and gets the complete answer at the end.

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

pub(crate) type RawBody = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// A chat answer that the caller reads while the model writes it. The client reads bytes from the connection only when
/// the caller asks for the next event or text. Dropping the stream cancels the request.
///
/// A caller can mix three ways of reading:
/// - [`next_text`](Self::next_text) returns the next new text of the answer.
/// - [`next_event`](Self::next_event) and the `Stream` implementation return all events.
/// - [`into_answer`](Self::into_answer) returns the answer that was built from all events.
///
/// A `responses` answer ends with a closing event, for example `response.completed`. A `chat-completions` answer ends
/// with a finish reason for each choice, and the service then sends `[DONE]`. `[DONE]` without a finish reason does not
/// end the answer. If `[DONE]` is missing, the token usage and the cost may be lost; [`FinishedAnswer::usage_missing`]
/// reports this.
///
/// Other ends are errors:
/// - A stream that stops before the answer has ended is an error of [`ErrorKind::Truncated`].
/// - A failed answer, or an error object in the stream, is an error of the kind that the service reports.
/// - A stream that sends no bytes for too long, or takes longer than [`CallOptions::total_timeout`], is an error of
///   [`ErrorKind::Timeout`].
///
/// The client never sends the request again after the stream has begun.
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
    body: RawBody,
    decoder: Decoder,
    /// A complete answer that the service sent as one JSON object instead of a stream.
    whole: Option<String>,
    /// First bytes of the response body. They are stored until the first event arrives, because a body without any
    /// event may be something else, for example an HTML page.
    start: Vec<u8>,
    fold: P,
    head: Head,
    state: State,
    linger: Option<Pin<Box<Sleep>>>,
    /// True if the event `[DONE]` arrived.
    is_closed: bool,
    /// True if the service sent a complete answer as one JSON object instead of a stream.
    is_whole: bool,
    events: u64,
    /// Number of credits that the client has already recorded in its ledger for this answer.
    settled: i64,
}

#[derive(Debug)]
enum State {
    Reading,
    Ended,
    /// The stream failed, and the caller received the error. The kind and message of the error are stored for
    /// [`AnswerStream::into_answer`].
    Failed(ErrorKind, String),
}

impl<P: StreamProtocol> AnswerStream<P> {
    pub(crate) fn new(head: Head, body: RawBody, decoder: Decoder, whole: Option<String>) -> Self {
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

    /// Returns the next event of the stream, or `None` after the end of the answer.
    ///
    /// # Errors
    /// - Returns [`ErrorKind::Truncated`] if the stream stops before the answer has ended.
    /// - Returns [`ErrorKind::Timeout`] if the stream exceeds one of its time limits.
    /// - Returns [`ErrorKind::Decode`] if an event is not JSON, or if the streamed text differs from the text of the
    ///   answer. Also returns [`ErrorKind::Decode`] if an event or the stored answer is larger than
    ///   [`max_body`](crate::ClientBuilder::max_body).
    /// - Returns each error that the service reports inside the stream.
    ///
    /// After an error, the stream returns no more events.
    pub async fn next_event(&mut self) -> Result<Option<P::Item>, Error> {
        std::future::poll_fn(|cx| self.poll_event(cx)).await.transpose()
    }

    /// Returns the next new text of the answer, or `None` after the end of the answer. A service can send the same part
    /// of the answer several times, for example in deltas and then as a complete text. This method returns each part
    /// once.
    ///
    /// # Errors
    /// Returns the same errors as [`next_event`](Self::next_event).
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

    /// Returns the complete answer. Call this method after the stream was read to its end.
    ///
    /// # Errors
    /// Returns [`UnfinishedAnswer`], which contains an error and the part of the answer that arrived. If reading the
    /// stream has already returned an error, the error in [`UnfinishedAnswer`] has the same kind and message. If the
    /// caller stopped reading before the answer ended, the kind is [`ErrorKind::Truncated`].
    pub fn into_answer(mut self) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
        if matches!(self.state, State::Reading) && self.fold.is_complete() {
            // The caller stopped reading after the last event of the answer, before the end of the stream.
            let missing = (!self.fold.has_usage()).then_some(UsageMissing::NotRead);
            return match self.check_answer() {
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
        let error = self.head.add_details(Error::new(kind, message).with_retryable(false));
        Err(UnfinishedAnswer::new(error, self.fold.answer()))
    }

    /// Reads all remaining events of the stream and returns the complete answer.
    ///
    /// # Errors
    /// Returns [`UnfinishedAnswer`], which contains the error of the stream and the part of the answer that arrived.
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

    /// Stops storing the text of the answer, so that memory does not grow with the length of the stream. The answer
    /// from [`into_answer`](Self::into_answer) then contains text only if the last event of the service repeats the
    /// complete text.
    pub fn without_text(mut self) -> Self {
        self.fold.stop_storing();
        self
    }

    /// Returns the credits that the answer used, or `None` until the service reports them in the stream. The client's
    /// ledger also records them.
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.fold.credits_used()
    }

    /// Returns the HTTP status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// Returns the HTTP headers of the response.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// Returns the request identifier from the response headers, if the service sent one.
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
