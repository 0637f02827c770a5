//! Delays between the events of a chat stream.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;

use crate::stop::Stop;

/// Delays in a chat stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Delay before the first event after the opening events. The opening events, such as `response.created`, announce
    /// the answer and have no delay.
    pub(crate) first: Duration,
    /// Delay between two consecutive events after the opening events, such as `response.created`.
    pub(crate) between: Duration,
}

/// Creates a response body that sends `events` with the delays of `pace`. The first `opening` events are sent without a
/// delay. If the sandbox stops during a delay, the stream ends early.
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
