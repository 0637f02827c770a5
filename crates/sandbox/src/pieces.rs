//! Response bodies in pieces. Large cached texts are shared between responses, not copied.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// Maximum size of a body that is copied, in bytes. Larger bodies are sent in pieces.
const SMALL: usize = 64 << 10;

/// Joins pieces into one body of known length.
pub(crate) fn body(pieces: Vec<Bytes>) -> Body {
    let length: usize = pieces.iter().map(Bytes::len).sum();
    if length <= SMALL { Body::from(pieces.concat()) } else { Body::new(Pieces(pieces.into())) }
}

#[derive(Debug)]
struct Pieces(VecDeque<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}
