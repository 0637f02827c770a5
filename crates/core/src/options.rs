//! What one call does differently from its client.

use std::time::Duration;

use http::HeaderMap;

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
    /// Headers that are sent besides the client's own. They cannot replace the key.
    pub headers: HeaderMap,
    /// Whether values are sent as they are, without a look at bounds, conventions and the values that
    /// the operation is known to take. Only what would make another request of the call is refused.
    pub unchecked: bool,
    /// Whether the reply keeps the body beside what it decodes to.
    pub keep_body: bool,
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

    /// Keeps the body as it came beside what it decodes to, for [`Reply::body`](crate::Reply::body).
    #[must_use]
    pub fn keep_body(mut self) -> Self {
        self.keep_body = true;
        self
    }
}
