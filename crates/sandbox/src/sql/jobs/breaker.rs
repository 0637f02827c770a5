//! The circuit breaker: whose queries keep weighing too much is made to wait.

/// Failures in a row that open it.
const FAILURES: u32 = 3;
/// Seconds for which it stays open.
const PAUSE: i64 = 60;

/// The breaker of one caller.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// When it closes again, Unix seconds.
    closes_at: i64,
}

impl Breaker {
    /// Seconds until it closes; `None` while it is closed.
    pub(super) fn closed_in(&self, now: i64) -> Option<i64> {
        // A clock set back would leave it open for good.
        Some(self.closes_at - now).filter(|wait| (1..=PAUSE).contains(wait))
    }

    pub(super) fn succeeded(&mut self) {
        *self = Breaker::default();
    }

    /// Counts a failure. Once it has been open, a single one opens it again.
    pub(super) fn failed(&mut self, now: i64) {
        self.failures += 1;
        if self.failures >= FAILURES {
            self.closes_at = now + PAUSE;
        }
    }

    /// Whether nothing is counted.
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
