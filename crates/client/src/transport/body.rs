//! Response bodies: read completely, or passed to the caller as a stream.
//!
//! The input is a response. The output is its bytes within the limit on bodies, or an unread stream.

use std::future::Future;

use bytes::{Bytes, BytesMut};
use crypto_intel_core::{Error, ErrorKind};
use http::StatusCode;

use super::failure::Failure;
use super::received::Received;
use super::time_limits::TimeLimits;
use crate::retry::Reached;

/// Reads as much of a successful response's body as a call needs. Until this is done, the call may be retried.
pub(crate) trait TakeBody: Sized {
    /// Reads the body. `most` is the maximum size of a body in memory.
    fn take(
        response: Received,
        limits: TimeLimits,
        most: usize,
    ) -> impl Future<Output = Result<Self, Failure>> + Send;

    /// Returns the complete body, if it was read.
    fn whole(&self) -> Option<&Bytes>;
}

/// The body of a response that was not read yet.
pub(crate) struct Unread {
    response: Received,
    limits: TimeLimits,
}

impl Unread {
    pub(crate) fn new(response: Received, limits: TimeLimits) -> Self {
        Unread { response, limits }
    }

    /// Returns the next chunk, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        match self.limits.wait_for(self.response.next()).await {
            Ok(piece) => piece,
            Err(error) => Err(Failure { error, reached: Reached::Perhaps }),
        }
    }

    /// Reads at most about `most` bytes, and stops at an error.
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

/// Reads nothing: the caller wants the body as a stream.
impl TakeBody for Unread {
    async fn take(response: Received, limits: TimeLimits, _: usize) -> Result<Self, Failure> {
        Ok(Unread::new(response, limits.without_deadline()))
    }

    fn whole(&self) -> Option<&Bytes> {
        None
    }
}

/// Reads the complete body.
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

            // A body of one chunk is not copied.
            if length == piece.len() {
                whole = piece;
                continue;
            }
            if length > body.capacity() {
                let mut larger = BytesMut::with_capacity(capacity(length, expected.min(most)));
                larger.extend_from_slice(&whole);
                larger.extend_from_slice(&body);
                (whole, body) = (Bytes::new(), larger);
            }
            body.extend_from_slice(&piece);
        }

        Ok(if whole.is_empty() { body.freeze() } else { whole })
    }

    fn whole(&self) -> Option<&Bytes> {
        Some(self)
    }
}

/// Returns the capacity for a body of which `length` bytes arrived: the expected length, but not much more than the
/// arrived bytes, because a `Content-Length` can be wrong.
fn capacity(length: usize, expected: usize) -> usize {
    let most = FIRST_ALLOCATION.max(length.saturating_mul(2));
    if expected >= length { expected.min(most) } else { length.saturating_mul(2) }
}

/// Maximum bytes that are allocated because of a `Content-Length` alone.
const FIRST_ALLOCATION: usize = 1024 * 1024;

fn too_large(most: usize, begun: Vec<u8>) -> Failure {
    let message = format!("the response is larger than {most} bytes (limit on bodies)");
    let error = Error::new(ErrorKind::Decode, message).with_body(begun);
    Failure { error, reached: Reached::Answered }
}

impl Failure {
    /// Sets the status of the response on the error.
    fn of_answer(self, status: StatusCode) -> Self {
        Failure { error: self.error.with_status(status), ..self }
    }
}
