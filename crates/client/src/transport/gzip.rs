//! Decompresses response bodies as they arrive. The HTTP client has this feature too, but it stops after the first gzip
//! member of a body with several members.

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

/// Decompressed chunks of a body.
pub(crate) type Unpacked = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// Returns true if the response is compressed with gzip. If the HTTP client decompressed the body itself, it removed
/// the header.
pub(crate) fn is_packed(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| {
        matches!(encoding.as_bytes().to_ascii_lowercase().as_slice(), b"gzip" | b"x-gzip")
    })
}

/// Returns the response with its body decompressed while it is read, and without the headers of the compressed form.
pub(crate) fn unpacked(mut received: Received) -> Response<Unpacked> {
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

/// Returns the next chunk of a body. An error comes either from the connection or from invalid gzip data.
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
