//! When the events of a stream leave.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;

use crate::stop::Stop;

/// The timing of streams.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Before the first piece of the answer.
    pub(crate) first: Duration,
    /// Between the pieces.
    pub(crate) between: Duration,
}

/// A body of these events, of which the first `opening` leave at once. Nothing waits on its own:
/// the next event is made when the connection asks for it, so that a client who leaves ends it,
/// and so does a sandbox that stops.
pub(super) fn body(events: Vec<String>, opening: usize, pace: Pace, stop: Stop) -> Body {
    if pace.first.is_zero() && pace.between.is_zero() {
        let chunks = events.into_iter().map(|event| Ok::<_, Infallible>(Bytes::from(event)));
        return Body::from_stream(stream::iter(chunks));
    }
    let state = (VecDeque::from(events), 0, stop);
    Body::from_stream(stream::unfold(state, move |(mut events, sent, stop)| async move {
        let event = events.pop_front()?;
        let wait = match sent {
            sent if sent < opening => Duration::ZERO,
            sent if sent == opening => pace.first,
            _ => pace.between,
        };
        if !wait.is_zero() && tokio::time::timeout(wait, stop.wait()).await.is_ok() {
            return None;
        }
        Some((Ok::<_, Infallible>(Bytes::from(event)), (events, sent + 1, stop)))
    }))
}
