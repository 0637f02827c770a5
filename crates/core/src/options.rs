//! Options of one call, such as its deadline. They override the settings of the client.
//!
//! The transport merges the options with the settings of the client before it sends the call.

use std::time::Duration;

use http::HeaderMap;
use secrecy::SecretString;

/// Options of one call. For each option that is not set, the setting of the client applies.
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
    /// Maximum number of HTTP requests for the call. The value 1 means no retry.
    pub attempts: Option<u32>,
    /// Time limit for the whole call, including all attempts and the waits between them.
    pub deadline: Option<Duration>,
    /// Maximum time without a byte from the service, before and during the response. This timeout also limits the time
    /// to connect. The client has a further setting that limits only the time to connect.
    pub read_timeout: Option<Duration>,
    /// Time limit for a whole chat stream, from its request to its end. The limit includes the time in which the reader
    /// of the stream does not ask for data. Calls that are not chat streams ignore the limit.
    pub total_timeout: Option<Duration>,
    /// Additional request headers. They cannot replace the API key.
    pub headers: HeaderMap,
    /// True if parameter values are sent without checks of bounds, formats and known values. A value that would change
    /// the path of the request, such as `..`, is still rejected. Missing required parameters are rejected too.
    pub unchecked: bool,
    /// True if the reply keeps the response body in addition to the decoded data.
    pub keep_body: bool,
    /// API key for this call, instead of the client's key. `Debug` does not show it.
    pub api_key: Option<SecretString>,
    /// Base URL for this call, instead of the client's base URL.
    pub base_url: Option<String>,
    /// Maximum age of a cached response that may be returned for this call. The option has no effect on a client
    /// without a cache.
    pub max_age: Option<Duration>,
}

impl CallOptions {
    /// Creates options that leave all settings of the client unchanged.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of HTTP requests for the call. The value 0 is treated as 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts.max(1));
        self
    }

    /// Sets the time limit for the whole call, including all attempts and the waits between them.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the maximum time without a byte from the service, before and during the response. This timeout also limits
    /// the time to connect.
    #[must_use]
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = Some(timeout);
        self
    }

    /// Sets the time limit for a whole chat stream, from its request to its end. The limit includes the time in which
    /// the program does not read the stream. Other calls and streams have no such limit.
    ///
    /// No other time limit ends a stream that keeps sending bytes. The deadline of the call applies only until the
    /// stream begins, and each byte restarts the read timeout. A chat stream also ends with an error if one event, or
    /// the whole collected answer, is larger than the client's maximum body size.
    #[must_use]
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = Some(timeout);
        self
    }

    /// Sends parameter values without checking bounds, formats and known values. Use this option if the service accepts
    /// values that are missing from the catalogue of this release.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.unchecked = true;
        self
    }

    /// Sets additional request headers. A second call of this method replaces the headers of the first.
    #[must_use]
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers = headers;
        self
    }

    /// Sets the API key for this call, instead of the client's key. If the key is invalid, sending the call returns an
    /// error.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(SecretString::from(key.into()));
        self
    }

    /// Sets the base URL for this call, instead of the client's base URL. This URL also receives the client's API key,
    /// unless [`api_key`](Self::api_key) is set. If the URL is invalid, sending the call returns an error.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Accepts a cached response that is younger than this age, even for a chat call or another POST. An age of zero
    /// means that the call is always sent. The option has no effect on a client without a cache.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Sets whether the reply keeps the response body, which [`Reply::body`](crate::Reply::body) returns.
    #[must_use]
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }
}
