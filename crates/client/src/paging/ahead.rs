//! Requests that are sent ahead of their reader.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll};

use crypto_intel_core::{BoxFuture, IdleTime};
use futures_core::Stream;
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use tokio::time::Instant;

/// Requests under way, in order. What has come of them is taken in whenever there is an occasion,
/// so that a slow reader holds up neither the service nor the limits on time.
pub(super) struct Ahead<T> {
    under_way: FuturesOrdered<BoxFuture<T>>,
    ready: VecDeque<T>,
    /// Time in which nobody waited for any of them.
    idle: IdleTime,
    /// Since when nobody waits.
    away: Option<Instant>,
}

impl<T> Ahead<T> {
    pub(super) fn new() -> Self {
        Ahead {
            under_way: FuturesOrdered::new(),
            ready: VecDeque::new(),
            idle: IdleTime::new(),
            away: None,
        }
    }

    /// Counter of the time in which no caller waits for the calls.
    pub(super) fn idle_time(&self) -> IdleTime {
        self.idle.clone()
    }

    pub(super) fn push(&mut self, request: BoxFuture<T>) {
        self.under_way.push_back(request);
    }

    /// Requests whose outcome was not given out yet.
    pub(super) fn len(&self) -> usize {
        self.under_way.len() + self.ready.len()
    }

    /// Drops all requests, which cancels those under way.
    pub(super) fn clear(&mut self) {
        self.under_way = FuturesOrdered::new();
        self.ready.clear();
    }

    /// Waits for the next outcome; `None` when there is nothing to wait for.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<T>> {
        self.come_back();
        let next = match self.ready.pop_front() {
            Some(ready) => Poll::Ready(Some(ready)),
            None => self.under_way.poll_next_unpin(cx),
        };
        if next.is_ready() {
            self.leave();
        }
        next
    }

    /// Sends requests and processes responses without a waiting caller.
    pub(super) fn proceed(&mut self, cx: &mut Context<'_>) {
        if self.under_way.is_empty() {
            return;
        }
        self.come_back();
        while let Poll::Ready(Some(outcome)) = self.under_way.poll_next_unpin(cx) {
            self.ready.push_back(outcome);
        }
        self.leave();
    }

    fn come_back(&mut self) {
        if let Some(since) = self.away.take() {
            self.idle.add(since.elapsed());
        }
    }

    /// From now on nobody waits.
    fn leave(&mut self) {
        self.away.get_or_insert_with(Instant::now);
    }
}

/// A stream on requests that were sent ahead.
pub(super) trait SentAhead: Stream + Unpin {
    type Outcome;

    fn ahead(&mut self) -> &mut Ahead<Self::Outcome>;
}

/// The next item. Who drops this future before it is done no longer waits, as in a `select!`.
pub(super) async fn next<S: SentAhead>(stream: &mut S) -> Option<S::Item> {
    let waiting = Waiting(stream);
    poll_fn(|cx| waiting.0.poll_next_unpin(cx)).await
}

struct Waiting<'a, S: SentAhead>(&'a mut S);

impl<S: SentAhead> Drop for Waiting<'_, S> {
    fn drop(&mut self) {
        self.0.ahead().leave();
    }
}
