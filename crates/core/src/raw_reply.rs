//! Responses before decoding: a whole one, and one that is still being received.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, StatusCode};

use crate::error::Error;

/// A successful answer whose body is read piece by piece.
pub struct RawStream {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// The body as it arrives; nothing is read ahead of the reader.
    pub body: Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>,
    /// Requests that were sent for it.
    pub attempts: u32,
}

impl fmt::Debug for RawStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawStream")
            .field("status", &self.status)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

/// A successful answer before it is decoded.
#[derive(Debug, Clone)]
pub struct RawReply {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// Requests that were sent for it.
    pub attempts: u32,
    /// Time from the first request to the end of the body.
    pub elapsed: Duration,
    /// Whether it comes from a cache, or from an equal call at the same time: it cost this call nothing.
    pub reused: bool,
}
