//! Sends calls through several layers. This is the order of the layers, from outermost to innermost:
//!
//! ```text
//! deadline    limits the time of the call, including all waits of the layers below
//! cache       returns stored responses, and sends one request for equal concurrent calls (single flight)
//! retry       repeats attempts according to `retry::decide`, within the client's quota
//! budget      rejects attempts above the budget
//! pace        delays attempts, if there is a rate limit
//! attempt     sends one request with key and headers, within the time limits and the limit for bodies
//! service     the program's middleware and transport, through the public interface `http_service`
//! HTTP
//! ```
//!
//! A different order would cause these errors:
//!
//! ```text
//! right                    wrong
//! cache → budget           budget → cache: a free response from the cache would be rejected
//! retry → budget           budget → retry: five chargeable attempts would count as one
//! retry → pace             pace → retry: retries would be sent in a burst during an outage
//! deadline → cache         cache → deadline: one caller's deadline would end another caller's call
//! budget → pace → attempt  pace → budget: a rejected call would count for the rate limit
//! attempt → service        service → attempt: middleware would not see the sent request
//! ```
//!
//! By default, responses to chat questions and other POST requests are not cached. A cache store receives only a hash
//! of the account. A `tower` service receives the API key only in a header that is marked as sensitive.
//!
//! Dropping the future of a call cancels its request and prevents further attempts, unless an equal call waits for the
//! same response. No task is spawned. If a call is dropped before an attempt has started, the credits that are reserved
//! for this attempt are released. If the call is dropped during an attempt, the credits of this attempt stay reserved.
//! There is one exception: the credits are released if the module `departure` proves that the service did not execute
//! the request.

mod attempt;
mod body;
mod cached;
mod departure;
mod failure;
#[cfg(feature = "gzip")]
mod gzip;
mod keys;
mod pace;
mod received;
mod repeat;
mod retry_quota;
mod time_limits;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use crypto_intel_core::{
    Answer as Expected, BoxFuture, Call, Error, ModelUse, Operation, Parts, RawReply, RawStream,
    Redact, Transport, Value,
};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, header};
use tokio::time::Instant;
use tower_layer::Layer as _;

use crate::base_url;
use crate::cache::{Cache, Flights};
use crate::credits::Ledger;
use crate::http_service::{HttpLayer, HttpService};
use crate::retry::RetryPolicy;
#[cfg(feature = "onchain")]
use crate::sql_quotes::double_quoted_values;

use body::{TakeBody, Unread};

pub(crate) use departure::Connected;
pub use keys::KeyProvider;
pub(crate) use keys::Keys;
pub(crate) use pace::Pace;
pub use pace::RateLimit;
pub(crate) use retry_quota::Bucket;
pub use retry_quota::RetryQuota;

/// Settings and state of a client. All calls of the client share this value.
pub(crate) struct Http {
    pub(crate) via: Via,
    /// Flag that is set after the default HTTP client has connected. `None` if the caller supplied an HTTP client, a
    /// `tower` service or a layer.
    pub(crate) connected: Option<Connected>,
    /// Base URL of the service, without a slash at its end.
    pub(crate) base: String,
    /// Host name in the base URL.
    pub(crate) server: String,
    pub(crate) keys: Keys,
    pub(crate) headers: HeaderMap,
    pub(crate) trace_context: Option<TraceContext>,
    pub(crate) retry: RetryPolicy,
    pub(crate) quota: Bucket,
    pub(crate) deadline: Option<Duration>,
    pub(crate) read_timeout: Duration,
    pub(crate) max_body: usize,
    pub(crate) keep_body: bool,
    pub(crate) ledger: Ledger,
    pub(crate) pace: Option<Pace>,
    pub(crate) cache: Option<Cache>,
    pub(crate) flights: Flights,
    /// Operations for which a deprecation warning was already logged.
    pub(crate) retired: Mutex<BTreeSet<&'static str>>,
    /// Path prefix in the settings of the client, such as `/gateway/v1`. It replaces the uncertain default prefix `/v1`
    /// of some operations, such as chat completions. All other operations keep their prefix.
    pub(crate) prefix: Option<String>,
}

/// HTTP client or `tower` service that sends the attempts.
pub(crate) enum Via {
    /// HTTP client without middleware layers.
    Client(reqwest::Client),
    Service(HttpService),
}

impl Via {
    /// Wraps the HTTP client or `tower` service in these layers. The first layer becomes the innermost.
    pub(crate) fn with_layers<'a>(self, layers: impl Iterator<Item = &'a HttpLayer>) -> Self {
        layers.fold(self, |via, layer| {
            Via::Service(layer.layer(match via {
                Via::Client(client) => HttpService::from_reqwest(client),
                Via::Service(service) => service,
            }))
        })
    }
}

/// Function that adds trace headers, such as `traceparent`, to a request.
#[derive(Clone)]
pub(crate) struct TraceContext(pub(crate) Arc<dyn Fn(&mut HeaderMap) + Send + Sync>);

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TraceContext")
    }
}

/// HTTP request of a call. Each attempt of the call sends this request.
struct Outgoing<'a> {
    call: &'a Call,
    parts: Parts,
    url: String,
}

/// Successful response to a call, with the number of attempts and the duration of the whole call.
struct CallResponse<B> {
    response: http::Response<B>,
    attempts: u32,
    elapsed: Duration,
}

impl Redact for Http {
    fn redact(&self, text: &mut String) {
        self.keys.mask(text);
    }
}

impl Transport for Http {
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>> {
        if let Some(cache) = &self.cache
            && let Some(max_age) = cache.max_age(&call)
        {
            let http = Arc::clone(&self);
            let answer = self.send_cached(call, max_age);
            return Box::pin(async move { answer.await.map_err(|error| http.mask(error)) });
        }
        Box::pin(async move { self.reply(&call).await.map_err(|error| self.mask(error)) })
    }

    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>> {
        let opened = Arc::clone(&self);
        Box::pin(async move { opened.stream(&call).await.map_err(|error| self.mask(error)) })
    }

    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        if let Some(credits_used) = credits_used {
            // The credits used by a stream are known only after the call has returned and its span was closed. So this
            // event also contains the operation.
            tracing::Span::current().record("credits_used", credits_used);
            tracing::debug!(operation = operation.id, credits_used, "settled");
        }
        self.ledger.record_reported(operation, model, credits_used);
    }

    fn max_body(&self) -> usize {
        self.max_body
    }

    fn keep_body(&self) -> bool {
        self.keep_body
    }

    fn base_url(&self) -> Option<&str> {
        Some(&self.base)
    }
}

impl Http {
    /// Masks API keys in the message, error code, request ID, details and response body of an error. Also shortens a
    /// long message and long strings in the details.
    fn mask(&self, error: Error) -> Error {
        error.masked(&|text| self.keys.mask(text))
    }

    async fn reply(&self, call: &Call) -> Result<RawReply, Error> {
        let answered = self.send_call::<Bytes>(call).await.map(|answer| {
            let CallResponse { response, attempts, elapsed } = answer;
            let (head, body) = response.into_parts();
            let (status, headers) = (head.status, head.headers);
            RawReply { status, headers, body, attempts, elapsed, reused: false }
        });

        #[cfg(feature = "chat")]
        let answered = crate::chat::check_reply(call, answered);
        answered
    }

    async fn stream(self: Arc<Self>, call: &Call) -> Result<RawStream, Error> {
        let CallResponse { response, attempts, .. } = self.send_call::<Unread>(call).await?;
        let (head, unread) = response.into_parts();

        let operation = call.operation().id;
        let pieces = stream::unfold(Some((unread, self)), move |reading| async move {
            let (mut unread, http) = reading?;
            match unread.next().await {
                Ok(Some(piece)) => Some((Ok(piece), Some((unread, http)))),
                Ok(None) => None,
                Err(failure) => {
                    let error = failure.error.with_operation(operation).with_attempts(attempts);
                    Some((Err(http.mask(error)), None))
                }
            }
        });
        let body = Box::pin(pieces);
        Ok(RawStream { status: head.status, headers: head.headers, body, attempts })
    }

    /// Sends a call and returns its successful response. Records the result of the call in the `tracing` span.
    async fn send_call<B: TakeBody>(&self, call: &Call) -> Result<CallResponse<B>, Error> {
        let started = Instant::now();
        let outgoing = self.outgoing(call)?;
        warn_of_unknown_model(call);
        warn_of_missing_question(call);
        #[cfg(feature = "onchain")]
        warn_of_quoted_values(call);
        let outcome = self.send_with_retries(&outgoing).await;
        let elapsed = started.elapsed();

        let span = tracing::Span::current();
        if call.options().base_url.is_none() {
            span.record("server.address", &*self.server);
        }
        span.record("elapsed_ms", u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        match &outcome {
            Ok((response, attempts)) => {
                record_attempts(&span, *attempts);
                self.warn_of_retirement(call.operation(), response.headers());
                self.quota.record_success(*attempts);
            }
            Err(error) => {
                record_attempts(&span, error.attempts());
                span.record("error.type", tracing::field::debug(error.kind()));
                span.record("otel.status_code", "ERROR");
                tracing::debug!(kind = ?error.kind(), "call failed");
            }
        }
        outcome.map(|(response, attempts)| CallResponse { response, attempts, elapsed })
    }

    /// Logs a warning if response headers announce that the service will remove the operation. Logs this
    /// warning only once for each operation.
    fn warn_of_retirement(&self, operation: &'static Operation, headers: &HeaderMap) {
        let date = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let (deprecation, sunset) = (date("deprecation"), date("sunset"));
        if deprecation.is_none() && sunset.is_none() {
            return;
        }
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        if retired.insert(operation.id) {
            let operation = operation.id;
            tracing::warn!(
                operation,
                deprecation,
                sunset,
                "the service will remove this operation"
            );
        }
    }

    /// Builds the HTTP request of a call. The request uses the base URL in the options of the call, or else the base
    /// URL of the client. A path prefix in the settings of the client replaces the operation's default prefix. A
    /// streamed call has an `Accept` header that asks for an event stream.
    fn outgoing<'a>(&self, call: &'a Call) -> Result<Outgoing<'a>, Error> {
        let operation = call.operation();
        let mut parts = call.parts()?;
        if let (Some(usual), Some(chosen)) = (operation.prefix, &self.prefix)
            && let Some(rest) = parts.target.strip_prefix(usual)
        {
            parts.target = format!("{chosen}{rest}");
        }
        if operation.answer == Expected::Stream {
            let events = HeaderValue::from_static("text/event-stream, application/json;q=0.5");
            parts.headers.insert(header::ACCEPT, events);
        }

        let url = match &call.options().base_url {
            Some(url) => [base_url::validate(Some(url))?.as_str(), &parts.target].concat(),
            None => [self.base.as_str(), &parts.target].concat(),
        };
        Ok(Outgoing { call, parts, url })
    }
}

/// Logs a warning if the call names a model that the catalogue does not contain. The service may know the model, so the
/// call is sent.
fn warn_of_unknown_model(call: &Call) {
    let Some(model) = call.model() else { return };
    if let Err(unknown) = call.operation().check_model(&model.model) {
        tracing::warn!(
            model = model.model,
            "{unknown}; the call is sent anyway and may be charged"
        );
    }
}

/// Logs a warning if no chat message has the role `user`. The service's documentation recommends such a message but
/// does not require it, so the call is sent.
fn warn_of_missing_question(call: &Call) {
    let Some(Value::Json(messages)) = call.get("messages") else { return };
    let Some(messages) = messages.as_array() else { return };
    let is_of_user =
        |message: &serde_json::Value| message.get("role").is_some_and(|role| role == "user");
    if !messages.iter().any(is_of_user) {
        tracing::warn!(
            "no message has the role `user`; the call is sent anyway and may be charged"
        );
    }
}

/// Logs a warning if an SQL query compares a column with a string in double quotes, such as `chain = "ethereum"`. The
/// service reads a string in double quotes as a column name. The query is sent unchanged.
#[cfg(feature = "onchain")]
fn warn_of_quoted_values(call: &Call) {
    let Some(Value::Text(query)) = call.get("sql") else { return };
    let values = double_quoted_values(query);
    if !values.is_empty() {
        tracing::warn!(?values, "SQL values need single quotes; double quotes mark columns");
    }
}

/// Records the number of attempts in the span. If there were retries, also records the number of retries, in a field
/// whose name OpenTelemetry defines.
fn record_attempts(span: &tracing::Span, attempts: u32) {
    span.record("attempts", attempts);
    if attempts > 1 {
        span.record("http.request.resend_count", attempts - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size<A, B, F: Future>(_: impl FnOnce(A, B) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn futures_of_calls_are_small() {
        let buffered = size::<&Http, &Call, _>(Http::reply);
        let streamed = size::<Arc<Http>, &Call, _>(Http::stream);
        assert!(buffered <= 3072 && streamed <= 3072, "{buffered} {streamed}");
    }
}
