//! A request that is repeated at an interval.
//!
//! ```no_run
//! # async fn run(client: crypto_intel::Client) -> Result<(), crypto_intel::Error> {
//! use std::time::Duration;
//! use crypto_intel::WatchExt;
//!
//! let mut posts = client.social_user_posts("eth_daily").watch(Duration::from_secs(60));
//! loop {
//!     let update = posts.next().await?;
//!     for post in update.new_rows() {
//!         println!("{}", post.text);
//!     }
//! }
//! # }
//! ```

use std::collections::hash_map::RandomState;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::hash::BuildHasher as _;
use std::time::Duration;

use crypto_intel_core::private::from_slice;
use crypto_intel_core::{Call, Error, Paged, Reply, Request};
use futures_core::Stream;
use tokio::time::{Instant, sleep_until};

use crate::dynamic::{DynamicAnswer, Row};

/// Rows that are remembered. An answer has far fewer.
const REMEMBERED: usize = 100_000;

/// Failures in a row after which a watch ends.
const MOST_FAILURES: u32 = 10;

/// Longest wait after a failure, unless the interval is longer or the service asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Repeats a request.
pub trait WatchExt: Request {
    /// The request, repeated at this interval. The answers are read by [`Watch::next`].
    fn watch(self, every: Duration) -> Watch<Self> {
        Watch::new(self.into_call(), every)
    }
}

impl<R: Request> WatchExt for R {}

/// Called after each failure that the watch survives.
type OnFailure = Box<dyn FnMut(&Error, Duration) + Send>;

/// A request that is repeated at an interval.
///
/// Each repetition is a call: it may cost credits, it counts for budget and rate limit, and the cache
/// of the client may answer it. Nothing is sent while no one waits for the next answer.
///
/// # Failures
/// A failure before the first answer ends the watch, and so does one that another attempt cannot
/// mend. After any other failure of a request that may be sent again, the watch waits for the
/// interval, then twice the interval, and so on up to five minutes; if the service asks for a longer
/// wait, that long. The tenth failure in a row is returned.
#[must_use = "a watch does nothing until `next` is awaited"]
pub struct Watch<R> {
    call: Call,
    every: Duration,
    seen: Seen,
    /// When the next call is due; `None` before the first one.
    due: Option<Instant>,
    /// Whether an answer came.
    has_begun: bool,
    /// Failures since the last answer.
    failures: u32,
    on_failure: Option<OnFailure>,
    request: std::marker::PhantomData<fn() -> R>,
}

/// An answer of a [`Watch`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Update<A> {
    /// The answer.
    pub reply: Reply<A>,
    /// Indices of the rows that no earlier answer had: in `reply.data` if that is a list. A row whose
    /// values changed is new. An answer that is one value is one row.
    pub new: Vec<usize>,
    /// Repetitions that were left out: the call before took longer than the interval, or nobody
    /// waited for the answer.
    pub left_out: u32,
    /// Calls that failed since the answer before.
    pub failures: u32,
    /// Whether rows may be missing between the answer before and this one: both have rows, and no
    /// row is in both. For lists that show the newest rows, shorten the interval or ask for larger
    /// pages. Answers whose rows all change each time look the same.
    pub is_disjoint: bool,
}

impl<A: Paged> Update<A> {
    /// The rows that no earlier answer had.
    pub fn new_rows(&self) -> impl Iterator<Item = &A::Item> {
        let rows = self.reply.items();
        self.new.iter().map(move |index| &rows[*index])
    }
}

impl<R> Watch<R> {
    fn new(mut call: Call, every: Duration) -> Self {
        // Rows are compared as they came.
        let options = call.options().clone().keep_body(true);
        call.set_options(options);
        Watch {
            call,
            every,
            seen: Seen::default(),
            due: None,
            has_begun: false,
            failures: 0,
            on_failure: None,
            request: std::marker::PhantomData,
        }
    }

    /// Calls `notify` with each failure that the watch survives, and the time until the next call.
    pub fn on_failure(mut self, notify: impl FnMut(&Error, Duration) + Send + 'static) -> Self {
        self.on_failure = Some(Box::new(notify));
        self
    }

    /// The wait after a failure; `None` if the watch ends.
    fn wait_after(&mut self, error: &Error) -> Option<Duration> {
        self.failures += 1;
        let is_repeatable = self.call.operation().method.is_idempotent() && error.is_retryable();
        if !self.has_begun || !is_repeatable || self.failures >= MOST_FAILURES {
            return None;
        }

        let doubled = self.every.saturating_mul(1 << (self.failures - 1));
        let wait = doubled.min(LONGEST_WAIT.max(self.every));
        Some(wait.max(error.retry_after().unwrap_or_default()))
    }
}

impl<R: Request> Watch<R> {
    /// Waits until the request is due, sends it, and returns its answer.
    ///
    /// # Errors
    /// Errors that end the watch; see [`Watch`]. A later call of this method goes on.
    pub async fn next(&mut self) -> Result<Update<R::Answer>, Error> {
        loop {
            let left_out = self.begin().await;
            let error = match self.call.clone().send::<R::Answer>().await {
                Ok(reply) => return Ok(self.update(reply, left_out)),
                Err(error) => error,
            };

            let Some(wait) = self.wait_after(&error) else {
                self.failures = 0;
                return Err(error);
            };
            self.due = Instant::now().checked_add(wait);
            if let Some(notify) = &mut self.on_failure {
                notify(&error, wait);
            }
        }
    }

    /// The answers as a stream, which ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Update<R::Answer>, Error>> {
        futures_util::stream::unfold(Some(self), |watch| async move {
            let mut watch = watch?;
            let update = watch.next().await;
            let rest = update.is_ok().then_some(watch);
            Some((update, rest))
        })
    }

    /// Waits until the next call is due, and sets when the one after it is. Returns how many
    /// repetitions are left out because this one comes late.
    async fn begin(&mut self) -> u32 {
        let Some(due) = self.due else {
            self.due = Instant::now().checked_add(self.every);
            return 0;
        };

        sleep_until(due).await;
        let late = Instant::now().saturating_duration_since(due);
        let left_out = match self.every.as_nanos() {
            0 => 0,
            every => u32::try_from(late.as_nanos() / every).unwrap_or(u32::MAX),
        };
        let turns = left_out.saturating_add(1);
        self.due = due.checked_add(self.every.saturating_mul(turns));
        left_out
    }

    fn update(&mut self, reply: Reply<R::Answer>, left_out: u32) -> Update<R::Answer> {
        let failures = std::mem::take(&mut self.failures);
        // The answer was decoded from this body, so that it has rows.
        let body = reply.body().map(|body| from_slice::<DynamicAnswer>(body));
        let rows = body.and_then(Result::ok);
        let rows = rows.as_ref().map_or(&[][..], DynamicAnswer::rows);
        let (new, is_disjoint) = self.seen.take_in(rows.iter().map(Row::get));
        self.has_begun = true;
        Update { reply, new, left_out, failures, is_disjoint }
    }
}

impl<R> fmt::Debug for Watch<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("call", &self.call)
            .field("every", &self.every)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}

/// The rows of earlier answers, as hashes of their JSON.
#[derive(Default)]
struct Seen {
    hasher: RandomState,
    known: HashSet<u64>,
    /// The oldest ones first.
    order: VecDeque<u64>,
    /// Those of the answer before.
    before: HashSet<u64>,
}

impl Seen {
    /// Notes the rows of an answer. Returns which ones are new, and whether the answer shares no row
    /// with the one before.
    fn take_in<'a>(&mut self, rows: impl Iterator<Item = &'a str>) -> (Vec<usize>, bool) {
        let hashes: Vec<u64> = rows.map(|row| self.hasher.hash_one(row)).collect();
        let is_disjoint = !self.before.is_empty()
            && !hashes.is_empty()
            && !hashes.iter().any(|hash| self.before.contains(hash));

        let mut new = Vec::new();
        for (index, hash) in hashes.iter().enumerate() {
            if self.known.insert(*hash) {
                self.order.push_back(*hash);
                new.push(index);
            }
        }
        while self.order.len() > REMEMBERED.max(hashes.len()) {
            let oldest = self.order.pop_front();
            oldest.map(|hash| self.known.remove(&hash));
        }
        self.before = hashes.into_iter().collect();
        (new, is_disjoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_new_once_and_answers_without_a_common_row_are_disjoint() {
        let mut seen = Seen::default();
        for (rows, new, is_disjoint) in [
            ("a b c", &[0, 1, 2][..], false),
            ("a b c", &[], false),
            ("d a b d", &[0], false),
            ("e f", &[0, 1], true),
            ("", &[], false),
            ("a g", &[1], false),
        ] {
            let seen = seen.take_in(rows.split_whitespace());
            assert_eq!(seen, (new.to_vec(), is_disjoint), "{rows:?}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut seen = Seen::default();
        for answer in 0..12 {
            let rows = (answer * 10_000..(answer + 1) * 10_000).map(|row| row.to_string());
            let rows: Vec<String> = rows.collect();
            assert_eq!(seen.take_in(rows.iter().map(String::as_str)).0.len(), 10_000);
        }
        assert_eq!((seen.known.len(), seen.order.len()), (REMEMBERED, REMEMBERED));
    }
}
