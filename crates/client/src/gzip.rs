//! Unpacks answers as they arrive. The HTTP client could, but stops after the first member of what
//! was packed in several.

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::GzipDecoder;
use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind};
use futures_core::Stream;
use futures_util::stream;
use http::{HeaderMap, header};
use tokio_util::io::{ReaderStream, StreamReader};

use crate::failure::{Failure, failure};
use crate::retry::Reached;

/// The pieces of a body, unpacked.
pub(crate) type Unpacked = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// Whether an answer with these headers is packed. The HTTP client takes the header out where it
/// has unpacked the body itself.
pub(crate) fn is_packed(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| {
        matches!(encoding.as_bytes().to_ascii_lowercase().as_slice(), b"gzip" | b"x-gzip")
    })
}

/// The body of an answer, unpacked while it is read.
pub(crate) fn unpacked(response: reqwest::Response) -> Unpacked {
    let pieces = stream::unfold(response, |mut response| async move {
        let piece = response.chunk().await.transpose()?;
        Some((piece.map_err(io::Error::other), response))
    });
    let mut decoder = GzipDecoder::new(StreamReader::new(Box::pin(pieces)));
    decoder.multiple_members(true);
    Box::pin(ReaderStream::new(decoder))
}

/// What kept a body from being unpacked: the connection, or its bytes.
pub(crate) fn failed(error: io::Error) -> Failure {
    match error.downcast::<reqwest::Error>() {
        Ok(error) => failure(error),
        Err(error) => {
            let message = "the body of the answer could not be unpacked";
            let error = Error::new(ErrorKind::Decode, message).with_source(error);
            Failure { error, reached: Reached::Perhaps }
        }
    }
}
