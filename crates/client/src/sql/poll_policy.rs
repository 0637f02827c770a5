//! How often, and for how long, a job is asked for its state.

use std::time::Duration;

/// How a job is waited for.
///
/// # Defaults
/// Asked again after 1 s, then after intervals that grow by half each up to 10 s; given up after
/// 5 minutes, or after 3 questions in a row that got no answer (each of which the client has tried
/// again by its own policy). Asking costs no credits, but counts towards the limit of requests a
/// minute.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel::sql::PollPolicy;
///
/// let second = Duration::from_secs(1);
/// let patient = PollPolicy::new().every(3 * second, 30 * second).deadline(3600 * second);
/// assert_eq!((patient.first, patient.longest), (3 * second, 30 * second));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PollPolicy {
    /// The first interval.
    pub first: Duration,
    /// The longest interval; a longer one is kept to only if the service asks for it.
    pub longest: Duration,
    /// Time for one wait as a whole, and up to 10 s more for the answer to the last question;
    /// `None` waits until the job ends or expires.
    pub deadline: Option<Duration>,
    /// Questions in a row that may fail before the wait does.
    pub failures: u32,
}

impl Default for PollPolicy {
    fn default() -> Self {
        PollPolicy {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(10),
            deadline: Some(Duration::from_secs(300)),
            failures: 3,
        }
    }
}

impl PollPolicy {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the first interval and the longest.
    #[must_use]
    pub fn every(mut self, first: Duration, longest: Duration) -> Self {
        (self.first, self.longest) = (first, longest.max(first));
        self
    }

    /// Sets the time for one wait as a whole. At its end the job is asked for a last time.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Waits until the job ends or expires.
    #[must_use]
    pub fn without_deadline(mut self) -> Self {
        self.deadline = None;
        self
    }

    /// The interval after `asked` questions; `wanted` is what the service asks for.
    pub(super) fn interval(&self, asked: u32, wanted: Option<Duration>) -> Duration {
        // From here on every interval is the longest; it also keeps the power finite.
        let growth = 1.5f64.powi(i32::try_from(asked.min(60)).unwrap_or(60));
        let grown = Duration::try_from_secs_f64(self.first.as_secs_f64() * growth)
            .unwrap_or(self.longest)
            .min(self.longest);
        grown.max(wanted.unwrap_or_default().min(LONGEST_WANTED))
    }
}

/// Longest interval that the service may ask for.
const LONGEST_WANTED: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_grow_to_the_longest_and_the_service_may_ask_for_longer() {
        let poll = PollPolicy::default();
        let millis: Vec<_> = (0..8).map(|n| poll.interval(n, None).as_millis()).collect();
        assert_eq!(millis, [1000, 1500, 2250, 3375, 5062, 7593, 10_000, 10_000]);
        assert_eq!(poll.interval(u32::MAX, None), poll.longest);
        let wanted = |secs| poll.interval(0, Some(Duration::from_secs(secs))).as_secs();
        assert_eq!([wanted(0), wanted(30), wanted(86_400)], [1, 30, 60]);
    }

    #[test]
    fn defaults_are_as_documented() {
        insta::assert_debug_snapshot!(PollPolicy::default(), @r"
        PollPolicy {
            first: 1s,
            longest: 10s,
            deadline: Some(
                300s,
            ),
            failures: 3,
        }
        ");
    }
}
