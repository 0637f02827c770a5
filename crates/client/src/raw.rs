//! Calls of any method and path.
//!
//! The input is a method, a path, a query and a body. The output is bytes, a stream or a decoded value.

use std::future::IntoFuture;

use bytes::Bytes;
use crypto_intel_core::{
    BoxFuture, Call, CallOptions, Error, Handle, Json, Method, Parts, RawReply, RawStream, Reply,
};
use http::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A call of any method and path; see [`Client::raw`](crate::Client::raw). Awaiting it returns JSON of any shape,
/// whose numbers keep their digits ([`Json`]).
///
/// The price of the call is unknown, so a budget rejects the call unless it [allows calls of unknown
/// price](crate::credits::Budget::allow_unknown). As for all calls, a POST is sent again only if it was surely
/// rejected. All methods except POST, CONNECT and PATCH count as safe to repeat.
///
/// # Errors
/// Errors of any call, and [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the path does not begin
/// with exactly one `/`, if a URL parser would change the path, or if a body cannot be written as JSON.
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
        let fault = fault(&path);
        let parts = Parts { method, target: path, headers: HeaderMap::new(), body: None };
        RawRequest { handle, parts, options: CallOptions::default(), fault }
    }

    /// Adds a URL-encoded query parameter after the parameters that are in the path. A name may be used several times.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let separator = if self.parts.target.contains('?') { '&' } else { '?' };
        let pair: String =
            form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        self.parts.target.push(separator);
        self.parts.target.push_str(&pair);
        self
    }

    /// Sends this value as a JSON body.
    pub fn json(mut self, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => self.parts.body = Some(Bytes::from(bytes)),
            Err(_) => self.fault = Some("the body cannot be written as JSON"),
        }
        self
    }

    /// Sets options that differ from those of the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the response as received, up to the client's limit on bodies.
    ///
    /// # Errors
    /// Errors of any call.
    pub async fn bytes(self) -> Result<RawReply, Error> {
        self.call()?.send_raw().await
    }

    /// Returns the response as a stream.
    ///
    /// # Errors
    /// Errors of any call.
    pub async fn open(self) -> Result<RawStream, Error> {
        self.call()?.open().await
    }

    /// Returns the response decoded as `T`. [`Json`] and `Box<RawValue>` keep all digits; `serde_json::Value` rounds
    /// numbers to doubles.
    ///
    /// # Errors
    /// Errors of any call, and [`ErrorKind::Decode`](crate::ErrorKind::Decode).
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

/// Returns the reason why a path is rejected. A path is rejected if a URL parser would drop or change a part of it,
/// because the request could then lose a part of its query or go to another path.
pub(crate) fn fault(target: &str) -> Option<&'static str> {
    // A path that is a URL would replace the base URL, and the key would be sent to another host.
    if !target.starts_with('/') || target.starts_with("//") {
        return Some("the path must begin with one `/`; it is added to the base URL");
    }
    if target.contains('#') {
        return Some("the path contains a `#`, and text after it is never sent; write `%23`");
    }
    if target.contains('\\') {
        return Some("the path contains a `\\`, which a URL reads as `/`; write `%5C`");
    }
    if target.contains(|char: char| char.is_control()) {
        return Some("the path contains a control character, which a URL drops");
    }

    let path = target.split('?').next().unwrap_or_default();
    let climbs = |segment: &str| {
        matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
    };
    path.split('/').any(climbs).then_some(
        "the path contains a segment `.` or `..`, which a URL resolves; write the resolved path",
    )
}

impl IntoFuture for RawRequest {
    type Output = Result<Reply<Json>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.decode())
    }
}
