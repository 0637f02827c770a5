//! Settings of a client: [`ClientBuilder`].
//!
//! The methods of the builder set options. [`build`](ClientBuilder::build) returns a [`Client`](crate::Client), or an
//! error that names the first invalid setting.

mod build;

use std::env;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crypto_intel_core::Error;
use http::{HeaderMap, Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use crate::base_url::BASE_URL_VARIABLE;
use crate::cache::Cache;
use crate::credits::Budget;
use crate::http_service::{Body, BoxError, HttpLayer, HttpService};
use crate::key::ApiKey;
use crate::retry::RetryPolicy;
use crate::transport::{KeyProvider, RateLimit, RetryQuota, TraceContext};

/// Name of the environment variable that contains the API key.
pub const KEY_VARIABLE: &str = "CRYPTO_INTEL_API_KEY";

/// Builds a [`Client`](crate::Client).
///
/// # Defaults
/// - API key: none. The service grants 30 credits a day to each IP address without a key.
/// - Base URL: none; the program must set it.
/// - Connect timeout: 10 s.
/// - Read timeout: 60 s without a byte from the service, before or during a response. Ten minutes for operations that
///   are known to respond slowly.
/// - Deadline: none. For all time limits, `Duration::MAX` means no limit.
/// - Maximum size of a buffered response: 64 MiB.
/// - Retries: the defaults of [`RetryPolicy`] for each call, and of [`RetryQuota`] for all calls together.
/// - Budget, rate limit and cache: none.
/// - HTTP: the proxies of the system, no redirects, and a user agent with the name and version of `crypto-intel`.
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
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientBuilder {
    base_url: Option<String>,
    key: Option<Result<ApiKey, Arc<Error>>>,
    key_provider: Option<Provider>,
    http: Option<reqwest::Client>,
    service: Option<HttpService>,
    layers: Vec<HttpLayer>,
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
    #[cfg(feature = "machine-ledger")]
    machine_ledger: Option<crate::credits::MachineLedger>,
    rate_limit: Option<RateLimit>,
    chat_prefix: Option<String>,
}

/// Key provider whose `Debug` output contains no key.
#[derive(Clone)]
struct Provider(Arc<dyn KeyProvider>);

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyProvider")
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
            #[cfg(feature = "machine-ledger")]
            machine_ledger: None,
            rate_limit: None,
            chat_prefix: None,
        }
    }
}

impl ClientBuilder {
    /// Reads the API key from `CRYPTO_INTEL_API_KEY` and the base URL from `CRYPTO_INTEL_BASE_URL`. A missing or empty
    /// variable leaves the setting unchanged.
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

    /// Sets the base URL of the service: scheme and host, with an optional port and path prefix. The paths of
    /// operations, such as `/gateway/v1/market/price`, are added to it.
    #[doc(alias = "host")]
    #[doc(alias = "endpoint")]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the API key. If the key is invalid, [`build`](Self::build) returns an error.
    #[doc(alias = "token")]
    #[doc(alias = "bearer")]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(ApiKey::new(key).map_err(Arc::new));
        self
    }

    /// Sets a provider that returns the API key for each attempt. The provider is used instead of the key that
    /// [`api_key`](Self::api_key) sets.
    pub fn key_provider(mut self, provider: impl KeyProvider + 'static) -> Self {
        self.key_provider = Some(Provider(Arc::new(provider)));
        self
    }

    /// Sends each attempt through this `tower` service instead of an HTTP client. The `tower` service can be another
    /// transport, or a server in the same process. The module [`http_service`](crate::http_service) lists the
    /// requirements for the `tower` service. With this setting, [`http_client`](Self::http_client) and
    /// [`connect_timeout`](Self::connect_timeout) have no effect.
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

    /// Wraps the HTTP client, or the [`http_service`](Self::http_service), in a middleware layer. The layer that was
    /// added first receives each request first and its response last.
    ///
    /// ```
    /// use crypto_intel::http_service::{Body, HttpService, service_fn};
    /// use crypto_intel::{Client, http};
    ///
    /// // Any `tower` layer is accepted. This one is written by hand.
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
    ///
    /// If a function returns a layer, use [`HttpLayer`] as its return type.
    #[doc(alias = "middleware")]
    pub fn layer<L, B>(mut self, layer: L) -> Self
    where
        L: Layer<HttpService> + Send + Sync + 'static,
        L::Service: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<BoxError>,
        <L::Service as Service<Request<Body>>>::Future: Send,
        B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        self.layers.push(HttpLayer::new(layer));
        self
    }

    /// Sets a function that adds trace headers, such as `traceparent` of W3C Trace Context, to each request. The client
    /// calls the function once for each attempt, inside the `tracing` span of the call. The span's field names follow
    /// the conventions of OpenTelemetry.
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

    /// Sends requests through this HTTP client. The proxies, certificates and redirect rules of this HTTP client apply.
    /// [`connect_timeout`](Self::connect_timeout) of this builder then has no effect. The time limits of the HTTP
    /// client apply in addition to the other time limits of this builder.
    ///
    /// A `reqwest::Client` follows redirects by default. If a redirect names another host, `reqwest` removes the API
    /// key from the request. But `reqwest` may send the request body to that host, for example an SQL query.
    #[doc(alias = "proxy")]
    #[doc(alias = "certificate")]
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.http = Some(client);
        self
    }

    /// Replaces the user agent. If the user agent is not a valid header value, [`build`](Self::build) returns an error.
    pub fn user_agent(mut self, agent: impl Into<String>) -> Self {
        self.user_agent = Some(agent.into());
        self
    }

    /// Adds these headers to every request. An `Authorization` or `User-Agent` header among them is not sent; use
    /// [`api_key`](Self::api_key) or [`user_agent`](Self::user_agent) instead.
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers = headers;
        self
    }

    /// Limits the time that each attempt needs to connect. After this time the attempt fails with
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). After this error, the client may retry even a POST, because
    /// the request was not sent yet.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Limits the time in which no byte arrives from the service, before and during a response. After this time the
    /// attempt fails with [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). Some operations respond slowly and have a
    /// minimum for this limit: their [`patience`](crate::catalogue::Operation::patience). A read timeout in the options
    /// of a call replaces this limit, even if it is shorter than the minimum.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Limits the time of a whole call, including all attempts and the waits between them. After this time the call
    /// fails with [`ErrorKind::Timeout`](crate::ErrorKind::Timeout). A streamed response must begin within this time,
    /// but may end later.
    #[doc(alias = "timeout")]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Limits the size of a buffered response, in bytes after decompression. For a larger response, the call fails with
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode). In a chat stream, this limit applies to each event and to the
    /// stored answer.
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Sets whether a reply keeps the body of its HTTP response in addition to the decoded data; see
    /// [`Reply::body`](crate::Reply::body).
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }

    /// Sets the rules for retries of one call, such as the maximum number of attempts.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Sets a quota of retries. All calls of the client share this quota. Each retry uses a part of the quota, and each
    /// successful call returns a part.
    pub fn retry_quota(mut self, quota: RetryQuota) -> Self {
        self.retry_quota = quota;
        self
    }

    /// Sets a cache. The client then returns cached responses to repeated calls, and sends only one request for equal
    /// concurrent calls. The module [`cache`](crate::cache) lists the operations whose responses are cached. Default:
    /// no cache.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Limits the credits that the client and its clones can spend.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Records paid calls in a ledger on disk. The daily limit of the ledger applies to all programs with the same
    /// folder and profile together. It counts the list prices of their calls.
    #[cfg(feature = "machine-ledger")]
    pub fn machine_ledger(mut self, ledger: crate::credits::MachineLedger) -> Self {
        self.machine_ledger = Some(ledger);
        self
    }

    /// Delays requests so that the client stays within this limit in every period of 60 seconds. The delay counts
    /// towards the deadline of the call. Default: no limit.
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
        self
    }

    /// Sets the path prefix before `/chat/completions`. Default: `/v1`. The prefix can be changed because
    /// the documents about the service's API contain different prefixes, such as `/gateway/v1`.
    pub fn chat_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.chat_prefix = Some(prefix.into());
        self
    }
}
