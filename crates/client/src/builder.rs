//! Settings of a client.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use crypto_intel_api::Api;
use crypto_intel_core::{Error, Handle};
use http::{HeaderMap, HeaderValue, header};

use crate::client::Client;
use crate::credits::{Budget, Ledger};
use crate::key::ApiKey;
use crate::pace::{Pace, RateLimit};
use crate::retry::RetryPolicy;
use crate::tls;
use crate::transport::Http;

/// Environment variable with the API key.
pub const KEY_VARIABLE: &str = "CRYPTO_INTEL_API_KEY";
/// Environment variable with the base URL.
pub const BASE_URL_VARIABLE: &str = "CRYPTO_INTEL_BASE_URL";

/// Builds a [`Client`].
///
/// # Defaults
/// No key (the service grants each address 30 credits a day without one); 10 s to connect; 60 s
/// of silence before or within an answer, and ten minutes where the service is known to think for
/// long; no deadline; 64 MiB for an answer that is read whole; retries as in [`RetryPolicy`]; no
/// budget; no rate limit; the proxies of the system; no redirects; a user agent that names this
/// crate and its version. There is no default base URL.
///
/// Of every limit on time, `Duration::MAX` means that there is none.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel::{Client, RetryPolicy};
///
/// let client = Client::builder()
///     .base_url("https://service.example")
///     .api_key("sk-example")
///     .deadline(Duration::from_secs(20))
///     .retry(RetryPolicy::new().attempts(5))
///     .build()?;
/// # Ok::<(), crypto_intel::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build`"]
pub struct ClientBuilder {
    base_url: Option<String>,
    key: Option<Result<ApiKey, Arc<Error>>>,
    http: Option<reqwest::Client>,
    user_agent: Option<String>,
    headers: HeaderMap,
    connect_timeout: Duration,
    read_timeout: Duration,
    deadline: Option<Duration>,
    max_body: usize,
    retry: RetryPolicy,
    budget: Budget,
    rate_limit: Option<RateLimit>,
    chat_prefix: Option<String>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        ClientBuilder {
            base_url: None,
            key: None,
            http: None,
            user_agent: None,
            headers: HeaderMap::new(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(60),
            deadline: None,
            max_body: 64 * 1024 * 1024,
            retry: RetryPolicy::default(),
            budget: Budget::unlimited(),
            rate_limit: None,
            chat_prefix: None,
        }
    }
}

impl ClientBuilder {
    /// Takes the key from `CRYPTO_INTEL_API_KEY` and the base URL from `CRYPTO_INTEL_BASE_URL`,
    /// where they are set and not empty.
    pub fn from_env(mut self) -> Self {
        let read = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        if let Some(key) = read(KEY_VARIABLE) {
            self = self.api_key(key);
        }
        if let Some(url) = read(BASE_URL_VARIABLE) {
            self = self.base_url(url);
        }
        self
    }

    /// Address of the service, without the path of any operation: scheme and host, a port or a
    /// path prefix where there is one.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The API key. What is wrong with it, [`build`](Self::build) reports.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(ApiKey::new(key).map_err(Arc::new));
        self
    }

    /// Sends through this client: its own proxies, certificates and redirects hold, and
    /// [`connect_timeout`](Self::connect_timeout) of this builder does not. Its own limits on time
    /// hold beside those of this builder.
    ///
    /// A client that follows redirects, as one does unless told otherwise, leaves the key out when
    /// the host changes, but may carry a question or a query there.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.http = Some(client);
        self
    }

    /// Replaces the user agent. [`build`](Self::build) refuses one that a header cannot carry.
    pub fn user_agent(mut self, agent: impl Into<String>) -> Self {
        self.user_agent = Some(agent.into());
        self
    }

    /// Headers that every request carries. They cannot replace the key, and without a key no
    /// `Authorization` is sent.
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers = headers;
        self
    }

    /// Limits the time to connect, of every attempt. After it a call fails with
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout); nothing was sent, so that a POST may be tried again.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Limits the silence of the service, before an answer and within it, after which an attempt
    /// fails with [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). Operations that are
    /// known to think for long are given at least their
    /// [`patience`](crate::Operation::patience); the option of a single call counts as it stands.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Limits the time of a whole call, all attempts and waits together, after which it fails with
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). A streamed answer need only begin in that time.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Limits an answer that is read whole, in bytes after decompression. A larger one is an error
    /// of [`ErrorKind::Decode`](crate::ErrorKind::Decode).
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// How failed calls are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// What the client may spend.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Holds requests back so that no 60 seconds see more than this; off unless set. The wait
    /// counts towards the deadline.
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
        self
    }

    /// What stands in front of `/chat/completions`, such as `/v1` (the default) or
    /// `/gateway/v1`: sources disagree on it.
    pub fn chat_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.chat_prefix = Some(prefix.into());
        self
    }

    /// The client.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) when the base URL is missing or not
    /// one, when the key cannot be a key, or when the HTTP client cannot be set up.
    pub fn build(self) -> Result<Client, Error> {
        let base = base(self.base_url.as_deref())?;
        let key = match self.key {
            None => None,
            Some(Ok(key)) => Some(key),
            Some(Err(error)) => return Err(Error::invalid(error.message())),
        };
        let mut headers = self.headers;
        headers.remove(header::AUTHORIZATION);
        let agent = self.user_agent.as_deref().unwrap_or(USER_AGENT);
        let agent = HeaderValue::from_str(agent).map_err(|_| {
            Error::invalid("the user agent has characters that a header cannot carry")
        })?;
        headers.insert(header::USER_AGENT, agent);
        headers
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("application/json, */*;q=0.5"));
        let client = match self.http {
            Some(client) => client,
            None => {
                let builder = reqwest::Client::builder()
                    .connect_timeout(self.connect_timeout)
                    // The service does not redirect. A redirect is a sign of a wrong base URL, and
                    // following one would carry a paid request to who knows where.
                    .redirect(reqwest::redirect::Policy::none());
                tls::configure(builder)?.build().map_err(|error| {
                    Error::invalid("the HTTP client could not be set up").with_source(error)
                })?
            }
        };
        let prefix = self.chat_prefix.as_deref().map(prefix).transpose()?;
        let ledger = Ledger::new(self.budget);
        let http = Arc::new(Http {
            client,
            base,
            authorization: key.as_ref().and_then(ApiKey::header),
            key,
            headers,
            retry: self.retry,
            deadline: self.deadline,
            read_timeout: self.read_timeout,
            max_body: self.max_body,
            ledger: ledger.clone(),
            pace: self.rate_limit.map(Pace::new),
            prefix,
        });
        let handle = Handle::new(http);
        Ok(Client::new(Api::new(handle.clone()), handle, ledger))
    }
}

const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));

/// A path prefix, checked: empty, or with a slash at its beginning and none at its end.
fn prefix(text: &str) -> Result<String, Error> {
    let path = text.trim().trim_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
    if !path.chars().all(plain) || path.split('/').any(|part| part == "." || part == "..") {
        return Err(Error::invalid(format!(
            "the chat prefix `{text}` is not a path, such as `/gateway/v1`"
        )));
    }
    Ok(if path.is_empty() { String::new() } else { format!("/{path}") })
}

/// The base URL, checked, without a slash at the end.
fn base(url: Option<&str>) -> Result<String, Error> {
    let Some(url) = url.map(str::trim).filter(|url| !url.is_empty()) else {
        return Err(Error::invalid(format!(
            "there is no base URL; set {BASE_URL_VARIABLE} or call `base_url`"
        )));
    };
    let fault = |what: &str| Error::invalid(format!("the base URL {what}"));
    let parsed =
        reqwest::Url::parse(url).map_err(|error| fault("is not a URL").with_source(error))?;
    if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
        return Err(fault("must start with https:// or http:// and name a host"));
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(fault("must not hold a user or password; the key has a setting of its own"));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(fault("must not hold a query or a fragment"));
    }
    Ok(parsed.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_url_is_checked_with_a_reason() {
        for (url, reason) in [
            (None, "there is no base URL; set CRYPTO_INTEL_BASE_URL or call `base_url`"),
            (Some(" "), "there is no base URL; set CRYPTO_INTEL_BASE_URL or call `base_url`"),
            (Some("service.example"), "the base URL is not a URL"),
            (
                Some("ftp://service.example"),
                "the base URL must start with https:// or http:// and name a host",
            ),
            (
                Some("https://u:p@service.example"),
                "the base URL must not hold a user or password; the key has a setting of its own",
            ),
            (
                Some("https://service.example?a=b"),
                "the base URL must not hold a query or a fragment",
            ),
        ] {
            assert_eq!(base(url).unwrap_err().message(), reason);
        }
        assert_eq!(base(Some("https://service.example/")).unwrap(), "https://service.example");
        assert_eq!(base(Some("http://[::1]:80/a/")).unwrap(), "http://[::1]/a");
    }

    #[test]
    fn a_prefix_is_a_path() {
        for (text, path) in [("/v1", "/v1"), ("a/b/", "/a/b"), ("/", ""), ("", "")] {
            assert_eq!(prefix(text).unwrap(), path);
        }
        for bad in ["/v1?a=b", "/..", "a b", "https://service.example/v1"] {
            assert!(prefix(bad).unwrap_err().message().contains(bad));
        }
    }

    #[test]
    fn a_builder_shows_no_key() {
        let builder = Client::builder().api_key("sk-secret").base_url("http://localhost");
        assert!(!format!("{builder:?} {:?}", builder.clone().build().unwrap()).contains("secret"));
        let error =
            Client::builder().base_url("http://localhost").api_key("sk a").build().unwrap_err();
        assert!(error.message().contains("blanks"), "{error}");
    }
}
