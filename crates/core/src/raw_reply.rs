//! HTTP responses before decoding. The body is either complete or a stream of chunks.

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
    /// Headers of the response.
    pub headers: HeaderMap,
    /// Response body in chunks. The stream makes progress only while it is polled.
    pub body: Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>,
    /// Number of HTTP requests that were sent until this response arrived.
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
    /// Headers of the response.
    pub headers: HeaderMap,
    /// The whole response body.
    pub body: Bytes,
    /// Number of HTTP requests that were sent until this response arrived. It is 0 for a reused response.
    pub attempts: u32,
    /// Time from the start of the call to the end of the response body. It includes the time to get the API key, the
    /// wait for the rate limit, and the waits between attempts. For a reused response, the time ends when this call
    /// received the response.
    pub elapsed: Duration,
    /// True if the response comes from the client's cache, or from an equal call that was in flight. A call with a
    /// reused response sends no request and is not charged.
    pub reused: bool,
}
