//! Rate limit on the requests of a client.
//!
//! It counts the requests of the last 60 seconds. A token bucket would allow almost twice the number in the first
//! minute, because it starts full.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Requests per minute of one key. This number is assumed: the interface text mentions a limit without a number, and
/// other descriptions of the service state this number.
const ASSUMED_PER_MINUTE: usize = 100;

/// Time over which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// Limits the requests in any 60 seconds, over all calls of a client and its clones. Retries count too.
///
/// If the wait would exceed the deadline of a call, the call fails at once
/// ([`ErrorKind::Timeout`](crate::ErrorKind::Timeout)). Waiting calls form no queue: a free slot goes to the first
/// call that checks.
///
/// ```
/// use crypto_intel::{Client, RateLimit};
///
/// let builder = Client::builder().base_url("https://service.example");
/// let client = builder.rate_limit(RateLimit::default()).build()?; // 100 a minute
/// # Ok::<(), crypto_intel::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Maximum requests in 60 seconds. `None` if the limit is learned from responses.
    requests: Option<usize>,
}

impl RateLimit {
    /// Allows at most `requests` in any 60 seconds; 0 counts as 1.
    #[must_use]
    pub fn per_minute(requests: usize) -> Self {
        RateLimit { requests: Some(requests.max(1)) }
    }

    /// Learns the limit from the service. Requests are sent at once until the service responds 429. From then on, the
    /// limit is the number of requests in the 60 seconds before that response. Each minute without a 429 raises the
    /// limit by a tenth, because other programs may use the key too.
    ///
    /// ```
    /// use crypto_intel::{Client, RateLimit};
    ///
    /// let builder = Client::builder().base_url("https://service.example");
    /// let client = builder.rate_limit(RateLimit::learned()).build()?;
    /// # Ok::<(), crypto_intel::Error>(())
    /// ```
    #[must_use]
    pub fn learned() -> Self {
        RateLimit { requests: None }
    }
}

/// Allows 100 requests in any 60 seconds. This number is assumed: the interface text states no limit per key.
impl Default for RateLimit {
    fn default() -> Self {
        RateLimit::per_minute(ASSUMED_PER_MINUTE)
    }
}

/// Decides when requests may be sent.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: RateLimit,
    traffic: Mutex<Traffic>,
}

#[derive(Debug, Default)]
struct Traffic {
    /// Send times of the requests in the last 60 seconds. Waiting requests are not included, because many are never
    /// sent: their caller gives up.
    departures: VecDeque<Instant>,
    /// Time of the last 429 response, and the number of requests in the 60 seconds before it.
    refusal: Option<(Instant, usize)>,
    /// End of the wait that the service asked for.
    paused_until: Option<Instant>,
}

impl Pace {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Pace { limit, traffic: Mutex::default() }
    }

    /// Allows a request now, or returns the time of the next check.
    pub(crate) fn leave(&self, now: Instant) -> Result<(), Instant> {
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(end) = traffic.paused_until.filter(|end| *end > now) {
            return Err(end);
        }

        traffic.forget(now);
        let limit = self.limit.requests.or_else(|| traffic.learned(now)).unwrap_or(usize::MAX);
        match traffic.departures.front() {
            Some(first) if traffic.departures.len() >= limit => Err(*first + WINDOW),
            _ => {
                traffic.departures.push_back(now);
                Ok(())
            }
        }
    }

    /// Records a 429 response, and the wait that the service asks for.
    ///
    /// A long wait delays other calls by at most 60 seconds. After that, the response to each of these calls shows
    /// whether the limit still holds.
    pub(crate) fn refused(&self, now: Instant, wait: Option<Duration>) {
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        traffic.forget(now);
        // The rejected request is among the counted ones.
        let accepted = traffic.departures.len().saturating_sub(1).max(1);
        // Requests that were in flight together are rejected together, so only one of them counts.
        if traffic.paused_until.is_none_or(|end| end <= now) {
            traffic.refusal = Some((now, accepted));
        }
        let end = now + wait.unwrap_or_default().min(WINDOW);
        traffic.paused_until = traffic.paused_until.max(Some(end));
    }
}

impl Traffic {
    /// Removes requests older than 60 seconds.
    fn forget(&mut self, now: Instant) {
        while self.departures.front().is_some_and(|first| *first + WINDOW <= now) {
            self.departures.pop_front();
        }
    }

    /// Returns the learned number of requests per 60 seconds.
    fn learned(&self, now: Instant) -> Option<usize> {
        let (when, accepted) = self.refusal?;
        let windows = now.duration_since(when).as_secs() / WINDOW.as_secs();
        let windows = usize::try_from(windows).unwrap_or(usize::MAX);
        let raise = accepted.div_ceil(10);
        Some(accepted.saturating_add(raise.saturating_mul(windows)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_of_sixty_seconds_holds_more_than_the_limit() {
        let start = Instant::now();
        let pace = Pace::new(RateLimit::per_minute(3));
        let asked = [0, 1, 2, 3, 4, 70, 70, 70, 70, 200, 200];
        let left = asked.map(|second| {
            let mut now = start + Duration::from_secs(second);
            while let Err(free) = pace.leave(now) {
                now = free;
            }
            now.duration_since(start).as_secs()
        });
        assert_eq!(left, [0, 1, 2, 60, 61, 70, 120, 121, 130, 200, 200]);
        for window in left.windows(4) {
            assert!(window[3] - window[0] >= 60, "{left:?}");
        }
    }

    #[test]
    fn a_wait_that_the_service_asks_for_holds_every_call_back_for_one_window_at_most() {
        let start = Instant::now();
        for (asked, held) in [(5, 5), (3_600, 60), (0, 0)] {
            let pace = Pace::new(RateLimit::default());
            pace.leave(start).unwrap();
            pace.refused(start, Some(Duration::from_secs(asked)));
            let expected = start + Duration::from_secs(held);
            assert_eq!(pace.leave(start).err(), (held > 0).then_some(expected));
            assert_eq!(pace.leave(expected), Ok(()));
        }
    }

    #[test]
    fn a_learned_limit_is_what_was_accepted_and_grows_by_a_tenth_each_minute() {
        let start = Instant::now();
        let at = |second| start + Duration::from_secs(second);
        let allowed = |pace: &Pace, now| (0..1_000).take_while(|_| pace.leave(now).is_ok()).count();

        let pace = Pace::new(RateLimit::learned());
        assert_eq!(allowed(&pace, start), 1_000);
        let pace = Pace::new(RateLimit::learned());
        for _ in 0..21 {
            pace.leave(start).unwrap();
        }
        pace.refused(at(1), None);
        pace.refused(at(1), None);
        assert_eq!(allowed(&pace, at(2)), 0);
        assert_eq!(allowed(&pace, at(60)), 20);
        assert_eq!(allowed(&pace, at(121)), 24);
    }
}
