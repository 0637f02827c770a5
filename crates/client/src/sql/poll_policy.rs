//! Rules for polling an SQL job: the wait before each poll, and the limits after which the polling ends.

use std::time::Duration;

/// Rules for polling an SQL job: the interval before each poll, the deadline, and the number of tolerated failures.
///
/// # Defaults
/// The first poll is after 1 s. A job from a saved handle is polled at once. Each further interval is 1.5 times as long
/// as the one before, up to 10 s. Waiting for the job ends after 5 minutes, after 3 consecutive failed polls, or after
/// one error that is not retryable. The client retries each poll with its [`RetryPolicy`](crate::RetryPolicy) before
/// the poll counts as failed.
///
/// Polls cost no credits, but count towards the limit of requests per minute.
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
    /// Interval before the first poll.
    pub first: Duration,
    /// Longest interval between two polls of a job. An interval is longer only if the service asks for a longer wait.
    pub longest: Duration,
    /// Maximum time to wait for the job. When this time has passed, the client polls the job once more, unless a poll
    /// is already in flight. The response to this last poll may take up to 10 s longer. With `None` the wait has no
    /// limit.
    pub deadline: Option<Duration>,
    /// Number of consecutive failed polls after which waiting for the job fails. A failed poll whose error is not
    /// retryable ends the wait at once.
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
    /// Creates a policy with the default intervals and limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the interval before the first poll and the longest interval between two polls.
    #[must_use]
    pub fn every(mut self, first: Duration, longest: Duration) -> Self {
        (self.first, self.longest) = (first, longest.max(first));
        self
    }

    /// Sets the maximum time to wait for the job. When this time has passed, the client polls the job once more, unless
    /// a poll is already in flight.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Removes the maximum time to wait for the job. Waiting then ends only when the job ends, or when polls fail as
    /// described at [`failures`](Self::failures). For example, the poll of a deleted job fails.
    #[must_use]
    pub fn without_deadline(mut self) -> Self {
        self.deadline = None;
        self
    }

    /// Returns the interval before the next poll. `polls` is the number of polls made so far, and `requested` is the
    /// wait that the service asks for.
    pub(super) fn interval(&self, polls: u32, requested: Option<Duration>) -> Duration {
        // The exponent is at most 60, so that the power stays finite. After 60 polls the interval has long reached its
        // maximum.
        let growth = 1.5f64.powi(i32::try_from(polls.min(60)).unwrap_or(60));
        let grown = Duration::try_from_secs_f64(self.first.as_secs_f64() * growth)
            .unwrap_or(self.longest)
            .min(self.longest);
        grown.max(requested.unwrap_or_default().min(LONGEST_REQUESTED))
    }
}

/// Longest wait that the client accepts from the field `retry_after_ms` of a response. If the service asks for 120 s,
/// the client waits 60 s.
const LONGEST_REQUESTED: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_grows_to_longest_or_requested_wait() {
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
