//! Reads a chat stream step by step.
//!
//! The input is the bytes of the response body. The output of a step is the next event, the next text, or the end of
//! the stream.

use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind};

use super::{AnswerStream, Head, State};
use crate::chat::protocol::{Fresh, StreamProtocol, Taken};
use crate::classify;

/// Data of the event that closes a `chat-completions` stream, as defined in the service's OpenAPI document.
const DONE: &str = "[DONE]";

/// Limit for the field `start` of [`AnswerStream`], in bytes. This field stores the beginning of the body until the
/// first event arrives. When the limit is reached, no further pieces of the body are stored. The last stored piece is
/// not cut, so the field can exceed the limit.
const START_LIMIT: usize = 64 * 1024;

/// Maximum time to wait for the next event, or for the end of the body, after the answer has ended. The service may
/// send the cost last. Reading the body to its end also allows the connection to be reused.
const LINGER: Duration = Duration::from_secs(1);

/// One step of reading a stream, or the error that ended the stream.
pub(super) type StepResult<P> = Result<Step<<P as StreamProtocol>::Item>, Error>;

/// Output of one step of reading a stream.
pub(super) enum Step<I> {
    /// A decoded event. The second value is the part of the event's text that was not streamed before.
    Event(I, Fresh),
    /// New text from an event. Only the text of this event was decoded, because the caller reads only text.
    Text(String),
}

/// Output that the caller of the stream wants: all events, or only text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Events,
    Text,
}

impl<P: StreamProtocol> AnswerStream<P> {
    pub(super) fn poll_event(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<P::Item, Error>>> {
        loop {
            match ready!(self.poll_step(cx, Wanted::Events)) {
                Some(Ok(Step::Event(event, _))) => return Poll::Ready(Some(Ok(event))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                // The decoder returns this variant only if the caller wants text, so it does not occur here.
                Some(Ok(Step::Text(_))) => {}
                None => return Poll::Ready(None),
            }
        }
    }

    pub(super) fn poll_step(
        &mut self,
        cx: &mut Context<'_>,
        wanted: Wanted,
    ) -> Poll<Option<StepResult<P>>> {
        loop {
            if !matches!(self.state, State::Reading) {
                return Poll::Ready(None);
            }
            if let Some(whole) = self.whole.take() {
                return Poll::Ready(Some(self.handle_whole_answer(whole)));
            }

            if let Some(event) = self.decoder.next() {
                let data = event.data.trim_ascii();
                if data == DONE {
                    match self.finish_at_done(cx) {
                        Ok(()) => continue,
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    }
                }
                if !data.is_empty() {
                    self.linger = None;
                    if wanted == Wanted::Text
                        && let Some(text) = self.fold.add_text(&event.kind, &event.data)
                    {
                        self.events += 1;
                        let step = self.check_size().map(|()| Step::Text(text));
                        return Poll::Ready(Some(step));
                    }
                    let taken = self.fold.add(&event.kind, &event.data);
                    return Poll::Ready(Some(self.handle_event(taken)));
                }
                continue;
            }

            let limit = self.head.handle.max_body();
            if self.decoder.buffered_bytes() > limit {
                let message = format!("an event exceeds the body limit of {limit} bytes");
                return Poll::Ready(Some(Err(self.fail(Error::new(ErrorKind::Decode, message)))));
            }
            let error = match ready!(self.poll_piece(cx)) {
                Some(Ok(piece)) => {
                    self.push(&piece);
                    continue;
                }
                // An answer that has ended remains valid if the connection breaks after it.
                _ if self.fold.is_complete() => match self.finish() {
                    Ok(()) => continue,
                    Err(error) => error,
                },
                Some(Err(error)) if error.kind() != ErrorKind::Transport => self.fail(error),
                cut => {
                    let error = self.end_error(cut.and_then(Result::err));
                    self.fail(error)
                }
            };
            return Poll::Ready(Some(Err(error)));
        }
    }

    /// Passes a piece of the response body to the SSE decoder. Before the first event, the piece is also stored in the
    /// field `start`; see [`START_LIMIT`].
    pub(in crate::chat) fn push(&mut self, piece: &[u8]) {
        if self.events == 0 && self.start.len() < START_LIMIT {
            self.start.extend_from_slice(piece);
        }
        self.decoder.push(piece);
    }

    /// Handles a complete answer that the service sent as one JSON object instead of a stream.
    fn handle_whole_answer(&mut self, text: String) -> StepResult<P> {
        self.is_whole = true;
        let taken = self.fold.add_whole(&text);
        let step = self.handle_event(taken)?;
        // If the answer has not ended, the error contains this text.
        self.start = text.into_bytes();
        Ok(step)
    }

    /// Returns the next piece of the response body, or `None` at the end of the body. After the answer has ended, also
    /// returns `None` if no event arrives for the duration [`LINGER`]. Returns an error if the total time limit of the
    /// stream has passed.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        if let Some((limit, sleep)) = &mut self.head.total
            && sleep.as_mut().poll(cx).is_ready()
        {
            let message = format!("the stream did not end within its total timeout of {limit:?}");
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

    /// Handles a decoded event, and records newly reported credits in the ledger. Returns an error if the event reports
    /// an error, cannot be read, or makes the stored answer too large.
    fn handle_event(&mut self, taken: Taken<P::Item>) -> StepResult<P> {
        self.events += 1;
        self.start = Vec::new();
        if let Some(used) = self.fold.credits_used().filter(|used| *used > self.settled) {
            let more = used - self.settled;
            self.settled = used;
            let Head { handle, operation, model, .. } = &self.head;
            handle.settled(operation, model.as_ref(), Some(more));
        }

        match taken {
            Taken::Event(event, fresh) => self.check_size().map(|()| Step::Event(event, fresh)),
            Taken::Reported(object) => {
                let error = classify::from_object(object, &self.head.headers, SystemTime::now());
                Err(self.fail(error))
            }
            Taken::Unreadable(error) => Err(self.fail(error)),
        }
    }
}
