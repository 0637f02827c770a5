//! A limit on the retries of all calls of a client together.
//!
//! Each retry takes tokens, and each success returns some. With too few tokens, a call is not retried.

use std::sync::atomic::{AtomicU32, Ordering};

/// A quota of retries that all calls of a client share, so that retries do not multiply the load during an outage of
/// the service.
///
/// The quota holds tokens. Each retry takes some tokens. If too few are left, the call ends with its last error. A call
/// that succeeds returns the tokens of its last retry, or one token if it needed no retry. So single failures are
/// retried by the [`RetryPolicy`](crate::RetryPolicy), but during an outage there are almost no retries.
///
/// # Defaults
/// 500 tokens. A retry takes 5, so 100 retries are possible without a success between them.
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
    /// Creates a quota of this many tokens.
    #[must_use]
    pub fn new(tokens: u32) -> Self {
        RetryQuota { tokens: Some(tokens) }
    }

    /// Creates an unlimited quota: each call retries independently.
    #[must_use]
    pub fn unlimited() -> Self {
        RetryQuota { tokens: None }
    }
}

/// Tokens for one retry.
const RETRY: u32 = 5;
/// Tokens that a success without a retry returns.
const SUCCESS: u32 = 1;

/// Remaining tokens.
#[derive(Debug)]
pub(crate) struct Bucket {
    most: Option<u32>,
    left: AtomicU32,
}

impl Bucket {
    pub(crate) fn new(quota: RetryQuota) -> Self {
        Bucket { most: quota.tokens, left: AtomicU32::new(quota.tokens.unwrap_or_default()) }
    }

    /// Takes the tokens for a retry. Returns false if too few remain.
    pub(crate) fn take(&self) -> bool {
        self.most.is_none()
            || self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(RETRY))
                .is_ok()
    }

    /// Records a success after this many attempts.
    pub(crate) fn succeeded(&self, attempts: u32) {
        let Some(most) = self.most else { return };
        // The bucket is almost always full. Then nothing is written, so other threads keep their cache line.
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
    fn retries_take_tokens_and_successes_give_them_back() {
        let bucket = Bucket::new(RetryQuota::new(11));
        assert_eq!([(); 3].map(|()| bucket.take()), [true, true, false]);
        // One token remains; four successes make it five.
        (0..3).for_each(|_| bucket.succeeded(1));
        assert!(!bucket.take());
        bucket.succeeded(1);
        assert!(bucket.take());
        // A successful retry returns the tokens that it took, up to the initial number.
        (0..5).for_each(|_| bucket.succeeded(2));
        assert_eq!([(); 3].map(|()| bucket.take()), [true, true, false]);
    }

    #[test]
    fn without_a_quota_every_retry_is_allowed() {
        let bucket = Bucket::new(RetryQuota::unlimited());
        assert!((0..10_000).all(|_| bucket.take()));
        assert!(!Bucket::new(RetryQuota::new(0)).take());
    }
}
