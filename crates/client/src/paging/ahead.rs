//! Sends the requests for later pages of a list before the caller needs these pages.
//!
//! The input is the futures of requests. The output is their results, in the order in which the requests were added.

use std::any::Any;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::task::{Context, Poll};

use crypto_intel_core::{BoxFuture, IdleTime};
use futures_core::Stream;
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use tokio::time::Instant;

/// Queue of requests in flight. It returns their results in the order in which the requests were added. Time without a
/// waiting caller does not count towards the timeouts of the requests.
pub(super) struct Ahead<T> {
    queue: Queue,
    results: PhantomData<fn() -> T>,
}

/// Queue of requests in flight whose results have the erased type `dyn Any`. The code of [`Queue`] is therefore
/// compiled once for all result types.
pub(super) struct Queue {
    under_way: FuturesOrdered<BoxFuture<ErasedResult>>,
    ready: VecDeque<ErasedResult>,
    /// Total idle time: the time in which no caller waited for the responses.
    idle: IdleTime,
    /// Start of the current idle time. `None` while no idle time is counted.
    away: Option<Instant>,
}

type ErasedResult = Box<dyn Any + Send>;

impl<T: Send + 'static> Ahead<T> {
    pub(super) fn new() -> Self {
        let queue = Queue {
            under_way: FuturesOrdered::new(),
            ready: VecDeque::new(),
            idle: IdleTime::new(),
            away: None,
        };
        Ahead { queue, results: PhantomData }
    }

    /// Returns the counter of the queue's idle time. Idle time is the time in which no caller waits for a result.
    pub(super) fn idle_time(&self) -> IdleTime {
        self.queue.idle.clone()
    }

    pub(super) fn push(&mut self, request: impl Future<Output = T> + Send + 'static) {
        let request = async { Box::new(request.await) as ErasedResult };
        self.queue.under_way.push_back(Box::pin(request));
    }

    /// Returns the number of requests whose result was not yet returned to the caller.
    pub(super) fn len(&self) -> usize {
        self.queue.under_way.len() + self.queue.ready.len()
    }

    /// Drops all requests. This cancels the requests in flight.
    pub(super) fn clear(&mut self) {
        self.queue.under_way = FuturesOrdered::new();
        self.queue.ready.clear();
    }

    /// Waits for the result of the oldest request and returns it. Returns `None` if the queue is empty.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let outcome = self.queue.poll_next(cx);
        // Only `push` adds requests to this queue, so each result has the type `T`.
        outcome.map(|outcome| outcome?.downcast().ok().map(|outcome| *outcome))
    }

    /// Polls the requests in flight and stores the results that have arrived. It does not wait for more results.
    pub(super) fn poll_requests(&mut self, cx: &mut Context<'_>) {
        self.queue.poll_requests(cx);
    }

    pub(super) fn queue(&mut self) -> &mut Queue {
        &mut self.queue
    }
}

impl Queue {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<ErasedResult>> {
        self.end_idle();
        let next = match self.ready.pop_front() {
            Some(ready) => Poll::Ready(Some(ready)),
            None => self.under_way.poll_next_unpin(cx),
        };
        if next.is_ready() {
            self.start_idle();
        }
        next
    }

    fn poll_requests(&mut self, cx: &mut Context<'_>) {
        if self.under_way.is_empty() {
            return;
        }
        self.end_idle();
        while let Poll::Ready(Some(outcome)) = self.under_way.poll_next_unpin(cx) {
            self.ready.push_back(outcome);
        }
        self.start_idle();
    }

    fn end_idle(&mut self) {
        if let Some(since) = self.away.take() {
            self.idle.add(since.elapsed());
        }
    }

    /// Starts the idle time, in which no caller waits for a result. Does nothing if the idle time has already started.
    fn start_idle(&mut self) {
        self.away.get_or_insert_with(Instant::now);
    }
}

/// Stream of the pages or rows of a list. It sends requests ahead of the caller, and holds these requests in a
/// [`Queue`].
pub(super) trait SentAhead: Stream + Unpin {
    fn queue(&mut self) -> &mut Queue;
}

/// Returns the next item of the stream. A caller may drop this future before it is ready, for example in a `select!`.
/// The time until the next poll of the stream does not count towards the timeouts of the requests in flight.
pub(super) async fn next<S: SentAhead>(stream: &mut S) -> Option<S::Item> {
    let waiting = Waiting(stream);
    poll_fn(|cx| waiting.0.poll_next_unpin(cx)).await
}

struct Waiting<'a, S: SentAhead>(&'a mut S);

impl<S: SentAhead> Drop for Waiting<'_, S> {
    fn drop(&mut self) {
        self.0.queue().start_idle();
    }
}
