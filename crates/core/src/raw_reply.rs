//! Responses before decoding: complete, or as a stream.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, StatusCode};

use crate::error::Error;

/// A successful response whose body is read in chunks.
pub struct RawStream {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// The body. Bytes are read only when the stream is polled.
    pub body: Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>,
    /// Number of requests sent for the response.
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

/// A successful response before it is decoded.
#[derive(Debug, Clone)]
pub struct RawReply {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// Number of requests sent for the response.
    pub attempts: u32,
    /// Time from the first request to the end of the body.
    pub elapsed: Duration,
    /// True if the response comes from a cache or from an equal call in flight. It then cost this call nothing.
    pub reused: bool,
}
