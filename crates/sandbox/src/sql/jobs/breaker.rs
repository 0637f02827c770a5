//! The circuit breaker. It pauses callers whose queries fail repeatedly because of their size.

use crate::account::Identity;

/// Consecutive failures that open the breaker.
const FAILURES: u32 = 3;
/// Seconds for which the breaker stays open.
const PAUSE: i64 = 60;

/// The breaker of one caller.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// Time when the breaker closes again, in Unix seconds.
    closes_at: i64,
}

impl Breaker {
    pub(super) fn saved(&self, owner: Identity) -> (Identity, u32, i64) {
        (owner, self.failures, self.closes_at)
    }

    pub(super) fn restored(
        (owner, failures, closes_at): (Identity, u32, i64),
    ) -> (Identity, Breaker) {
        (owner, Breaker { failures, closes_at })
    }

    /// Returns the seconds until the breaker closes. `None` while it is closed.
    pub(super) fn closed_in(&self, now: i64) -> Option<i64> {
        // If the clock was set back, the breaker would otherwise stay open.
        Some(self.closes_at - now).filter(|wait| (1..=PAUSE).contains(wait))
    }

    pub(super) fn succeeded(&mut self) {
        *self = Breaker::default();
    }

    /// Counts a failure. After the breaker was open once, a single failure opens it again.
    pub(super) fn failed(&mut self, now: i64) {
        self.failures += 1;
        if self.failures >= FAILURES {
            self.closes_at = now + PAUSE;
        }
    }

    /// Returns true if no failure is counted.
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
