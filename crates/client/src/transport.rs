//! Sends calls. From the outside in:
//!
//! ```text
//! deadline    bounds everything below, waits included
//! retry       repeats an attempt as `retry::decide` says
//! budget      refuses an attempt that it forbids
//! pace        holds an attempt back, where a rate limit is on
//! attempt     one request: connect limit, limit on silence, cap on the body
//! ```
//!
//! Dropping the future at any point cancels the request that is under way and sends no other.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use crypto_intel_core::{
    Answer as Expected, BoxFuture, Call, Error, ErrorKind, ModelUse, Operation, Parts, RawReply,
    RawStream, Transport,
};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::classify::classify;
use crate::credits::Ledger;
use crate::failure::{Failure, failure};
use crate::key::ApiKey;
use crate::moment::after;
use crate::pace::Pace;
use crate::retry::{CallKind, Decision, Reached, RetryPolicy, decide};

/// What every call of a client shares.
pub(crate) struct Http {
    pub(crate) client: reqwest::Client,
    /// Without a slash at the end.
    pub(crate) base: String,
    pub(crate) key: Option<ApiKey>,
    /// The header with the key, made once for all calls.
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) headers: HeaderMap,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadline: Option<Duration>,
    pub(crate) read_timeout: Duration,
    pub(crate) max_body: usize,
    pub(crate) ledger: Ledger,
    pub(crate) pace: Option<Pace>,
    /// Stands in for the configurable prefix of a path.
    pub(crate) prefix: Option<String>,
}

/// What is wanted of an answer's body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Whole,
    /// Only that it begins.
    Begin,
}

/// A successful answer.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    /// Empty when only the beginning was wanted.
    body: Bytes,
    /// What is still to come, when only the beginning was wanted.
    rest: Option<(reqwest::Response, Limits)>,
    attempts: u32,
}

/// The limits on time of one call.
#[derive(Clone, Copy)]
struct Limits {
    deadline: Option<(Duration, Instant)>,
    silence: Duration,
}

impl Limits {
    /// When the next piece must have come, and the error if it has not.
    fn next(&self) -> (Instant, impl Fn() -> Error + use<>) {
        let silent = after(self.silence);
        let (silence, deadline) = (self.silence, self.deadline);
        let first = deadline.map_or(silent, |(_, at)| at.min(silent));
        (first, move || match deadline {
            Some((limit, at)) if at <= silent => Error::new(
                ErrorKind::Timeout,
                format!("not done within {limit:?} (deadline of the call)"),
            )
            .with_retryable(false),
            _ => Error::new(ErrorKind::Timeout, format!("no data for {silence:?} (read limit)")),
        })
    }

    fn allows(&self, wait: Duration) -> bool {
        self.deadline.is_none_or(|(_, at)| after(wait) < at)
    }
}

impl Transport for Http {
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>> {
        Box::pin(async move { self.whole(call).await })
    }

    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>> {
        Box::pin(async move { self.streamed(call).await })
    }

    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        if let Some(credits_used) = credits_used {
            // A stream settles after its call: there is no span then, and the event says it all.
            tracing::Span::current().record("credits_used", credits_used);
            tracing::debug!(operation = operation.id, credits_used, "settled");
        }
        self.ledger.settled(operation, model, credits_used);
    }

    fn max_body(&self) -> usize {
        self.max_body
    }

    fn redact(&self, text: &mut String) {
        if let Some(key) = &self.key {
            key.mask(text);
        }
    }
}

impl Http {
    async fn whole(&self, call: Call) -> Result<RawReply, Error> {
        let started = Instant::now();
        let Answer { status, headers, body, attempts, .. } =
            self.answer(&call, Want::Whole).await?;
        Ok(RawReply { status, headers, body, attempts, elapsed: started.elapsed() })
    }

    async fn streamed(&self, call: Call) -> Result<RawStream, Error> {
        let Answer { status, headers, rest, attempts, .. } =
            self.answer(&call, Want::Begin).await?;
        let operation = call.operation().id;
        let body = stream::unfold(rest, move |rest| async move {
            let (mut response, limits) = rest?;
            // The deadline is for getting the answer to begin; a long answer may take its time.
            let limits = Limits { deadline: None, ..limits };
            match next_piece(&mut response, limits).await {
                Ok(Some(piece)) => Some((Ok(piece), Some((response, limits)))),
                Ok(None) => None,
                Err(failure) => {
                    let error = failure.error.with_operation(operation).with_attempts(attempts);
                    Some((Err(error), None))
                }
            }
        });
        Ok(RawStream { status, headers, body: Box::pin(body), attempts })
    }

    /// The successful answer to a call, with the call's end noted in the span and the ledger.
    async fn answer(&self, call: &Call, want: Want) -> Result<Answer, Error> {
        let started = Instant::now();
        let mut parts = call.parts()?;
        self.adapt(call.operation(), &mut parts);
        let outcome = self.repeat(call, &parts, want).await;
        let span = tracing::Span::current();
        span.record("elapsed_ms", u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
        match &outcome {
            Ok(answer) => {
                span.record("attempts", answer.attempts);
                self.ledger.answered(call);
            }
            Err(error) => {
                span.record("attempts", error.attempts());
                tracing::debug!(kind = ?error.kind(), "call failed");
            }
        }
        outcome
    }

    /// What the catalogue cannot know: the path as this client is told, and the answer it wants.
    fn adapt(&self, operation: &Operation, parts: &mut Parts) {
        if let (Some(usual), Some(chosen)) = (operation.prefix, &self.prefix)
            && let Some(rest) = parts.target.strip_prefix(usual)
        {
            parts.target = format!("{chosen}{rest}");
        }
        if operation.answer == Expected::Stream {
            let events = HeaderValue::from_static("text/event-stream, application/json;q=0.5");
            parts.headers.insert(header::ACCEPT, events);
        }
    }

    /// The longest silence that a call bears: what it says itself, or else what the client says,
    /// but no less than the operation is known to need.
    fn silence(&self, call: &Call) -> Duration {
        let patience = call.operation().patience.map(|seconds| Duration::from_secs(seconds.into()));
        let usual = self.read_timeout.max(patience.unwrap_or_default());
        call.options().read_timeout.unwrap_or(usual)
    }

    /// Sends the call until an answer is taken, or no further attempt may be made.
    async fn repeat(&self, call: &Call, parts: &Parts, want: Want) -> Result<Answer, Error> {
        let operation = call.operation();
        let options = call.options();
        let attempts = options.attempts.unwrap_or(self.retry.attempts);
        let policy = RetryPolicy { attempts, ..self.retry };
        let limits = Limits {
            deadline: options.deadline.or(self.deadline).map(|limit| (limit, after(limit))),
            silence: self.silence(call),
        };
        let kind = CallKind::of(&parts.method);
        let mut made = 0;
        let mut last = None;
        loop {
            // Each attempt that may have been carried out may have been charged.
            let reserved = match self.ledger.reserve(call) {
                Ok(reserved) => reserved,
                Err(refused) => return Err(last.unwrap_or(refused)),
            };
            self.hold_back(limits).await.map_err(|error| {
                let error = error.with_operation(operation.id).with_attempts(made);
                match last.take() {
                    Some(last) => error.with_source(last),
                    None => error,
                }
            })?;
            let reserved = reserved.at_risk();
            made += 1;
            let failure = match self.attempt(parts, &options.headers, limits, want).await {
                Ok(answer) => return Ok(Answer { attempts: made, ..answer }),
                Err(failure) => failure,
            };
            if failure.is_free() {
                self.ledger.give_back(reserved);
            }
            let error = failure.error.with_operation(operation.id).with_attempts(made);
            match decide(&policy, kind, made, failure.reached, &error, fastrand::f64()) {
                // A wait that outlives the deadline would only delay the bad news.
                Decision::Again(wait) if limits.allows(wait) => {
                    tracing::debug!(attempt = made, ?wait, kind = ?error.kind(), "trying again");
                    last = Some(error);
                    sleep_until(after(wait)).await;
                }
                _ => return Err(error),
            }
        }
    }

    /// Waits until the rate limit lets a request leave, where there is one.
    async fn hold_back(&self, limits: Limits) -> Result<(), Error> {
        let Some(pace) = &self.pace else { return Ok(()) };
        while let Err(free) = pace.leave(Instant::now()) {
            if limits.deadline.is_some_and(|(_, at)| free >= at) {
                let message = "the rate limit would hold the call back past its deadline";
                return Err(Error::new(ErrorKind::Timeout, message).with_retryable(false));
            }
            sleep_until(free).await;
        }
        Ok(())
    }

    /// One request and its answer.
    async fn attempt(
        &self,
        parts: &Parts,
        headers: &HeaderMap,
        limits: Limits,
        want: Want,
    ) -> Result<Answer, Failure> {
        let mut response = self.head(parts, headers, limits).await?;
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        let (body, rest) = match want {
            Want::Whole => (self.body(response, limits).await?, None),
            Want::Begin => (Bytes::new(), Some((response, limits))),
        };
        Ok(Answer { status, headers, body, rest, attempts: 0 })
    }

    /// One request, up to the head of a successful answer.
    async fn head(
        &self,
        parts: &Parts,
        headers: &HeaderMap,
        limits: Limits,
    ) -> Result<reqwest::Response, Failure> {
        let mut all = self.headers.clone();
        for more in [headers, &parts.headers] {
            // `extend` sets space aside even for nothing.
            if !more.is_empty() {
                all.extend(more.clone());
            }
        }
        // Last, so that no other header can replace the key.
        match &self.authorization {
            Some(key) => drop(all.insert(header::AUTHORIZATION, key.clone())),
            None => drop(all.remove(header::AUTHORIZATION)),
        }
        let url = format!("{}{}", self.base, parts.target);
        let mut request = self.client.request(parts.method.clone(), url);
        if let Some(body) = &parts.body {
            let json = || HeaderValue::from_static("application/json");
            let media = parts.headers.get(header::CONTENT_TYPE).cloned().unwrap_or_else(json);
            all.insert(header::CONTENT_TYPE, media);
            request = request.body(body.clone());
        }
        let request = request.headers(all);
        let (first, late) = limits.next();
        let response = match timeout_at(first, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(failure(error)),
            Err(_) => return Err(Failure { error: late(), reached: Reached::Perhaps }),
        };
        tracing::Span::current().record("status", response.status().as_u16());
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response, limits).await)
    }

    /// The error that an answer of another status is. Its body is read as far as it comes: the
    /// status must not get lost because the body does.
    async fn refused(&self, mut response: reqwest::Response, limits: Limits) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = BytesMut::new();
        while body.len() < ERROR_BODY_LIMIT {
            match next_piece(&mut response, limits).await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) | Err(_) => break,
            }
        }
        let mut body = body.to_vec();
        if let Some(key) = &self.key {
            let mut text = String::from_utf8_lossy(&body).into_owned();
            key.mask(&mut text);
            body = text.into_bytes();
        }
        let mut error = classify(status, &headers, &body, SystemTime::now());
        if let (Some(key), Some(id)) = (&self.key, error.request_id()) {
            let mut id = id.to_owned();
            key.mask(&mut id);
            error = error.with_request_id(id);
        }
        Failure { error, reached: Reached::Answered }
    }

    async fn body(
        &self,
        mut response: reqwest::Response,
        limits: Limits,
    ) -> Result<Bytes, Failure> {
        let status = response.status();
        let expected = response.content_length().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let mut whole = Bytes::new();
        let mut body = BytesMut::new();
        while let Some(piece) = next_piece(&mut response, limits)
            .await
            .map_err(|failure| Failure { error: failure.error.with_status(status), ..failure })?
        {
            let length = whole.len() + body.len() + piece.len();
            if length > self.max_body {
                let error = Error::new(
                    ErrorKind::Decode,
                    format!("the answer is larger than {} bytes (limit on bodies)", self.max_body),
                );
                return Err(Failure {
                    error: error.with_status(status),
                    reached: Reached::Answered,
                });
            }
            // A body that comes in one piece is not copied.
            if length == piece.len() {
                whole = piece;
                continue;
            }
            if !whole.is_empty() {
                body.reserve(expected.min(self.max_body).min(FIRST_ALLOCATION).max(length));
                body.extend_from_slice(&std::mem::take(&mut whole));
            }
            body.extend_from_slice(&piece);
        }
        if !whole.is_empty() {
            return Ok(whole);
        }
        Ok(body.freeze())
    }
}

/// Bytes of an error's body that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// Bytes that are set aside on the word of a `Content-Length`.
const FIRST_ALLOCATION: usize = 1024 * 1024;

async fn next_piece(
    response: &mut reqwest::Response,
    limits: Limits,
) -> Result<Option<Bytes>, Failure> {
    let (first, late) = limits.next();
    match timeout_at(first, response.chunk()).await {
        Ok(Ok(piece)) => Ok(piece),
        Ok(Err(error)) => Err(failure(error)),
        Err(_) => Err(Failure { error: late(), reached: Reached::Perhaps }),
    }
}
