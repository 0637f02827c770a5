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

use super::open;
use super::protocol::{Fresh, StreamProtocol, Taken};
use crate::classify;
use crate::sse::Decoder;

pub(crate) type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// Ends a stream, as the interface text says for chat completions.
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
/// What ends it: `[DONE]`, or the end of the bytes after the answer said that it is whole (by its
/// status, or a finish reason for each choice). Any other end is an error of
/// [`ErrorKind::Truncated`]. An error object inside the stream is an error of the kind it reports,
/// silence one of [`ErrorKind::Timeout`]. A request is never sent again once its stream began.
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
/// println!("{:?} tokens", response.usage.and_then(|usage| usage.total_tokens));
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

/// One item, and what is new with it; or the error that ends the stream.
type Read<P> = Result<(<P as StreamProtocol>::Item, Fresh), Error>;

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
        let next = std::future::poll_fn(|cx| self.poll_event(cx)).await;
        Ok(next.transpose()?.map(|(event, _)| event))
    }

    /// The next piece of the answer's text, or `None` at the end. In whichever form the service
    /// sends its text, each character comes once.
    ///
    /// # Errors
    /// As of [`next_event`](Self::next_event).
    pub async fn next_text(&mut self) -> Result<Option<String>, Error> {
        loop {
            let next = std::future::poll_fn(|cx| self.poll_event(cx)).await;
            let text = match next.transpose()? {
                None => return Ok(None),
                Some((_, Fresh::None)) => None,
                Some((event, Fresh::Event)) => P::into_text(event),
                Some((_, Fresh::Rest(text))) => Some(text),
            };
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                return Ok(Some(text));
            }
        }
    }

    /// The whole answer, once the stream has been read to its end.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with what arrived: [`ErrorKind::Truncated`] for a stream that was not read to
    /// its end, otherwise the error that the stream failed with.
    pub fn finish(self) -> Result<P::Answer, UnfinishedAnswer<P::Answer>> {
        let (kind, message) = match self.state {
            State::Ended => return Ok(self.fold.answer()),
            State::Reading if self.fold.is_complete() => return Ok(self.fold.answer()),
            State::Reading => {
                (ErrorKind::Truncated, "the stream was not read to its end".to_owned())
            }
            State::Failed(kind, message) => (kind, message),
        };
        let error = self.head.place(Error::new(kind, message).with_retryable(false));
        Err(UnfinishedAnswer(Box::new((error, self.fold.answer()))))
    }

    /// Reads what is left of the stream, and gives the whole answer.
    ///
    /// # Errors
    /// [`UnfinishedAnswer`], with the error of the stream and what arrived before it.
    pub async fn whole(mut self) -> Result<P::Answer, UnfinishedAnswer<P::Answer>> {
        loop {
            match self.next_event().await {
                Ok(Some(_)) => {}
                Ok(None) => return self.finish(),
                Err(error) => return Err(UnfinishedAnswer(Box::new((error, self.fold.answer())))),
            }
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

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Read<P>>> {
        loop {
            if !matches!(self.state, State::Reading) {
                return Poll::Ready(None);
            }
            if let Some(whole) = self.whole.take() {
                return Poll::Ready(Some(self.take_whole(whole)));
            }
            if let Some(event) = self.decoder.next() {
                if event.data == DONE {
                    self.end(cx);
                } else if !event.data.is_empty() {
                    self.linger = None;
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
            match ready!(self.poll_piece(cx)) {
                Some(Ok(piece)) => self.push(&piece),
                // What is whole is not lost because the connection broke behind it.
                _ if self.fold.is_complete() => self.state = State::Ended,
                Some(Err(error)) if error.kind() != ErrorKind::Transport => {
                    return Poll::Ready(Some(Err(self.fail(error))));
                }
                cut => {
                    let error = self.cut(cut.and_then(Result::err));
                    return Poll::Ready(Some(Err(self.fail(error))));
                }
            }
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
        let taken = self.fold.take("", &text);
        let event = self.settle(taken)?;
        if !self.fold.is_answer() {
            let message = "the JSON that came instead of a stream is no answer to the question";
            return Err(self.fail(Error::new(ErrorKind::Decode, message).with_body(text)));
        }
        self.state = State::Ended;
        Ok(event)
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
        if let Poll::Ready(piece) = self.body.as_mut().poll_next(cx) {
            return Poll::Ready(piece);
        }
        if !self.fold.is_complete() {
            return Poll::Pending;
        }
        let linger = self.linger.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        linger.as_mut().poll(cx).map(|()| None)
    }

    /// Ends the stream. The one look for the end of the bytes is for the connection, which can be
    /// used again after it.
    fn end(&mut self, cx: &mut Context<'_>) {
        let _ = self.body.as_mut().poll_next(cx);
        self.state = State::Ended;
    }

    /// Notes what an event brought.
    fn settle(&mut self, taken: Taken<P::Item>) -> Result<(P::Item, Fresh), Error> {
        self.events += 1;
        self.start = Vec::new();
        if let Some(used) = self.fold.credits_used().filter(|used| *used > self.settled) {
            let more = used - self.settled;
            self.settled = used;
            let Head { handle, operation, model, .. } = &self.head;
            handle.settled(operation, model.as_ref(), Some(more));
        }
        match taken {
            Taken::Event(event, fresh) => {
                let limit = self.head.handle.max_body();
                if self.fold.held() > limit {
                    let message =
                        format!("the answer is larger than {limit} bytes (limit on bodies)");
                    return Err(self.fail(Error::new(ErrorKind::Decode, message)));
                }
                Ok((event, fresh))
            }
            Taken::Reported(object) => {
                let error = classify::reported(object, &self.head.headers, SystemTime::now());
                Err(self.fail(error))
            }
            Taken::Unreadable(error) => Err(self.fail(error)),
        }
    }

    fn cut(&self, cause: Option<Error>) -> Error {
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
        let next = ready!(self.get_mut().poll_event(cx));
        Poll::Ready(next.map(|next| next.map(|(event, _)| event)))
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

/// An answer that did not come to its end: the error, and what arrived before it. `?` turns it
/// into the [`Error`].
pub struct UnfinishedAnswer<T>(Box<(Error, T)>);

impl<T> UnfinishedAnswer<T> {
    /// Why the answer is not whole.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.0
    }

    /// What arrived.
    #[must_use]
    pub fn partial(&self) -> &T {
        &self.0.1
    }

    /// Both.
    #[must_use]
    pub fn into_parts(self) -> (Error, T) {
        *self.0
    }
}

impl<T> From<UnfinishedAnswer<T>> for Error {
    fn from(unfinished: UnfinishedAnswer<T>) -> Error {
        unfinished.0.0
    }
}

impl<T> fmt::Display for UnfinishedAnswer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl<T> fmt::Debug for UnfinishedAnswer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnfinishedAnswer").field(self.error()).finish()
    }
}

impl<T> std::error::Error for UnfinishedAnswer<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error().source()
    }
}
