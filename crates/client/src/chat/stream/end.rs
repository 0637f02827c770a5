//! Handles the end of a chat stream.
//!
//! At the end of the stream, this module checks that the answer is complete. If the answer is incomplete, this module
//! creates the error that the stream returns.

use std::task::Context;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind};

use super::{AnswerStream, Head, State};
use crate::chat::open;
use crate::chat::protocol::{StreamProtocol, Verdict};
use crate::classify;

impl<P: StreamProtocol> AnswerStream<P> {
    /// Returns the error for a response body that is not an event stream, for example an error object or an HTML page.
    /// Returns `None` if at least one event arrived, or if the body is an event stream without events.
    pub(super) fn body_error(&self) -> Option<Error> {
        if self.events > 0 {
            return None;
        }
        let body = Bytes::copy_from_slice(&self.start);
        let Head { status, headers, .. } = &self.head;
        if let Some(error) = classify::body_error(*status, headers, &body, SystemTime::now()) {
            return Some(error);
        }
        let message = open::format_error(&self.start, headers)?;
        Some(Error::new(ErrorKind::Decode, message).with_body(body))
    }

    /// Handles the event `[DONE]`. Returns an error if the answer has not ended.
    pub(super) fn finish_at_done(&mut self, cx: &mut Context<'_>) -> Result<(), Error> {
        self.is_closed = true;
        if !self.fold.is_complete() {
            let message = format!(
                "`[DONE]` arrived before the end of the answer, after {} events",
                self.events
            );
            return Err(self.fail(Error::new(ErrorKind::Truncated, message)));
        }
        // One more poll lets the HTTP connection reach the end of the body. The connection can then be reused.
        let _ = self.body.as_mut().poll_next(cx);
        self.finish()
    }

    /// Ends the stream when the answer has ended. Returns an error if the answer failed, or if the text of the finished
    /// answer differs from the streamed text.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        match self.check_answer() {
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

    /// Checks an answer that has ended. Returns an error if the answer failed, or if the complete text of the answer
    /// differs from the streamed text.
    pub(super) fn check_answer(&mut self) -> Result<(), Error> {
        let error = match self.fold.check() {
            Ok(()) => return Ok(()),
            Err(Verdict::Failed(object)) => {
                classify::from_object(object, &self.head.headers, SystemTime::now())
            }
            Err(Verdict::Contradiction) => Error::new(
                ErrorKind::Decode,
                "the text of the finished answer differs from the streamed text",
            ),
        };
        Err(self.head.add_details(error))
    }

    /// Ends the stream with an error if the stored answer is larger than the limit on response bodies.
    #[inline]
    pub(super) fn check_size(&mut self) -> Result<(), Error> {
        let limit = self.head.handle.max_body();
        if self.fold.stored_bytes() <= limit {
            return Ok(());
        }
        let message = format!("the response exceeds the body limit of {limit} bytes");
        Err(self.fail(Error::new(ErrorKind::Decode, message)))
    }

    pub(super) fn end_error(&self, cause: Option<Error>) -> Error {
        if self.is_whole {
            let message = "the JSON that arrived instead of a stream is not a finished answer";
            return Error::new(ErrorKind::Truncated, message).with_body(self.start.clone());
        }
        if let Some(error) = self.body_error() {
            return error;
        }

        let how = if cause.is_some() { "broke" } else { "ended" };
        let error = Error::new(
            ErrorKind::Truncated,
            format!(
                "the connection {how} before the end of the answer, after {} events",
                self.events
            ),
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

    pub(super) fn fail(&mut self, error: Error) -> Error {
        let error = self.head.add_details(error);
        self.state = State::Failed(error.kind(), error.message().to_owned());
        error
    }
}
