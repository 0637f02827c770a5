//! Limit on the retries of all calls of a client together.
//!
//! The limit is a number of tokens. Each retry takes tokens, and each successful call returns some. If too few tokens
//! are left, a failed call is not retried.

use std::sync::atomic::{AtomicU32, Ordering};

/// Quota of retries for all calls of a client together. It prevents retries from multiplying the load on the service
/// during an outage.
///
/// The quota holds tokens. Each retry takes some of them. If too few tokens are left, the call ends with its last
/// error. A successful call puts back the tokens of its last retry, or one token if it needed no retry.
///
/// While tokens are left, calls are retried according to the [`RetryPolicy`](crate::RetryPolicy). During an outage the
/// tokens are soon used up.
///
/// # Defaults
/// The quota has 500 tokens. A retry takes 5 tokens, so 100 retries are possible without a successful call between
/// them.
///
/// ```
/// use crypto_intel::{Client, RetryQuota};
///
/// let client = Client::builder()
///     .base_url("https://service.example")
///     .retry_quota(RetryQuota::new(50))
///     .build()?;
/// # Ok::<(), crypto_intel::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryQuota {
    tokens: Option<u32>,
}

impl Default for RetryQuota {
    fn default() -> Self {
        RetryQuota { tokens: Some(500) }
    }
}

impl RetryQuota {
    /// Creates a quota with this number of tokens.
    #[must_use]
    pub fn new(tokens: u32) -> Self {
        RetryQuota { tokens: Some(tokens) }
    }

    /// Creates a quota without a limit. Only the [`RetryPolicy`](crate::RetryPolicy) then limits the retries of a call.
    #[must_use]
    pub fn unlimited() -> Self {
        RetryQuota { tokens: None }
    }
}

/// Number of tokens that one retry takes from the quota.
const RETRY: u32 = 5;
/// Number of tokens that a successful call without a retry puts back into the quota.
const SUCCESS: u32 = 1;

/// Remaining tokens of a [`RetryQuota`].
#[derive(Debug)]
pub(crate) struct Bucket {
    most: Option<u32>,
    left: AtomicU32,
}

impl Bucket {
    pub(crate) fn new(quota: RetryQuota) -> Self {
        Bucket { most: quota.tokens, left: AtomicU32::new(quota.tokens.unwrap_or_default()) }
    }

    /// Takes the tokens for one retry. Returns false, and takes nothing, if too few tokens are left.
    pub(crate) fn take_retry(&self) -> bool {
        self.most.is_none()
            || self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(RETRY))
                .is_ok()
    }

    /// Returns tokens to the quota after a successful call. `attempts` is the number of attempts of this call.
    pub(crate) fn record_success(&self, attempts: u32) {
        let Some(most) = self.most else { return };
        // The quota is almost always full. Then nothing is written, so other threads keep the value in their CPU
        // caches.
        if self.left.load(Ordering::Relaxed) >= most {
            return;
        }
        let back = if attempts > 1 { RETRY } else { SUCCESS };
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            Some(left.saturating_add(back).min(most))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_take_tokens_and_successes_return_them() {
        let bucket = Bucket::new(RetryQuota::new(11));
        assert_eq!([(); 3].map(|()| bucket.take_retry()), [true, true, false]);
        // One token remains. Three successful calls make it four, which is still too few for a retry. A fourth call
        // makes it five.
        (0..3).for_each(|_| bucket.record_success(1));
        assert!(!bucket.take_retry());
        bucket.record_success(1);
        assert!(bucket.take_retry());
        // A successful call with a retry returns the tokens of the retry. The quota never holds more than its initial
        // number.
        (0..5).for_each(|_| bucket.record_success(2));
        assert_eq!([(); 3].map(|()| bucket.take_retry()), [true, true, false]);
    }

    #[test]
    fn without_a_quota_every_retry_is_allowed() {
        let bucket = Bucket::new(RetryQuota::unlimited());
        assert!((0..10_000).all(|_| bucket.take_retry()));
        assert!(!Bucket::new(RetryQuota::new(0)).take_retry());
    }
}
