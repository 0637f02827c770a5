//! Decides whether the client makes another attempt after a failed attempt, and how long it waits before the next
//! attempt. The functions are pure: their caller counts the attempts and sleeps.

use std::time::Duration;

use crypto_intel_core::{Error, ErrorKind};
use http::Method;

/// Rules for retries of a call. They limit the number of attempts, and determine the waits between the attempts.
///
/// # Defaults
/// A call has at most 3 attempts. The wait before the second attempt is random between 0 and 500 ms. The upper bound of
/// the wait doubles with each further attempt, up to 8 s (full jitter).
///
/// If the service asks for a wait, the client waits at least that long. If the service asks for more than 60 s, the
/// call ends with the service's error.
///
/// GET, PUT and DELETE requests are retried after each temporary failure. Temporary failures are a missing or broken
/// connection, a timeout, status 429, and status 5xx except 501. A repeated POST could cost credits twice or start a
/// job twice. So a POST is retried only if the service certainly did not execute it. This is certain if no connection
/// was established, if an HTTP/2 server refused the request, or after status 429. It is also certain if the service
/// rejected an SQL query that it may accept later. No request is retried after status 402, or once a stream has begun.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel::{Client, RetryPolicy};
///
/// let policy = RetryPolicy::new().attempts(5).max_retry_after(Duration::from_secs(10));
/// let client = Client::builder().base_url("https://service.example").retry(policy).build()?;
/// # Ok::<(), crypto_intel::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum number of attempts of one call. 1 means no retry, and 0 counts as 1.
    pub(crate) attempts: u32,
    /// Upper bound of the wait after the first attempt. The bound doubles after each further attempt, but is never
    /// higher than [`max_delay`](Self::max_delay).
    pub(crate) min_delay: Duration,
    /// Maximum of all waits that the client chooses itself. If the service asks for a longer wait, only
    /// [`max_retry_after`](Self::max_retry_after) limits this wait.
    pub(crate) max_delay: Duration,
    /// Longest wait that the service may ask for. If the service asks for more, the call ends with the service's error.
    pub(crate) max_retry_after: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy {
            attempts: 3,
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(8),
            max_retry_after: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Creates the default policy: at most 3 attempts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a policy without retries.
    #[must_use]
    pub fn none() -> Self {
        RetryPolicy { attempts: 1, ..Self::default() }
    }

    /// Sets the maximum number of attempts of one call. 0 counts as 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sets the upper bound of the wait after the first attempt. The bound doubles after each further attempt, up to
    /// [`max_delay`](Self::max_delay).
    #[must_use]
    pub fn min_delay(mut self, delay: Duration) -> Self {
        self.min_delay = delay;
        self
    }

    /// Sets the maximum of the waits that the client chooses itself. With a `min_delay` of 500 ms and a `max_delay` of
    /// 2 s, these waits are at most 0.5 s, 1 s, 2 s, 2 s and so on. A wait that the service asks for is limited by
    /// [`max_retry_after`](Self::max_retry_after) instead.
    #[must_use]
    pub fn max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }

    /// Sets the longest wait that the service may ask for. If the service asks for more, the call ends with the
    /// service's error.
    #[must_use]
    pub fn max_retry_after(mut self, wait: Duration) -> Self {
        self.max_retry_after = wait;
        self
    }
}

/// Effect of sending the same request a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// Sending the request again has no further effect, as for GET.
    Idempotent,
    /// A second request, for example a second POST, can cost credits again or start a second job.
    Paid,
}

impl CallKind {
    pub(crate) fn from_method(method: &Method) -> Self {
        if method.is_idempotent() { CallKind::Idempotent } else { CallKind::Paid }
    }
}

/// Stage that the request of a failed attempt reached. For example, the service did not process the request, or it sent
/// a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// The service certainly did not process the request: it was not sent, or an HTTP/2 server refused it.
    Nothing,
    /// The service may have received the request or a part of it.
    Perhaps,
    /// The service responded with an HTTP status that is not a success, or with a body that is larger than the limit.
    Answered,
    /// The service responded with a success status. The body contains an error, or has a compression that the client
    /// did not ask for.
    Accepted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Send the request again after this wait.
    Again(Duration),
    GiveUp,
}

/// Decides whether the client makes another attempt after a failed attempt. `made` is the number of attempts so far, at
/// least 1. `jitter` is a random number from 0 to 1 that scales the wait. For example, an upper bound of 1 s and a
/// `jitter` of 0.5 result in a wait of 0.5 s. If the service asks for a longer wait, the longer wait is used. If the
/// service asks for more than `max_retry_after`, the client gives up.
pub(crate) fn decide(
    policy: &RetryPolicy,
    kind: CallKind,
    made: u32,
    reached: Reached,
    error: &Error,
    jitter: f64,
) -> Decision {
    if made >= policy.attempts || !error.is_retryable() {
        return Decision::GiveUp;
    }

    // A paid request is sent again only if the service certainly did not execute it. After a success status, every
    // request counts as paid.
    let refused = match error.kind() {
        ErrorKind::SqlRejected => true,
        ErrorKind::RateLimited => reached != Reached::Accepted,
        _ => false,
    };
    let paid = kind == CallKind::Paid || reached == Reached::Accepted;
    if paid && reached != Reached::Nothing && !refused {
        return Decision::GiveUp;
    }

    // `own` is the client's own wait. It is the minimum even if the service asks for a wait of 0 or names a date in the
    // past. The service's clock may differ, and attempts without any wait between them would not help.
    let own = scale_wait(max_wait(policy, made), jitter);

    match error.retry_after() {
        Some(wait) if wait > policy.max_retry_after => Decision::GiveUp,
        Some(wait) => Decision::Again(wait.max(own)),
        None => Decision::Again(own),
    }
}

/// Multiplies a wait by `part`, which is clamped to the range from 0 to 1. If the product is not a valid `Duration`,
/// returns the whole wait.
fn scale_wait(wait: Duration, part: f64) -> Duration {
    Duration::try_from_secs_f64(wait.as_secs_f64() * part.clamp(0.0, 1.0)).unwrap_or(wait)
}

/// Returns the upper bound of the wait that follows attempt number `made`.
fn max_wait(policy: &RetryPolicy, made: u32) -> Duration {
    let doubled = 2u32.saturating_pow(made.saturating_sub(1));
    policy.min_delay.saturating_mul(doubled).min(policy.max_delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(kind: CallKind, made: u32, reached: Reached, error: Error) -> Decision {
        decide(&RetryPolicy::default(), kind, made, reached, &error, 1.0)
    }

    #[test]
    fn reads_are_retried_and_paid_calls_only_if_surely_refused() {
        use CallKind::{Idempotent, Paid};
        use Decision::{Again, GiveUp};
        use Reached::{Accepted, Answered, Nothing, Perhaps};

        let half = Again(Duration::from_millis(500));
        for (kind, reached, error, expected) in [
            (Idempotent, Nothing, ErrorKind::Transport, half),
            (Idempotent, Perhaps, ErrorKind::Transport, half),
            (Idempotent, Perhaps, ErrorKind::Timeout, half),
            (Idempotent, Answered, ErrorKind::Service, half),
            (Idempotent, Answered, ErrorKind::RateLimited, half),
            (Idempotent, Answered, ErrorKind::InsufficientCredits, GiveUp),
            (Idempotent, Answered, ErrorKind::NotFound, GiveUp),
            (Idempotent, Answered, ErrorKind::Decode, GiveUp),
            (Paid, Nothing, ErrorKind::Transport, half),
            (Paid, Perhaps, ErrorKind::Transport, GiveUp),
            (Paid, Perhaps, ErrorKind::Timeout, GiveUp),
            (Paid, Answered, ErrorKind::Service, GiveUp),
            (Paid, Answered, ErrorKind::RateLimited, half),
            (Paid, Answered, ErrorKind::InsufficientCredits, GiveUp),
            (Idempotent, Accepted, ErrorKind::Service, GiveUp),
            (Idempotent, Accepted, ErrorKind::RateLimited, GiveUp),
            (Paid, Accepted, ErrorKind::RateLimited, GiveUp),
        ] {
            let seen = choice(kind, 1, reached, Error::new(error, ""));
            assert_eq!(seen, expected, "{kind:?} {reached:?} {error:?}");
        }
    }

    #[test]
    fn rejected_query_is_retried_if_it_says_so() {
        let rejected = |retryable| Error::new(ErrorKind::SqlRejected, "").with_retryable(retryable);
        assert_ne!(choice(CallKind::Paid, 1, Reached::Answered, rejected(true)), Decision::GiveUp);
        assert_eq!(choice(CallKind::Paid, 1, Reached::Answered, rejected(false)), Decision::GiveUp);
    }

    #[test]
    fn waits_grow_to_max_delay_or_requested_wait() {
        let policy = RetryPolicy::new().attempts(20);
        let error = Error::new(ErrorKind::Service, "");
        let wait = |made, jitter| {
            decide(&policy, CallKind::Idempotent, made, Reached::Answered, &error, jitter)
        };
        let millis: Vec<_> = (1..8).map(|made| wait(made, 1.0)).collect();
        let expected = [500, 1000, 2000, 4000, 8000, 8000, 8000];

        assert_eq!(millis, expected.map(|ms| Decision::Again(Duration::from_millis(ms))));
        assert_eq!(wait(1, 0.0), Decision::Again(Duration::ZERO));
        assert_eq!(wait(20, 1.0), Decision::GiveUp);

        let asked = |secs| {
            let error =
                Error::new(ErrorKind::RateLimited, "").with_retry_after(Duration::from_secs(secs));
            decide(&policy, CallKind::Paid, 1, Reached::Answered, &error, 0.0)
        };

        assert_eq!(asked(7), Decision::Again(Duration::from_secs(7)));
        assert_eq!(asked(60), Decision::Again(Duration::from_secs(60)));
        assert_eq!(asked(61), Decision::GiveUp);

        let passed = Error::new(ErrorKind::RateLimited, "").with_retry_after(Duration::ZERO);
        assert_eq!(
            choice(CallKind::Idempotent, 2, Reached::Answered, passed),
            Decision::Again(Duration::from_secs(1))
        );
    }

    #[test]
    fn max_delay_limits_first_wait() {
        let (nine, one) = (Duration::from_secs(9), Duration::from_secs(1));
        let policy =
            RetryPolicy { min_delay: nine, max_delay: one, ..RetryPolicy::new().attempts(9) };
        let error = Error::new(ErrorKind::Service, "");
        for made in 1..9 {
            let kind = CallKind::Idempotent;
            let decision = decide(&policy, kind, made, Reached::Answered, &error, 1.0);
            assert_eq!(decision, Decision::Again(one), "{made}");
        }
    }

    #[test]
    fn setters_set_their_fields() {
        let [min_delay, max_delay, max_retry_after] = [1, 2, 3].map(Duration::from_secs);
        let policy = RetryPolicy::new().attempts(0).min_delay(min_delay).max_delay(max_delay);
        assert_eq!(
            policy.max_retry_after(max_retry_after),
            RetryPolicy { attempts: 1, min_delay, max_delay, max_retry_after }
        );
    }

    #[test]
    fn extreme_settings_do_not_overflow() {
        for (least, most) in [
            (Duration::MAX, Duration::MAX),
            (Duration::ZERO, Duration::MAX),
            (Duration::from_nanos(1), Duration::MAX),
        ] {
            let policy = RetryPolicy {
                min_delay: least,
                max_delay: most,
                ..RetryPolicy::new().attempts(99)
            };
            for made in [1, 2, 98] {
                let error = Error::new(ErrorKind::Service, "");
                let kind = CallKind::Idempotent;
                let decision = decide(&policy, kind, made, Reached::Answered, &error, 1.0);
                assert_ne!(decision, Decision::GiveUp, "{policy:?} {made}");
            }
        }
    }

    #[test]
    fn defaults_are_as_documented() {
        insta::assert_debug_snapshot!(RetryPolicy::default(), @r"
        RetryPolicy {
            attempts: 3,
            min_delay: 500ms,
            max_delay: 8s,
            max_retry_after: 60s,
        }
        ");
    }
}
