//! A streamed answer: events, text, and the whole at the end.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind, Handle, ModelUse, Operation};
use futures_core::Stream;
use http::{HeaderMap, StatusCode};
use tokio::time::Sleep;

use super::ends::UsageMissing;
use super::open;
use super::outcome::{FinishedAnswer, UnfinishedAnswer};
use super::protocol::{Fresh, StreamProtocol, Taken, Verdict};
use crate::classify;
use crate::sse::Decoder;

pub(crate) type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// Closes a stream, as the interface text says for chat completions.
const DONE: &str = "[DONE]";

/// Bytes that are kept of a body which has shown no event yet.
const START_LIMIT: usize = 64 * 1024;

/// How long a stream whose answer is whole may go on: what it cost can come last, and a
/// connection that has ended can be used again.
const LINGER: Duration = Duration::from_secs(1);

/// An answer that is read while it is written. Nothing is read before it is asked for; dropping it
/// cancels the request.
///
/// Three ways lead through it: [`next_text`](Self::next_text) gives just the text,
/// [`next_event`](Self::next_event) (or the `Stream` that this is) gives everything, and
/// [`finish`](Self::finish) gives the answer that has added up. They can be mixed.
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
/// let response = answer.finish()?;
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
    /// What the ledger was told.
    settled: i64,
}

/// What is known since the answer began.
pub(crate) struct Head {
    pub(crate) handle: Handle,
    pub(crate) operation: &'static Operation,
    pub(crate) model: Option<ModelUse>,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) attempts: u32,
    /// The limit on the whole stream, and when it is reached.
    pub(crate) total: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl Head {
    /// Adds what is known of the call to an error of its stream.
    pub(crate) fn place(&self, error: Error) -> Error {
        let error = error.with_operation(self.operation.id).with_attempts(self.attempts);
        let error = match error.status() {
            Some(_) => error,
            None => error.with_status(self.status),
        };
        let error = match self.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        };
        self.handle.masked(error)
    }

    fn request_id(&self) -> Option<&str> {
        self.headers.get("x-request-id")?.to_str().ok()
    }
}

#[derive(Debug)]
enum State {
    Reading,
    Ended,
    /// The error has been given out; this is its summary, for [`AnswerStream::finish`].
    Failed(ErrorKind, String),
}

/// What was read of a stream, or the error that ends it.
type Read<P> = Result<Step<<P as StreamProtocol>::Item>, Error>;

/// One step along a stream.
enum Step<I> {
    /// An event, and what is new with it.
    Event(I, Fresh),
    /// The text of an event that was not made, because only its text is wanted.
    Text(String),
}

/// What a reader wants of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Events,
    Text,
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
    /// [`ErrorKind::Truncated`], [`ErrorKind::Timeout`], [`ErrorKind::Decode`] for what is not JSON or too large,
    /// and whatever the service reports inside the stream. After an error there is nothing more.
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
    /// [`UnfinishedAnswer`], with what arrived: [`ErrorKind::Truncated`] for a stream that was not
    /// read to its end, otherwise the error that the stream failed with.
    pub fn finish(mut self) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
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

    /// Reads what is left of the stream, and gives the whole answer.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with the error of the stream and what arrived before it.
    pub async fn whole(mut self) -> Result<FinishedAnswer<P::Answer>, UnfinishedAnswer<P::Answer>> {
        loop {
            match self.next_event().await {
                Ok(Some(_)) => {}
                Ok(None) => return self.finish(),
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
    /// [`finish`](Self::finish) then has the text of the closing event, if that repeats it.
    pub fn without_text(mut self) -> Self {
        self.fold.forget();
        self
    }

    /// Credits that the service says the answer used, as soon as it says so. The client's ledger
    /// is told too.
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

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<P::Item, Error>>> {
        loop {
            match ready!(self.poll_step(cx, Wanted::Events)) {
                Some(Ok(Step::Event(event, _))) => return Poll::Ready(Some(Ok(event))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                // Made only where text is wanted.
                Some(Ok(Step::Text(_))) => {}
                None => return Poll::Ready(None),
            }
        }
    }

    fn poll_step(&mut self, cx: &mut Context<'_>, wanted: Wanted) -> Poll<Option<Read<P>>> {
        loop {
            if !matches!(self.state, State::Reading) {
                return Poll::Ready(None);
            }
            if let Some(whole) = self.whole.take() {
                return Poll::Ready(Some(self.take_whole(whole)));
            }
            if let Some(event) = self.decoder.next() {
                let data = event.data.trim_ascii();
                if data == DONE {
                    match self.close(cx) {
                        Ok(()) => continue,
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    }
                }
                if !data.is_empty() {
                    self.linger = None;
                    if wanted == Wanted::Text
                        && let Some(text) = self.fold.take_text(&event.kind, &event.data)
                    {
                        self.events += 1;
                        let step = self.within_limit().map(|()| Step::Text(text));
                        return Poll::Ready(Some(step));
                    }
                    let taken = self.fold.take(&event.kind, &event.data);
                    return Poll::Ready(Some(self.settle(taken)));
                }
                continue;
            }

            let limit = self.head.handle.max_body();
            if self.decoder.held() > limit {
                let message = format!("an event is larger than {limit} bytes (limit on bodies)");
                return Poll::Ready(Some(Err(self.fail(Error::new(ErrorKind::Decode, message)))));
            }
            let error = match ready!(self.poll_piece(cx)) {
                Some(Ok(piece)) => {
                    self.push(&piece);
                    continue;
                }
                // What is whole is not lost because the connection broke behind it.
                _ if self.fold.is_complete() => match self.end() {
                    Ok(()) => continue,
                    Err(error) => error,
                },
                Some(Err(error)) if error.kind() != ErrorKind::Transport => self.fail(error),
                cut => {
                    let error = self.cut(cut.and_then(Result::err));
                    self.fail(error)
                }
            };
            return Poll::Ready(Some(Err(error)));
        }
    }

    /// Takes in bytes of the body.
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.events == 0 && self.start.len() < START_LIMIT {
            self.start.extend_from_slice(piece);
        }
        self.decoder.push(piece);
    }

    /// An answer that came whole instead of as a stream.
    fn take_whole(&mut self, text: String) -> Read<P> {
        self.is_whole = true;
        let taken = self.fold.take_whole(&text);
        let step = self.settle(taken)?;
        // Kept for the error, if it is no finished answer after all.
        self.start = text.into_bytes();
        Ok(step)
    }

    /// The error for a body that turned out to be no stream: an error object, or a page.
    fn no_stream(&self) -> Option<Error> {
        if self.events > 0 {
            return None;
        }
        let body = Bytes::copy_from_slice(&self.start);
        let Head { status, headers, .. } = &self.head;
        if let Some(error) = classify::in_success(*status, headers, &body, SystemTime::now()) {
            return Some(error);
        }
        let message = open::misfit(&self.start, headers)?;
        Some(Error::new(ErrorKind::Decode, message).with_body(body))
    }

    /// The next bytes; `None` at their end, or when an answer that is whole goes on too long.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        if let Some((limit, sleep)) = &mut self.head.total
            && sleep.as_mut().poll(cx).is_ready()
        {
            let message = format!("not ended within {limit:?} (total limit of the stream)");
            let error = Error::new(ErrorKind::Timeout, message).with_retryable(false);
            return Poll::Ready(Some(Err(error)));
        }
        if let Poll::Ready(piece) = self.body.as_mut().poll_next(cx) {
            return Poll::Ready(piece);
        }
        if !self.fold.is_complete() {
            return Poll::Pending;
        }
        let linger = self.linger.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        linger.as_mut().poll(cx).map(|()| None)
    }

    /// Takes in `[DONE]`, which closes a stream and does not end its answer.
    fn close(&mut self, cx: &mut Context<'_>) -> Result<(), Error> {
        self.is_closed = true;
        if !self.fold.is_complete() {
            let message = format!(
                "`[DONE]` came before the answer said that it ended, after {} events",
                self.events
            );
            return Err(self.fail(Error::new(ErrorKind::Truncated, message)));
        }
        // The one look for the end of the bytes is for the connection, which can be used again
        // after it.
        let _ = self.body.as_mut().poll_next(cx);
        self.end()
    }

    /// Ends the stream of an answer that is at its end.
    fn end(&mut self) -> Result<(), Error> {
        match self.judged() {
            Ok(()) => {
                self.state = State::Ended;
                Ok(())
            }
            Err(error) => {
                self.state = State::Failed(error.kind(), error.message().to_owned());
                Err(error)
            }
        }
    }

    /// The error of an answer that ended badly.
    fn judged(&mut self) -> Result<(), Error> {
        let error = match self.fold.judge() {
            Ok(()) => return Ok(()),
            Err(Verdict::Failed(object)) => {
                classify::reported(object, &self.head.headers, SystemTime::now())
            }
            Err(Verdict::Contradiction) => Error::new(
                ErrorKind::Decode,
                "the text of the finished answer is not the text that was streamed",
            ),
        };
        Err(self.head.place(error))
    }

    /// Notes what an event brought.
    fn settle(&mut self, taken: Taken<P::Item>) -> Read<P> {
        self.events += 1;
        self.start = Vec::new();
        if let Some(used) = self.fold.credits_used().filter(|used| *used > self.settled) {
            let more = used - self.settled;
            self.settled = used;
            let Head { handle, operation, model, .. } = &self.head;
            handle.settled(operation, model.as_ref(), Some(more));
        }

        match taken {
            Taken::Event(event, fresh) => self.within_limit().map(|()| Step::Event(event, fresh)),
            Taken::Reported(object) => {
                let error = classify::reported(object, &self.head.headers, SystemTime::now());
                Err(self.fail(error))
            }
            Taken::Unreadable(error) => Err(self.fail(error)),
        }
    }

    /// Fails the stream of an answer that is too large to hold.
    #[inline]
    fn within_limit(&mut self) -> Result<(), Error> {
        let limit = self.head.handle.max_body();
        if self.fold.held() <= limit {
            return Ok(());
        }
        let message = format!("the answer is larger than {limit} bytes (limit on bodies)");
        Err(self.fail(Error::new(ErrorKind::Decode, message)))
    }

    fn cut(&self, cause: Option<Error>) -> Error {
        if self.is_whole {
            let message = "the JSON that came instead of a stream is no finished answer";
            return Error::new(ErrorKind::Truncated, message).with_body(self.start.clone());
        }
        if let Some(error) = self.no_stream() {
            return error;
        }

        let how = if cause.is_some() { "broke" } else { "ended" };
        let error = Error::new(
            ErrorKind::Truncated,
            format!("the connection {how} before the answer did, after {} events", self.events),
        );
        let error = match self.decoder.retry() {
            Some(wait) => error.with_retry_after(Duration::from_millis(wait)),
            None => error,
        };
        match cause {
            Some(cause) => error.with_source(cause),
            None => error,
        }
    }

    fn fail(&mut self, error: Error) -> Error {
        let error = self.head.place(error);
        self.state = State::Failed(error.kind(), error.message().to_owned());
        error
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
