//! Bodies of answers: read whole, or piece by piece by whoever asked.

use std::future::Future;

use bytes::{Bytes, BytesMut};
use crypto_intel_core::{Error, ErrorKind};
use http::StatusCode;

use super::failure::Failure;
use super::received::Received;
use super::time_limits::TimeLimits;
use crate::retry::Reached;

/// Reads as much of a successful response's body as a call needs. Until this is done, the call may
/// be retried.
pub(crate) trait TakeBody: Sized {
    /// Takes it of this answer; `most` is the limit on bodies that are held in memory.
    fn take(
        response: Received,
        limits: TimeLimits,
        most: usize,
    ) -> impl Future<Output = Result<Self, Failure>> + Send;

    /// The whole body, where it was taken.
    fn whole(&self) -> Option<&Bytes>;
}

/// The body of an answer, to be read.
pub(crate) struct Unread {
    response: Received,
    limits: TimeLimits,
}

impl Unread {
    pub(crate) fn new(response: Received, limits: TimeLimits) -> Self {
        Unread { response, limits }
    }

    /// The next piece, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        match self.limits.wait_for(self.response.next()).await {
            Ok(piece) => piece,
            Err(error) => Err(Failure { error, reached: Reached::Perhaps }),
        }
    }

    /// At most about `most` bytes, as far as they come.
    pub(crate) async fn beginning(&mut self, most: usize) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < most {
            match self.next().await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) | Err(_) => break,
            }
        }
        body
    }
}

/// Nothing, yet: the answer has begun, and that is all that was wanted.
impl TakeBody for Unread {
    async fn take(response: Received, limits: TimeLimits, _: usize) -> Result<Self, Failure> {
        Ok(Unread::new(response, limits.without_deadline()))
    }

    fn whole(&self) -> Option<&Bytes> {
        None
    }
}

/// All of it.
impl TakeBody for Bytes {
    async fn take(response: Received, limits: TimeLimits, most: usize) -> Result<Self, Failure> {
        let status = response.status();
        let expected = response.content_length().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let mut unread = Unread::new(response, limits);
        let mut whole = Bytes::new();
        let mut body = BytesMut::new();

        while let Some(piece) = unread.next().await.map_err(|failure| failure.of_answer(status))? {
            let length = whole.len() + body.len() + piece.len();
            if length > most {
                // The caller has paid for the received bytes, so the error keeps them.
                let begun = [&whole[..], &body, &piece].concat();
                return Err(too_large(most, begun).of_answer(status));
            }

            // A body that comes in one piece is not copied.
            if length == piece.len() {
                whole = piece;
                continue;
            }
            if !whole.is_empty() {
                body.reserve(expected.min(most).min(FIRST_ALLOCATION).max(length));
                body.extend_from_slice(&std::mem::take(&mut whole));
            }
            body.extend_from_slice(&piece);
        }

        Ok(if whole.is_empty() { body.freeze() } else { whole })
    }

    fn whole(&self) -> Option<&Bytes> {
        Some(self)
    }
}

/// Bytes that are set aside on the word of a `Content-Length`.
const FIRST_ALLOCATION: usize = 1024 * 1024;

fn too_large(most: usize, begun: Vec<u8>) -> Failure {
    let message = format!("the answer is larger than {most} bytes (limit on bodies)");
    let error = Error::new(ErrorKind::Decode, message).with_body(begun);
    Failure { error, reached: Reached::Answered }
}

impl Failure {
    /// Sets the status of the response on the error.
    fn of_answer(self, status: StatusCode) -> Self {
        Failure { error: self.error.with_status(status), ..self }
    }
}
