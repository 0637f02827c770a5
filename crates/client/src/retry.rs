//! Whether, and when, a call is sent again. Pure: counting and sleeping are not its business.

use std::time::Duration;

use crypto_intel_core::{Error, ErrorKind};
use http::Method;

/// How often and how patiently a failed call is tried again.
///
/// # Defaults
/// 3 attempts; the wait before the second is drawn from 0 to 500 ms, before the third from 0 to
/// 1 s, and so on up to 8 s (full jitter). When the service asks for a wait, it is that long at
/// least, up to 60 s; a longer one ends the call with the error that asked for it.
///
/// GET, DELETE and PUT are tried again after any failure that may pass: no connection, a connection
/// that broke, silence, 429 and 5xx. A POST may cost or start something twice, and is tried again
/// only when it was surely refused: no connection, 429, or a query that was rejected and may come
/// back. Nothing is tried again after 402, nor once a stream has begun.
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
    /// Requests that may be sent for one call; 1 means no retry, and 0 counts as 1.
    pub(crate) attempts: u32,
    /// Upper end of the first wait, unless [`max_delay`](Self::max_delay) is shorter.
    pub(crate) min_delay: Duration,
    /// Upper end of any wait that the service does not ask for, the first one included.
    pub(crate) max_delay: Duration,
    /// Longest wait the service may ask for.
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
    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Never try again.
    #[must_use]
    pub fn none() -> Self {
        RetryPolicy { attempts: 1, ..Self::default() }
    }

    /// Sets how many requests may be sent for one call; 0 counts as 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sets the upper end of the first wait.
    #[must_use]
    pub fn min_delay(mut self, delay: Duration) -> Self {
        self.min_delay = delay;
        self
    }

    /// Sets the upper end of any wait that the service does not ask for.
    #[must_use]
    pub fn max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }

    /// Sets the longest wait that the service may ask for.
    #[must_use]
    pub fn max_retry_after(mut self, wait: Duration) -> Self {
        self.max_retry_after = wait;
        self
    }
}

/// Consequence of sending a call twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// Nothing that once would not.
    Idempotent,
    /// Charge or start something twice.
    Paid,
}

impl CallKind {
    pub(crate) fn of(method: &Method) -> Self {
        if method.is_idempotent() { CallKind::Idempotent } else { CallKind::Paid }
    }
}

/// How far a failed request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// No connection: the service has seen nothing.
    Nothing,
    /// Something may have arrived.
    Perhaps,
    /// The service answered, with another status than success.
    Answered,
    /// The service answered with success, and reports an error in it.
    Accepted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// After this wait.
    Again(Duration),
    GiveUp,
}

/// `made` counts requests already sent, so it is never 0 here; `jitter` is drawn from 0 to 1.
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

    // A paid call is repeated only when it was surely not accepted. After a success every call is
    // a paid one.
    let refused = match error.kind() {
        ErrorKind::SqlRejected => true,
        ErrorKind::RateLimited => reached != Reached::Accepted,
        _ => false,
    };
    let paid = kind == CallKind::Paid || reached == Reached::Accepted;
    if paid && reached != Reached::Nothing && !refused {
        return Decision::GiveUp;
    }

    // Also for a wait of nothing, or until a date that has passed: three requests in a row help no
    // one, and clocks differ.
    let own = fraction(ceiling(policy, made), jitter);

    match error.retry_after() {
        Some(wait) if wait > policy.max_retry_after => Decision::GiveUp,
        Some(wait) => Decision::Again(wait.max(own)),
        None => Decision::Again(own),
    }
}

/// This part of a wait; a product that rounds beyond the range of a wait is the whole.
fn fraction(wait: Duration, part: f64) -> Duration {
    Duration::try_from_secs_f64(wait.as_secs_f64() * part.clamp(0.0, 1.0)).unwrap_or(wait)
}

/// Upper end of the wait after `made` requests.
fn ceiling(policy: &RetryPolicy, made: u32) -> Duration {
    let doubled = 2u32.saturating_pow(made.saturating_sub(1));
    policy.min_delay.saturating_mul(doubled).min(policy.max_delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(kind: CallKind, made: u32, reached: Reached, error: Error) -> Decision {
        decide(&RetryPolicy::default(), kind, made, reached, &error, 1.0)
    }

    #[test]
    fn reads_are_repeated_and_paid_calls_only_when_surely_refused() {
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
            let seen = decided(kind, 1, reached, Error::new(error, ""));
            assert_eq!(seen, expected, "{kind:?} {reached:?} {error:?}");
        }
    }

    #[test]
    fn a_refused_query_is_repeated_when_it_says_so() {
        let rejected = |retryable| Error::new(ErrorKind::SqlRejected, "").with_retryable(retryable);
        assert_ne!(decided(CallKind::Paid, 1, Reached::Answered, rejected(true)), Decision::GiveUp);
        assert_eq!(
            decided(CallKind::Paid, 1, Reached::Answered, rejected(false)),
            Decision::GiveUp
        );
    }

    #[test]
    fn waits_grow_to_their_limit_and_the_services_word_counts() {
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
        assert_eq!(asked(61), Decision::GiveUp);

        let passed = Error::new(ErrorKind::RateLimited, "").with_retry_after(Duration::ZERO);
        assert_eq!(
            decided(CallKind::Idempotent, 2, Reached::Answered, passed),
            Decision::Again(Duration::from_secs(1))
        );
    }

    #[test]
    fn the_longest_delay_holds_for_the_first_wait_too() {
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
    fn no_setting_overflows() {
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
