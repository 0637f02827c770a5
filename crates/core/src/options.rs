//! Options of one call that differ from those of its client.
//!
//! Each setter changes one option. The transport merges them with the settings of the client.

use std::time::Duration;

use http::HeaderMap;
use secrecy::SecretString;

/// Settings of one call. The client's settings apply where an option is not set.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel_core::CallOptions;
///
/// let options = CallOptions::new().attempts(1).deadline(Duration::from_secs(5));
/// assert_eq!(options.attempts, Some(1));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// Maximum number of requests for the call; 1 means no retry.
    pub attempts: Option<u32>,
    /// Time limit for the whole call, including all attempts and waits.
    pub deadline: Option<Duration>,
    /// Longest time without a byte from the service, before and during the response. Connecting counts too. The limit
    /// on connecting alone is set on the client.
    pub read_timeout: Option<Duration>,
    /// Time limit for a whole stream, from its request to its end. Applies to streams only. The time that the reader
    /// needs counts too.
    pub total_timeout: Option<Duration>,
    /// Additional headers. They cannot replace the key.
    pub headers: HeaderMap,
    /// True if values are sent without checks of bounds, formats and known values. Values that would change the rest
    /// of the request are still rejected.
    pub unchecked: bool,
    /// True if the reply keeps the body in addition to the decoded data.
    pub keep_body: bool,
    /// The key to send instead of the client's. `Debug` does not show it.
    pub api_key: Option<SecretString>,
    /// The base URL to send to instead of the client's.
    pub base_url: Option<String>,
    /// Maximum age of a cached response. Without a cache this has no effect.
    pub max_age: Option<Duration>,
}

impl CallOptions {
    /// Creates options that change nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the number of requests for the call; 0 counts as 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts.max(1));
        self
    }

    /// Limits the time for the whole call, including all attempts and waits.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Limits the time without a byte from the service, before and during the response. Connecting counts too, so
    /// this also limits connecting.
    #[must_use]
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = Some(timeout);
        self
    }

    /// Limits the time of a whole stream, from its request to its end. A deadline ends when the stream begins, and a
    /// stream that always sends bytes exceeds no other limit.
    ///
    /// Applies to streams only. The time that the reader needs counts too.
    #[must_use]
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = Some(timeout);
        self
    }

    /// Sends values without checking them, for a service that accepts more values than this release's catalogue.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.unchecked = true;
        self
    }

    /// Adds headers.
    #[must_use]
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers = headers;
        self
    }

    /// Sends this key instead of the client's key. An invalid key is an error when the call is sent.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(SecretString::from(key.into()));
        self
    }

    /// Sends to this base URL instead of the client's. The client's key is sent too, unless
    /// [`api_key`](Self::api_key) is set. An invalid URL is an error when the call is sent.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Accepts a cached response of at most this age, also for a chat call or another POST. With an age of zero, the
    /// call is always sent. Without a cache this has no effect.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Sets whether [`Reply::body`](crate::Reply::body) keeps the body in addition to the decoded data.
    #[must_use]
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }
}
