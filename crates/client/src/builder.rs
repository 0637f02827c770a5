//! Settings of a client.

use std::env;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crypto_intel_api::Api;
use crypto_intel_core::{Error, Handle};
use http::{HeaderMap, HeaderValue, Request, Response, header};
use tower_layer::Layer;
use tower_service::Service;

use crate::cache::{Cache, Flights};
use crate::client::Client;
use crate::credits::{Budget, Ledger};
use crate::http_service::{Body, BoxError, HttpService};
use crate::key::ApiKey;
use crate::retry::RetryPolicy;
use crate::tls;
use crate::transport::{
    Bucket, Http, KeyProvider, Keys, Pace, RateLimit, RetryQuota, TraceContext, Via,
};

/// Environment variable with the API key.
pub const KEY_VARIABLE: &str = "CRYPTO_INTEL_API_KEY";
/// Environment variable with the base URL.
pub const BASE_URL_VARIABLE: &str = "CRYPTO_INTEL_BASE_URL";

/// Builds a [`Client`].
///
/// # Defaults
/// No key (the service grants each address 30 credits a day without one); 10 s to connect; 60 s
/// of silence before or within an answer, and ten minutes where the service is known to think for
/// long; no deadline; 64 MiB for an answer that is read whole; retries as in [`RetryPolicy`], of
/// all calls together as in [`RetryQuota`]; no budget; no rate limit; no cache; the proxies of the system; no redirects; a user agent that names this
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
    key_provider: Option<Provider>,
    http: Option<reqwest::Client>,
    service: Option<HttpService>,
    layers: Vec<Wrap>,
    trace_context: Option<TraceContext>,
    user_agent: Option<String>,
    headers: HeaderMap,
    connect_timeout: Duration,
    read_timeout: Duration,
    deadline: Option<Duration>,
    max_body: usize,
    keep_body: bool,
    retry: RetryPolicy,
    retry_quota: RetryQuota,
    cache: Option<Cache>,
    budget: Budget,
    rate_limit: Option<RateLimit>,
    chat_prefix: Option<String>,
}

/// A provider of keys, which is not for output.
#[derive(Clone)]
struct Provider(Arc<dyn KeyProvider>);

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyProvider")
    }
}

/// Puts a layer around a service.
#[derive(Clone)]
struct Wrap(Arc<dyn Fn(HttpService) -> HttpService + Send + Sync>);

impl fmt::Debug for Wrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Layer")
    }
}

impl Default for ClientBuilder {
    fn default() -> Self {
        ClientBuilder {
            base_url: None,
            key: None,
            key_provider: None,
            http: None,
            service: None,
            layers: Vec::new(),
            trace_context: None,
            user_agent: None,
            headers: HeaderMap::new(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(60),
            deadline: None,
            max_body: 64 * 1024 * 1024,
            keep_body: false,
            retry: RetryPolicy::default(),
            retry_quota: RetryQuota::default(),
            cache: None,
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

    /// Asks for the key of each attempt here, instead of [`api_key`](Self::api_key).
    pub fn key_provider(mut self, provider: impl KeyProvider + 'static) -> Self {
        self.key_provider = Some(Provider(Arc::new(provider)));
        self
    }

    /// Sends each attempt through this service instead of an HTTP client: another transport, or
    /// whatever answers in process. See [`http_service`](crate::http_service) for what it must do.
    /// [`http_client`](Self::http_client) and [`connect_timeout`](Self::connect_timeout) then mean
    /// nothing.
    pub fn http_service<S, B>(mut self, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        self.service = Some(HttpService::new(service));
        self
    }

    /// Puts middleware around what each attempt is sent through. Of several, the one added first
    /// sees a request first and its response last.
    ///
    /// ```
    /// use crypto_intel::http_service::{Body, HttpService, service_fn};
    /// use crypto_intel::{Client, http};
    ///
    /// // Any `tower` layer does; this one is made by hand.
    /// let timed = tower_layer::layer_fn(|inner: HttpService| {
    ///     service_fn(move |request: http::Request<Body>| {
    ///         let (mut inner, path) = (inner.clone(), request.uri().path().to_owned());
    ///         async move {
    ///             let began = std::time::Instant::now();
    ///             let response = tower_service::Service::call(&mut inner, request).await;
    ///             println!("{path} took {:?}", began.elapsed());
    ///             response
    ///         }
    ///     })
    /// });
    /// let client = Client::builder().base_url("https://service.example").layer(timed).build()?;
    /// # Ok::<(), crypto_intel::Error>(())
    /// ```
    pub fn layer<L, B>(mut self, layer: L) -> Self
    where
        L: Layer<HttpService> + Send + Sync + 'static,
        L::Service: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<BoxError>,
        <L::Service as Service<Request<Body>>>::Future: Send,
        B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        self.layers.push(Wrap(Arc::new(move |inner| HttpService::new(layer.layer(inner)))));
        self
    }

    /// Adds the headers that tie each request to the trace it is part of, such as `traceparent` of
    /// W3C Trace Context. It is called for each attempt, within the span of the call, whose fields
    /// have the names of OpenTelemetry.
    ///
    /// ```
    /// # fn current() -> String { "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".into() }
    /// use crypto_intel::{Client, http::HeaderValue};
    ///
    /// // With OpenTelemetry: `propagator.inject_context(&Span::current().context(), ..)`.
    /// let client = Client::builder()
    ///     .base_url("https://service.example")
    ///     .trace_context(|headers| {
    ///         if let Ok(value) = HeaderValue::from_str(&current()) {
    ///             headers.insert("traceparent", value);
    ///         }
    ///     })
    ///     .build()?;
    /// # Ok::<(), crypto_intel::Error>(())
    /// ```
    pub fn trace_context(mut self, add: impl Fn(&mut HeaderMap) + Send + Sync + 'static) -> Self {
        self.trace_context = Some(TraceContext(Arc::new(add)));
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

    /// Keeps the body of each whole answer beside what it decodes to, for
    /// [`Reply::body`](crate::Reply::body).
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }

    /// How failed calls are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// What all calls together may spend on trying again.
    pub fn retry_quota(mut self, quota: RetryQuota) -> Self {
        self.retry_quota = quota;
        self
    }

    /// Answers repeated calls from a cache, and sends equal calls at once a single time; off unless
    /// set. See [`cache`](crate::cache) for which calls those are.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
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
        let via = match (self.service, self.http) {
            (Some(service), _) => Via::Service(service),
            (None, Some(client)) => Via::Client(client),
            (None, None) => Via::Client(http_client(self.connect_timeout)?),
        };
        let prefix = self.chat_prefix.as_deref().map(prefix).transpose()?;
        let ledger = Ledger::new(self.budget);
        let provider = self.key_provider.map(|Provider(provider)| provider);
        let http = Arc::new(Http {
            server: host(&base),
            via: via.within(self.layers.iter().rev().map(|Wrap(wrap)| &**wrap)),
            base,
            keys: Keys::new(key, provider),
            headers,
            trace_context: self.trace_context,
            retry: self.retry,
            quota: Bucket::new(self.retry_quota),
            deadline: self.deadline,
            read_timeout: self.read_timeout,
            max_body: self.max_body,
            keep_body: self.keep_body,
            ledger: ledger.clone(),
            pace: self.rate_limit.map(Pace::new),
            cache: self.cache,
            flights: Flights::default(),
            prefix,
        });
        let handle = Handle::new(http);
        Ok(Client::new(Api::new(handle.clone()), handle, ledger))
    }
}

/// The HTTP client of a program that brings none.
fn http_client(connect_timeout: Duration) -> Result<reqwest::Client, Error> {
    let builder = reqwest::Client::builder()
        .connect_timeout(connect_timeout)
        // The service does not redirect. A redirect is a sign of a wrong base URL, and following
        // one would carry a paid request to who knows where.
        .redirect(reqwest::redirect::Policy::none());
    tls::configure(builder)?
        .build()
        .map_err(|error| Error::invalid("the HTTP client could not be set up").with_source(error))
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

/// The host of a base URL that was checked.
fn host(base: &str) -> String {
    let url = reqwest::Url::parse(base).ok();
    url.as_ref().and_then(reqwest::Url::host_str).unwrap_or_default().to_owned()
}

/// The base URL, checked, without a slash at the end.
pub(crate) fn base(url: Option<&str>) -> Result<String, Error> {
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
