//! Calls with any HTTP method and path, also for operations that are not in the catalogue.
//!
//! A program sets the method, path, query and JSON body. The response is returned as bytes, as a stream or as a decoded
//! value.

use std::future::IntoFuture;

use bytes::Bytes;
use crypto_intel_core::{
    BoxFuture, Call, CallOptions, Error, Handle, Json, Method, Parts, RawReply, RawStream, Reply,
};
use http::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Request with any HTTP method and path; see [`Client::raw`](crate::Client::raw). Awaiting the request returns any
/// JSON value as [`Json`], whose numbers keep all digits.
///
/// The price of the call is unknown. A budget with a limit therefore rejects the call, unless the budget [allows calls
/// of unknown price](crate::credits::Budget::allow_unknown).
///
/// Failed attempts are retried as for other calls. Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE count as safe to
/// repeat. A request with any other method is sent again only if the service certainly did not execute it.
///
/// # Errors
/// The call returns an error if the request fails. It returns
/// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in these cases:
///
/// - The path does not begin with exactly one `/`.
/// - A URL parser would change the path.
/// - The body cannot be written as JSON.
#[derive(Debug, Clone)]
#[must_use = "a request does nothing until it is awaited"]
pub struct RawRequest {
    handle: Handle,
    parts: Parts,
    options: CallOptions,
    fault: Option<&'static str>,
}

impl RawRequest {
    pub(crate) fn new(handle: Handle, method: Method, path: String) -> Self {
        let fault = path_fault(&path);
        let parts = Parts { method, target: path, headers: HeaderMap::new(), body: None };
        RawRequest { handle, parts, options: CallOptions::default(), fault }
    }

    /// Adds a query parameter after the query parameters of the path, and URL-encodes it. A name may be added several
    /// times.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let separator = if self.parts.target.contains('?') { '&' } else { '?' };
        let pair: String =
            form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        self.parts.target.push(separator);
        self.parts.target.push_str(&pair);
        self
    }

    /// Sets the request body to this value as JSON.
    pub fn json(mut self, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => self.parts.body = Some(Bytes::from(bytes)),
            Err(_) => self.fault = Some("the body cannot be written as JSON"),
        }
        self
    }

    /// Sets options for this call. They take precedence over the settings of the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sends the request and returns the response as received. The response body may be no larger than
    /// [`max_body`](crate::ClientBuilder::max_body).
    ///
    /// # Errors
    /// Returns an error if the request is invalid or fails; see [`ErrorKind`](crate::ErrorKind).
    pub async fn bytes(self) -> Result<RawReply, Error> {
        self.call()?.send_raw().await
    }

    /// Sends the request and returns the response as a stream of bytes.
    ///
    /// # Errors
    /// Returns an error if the request is invalid or fails; see [`ErrorKind`](crate::ErrorKind).
    pub async fn open(self) -> Result<RawStream, Error> {
        self.call()?.open().await
    }

    /// Sends the request and returns the response decoded as `T`. [`Json`] and `Box<RawValue>` keep all digits of
    /// numbers. `serde_json::Value` rounds decimal numbers to `f64`.
    ///
    /// # Errors
    /// Returns an error if the request is invalid or fails; see [`ErrorKind`](crate::ErrorKind). Also returns
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the response cannot be decoded as `T`.
    pub async fn decode<T>(self) -> Result<Reply<T>, Error>
    where
        T: DeserializeOwned + crypto_intel_core::HasMeta,
    {
        self.call()?.send().await
    }

    fn call(self) -> Result<Call, Error> {
        if let Some(fault) = self.fault {
            return Err(Error::invalid(fault).with_operation("raw"));
        }
        let mut call = Call::raw(self.handle, self.parts);
        call.set_options(self.options);
        Ok(call)
    }
}

/// Returns the reason why a path is invalid, or `None` for a valid path. A path is invalid if a URL parser would drop
/// or change a part of the path, for example a part of its query.
pub(crate) fn path_fault(target: &str) -> Option<&'static str> {
    // A complete URL in place of a path would replace the base URL. The client would then send the API key to another
    // host.
    if !target.starts_with('/') || target.starts_with("//") {
        return Some("the path must begin with one `/`; write only the part after the base URL");
    }
    if target.contains('#') {
        return Some("the path contains a `#`, and text after it is never sent; write `%23`");
    }
    if target.contains('\\') {
        return Some("the path contains a `\\`, which URL parsers read as `/`; write `%5C`");
    }
    if target.contains(|char: char| char.is_control()) {
        return Some("the path contains a control character, which URL parsers drop");
    }

    let path = target.split('?').next().unwrap_or_default();
    let climbs = |segment: &str| {
        matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
    };
    path.split('/')
        .any(climbs)
        .then_some("URL parsers remove the path segments `.` and `..`; write the path without them")
}

impl IntoFuture for RawRequest {
    type Output = Result<Reply<Json>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.decode())
    }
}
