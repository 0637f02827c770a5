//! Options of one call that differ from those of its client.

use std::time::Duration;

use http::HeaderMap;
use secrecy::SecretString;

/// Settings of one call. What is left out is as the client has it.
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
    /// Requests that may be sent for the call; 1 means no retry.
    pub attempts: Option<u32>,
    /// Time for the whole call, all attempts and waits together.
    pub deadline: Option<Duration>,
    /// Longest silence of the service, before the answer and within it. The time to connect counts
    /// as silence too; the limit on connecting alone is the client's.
    pub read_timeout: Option<Duration>,
    /// Time for a whole stream, from its request to its end. Streams only; the time that their
    /// reader takes counts too.
    pub total_timeout: Option<Duration>,
    /// Headers that are sent besides the client's own. They cannot replace the key.
    pub headers: HeaderMap,
    /// Whether values are sent as they are, without a look at bounds, conventions and the values that
    /// the operation is known to take. Only what would make another request of the call is refused.
    pub unchecked: bool,
    /// Whether the reply keeps the body beside what it decodes to.
    pub keep_body: bool,
    /// The key to send instead of the client's. `Debug` does not show it.
    pub api_key: Option<SecretString>,
    /// The base URL to send to instead of the client's.
    pub base_url: Option<String>,
    /// Age up to which the client's cache may answer. It has no meaning without a cache.
    pub max_age: Option<Duration>,
}

impl CallOptions {
    /// Nothing different.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the requests that may be sent for the call; 0 counts as 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts.max(1));
        self
    }

    /// Limits the time for the whole call, all attempts and waits together.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Limits the silence of the service, before the answer and within it. The time to connect
    /// counts as silence too, so that this limits connecting as well.
    #[must_use]
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = Some(timeout);
        self
    }

    /// Limits the time of a whole stream, from its request to its end. A deadline ends when the
    /// stream begins, and a stream that goes on without a silence would go on without an end.
    ///
    /// It holds for streams only. The time that their reader takes counts too.
    #[must_use]
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = Some(timeout);
        self
    }

    /// Sends values as they are, for a service that takes more than this client knows.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.unchecked = true;
        self
    }

    /// Sends these headers too.
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

    /// Sends to this base URL instead of the client's, with the same key unless
    /// [`api_key`](Self::api_key) is set. An invalid URL is an error when the call is sent.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Accepts a cached response of at most this age, also for a chat call or another POST. With zero, the call is
    /// always sent. Without a cache this has no effect.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Sets whether the reply keeps the body as it came beside what it decodes to, for [`Reply::body`](crate::Reply::body).
    #[must_use]
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }
}
