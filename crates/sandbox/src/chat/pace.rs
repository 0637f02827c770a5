//! Timing of the events of a stream.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;

use crate::stop::Stop;

/// Delays of a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Delay before the first piece of the answer.
    pub(crate) first: Duration,
    /// Delay between pieces.
    pub(crate) between: Duration,
}

/// Creates a body of events. The first `opening` events are sent at once. Each event is created when the connection
/// requests it, so the stream ends when the client disconnects or the sandbox stops.
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
