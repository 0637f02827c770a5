//! The time the sandbox believes in. Tests stop it and move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use crypto_intel_core::{UnixMillis, UnixSeconds};

/// The sandbox's clock. Clones are the same clock.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel_sandbox::{Clock, UnixSeconds};
///
/// let clock = Clock::stopped_at(UnixSeconds(1_767_225_600));
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(clock.now(), UnixSeconds(1_767_225_690));
/// ```
#[derive(Debug, Clone)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    running: bool,
    /// Milliseconds: the time itself of a stopped clock, the distance from the system's of a
    /// running one.
    millis: AtomicI64,
}

impl Default for Clock {
    fn default() -> Self {
        Clock::system()
    }
}

impl Clock {
    /// A clock that goes with the system's.
    #[must_use]
    pub fn system() -> Self {
        Clock(Arc::new(Inner { running: true, millis: AtomicI64::new(0) }))
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn stopped_at(time: UnixSeconds) -> Self {
        let millis = AtomicI64::new(time.0.saturating_mul(1000));
        Clock(Arc::new(Inner { running: false, millis }))
    }

    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.millis.fetch_add(by, Ordering::Relaxed);
    }

    /// Moves the clock forwards or back, but not out of the years from 1970 to 2200.
    pub(crate) fn jump(&self, seconds: i64) {
        let now = self.now().0;
        let last = 7_258_118_400_i64.max(now);
        self.set(UnixSeconds(now.saturating_add(seconds).clamp(0_i64.min(now), last)));
    }

    /// Sets the clock, forwards or back.
    pub fn set(&self, time: UnixSeconds) {
        let millis = time.0.saturating_mul(1000);
        let origin = if self.0.running { UnixMillis::from(SystemTime::now()).0 } else { 0 };
        self.0.millis.store(millis.saturating_sub(origin), Ordering::Relaxed);
    }

    /// The time in whole seconds.
    #[must_use]
    pub fn now(&self) -> UnixSeconds {
        self.now_millis().to_seconds()
    }

    /// The time in milliseconds.
    #[must_use]
    pub fn now_millis(&self) -> UnixMillis {
        let origin = if self.0.running { UnixMillis::from(SystemTime::now()).0 } else { 0 };
        UnixMillis(origin.saturating_add(self.0.millis.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_clock_can_be_set_and_goes_on() {
        let clock = Clock::system();
        clock.set(UnixSeconds(1_000));
        let first = clock.now_millis();
        assert!((1_000_000..1_010_000).contains(&first.0));
        assert!(clock.now_millis() >= first);
    }

    #[test]
    fn clones_are_the_same_clock() {
        let clock = Clock::stopped_at(UnixSeconds(5));
        clock.clone().advance(Duration::from_millis(1_500));
        assert_eq!(clock.now_millis(), UnixMillis(6_500));
        clock.set(UnixSeconds(1));
        assert_eq!(clock.now(), UnixSeconds(1));
    }
}
