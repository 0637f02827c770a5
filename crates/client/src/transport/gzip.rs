//! Decompresses gzip response bodies while they arrive. `reqwest` can do this too, but if a body consists of several
//! gzip members, it decompresses only the first.

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::GzipDecoder;
use bytes::Bytes;
use crypto_intel_core::{Error, ErrorKind};
use futures_core::Stream;
use futures_util::{TryStreamExt, stream};
use http::{HeaderMap, Response, header};
use tokio_util::io::{ReaderStream, StreamReader};

use super::failure::Failure;
use super::received::Received;
use crate::retry::Reached;

/// Stream of the decompressed chunks of a response body.
pub(crate) type Unpacked = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// Returns true if the header `Content-Encoding` shows that the body is compressed with gzip. An HTTP client that has
/// already decompressed the body removes this header.
pub(crate) fn is_gzip(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| {
        matches!(encoding.as_bytes().to_ascii_lowercase().as_slice(), b"gzip" | b"x-gzip")
    })
}

/// Returns the response with a body that is decompressed while it is read. The `Content-Encoding` header is removed.
pub(crate) fn decompress(mut received: Received) -> Response<Unpacked> {
    let mut head = Response::new(());
    *head.status_mut() = received.status();
    *head.headers_mut() = received.take_headers();
    head.headers_mut().remove(header::CONTENT_ENCODING);

    let pieces = stream::unfold(received, |mut received| async move {
        let piece = received.next().await.transpose()?;
        Some((piece.map_err(|failure| io::Error::other(failure.error)), received))
    });
    let mut decoder = GzipDecoder::new(StreamReader::new(Box::pin(pieces)));
    decoder.multiple_members(true);
    head.map(|()| Box::pin(ReaderStream::new(decoder)) as Unpacked)
}

/// Returns the next decompressed chunk of a body, or `None` at its end. An error is caused by the connection or by
/// invalid gzip data.
pub(crate) async fn next(pieces: &mut Unpacked) -> Result<Option<Bytes>, Failure> {
    pieces.try_next().await.map_err(|error| {
        let error = match error.downcast::<Error>() {
            Ok(error) => error,
            Err(error) => {
                let message = "the body of the response could not be decompressed";
                Error::new(ErrorKind::Decode, message).with_source(error)
            }
        };
        Failure { error, reached: Reached::Perhaps }
    })
}
