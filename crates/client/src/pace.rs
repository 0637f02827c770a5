//! A limit on the client's own rate of requests.
//!
//! The service counts the requests of the last 60 seconds. This is that count; the usual
//! token bucket is not, and lets through nearly twice the number when it starts full.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The service's window.
const WINDOW: Duration = Duration::from_secs(60);

/// At most this many requests in any 60 seconds, over all calls of a client and its clones.
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

/// 100 requests in any 60 seconds, which is what the service allows a key.
impl Default for RateLimit {
    fn default() -> Self {
        RateLimit::per_minute(100)
    }
}

/// Hands out the times at which requests may leave.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: RateLimit,
    /// When the last `limit` requests left, or will.
    departures: Mutex<VecDeque<Instant>>,
}

impl Pace {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Pace { limit, departures: Mutex::default() }
    }

    /// When the next request may leave. The place is taken with the answer.
    pub(crate) fn next(&self, now: Instant) -> Instant {
        let mut departures = self.departures.lock().unwrap_or_else(PoisonError::into_inner);
        let free = if departures.len() < self.limit.requests {
            now
        } else {
            departures.pop_front().map_or(now, |oldest| now.max(oldest + WINDOW))
        };
        departures.push_back(free);
        free
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
            let at = pace.next(start + Duration::from_secs(second));
            at.duration_since(start).as_secs()
        });
        assert_eq!(left, [0, 1, 2, 60, 61, 70, 120, 121, 130, 200, 200]);
        for window in left.windows(4) {
            assert!(window[3] - window[0] >= 60, "{left:?}");
        }
    }
}
