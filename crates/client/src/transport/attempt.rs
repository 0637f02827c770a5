//! One attempt of a call: sends one HTTP request and reads its response.
//!
//! The output is the response, or a failure. A failure contains the error, and how far the request got. For example,
//! the service did not process the request.

use std::time::SystemTime;

use crypto_intel_core::{Error, ErrorKind};
use http::{HeaderMap, HeaderValue, header};

use super::body::{TakeBody, Unread};
use super::departure::Departure;
use super::failure::{Failure, failure, service_failure};
use super::received::Received;
use super::time_limits::TimeLimits;
use super::{Http, Outgoing, TraceContext, Via};
use crate::classify::{body_error, classify};
use crate::http_service::{Body, HttpService};
use crate::retry::Reached;

impl Http {
    /// Sends one HTTP request and reads its response.
    pub(super) async fn attempt<B: TakeBody>(
        &self,
        outgoing: &Outgoing<'_>,
        headers: HeaderMap,
        limits: &TimeLimits,
        departure: &Departure<'_>,
    ) -> Result<http::Response<B>, Failure> {
        let mut received = self.send_request(outgoing, headers, limits, departure).await?;
        let mut answer = http::Response::new(());
        *answer.status_mut() = received.status();
        *answer.headers_mut() = received.take_headers();
        self.keys.mask_headers(answer.headers_mut());

        let body = B::receive(received, limits.clone(), self.max_body).await?;
        let (status, headers) = (answer.status(), answer.headers());
        if let Some(whole) = body.buffered()
            && let Some(error) = body_error(status, headers, whole, SystemTime::now())
        {
            return Err(Failure { error, reached: Reached::Accepted });
        }

        Ok(answer.map(|()| body))
    }

    /// Sends one HTTP request and waits for the headers of its response. Returns a failure if the status of the
    /// response is not a success. Also returns a failure if the response is compressed in a format that the client did
    /// not request.
    async fn send_request(
        &self,
        outgoing: &Outgoing<'_>,
        headers: HeaderMap,
        limits: &TimeLimits,
        departure: &Departure<'_>,
    ) -> Result<Received, Failure> {
        let response = match limits.wait_for(self.send_once(outgoing, headers, departure)).await {
            Ok(response) => response?.decompress(),
            Err(error) => return Err(Failure { error, reached: Reached::Perhaps }),
        };

        let status = response.status();
        tracing::Span::current().record("http.response.status_code", status.as_u16());
        if status.is_success() {
            return match unrequested_encoding(response.headers()) {
                Some(error) => {
                    let error = error.with_status(status);
                    Err(Failure { error, reached: Reached::Accepted })
                }
                None => Ok(response),
            };
        }
        Err(self.status_failure(response, limits).await)
    }

    async fn send_once(
        &self,
        outgoing: &Outgoing<'_>,
        headers: HeaderMap,
        departure: &Departure<'_>,
    ) -> Result<Received, Failure> {
        match &self.via {
            Via::Client(client) => {
                let method = outgoing.parts.method.clone();
                let request = client.request(method, &outgoing.url).build();
                let mut request = request.map_err(failure)?;
                *request.headers_mut() = headers;
                *request.body_mut() = outgoing.parts.body.clone().map(|body| departure.body(body));
                client.execute(request).await.map(Received::Client).map_err(failure)
            }
            Via::Service(service) => send_through_service(service, outgoing, headers).await,
        }
    }

    /// Builds the headers of one attempt. The `Authorization` header is set last, so that no other setting can replace
    /// it.
    ///
    /// # Errors
    /// Returns the errors of the key provider, and [`ErrorKind::Timeout`] if the key provider exceeds the time limits.
    /// Also returns an error if the key in the options of the call is invalid.
    pub(super) async fn headers(
        &self,
        outgoing: &Outgoing<'_>,
        limits: &TimeLimits,
    ) -> Result<HeaderMap, Error> {
        let options = outgoing.call.options();
        let mut all = self.headers.clone();
        #[cfg(feature = "gzip")]
        all.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        if let Some(TraceContext(add)) = &self.trace_context {
            add(&mut all);
        }
        for more in [&options.headers, &outgoing.parts.headers] {
            // `extend` would reserve memory even for an empty map.
            if !more.is_empty() {
                all.extend(more.clone());
            }
        }
        if outgoing.parts.body.is_some() {
            let json = || HeaderValue::from_static("application/json");
            let media =
                outgoing.parts.headers.get(header::CONTENT_TYPE).cloned().unwrap_or_else(json);
            all.insert(header::CONTENT_TYPE, media);
        }

        let authorization = limits.wait_for(self.keys.authorization(options)).await;
        let authorization = authorization.map_err(|late| {
            let message = format!("the key provider returned no key: {}", late.message());
            Error::new(ErrorKind::Timeout, message)
        })?;
        match authorization? {
            Some(key) => drop(all.insert(header::AUTHORIZATION, key)),
            None => drop(all.remove(header::AUTHORIZATION)),
        }
        Ok(all)
    }

    /// Returns the failure for a response whose status is not a success. Reads at most about [`ERROR_BODY_LIMIT`] bytes
    /// of the body. Reads nothing if the body has a compression that the client did not request. If reading fails, the
    /// error still contains the HTTP status.
    async fn status_failure(&self, response: Received, limits: &TimeLimits) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        if unrequested_encoding(&headers).is_some() {
            let error = classify(status, &headers, b"", SystemTime::now());
            return Failure { error, reached: Reached::Answered };
        }

        let body = Unread::new(response, limits.clone()).read_start(ERROR_BODY_LIMIT).await;

        // API keys are masked before the body is parsed. Error messages are shortened later, and masking would not find
        // a key that is cut in half.
        let mut text = String::from_utf8_lossy(&body).into_owned();
        self.keys.mask(&mut text);
        let error = classify(status, &headers, text.as_bytes(), SystemTime::now());
        Failure { error: error.with_body(body), reached: Reached::Answered }
    }
}

/// Returns an error if the response body is compressed in a way that the request did not ask for.
fn unrequested_encoding(headers: &HeaderMap) -> Option<Error> {
    let encoding = headers.get(header::CONTENT_ENCODING)?;
    if encoding.as_bytes().eq_ignore_ascii_case(b"identity") || encoding.is_empty() {
        return None;
    }
    let message = format!(
        "the response is compressed (Content-Encoding: {}), which the client did not ask for",
        encoding.to_str().unwrap_or("not ASCII").escape_debug()
    );
    Some(Error::new(ErrorKind::Decode, message))
}

/// Sends one HTTP request through an [`HttpService`]. The [`HttpService`] is the caller's own `tower` service, or an
/// HTTP client that is wrapped in the caller's layers.
async fn send_through_service(
    service: &HttpService,
    outgoing: &Outgoing<'_>,
    headers: HeaderMap,
) -> Result<Received, Failure> {
    let body = outgoing.parts.body.clone().map_or_else(Body::empty, Body::from);
    let mut request = http::Request::new(body);
    *request.method_mut() = outgoing.parts.method.clone();
    *request.headers_mut() = headers;
    *request.uri_mut() = outgoing.url.parse().map_err(|error: http::uri::InvalidUri| {
        unsent_failure(Error::invalid("the URL of the request is not valid").with_source(error))
    })?;

    service.send(request).await.map(Received::Service).map_err(service_failure)
}

/// Returns the failure of an attempt whose HTTP request could not be built.
fn unsent_failure(error: Error) -> Failure {
    Failure { error, reached: Reached::Nothing }
}

/// Number of bytes after which the client stops reading the body of an error response. The last chunk is kept whole, so
/// the stored body can be longer.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
