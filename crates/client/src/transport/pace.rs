//! Rate limit for the requests of a client.
//!
//! The limit counts the requests of the last 60 seconds. A token bucket would start full, and would allow almost twice
//! the limit in the first minute.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Assumed limit of requests per minute for one API key. The service's API documentation mentions a limit without a
/// number. The number 100 is from other descriptions of the service.
const ASSUMED_PER_MINUTE: usize = 100;

/// Length of the period in which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// Maximum number of requests in any period of 60 seconds, for a client and all its clones together. Retries count too.
///
/// A call waits until the limit allows its request. If the wait would exceed the call's deadline, the call fails at
/// once with [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). Waiting calls are not sent in a fixed order.
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
    /// Maximum number of requests in 60 seconds. `None` if the client learns the limit from 429 responses.
    requests: Option<usize>,
}

impl RateLimit {
    /// Allows at most this number of requests in any period of 60 seconds. 0 counts as 1.
    #[must_use]
    pub fn per_minute(requests: usize) -> Self {
        RateLimit { requests: Some(requests.max(1)) }
    }

    /// Learns the limit from the responses of the service. Requests are sent without delay until the service responds
    /// with status 429. After a response with status 429, the limit is the number of accepted requests in the 60
    /// seconds before the response, and at least 1.
    ///
    /// Other programs with the same API key can make this limit too low. So each minute without a 429 response raises
    /// the limit by a tenth.
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

/// Allows 100 requests in any period of 60 seconds. This number is assumed, because the service's API documentation
/// contains no number.
impl Default for RateLimit {
    fn default() -> Self {
        RateLimit::per_minute(ASSUMED_PER_MINUTE)
    }
}

/// Decides when the rate limit allows the next request.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: RateLimit,
    traffic: Mutex<Traffic>,
}

#[derive(Debug, Default)]
struct Traffic {
    /// Send times of the requests in the last 60 seconds. Waiting requests are not included, because a
    /// caller can still drop a waiting request.
    departures: VecDeque<Instant>,
    /// Data of the last 429 response from which the client learned the limit: the time of the response, and the number
    /// of accepted requests in the 60 seconds before it.
    refusal: Option<(Instant, usize)>,
    /// Time until which no request is sent, because the service asked for a wait.
    paused_until: Option<Instant>,
}

impl Pace {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Pace { limit, traffic: Mutex::default() }
    }

    /// If the limit allows one more request now, counts the request and returns `Ok`. Otherwise returns the time at
    /// which the caller should try again.
    pub(crate) fn admit(&self, now: Instant) -> Result<(), Instant> {
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(end) = traffic.paused_until.filter(|end| *end > now) {
            return Err(end);
        }

        traffic.drop_old(now);
        let limit = self.limit.requests.or_else(|| traffic.limit(now)).unwrap_or(usize::MAX);
        match traffic.departures.front() {
            Some(first) if traffic.departures.len() >= limit => Err(*first + WINDOW),
            _ => {
                traffic.departures.push_back(now);
                Ok(())
            }
        }
    }

    /// Records a 429 response. `wait` is the wait that the service asks for. During this wait, [`admit`](Self::admit)
    /// allows no request.
    ///
    /// A wait of more than 60 seconds is shortened to 60 seconds. The next response then shows whether the service
    /// still rejects requests.
    pub(crate) fn record_refusal(&self, now: Instant, wait: Option<Duration>) {
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        traffic.drop_old(now);
        // The request that was rejected is one of the counted requests.
        let accepted = traffic.departures.len().saturating_sub(1).max(1);
        // Several requests in flight may be rejected at the same time. If the first of these responses asks for a wait,
        // the responses that arrive during this wait do not set the limit again.
        if traffic.paused_until.is_none_or(|end| end <= now) {
            traffic.refusal = Some((now, accepted));
        }
        let end = now + wait.unwrap_or_default().min(WINDOW);
        traffic.paused_until = traffic.paused_until.max(Some(end));
    }
}

impl Traffic {
    /// Removes the requests that were sent 60 seconds ago or earlier.
    fn drop_old(&mut self, now: Instant) {
        while self.departures.front().is_some_and(|first| *first + WINDOW <= now) {
            self.departures.pop_front();
        }
    }

    /// Returns the limit that the client learned from 429 responses, in requests per 60 seconds; see
    /// [`RateLimit::learned`]. Returns `None` before the first 429 response.
    fn limit(&self, now: Instant) -> Option<usize> {
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
    fn requests_in_any_window_stay_within_limit() {
        let start = Instant::now();
        let pace = Pace::new(RateLimit::per_minute(3));
        let asked = [0, 1, 2, 3, 4, 70, 70, 70, 70, 200, 200];
        let left = asked.map(|second| {
            let mut now = start + Duration::from_secs(second);
            while let Err(free) = pace.admit(now) {
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
    fn requested_wait_delays_calls_by_at_most_one_window() {
        let start = Instant::now();
        for (asked, held) in [(5, 5), (3_600, 60), (0, 0)] {
            let pace = Pace::new(RateLimit::default());
            pace.admit(start).unwrap();
            pace.record_refusal(start, Some(Duration::from_secs(asked)));
            let expected = start + Duration::from_secs(held);
            assert_eq!(pace.admit(start).err(), (held > 0).then_some(expected));
            assert_eq!(pace.admit(expected), Ok(()));
        }
    }

    #[test]
    fn learned_limit_is_accepted_count_and_grows_each_minute() {
        let start = Instant::now();
        let at = |second| start + Duration::from_secs(second);
        let allowed = |pace: &Pace, now| (0..1_000).take_while(|_| pace.admit(now).is_ok()).count();

        let pace = Pace::new(RateLimit::learned());
        assert_eq!(allowed(&pace, start), 1_000);
        let pace = Pace::new(RateLimit::learned());
        for _ in 0..21 {
            pace.admit(start).unwrap();
        }
        pace.record_refusal(at(1), None);
        pace.record_refusal(at(1), None);
        assert_eq!(allowed(&pace, at(2)), 0);
        assert_eq!(allowed(&pace, at(60)), 20);
        assert_eq!(allowed(&pace, at(121)), 24);
    }
}
