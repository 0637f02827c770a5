//! Validates the settings of a [`ClientBuilder`] and builds the client with its transport.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel_api::Api;
use crypto_intel_core::{Error, Handle};
use http::{HeaderValue, header};

use super::{ClientBuilder, Provider};
use crate::base_url;
use crate::cache::Flights;
use crate::client::Client;
use crate::credits::Ledger;
use crate::tls;
use crate::transport::{Bucket, Connected, Http, Keys, Pace, Via};

impl Client {
    /// Creates a client with the API key from `CRYPTO_INTEL_API_KEY` and the base URL from `CRYPTO_INTEL_BASE_URL`. All
    /// other settings have the defaults of [`ClientBuilder`]. Without a key, the service grants each IP address a free
    /// daily allowance of credits.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the base URL is not set, or if the
    /// key or the base URL is invalid.
    pub fn from_env() -> Result<Self, Error> {
        ClientBuilder::default().from_env().build()
    }

    /// Returns a builder with the default settings.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }
}

impl ClientBuilder {
    /// Validates the settings and builds the client.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in these cases:
    ///
    /// - The base URL is missing or invalid.
    /// - The API key, the user agent or the chat prefix is invalid.
    /// - The HTTP client cannot be built.
    pub fn build(self) -> Result<Client, Error> {
        let base = base_url::validate(self.base_url.as_deref())?;
        let key = match self.key {
            None => None,
            Some(Ok(key)) => Some(key),
            Some(Err(error)) => return Err(Error::invalid(error.message())),
        };

        let mut headers = self.headers;
        headers.remove(header::AUTHORIZATION);
        let agent = self.user_agent.as_deref().unwrap_or(USER_AGENT);
        let agent = HeaderValue::from_str(agent).map_err(|_| {
            Error::invalid("the user agent has characters that are not allowed in a header")
        })?;
        headers.insert(header::USER_AGENT, agent);
        headers
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("application/json, */*;q=0.5"));

        let has_key = key.is_some() || self.key_provider.is_some();
        if has_key && self.service.is_none() && base_url::is_unencrypted(&base) {
            tracing::warn!(
                "the base URL begins with http://, so the key is sent without encryption"
            );
        }
        let mut connected = None;
        let via = match (self.service, self.http) {
            (Some(service), _) => Via::Service(service),
            (None, Some(client)) => Via::Client(client),
            (None, None) => {
                let layer = Connected::default();
                // A layer of the program can send a request by other means, which this flag does not show.
                connected = self.layers.is_empty().then(|| layer.clone());
                Via::Client(http_client(self.connect_timeout, layer)?)
            }
        };

        let prefix = self.chat_prefix.as_deref().map(parse_prefix).transpose()?;
        let ledger = Ledger::new(self.budget);
        #[cfg(feature = "machine-ledger")]
        let ledger = ledger.with_machine(self.machine_ledger);
        let provider = self.key_provider.map(|Provider(provider)| provider);

        let http = Arc::new(Http {
            server: host(&base),
            connected,
            via: via.with_layers(self.layers.iter().rev()),
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
            retired: Mutex::default(),
            prefix,
        });

        let handle = Handle::new(http);
        Ok(Client::new(Api::new(handle.clone()), handle, ledger))
    }
}

/// Builds the default HTTP client. It is used if the caller supplied neither an HTTP client nor a `tower` service.
fn http_client(connect_timeout: Duration, connected: Connected) -> Result<reqwest::Client, Error> {
    let builder = reqwest::Client::builder()
        .connect_timeout(connect_timeout)
        .connector_layer(connected)
        // The service never redirects, so a redirect is a sign of a wrong base URL. Following it would send a paid
        // request to an unknown host.
        .redirect(reqwest::redirect::Policy::none())
        // By default, `reqwest` itself sends a request again that an HTTP/2 server refused. The client would not count
        // that request as an attempt, and rate limit and budget would not include it. So this retry is off. The module
        // `failure` maps refused requests to errors that this client can retry.
        .retry(reqwest::retry::never());
    tls::configure(builder)?
        .build()
        .map_err(|error| Error::invalid("the HTTP client could not be set up").with_source(error))
}

const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));

/// Validates a path prefix such as `/gateway/v1`. The returned prefix is empty, or begins with a slash and does not end
/// with one.
fn parse_prefix(text: &str) -> Result<String, Error> {
    let path = text.trim().trim_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
    if !path.chars().all(plain) || path.split('/').any(|part| part == "." || part == "..") {
        return Err(Error::invalid(format!(
            "the chat prefix `{text}` is not a path such as `/gateway/v1`"
        )));
    }
    Ok(if path.is_empty() { String::new() } else { format!("/{path}") })
}

/// Returns the host name of a validated base URL.
fn host(base: &str) -> String {
    let url = reqwest::Url::parse(base).ok();
    url.as_ref().and_then(reqwest::Url::host_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_is_validated_as_path() {
        for (text, path) in [("/v1", "/v1"), ("a/b/", "/a/b"), ("/", ""), ("", "")] {
            assert_eq!(parse_prefix(text).unwrap(), path);
        }
        for bad in ["/v1?a=b", "/..", "a b", "https://service.example/v1"] {
            assert!(parse_prefix(bad).unwrap_err().message().contains(bad));
        }
    }

    #[test]
    fn builder_debug_hides_key() {
        let builder = Client::builder().api_key("sk-secret").base_url("http://localhost");
        assert!(!format!("{builder:?} {:?}", builder.clone().build().unwrap()).contains("secret"));
        let error =
            Client::builder().base_url("http://localhost").api_key("sk a").build().unwrap_err();
        assert!(error.message().contains("spaces"), "{error}");
    }
}
