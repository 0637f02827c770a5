//! A limit on the client's own rate of requests.
//!
//! It counts the requests of the last 60 seconds. The usual token bucket would let through nearly twice the number when
//! it starts full.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Requests per minute of one key. Assumed: the interface text states a limit without a number; other descriptions of
/// the service give this one.
const ASSUMED_PER_MINUTE: usize = 100;

/// Time over which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// At most this many requests in any 60 seconds, over all calls of a client and its clones,
/// attempts of the same call included.
///
/// A call that is held back, and would be past its deadline, is refused at once
/// ([`ErrorKind::Timeout`](crate::ErrorKind::Timeout)). Calls that wait form no queue: a place that becomes
/// free goes to whichever of them asks first.
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
    requests: usize,
}

impl RateLimit {
    /// At most `requests` in any 60 seconds; 0 counts as 1.
    #[must_use]
    pub fn per_minute(requests: usize) -> Self {
        RateLimit { requests: requests.max(1) }
    }
}

/// 100 requests in any 60 seconds. This number is assumed: the interface text states no limit of a key.
impl Default for RateLimit {
    fn default() -> Self {
        RateLimit::per_minute(ASSUMED_PER_MINUTE)
    }
}

/// Says when requests may leave.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: RateLimit,
    /// When the requests of the last window left. Those that wait are not among them: many never
    /// leave, because their caller gave up.
    departures: Mutex<VecDeque<Instant>>,
}

impl Pace {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Pace { limit, departures: Mutex::default() }
    }

    /// Lets a request leave now, or says when to ask again.
    pub(crate) fn leave(&self, now: Instant) -> Result<(), Instant> {
        let mut departures = self.departures.lock().unwrap_or_else(PoisonError::into_inner);
        while departures.front().is_some_and(|first| *first + WINDOW <= now) {
            departures.pop_front();
        }
        match departures.front() {
            Some(first) if departures.len() >= self.limit.requests => Err(*first + WINDOW),
            _ => {
                departures.push_back(now);
                Ok(())
            }
        }
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
}
