//! Sends a request repeatedly, at a fixed interval.
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

/// Maximum number of rows from earlier responses that a watch remembers. If the latest response has more rows, the
/// maximum is the number of its rows instead.
const REMEMBERED: usize = 100_000;

/// Number of consecutive failed calls after which a watch ends.
const MOST_FAILURES: u32 = 10;

/// Maximum wait after a failed call. The wait is longer if the interval of the watch is longer, or if the service
/// requests a longer wait.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Extension trait that adds the method `watch` to requests.
pub trait WatchExt: Request {
    /// Creates a [`Watch`], which sends the request at this interval. Its method [`Watch::next`] returns the responses.
    fn watch(self, every: Duration) -> Watch<Self> {
        Watch::new(self.into_call(), every)
    }
}

impl<R: Request> WatchExt for R {}

/// Callback for each failed call that does not end the watch. It receives the error and the time until the next call.
type OnFailure = Box<dyn FnMut(&Error, Duration) + Send>;

/// A request that is sent repeatedly, at a fixed interval.
///
/// Each repetition is a normal call. It may cost credits, and it counts towards the budget and the rate limit. If the
/// client has a cache, the response may be from the cache. The watch sends nothing while no caller waits for the next
/// response.
///
/// # Failures
/// These failures end the watch:
///
/// - a failure before the first response,
/// - a failure that is not retryable,
/// - a failure of a request that is not idempotent, for example a POST request,
/// - the tenth consecutive failure.
///
/// After any other failure, the watch waits and sends the request again. The first wait is one interval, and each
/// further wait is twice the previous wait. A wait is at most five minutes, or at most one interval if the interval is
/// longer than five minutes. If the service asks for a longer wait, the watch waits for that time.
#[must_use = "a watch does nothing until `next` is awaited"]
pub struct Watch<R> {
    call: Call,
    every: Duration,
    seen: SeenRows,
    /// Time at which the next call is due. `None` before the first call.
    due: Option<Instant>,
    /// True after the first response has arrived.
    has_begun: bool,
    /// Number of skipped repetitions since the last response.
    left_out: u32,
    /// Number of consecutive failed calls since the last response.
    failures: u32,
    on_failure: Option<OnFailure>,
    request: std::marker::PhantomData<fn() -> R>,
}

/// A response that a [`Watch`] returns, with information about new rows.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Update<A> {
    /// Response to this repetition of the request.
    pub reply: Reply<A>,
    /// Indexes of the rows that were in no earlier response. For a list, these are indexes into `reply.data`. A row
    /// with a changed value counts as a new row. A response with a single value counts as one row. The watch remembers
    /// at least the last 100,000 rows; an older row may count as new again.
    pub new: Vec<usize>,
    /// Number of skipped repetitions since the previous response. The watch skips repetitions if a call takes longer than the
    /// interval, or if no caller waits for the next response.
    pub left_out: u32,
    /// Number of failed calls since the previous response.
    pub failures: u32,
    /// True if rows may be missing between the previous response and this response. The flag is true if both responses
    /// have rows, but no row is in both. It is also true if all rows of a list have changed. To miss no rows of a list
    /// of the newest rows, set a shorter interval or a larger page size.
    pub is_disjoint: bool,
}

impl<A: Paged> Update<A> {
    /// Returns an iterator over the rows that were in no earlier response.
    pub fn new_rows(&self) -> impl Iterator<Item = &A::Item> {
        let rows = self.reply.items();
        self.new.iter().map(move |index| &rows[*index])
    }
}

impl<R> Watch<R> {
    fn new(mut call: Call, every: Duration) -> Self {
        // The watch compares the JSON text of the rows, so it needs the response body.
        let options = call.options().clone().keep_body(true);
        call.set_options(options);
        Watch {
            call,
            every,
            seen: SeenRows::default(),
            due: None,
            has_begun: false,
            left_out: 0,
            failures: 0,
            on_failure: None,
            request: std::marker::PhantomData,
        }
    }

    /// Sets a callback for each failed call that does not end the watch. The callback receives the error and the time
    /// until the next call.
    pub fn on_failure(mut self, notify: impl FnMut(&Error, Duration) + Send + 'static) -> Self {
        self.on_failure = Some(Box::new(notify));
        self
    }

    /// Counts a failed call and returns the wait before the next call. Returns `None` if the failure ends the watch.
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
    /// Waits until the next call is due, sends it, and returns its response.
    ///
    /// # Errors
    /// Returns the error of a call whose failure ends the watch; see [`Watch`]. To restart the watch after this error,
    /// call this method again.
    pub async fn next(&mut self) -> Result<Update<R::Answer>, Error> {
        loop {
            let skipped = self.wait_until_due().await;
            self.left_out = self.left_out.saturating_add(skipped);
            let error = match self.call.clone().send::<R::Answer>().await {
                Ok(reply) => return Ok(self.update(reply)),
                Err(error) => error,
            };

            let Some(wait) = self.wait_after(&error) else {
                self.failures = 0;
                self.left_out = 0;
                return Err(error);
            };
            self.due = Instant::now().checked_add(wait);
            if let Some(notify) = &mut self.on_failure {
                notify(&error, wait);
            }
        }
    }

    /// Converts the watch to a stream of its responses. The stream ends after the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Update<R::Answer>, Error>> {
        futures_util::stream::unfold(Some(self), |watch| async move {
            let mut watch = watch?;
            let update = watch.next().await;
            let rest = update.is_ok().then_some(watch);
            Some((update, rest))
        })
    }

    /// Waits until the next call is due, and schedules the following call. Returns the number of repetitions that are
    /// skipped because the call starts late.
    async fn wait_until_due(&mut self) -> u32 {
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

    fn update(&mut self, reply: Reply<R::Answer>) -> Update<R::Answer> {
        let left_out = std::mem::take(&mut self.left_out);
        let failures = std::mem::take(&mut self.failures);
        // The response was decoded from this body, so the body also decodes as rows.
        let body = reply.body().map(|body| from_slice::<DynamicAnswer>(body));
        let rows = body.and_then(Result::ok);
        let rows = rows.as_ref().map_or(&[][..], DynamicAnswer::rows);
        let (new, is_disjoint) = self.seen.add_rows(rows.iter().map(Row::get));
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

/// Hashes of the rows in earlier responses, one per row. If there are more than [`REMEMBERED`] hashes, the oldest are
/// removed. The hashes of the latest response are always kept.
#[derive(Default)]
struct SeenRows {
    hasher: RandomState,
    known: HashSet<u64>,
    /// Hashes of the rows, in the order in which they arrived.
    order: VecDeque<u64>,
    /// Hashes of the rows in the previous response.
    before: HashSet<u64>,
}

impl SeenRows {
    /// Stores the rows of a response. Returns the indexes of the rows that were not stored before. The returned boolean
    /// is true if this response and the previous response both have rows, but no row in common.
    fn add_rows<'a>(&mut self, rows: impl Iterator<Item = &'a str>) -> (Vec<usize>, bool) {
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
        let most = REMEMBERED.max(hashes.len());
        self.before = hashes.into_iter().collect();
        while self.order.len() > most {
            let Some(oldest) = self.order.pop_front() else { break };
            // Rows of the current response are kept, because the next response may contain them again.
            match self.before.contains(&oldest) {
                true => self.order.push_back(oldest),
                false => _ = self.known.remove(&oldest),
            }
        }
        (new, is_disjoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_is_new_once_and_answers_without_common_row_are_disjoint() {
        let mut seen = SeenRows::default();
        for (rows, new, is_disjoint) in [
            ("a b c", &[0, 1, 2][..], false),
            ("a b c", &[], false),
            ("d a b d", &[0], false),
            ("e f", &[0, 1], true),
            ("", &[], false),
            ("a g", &[1], false),
        ] {
            let seen = seen.add_rows(rows.split_whitespace());
            assert_eq!(seen, (new.to_vec(), is_disjoint), "{rows:?}");
        }
    }

    #[test]
    fn repeated_row_is_new_once_among_many_others() {
        let mut seen = SeenRows::default();
        for answer in 0..12 {
            let rows = (answer * 20_000..(answer + 1) * 20_000).map(|row| row.to_string());
            let rows: Vec<String> = std::iter::once("stays".to_owned()).chain(rows).collect();
            let (new, _) = seen.add_rows(rows.iter().map(String::as_str));
            assert_eq!(
                (new.contains(&0), new.len()),
                (answer == 0, 20_000 + usize::from(answer == 0))
            );
        }
    }

    #[test]
    fn seen_rows_memory_is_bounded() {
        let mut seen = SeenRows::default();
        for answer in 0..12 {
            let rows = (answer * 10_000..(answer + 1) * 10_000).map(|row| row.to_string());
            let rows: Vec<String> = rows.collect();
            assert_eq!(seen.add_rows(rows.iter().map(String::as_str)).0.len(), 10_000);
        }
        assert_eq!((seen.known.len(), seen.order.len()), (REMEMBERED, REMEMBERED));
    }
}
