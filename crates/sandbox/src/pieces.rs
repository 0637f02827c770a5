//! Response bodies that consist of several pieces. Several responses can share a large cached piece, so that it is not
//! copied.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// Maximum size in bytes of a body whose pieces are copied into one buffer. The pieces of larger bodies are sent one by
/// one.
const SMALL: usize = 64 << 10;

/// Creates a response body that consists of `pieces`. The length of the body is known before the first piece is sent.
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
