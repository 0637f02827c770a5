//! Response bodies. A body is read into memory completely, or the caller reads it as a stream.

use std::future::Future;

use bytes::{Bytes, BytesMut};
use crypto_intel_core::{Error, ErrorKind};
use http::StatusCode;

use super::failure::Failure;
use super::received::Received;
use super::time_limits::TimeLimits;
use crate::retry::Reached;

/// Type of the response body that a call returns. [`Bytes`] is a complete body in memory, and [`Unread`] is a body that
/// is read as a stream. If [`receive`](Self::receive) fails, the call may still be retried.
pub(crate) trait TakeBody: Sized {
    /// Converts a response to this type. [`Bytes`] reads the complete body, and returns an error if the body has more
    /// than `most` bytes. [`Unread`] reads nothing and ignores `most`.
    fn receive(
        response: Received,
        limits: TimeLimits,
        most: usize,
    ) -> impl Future<Output = Result<Self, Failure>> + Send;

    /// Returns the complete body if it is in memory, and `None` for a stream.
    fn buffered(&self) -> Option<&Bytes>;
}

/// Response whose body is read later as a stream, with the time limits of its call.
pub(crate) struct Unread {
    response: Received,
    limits: TimeLimits,
}

impl Unread {
    pub(crate) fn new(response: Received, limits: TimeLimits) -> Self {
        Unread { response, limits }
    }

    /// Returns the next chunk of the body, or `None` at its end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        match self.limits.wait_for(self.response.next()).await {
            Ok(piece) => piece,
            Err(error) => Err(Failure { error, reached: Reached::Perhaps }),
        }
    }

    /// Reads chunks of the body until `most` bytes or more have arrived, the body ends, or reading fails. Returns the
    /// bytes read so far.
    pub(crate) async fn read_start(&mut self, most: usize) -> Vec<u8> {
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

/// Reads nothing of the body, because the caller reads it as a stream.
impl TakeBody for Unread {
    async fn receive(response: Received, limits: TimeLimits, _: usize) -> Result<Self, Failure> {
        Ok(Unread::new(response, limits.without_deadline()))
    }

    fn buffered(&self) -> Option<&Bytes> {
        None
    }
}

/// Reads the complete body into memory.
impl TakeBody for Bytes {
    async fn receive(response: Received, limits: TimeLimits, most: usize) -> Result<Self, Failure> {
        let status = response.status();
        let expected = response.content_length().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let mut unread = Unread::new(response, limits);
        let mut whole = Bytes::new();
        let mut body = BytesMut::new();

        while let Some(piece) = unread.next().await.map_err(|failure| failure.add_status(status))? {
            let length = whole.len() + body.len() + piece.len();
            if length > most {
                // The caller may have paid for this response, so the error contains the bytes received so far.
                let received = [&whole[..], &body, &piece].concat();
                return Err(size_failure(most, received).add_status(status));
            }

            // A body that consists of one chunk is used without copying it.
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

    fn buffered(&self) -> Option<&Bytes> {
        Some(self)
    }
}

/// Returns the buffer size in bytes for a body. `length` is the number of bytes received so far. `expected` is the
/// `Content-Length`, which can be wrong. The result is therefore at most `2 * length` or [`FIRST_ALLOCATION`],
/// whichever is larger.
fn capacity(length: usize, expected: usize) -> usize {
    let most = FIRST_ALLOCATION.max(length.saturating_mul(2));
    if expected >= length { expected.min(most) } else { length.saturating_mul(2) }
}

/// Maximum buffer size in bytes that is allocated because of the `Content-Length` header alone. A larger buffer
/// has at most twice the size of the received bytes.
const FIRST_ALLOCATION: usize = 1024 * 1024;

fn size_failure(most: usize, received: Vec<u8>) -> Failure {
    let message = format!("the response exceeds the body limit of {most} bytes");
    let error = Error::new(ErrorKind::Decode, message).with_body(received);
    Failure { error, reached: Reached::Answered }
}

impl Failure {
    /// Adds the HTTP status of the response to the error.
    fn add_status(self, status: StatusCode) -> Self {
        Failure { error: self.error.with_status(status), ..self }
    }
}
