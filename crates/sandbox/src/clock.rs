//! Clock of a sandbox. The clock follows the system's clock, runs faster, or is stopped. Tests can also set its time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use axum::http::HeaderValue;
use crypto_intel_core::{UnixMillis, UnixSeconds};
use serde::{Deserialize, Serialize};

/// Clock of a sandbox. All clones of a clock share one time. If one clone is advanced, all other clones are advanced
/// too.
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
pub struct Clock(Arc<Mutex<Running>>);

/// Speed, start time and shift of a clock. The time of the clock is computed from these three values. If the speed is
/// not 0, the time of the clock also depends on the system's time.
#[derive(Debug, Clone, Copy)]
struct Running {
    /// Seconds of this clock per second of the system's clock. A clock with speed 0 is stopped.
    speed: u32,
    /// System time in Unix milliseconds when the clock was created or restored. 0 for a clock that
    /// [`Clock::stopped_at`] created.
    started: i64,
    /// Shift of the clock in milliseconds. It is added to the time that is computed from `speed` and `started`.
    /// [`Clock::set`] and [`Clock::advance`] change the shift.
    moved: i64,
}

/// Speed and time of a clock, as the sandbox saves them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedClock {
    speed: u32,
    /// Time of the clock in Unix milliseconds when the clock was saved.
    now: i64,
}

impl Default for Clock {
    fn default() -> Self {
        Clock::system()
    }
}

impl Clock {
    /// Creates a clock that returns the system's time.
    #[must_use]
    pub fn system() -> Self {
        Clock::faster(1)
    }

    /// Creates a clock that starts at the system's time and runs `speed` times as fast. With a speed of 3600, an hour
    /// passes in a second. A speed of 0 stops the clock. [`set`](Self::set) changes the time.
    ///
    /// This clock determines when a day or a candle ends, and how long repeats of a paid call are free. A client that
    /// waits, for example for `Retry-After`, uses its own clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use crypto_intel_sandbox::{Clock, UnixSeconds};
    ///
    /// let clock = Clock::faster(86_400);
    /// clock.set(UnixSeconds(1_767_225_600));
    /// std::thread::sleep(Duration::from_millis(10));
    /// assert!(clock.now() >= UnixSeconds(1_767_225_600 + 864), "a day a second");
    /// ```
    #[must_use]
    pub fn faster(speed: u32) -> Self {
        let started = UnixMillis::from(SystemTime::now()).0;
        Clock(Arc::new(Mutex::new(Running { speed, started, moved: 0 })))
    }

    /// Creates a clock that is stopped at `time`.
    #[must_use]
    pub fn stopped_at(time: UnixSeconds) -> Self {
        let moved = time.0.saturating_mul(1000);
        Clock(Arc::new(Mutex::new(Running { speed: 0, started: 0, moved })))
    }

    /// Locks the time and speed of the clock. Ignores a poisoned lock, because every change is a single assignment
    /// that a panic cannot interrupt.
    fn running(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the speed and the current time of the clock, for the saved state of the sandbox.
    pub(crate) fn to_saved(&self) -> SavedClock {
        let running = *self.running();
        SavedClock { speed: running.speed, now: running.now() }
    }

    /// Sets the clock to a saved speed and time.
    pub(crate) fn restore(&self, SavedClock { speed, now }: SavedClock) {
        let started = UnixMillis::from(SystemTime::now()).0;
        *self.running() = Running { speed, started, moved: now.saturating_sub(started) };
    }

    /// Moves the clock forward by a duration.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let mut running = self.running();
        running.moved = running.moved.saturating_add(by);
    }

    /// Moves the clock by a number of seconds, forward or back. The new time is limited to the range from 1970-01-01 to
    /// 2200-01-01. A clock that was already outside this range does not move further away from it.
    pub(crate) fn jump(&self, seconds: i64) {
        let now = self.now().0;
        let last = LAST.max(now);
        self.set(UnixSeconds(now.saturating_add(seconds).clamp(0_i64.min(now), last)));
    }

    /// Sets the time of the clock. The clock then continues at its speed.
    pub fn set(&self, time: UnixSeconds) {
        let millis = time.0.saturating_mul(1000);
        let mut running = self.running();
        running.moved = millis.saturating_sub(running.unmoved());
    }

    /// Returns the current time of the clock in Unix seconds.
    #[must_use]
    pub fn now(&self) -> UnixSeconds {
        self.now_millis().to_seconds()
    }

    /// Returns the current time of the clock in Unix milliseconds. If the clock runs faster than the system's clock,
    /// the returned time is at most 2200-01-01.
    #[must_use]
    pub fn now_millis(&self) -> UnixMillis {
        UnixMillis(self.running().now())
    }
}

impl Running {
    /// Returns the current time of the clock in Unix milliseconds.
    fn now(self) -> i64 {
        let now = self.unmoved().saturating_add(self.moved);
        if self.speed > 1 { now.min(LAST * 1000) } else { now }
    }

    /// Returns the time of this clock without the shift `moved`, in Unix milliseconds. For a clock with speed 1, the
    /// result is the system's time. For a stopped clock, the result is `started`.
    fn unmoved(self) -> i64 {
        if self.speed == 0 {
            return self.started;
        }
        let passed = UnixMillis::from(SystemTime::now()).0.saturating_sub(self.started);
        self.started.saturating_add(passed.saturating_mul(i64::from(self.speed)))
    }
}

/// Latest time that a fast clock or a fault such as `clock=+1d` reaches, in Unix seconds: 2200-01-01.
const LAST: i64 = 7_258_118_400;

/// Formats a time in Unix seconds as the value of the HTTP header `Date`. Returns `None` for a year that the header
/// does not support.
pub(crate) fn http_date(seconds: i64) -> Option<HeaderValue> {
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    let text = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time);
    HeaderValue::try_from(text.ok()?).ok()
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
    fn a_fast_clock_runs_as_much_faster_and_not_for_ever() {
        let clock = Clock::faster(3_600);
        clock.set(UnixSeconds(1_000));
        let before = SystemTime::now();
        std::thread::sleep(Duration::from_millis(20));
        let passed = clock.now().0 - 1_000;
        let real = before.elapsed().unwrap().as_secs_f64();
        assert!((72..=(real * 3_600.0) as i64 + 3_600).contains(&passed), "{passed} in {real}");

        let clock = Clock::faster(u32::MAX);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), UnixSeconds(LAST));
        let still = Clock::faster(0);
        assert_eq!(still.now_millis(), still.now_millis());
    }

    #[test]
    fn clones_are_the_same_clock() {
        let clock = Clock::stopped_at(UnixSeconds(5));
        clock.clone().advance(Duration::from_millis(1_500));
        assert_eq!(clock.now_millis(), UnixMillis(6_500));
        clock.set(UnixSeconds(1));
        assert_eq!(clock.now(), UnixSeconds(1));
    }

    #[test]
    fn a_saved_clock_goes_on_with_its_speed() {
        let (still, fast) = (Clock::stopped_at(UnixSeconds(5)), Clock::faster(1_000));
        fast.set(UnixSeconds(7));
        let handle = Clock::system();
        let other = handle.clone();
        handle.restore(still.to_saved());
        assert_eq!((other.now_millis(), handle.to_saved()), (UnixMillis(5_000), still.to_saved()));
        handle.restore(fast.to_saved());
        assert!(other.now() >= UnixSeconds(7) && other.to_saved().speed == 1_000);
    }
}
