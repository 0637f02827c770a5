//! The escape hatch: any method and path.

use std::future::IntoFuture;

use bytes::Bytes;
use crypto_intel_core::{
    BoxFuture, Call, CallOptions, Error, Handle, Json, Method, Parts, RawReply, RawStream, Reply,
};
use http::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A call of any method and path; see [`Client::raw`](crate::Client::raw). Awaited, it is answered
/// with JSON of any shape, whose numbers keep their digits ([`Json`]).
///
/// Its price is unknown to the client, so a budget refuses it unless it
/// [allows such calls](crate::credits::Budget::allow_unknown). A POST is sent again only when it was
/// surely refused, as everywhere; all other methods but CONNECT and PATCH count as safe to repeat.
///
/// # Errors
/// As for every call; [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) when the path does not
/// begin with one `/` or would not be sent as it is written, or a body cannot be written as JSON.
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

    /// Adds a query parameter after those that the path has; it is encoded as needed. A name may be
    /// given more than once.
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

    /// The answer as it came, whatever it holds, up to the client's limit on bodies.
    ///
    /// # Errors
    /// As for every call.
    pub async fn bytes(self) -> Result<RawReply, Error> {
        self.call()?.send_raw().await
    }

    /// The answer as it arrives.
    ///
    /// # Errors
    /// As for every call.
    pub async fn open(self) -> Result<RawStream, Error> {
        self.call()?.open().await
    }

    /// The answer decoded as `T`. [`Json`] and `Box<RawValue>` keep all digits; `serde_json::Value` rounds
    /// numbers to doubles.
    ///
    /// # Errors
    /// As for every call, and [`ErrorKind::Decode`](crate::ErrorKind::Decode).
    pub async fn decode<T>(self) -> Result<Reply<T>, Error>
    where
        T: DeserializeOwned + crypto_intel_core::Charge,
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

/// Why a path is refused: what a URL would drop or read in another way is a mistake, and part of
/// the query would be lost with it.
pub(crate) fn fault(target: &str) -> Option<&'static str> {
    // A path that is a URL would leave the base URL, and take the key along.
    if !target.starts_with('/') || target.starts_with("//") {
        return Some("the path must begin with one `/`; it is added to the base URL");
    }
    if target.contains('#') {
        return Some("the path holds a `#`, and what follows one is never sent; write `%23`");
    }
    if target.contains('\\') {
        return Some("the path holds a `\\`, which a URL reads as `/`; write `%5C`");
    }
    if target.contains(|char: char| char.is_control()) {
        return Some("the path holds a control character, which a URL drops");
    }

    let path = target.split('?').next().unwrap_or_default();
    let climbs = |segment: &str| {
        matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
    };
    path.split('/')
        .any(climbs)
        .then_some("the path holds a segment `.` or `..`, which a URL resolves; write it out")
}

impl IntoFuture for RawRequest {
    type Output = Result<Reply<Json>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.decode())
    }
}
