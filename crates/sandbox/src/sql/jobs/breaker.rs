//! Circuit breaker for SQL jobs. The breaker counts the jobs of one caller that fail because the query reads too much
//! or is too slow. After three of these failures without a successful job in between, new jobs of the caller are
//! rejected for a minute.

use crate::account::Identity;

/// Number of consecutive failed queries that opens the breaker. Only queries that were too large or too slow count as
/// failed.
const FAILURES: u32 = 3;
/// Number of seconds for which the open breaker rejects new jobs of a caller.
const PAUSE: i64 = 60;

/// Circuit breaker of one caller. While the breaker is open, new jobs of the caller are rejected.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// Time at which the open breaker closes, in Unix seconds.
    closes_at: i64,
}

impl Breaker {
    pub(super) fn to_saved(&self, owner: Identity) -> (Identity, u32, i64) {
        (owner, self.failures, self.closes_at)
    }

    pub(super) fn from_saved(
        (owner, failures, closes_at): (Identity, u32, i64),
    ) -> (Identity, Breaker) {
        (owner, Breaker { failures, closes_at })
    }

    /// Returns the number of seconds until the breaker closes and the caller can start new jobs. Returns `None` if the
    /// breaker is closed now.
    pub(super) fn closed_in(&self, now: i64) -> Option<i64> {
        // The upper bound closes the breaker if the clock was set back.
        Some(self.closes_at - now).filter(|wait| (1..=PAUSE).contains(wait))
    }

    pub(super) fn succeeded(&mut self) {
        *self = Breaker::default();
    }

    /// Counts a failed query. Opens the breaker if at least [`FAILURES`] queries have failed since the last successful
    /// query. Closing the breaker does not reset this count, so one more failure opens the breaker again.
    pub(super) fn failed(&mut self, now: i64) {
        self.failures += 1;
        if self.failures >= FAILURES {
            self.closes_at = now + PAUSE;
        }
    }

    /// Returns true if no failures are counted since the last success.
    pub(super) fn is_idle(&self) -> bool {
        self.failures == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_closes_in_time() {
        let mut breaker = Breaker::default();
        breaker.failed(0);
        breaker.failed(1);
        breaker.succeeded();
        breaker.failed(2);
        breaker.failed(3);
        assert_eq!(breaker.closed_in(3), None);
        breaker.failed(4);
        assert_eq!(breaker.closed_in(4), Some(60));
        assert_eq!(breaker.closed_in(63), Some(1));
        assert_eq!(breaker.closed_in(64), None);
        breaker.failed(70);
        assert_eq!(breaker.closed_in(71), Some(59));
        assert_eq!(breaker.closed_in(-1_000), None);
    }
}
