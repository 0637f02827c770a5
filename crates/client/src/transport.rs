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

use bytes::Bytes;
use crypto_intel_core::{
    Answer as Expected, BoxFuture, Call, Error, ErrorKind, ModelUse, Operation, Parts, RawReply,
    RawStream, Transport,
};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, header};
use tokio::time::{Instant, sleep_until};

use crate::body::{TakeBody, Unread};
use crate::classify::{classify, in_success};
use crate::credits::Ledger;
use crate::failure::{Failure, failure};
use crate::key::ApiKey;
use crate::moment::after;
use crate::pace::Pace;
use crate::retry::{CallKind, Decision, Reached, RetryPolicy, decide};
use crate::time_limits::TimeLimits;

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

/// A successful answer, and the number of requests that were sent for it.
struct Answer<B> {
    response: http::Response<B>,
    attempts: u32,
}

impl Transport for Http {
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>> {
        Box::pin(async move { self.whole(call).await.map_err(|error| self.masked(error)) })
    }

    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, Error>> {
        Box::pin(async move { self.streamed(call).await.map_err(|error| self.masked(error)) })
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
    /// The error without the key in any of its texts.
    fn masked(&self, error: Error) -> Error {
        match &self.key {
            Some(key) => error.masked(&|text| key.mask(text)),
            None => error,
        }
    }

    async fn whole(&self, call: Call) -> Result<RawReply, Error> {
        let started = Instant::now();
        let Answer { response, attempts } = self.answer::<Bytes>(&call).await?;
        let (head, body) = response.into_parts();

        let elapsed = started.elapsed();
        Ok(RawReply { status: head.status, headers: head.headers, body, attempts, elapsed })
    }

    async fn streamed(&self, call: Call) -> Result<RawStream, Error> {
        let Answer { response, attempts } = self.answer::<Unread>(&call).await?;
        let (head, unread) = response.into_parts();

        let operation = call.operation().id;
        let pieces = stream::unfold(Some(unread), move |unread| async move {
            let mut unread = unread?;
            match unread.next().await {
                Ok(Some(piece)) => Some((Ok(piece), Some(unread))),
                Ok(None) => None,
                Err(failure) => {
                    let error = failure.error.with_operation(operation).with_attempts(attempts);
                    Some((Err(error), None))
                }
            }
        });
        let body = Box::pin(pieces);
        Ok(RawStream { status: head.status, headers: head.headers, body, attempts })
    }

    /// The successful answer to a call, with the call's end noted in the span and the ledger.
    async fn answer<B: TakeBody>(&self, call: &Call) -> Result<Answer<B>, Error> {
        let started = Instant::now();
        let mut parts = call.parts()?;
        self.adapt(call.operation(), &mut parts);
        let outcome = self.repeat(call, &parts).await;

        let span = tracing::Span::current();
        span.record("elapsed_ms", u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
        match &outcome {
            Ok(answer) => {
                span.record("attempts", answer.attempts);
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
    async fn repeat<B: TakeBody>(&self, call: &Call, parts: &Parts) -> Result<Answer<B>, Error> {
        let operation = call.operation();
        let options = call.options();
        let attempts = options.attempts.unwrap_or(self.retry.attempts);
        let policy = RetryPolicy { attempts, ..self.retry };
        let deadline = options.deadline.or(self.deadline);
        let limits = TimeLimits::begin(deadline, self.silence(call), call.idle_time().clone());
        let kind = CallKind::of(&parts.method);

        let mut made = 0;
        let mut last = None;
        loop {
            // Each attempt that may have been carried out may have been charged.
            let reserved = match self.ledger.reserve(call) {
                Ok(reserved) => reserved,
                Err(refused) => return Err(last.unwrap_or(refused)),
            };
            self.hold_back(&limits).await.map_err(|error| {
                let error = error.with_operation(operation.id).with_attempts(made);
                match last.take() {
                    Some(last) => error.with_source(last),
                    None => error,
                }
            })?;

            let reserved = reserved.at_risk();
            let idle = limits.idle();
            made += 1;
            let failure = match self.attempt(parts, &options.headers, &limits).await {
                Ok(response) => {
                    self.ledger.answered(call, &reserved);
                    return Ok(Answer { response, attempts: made });
                }
                Err(failure) => failure,
            };
            if failure.is_free() {
                self.ledger.give_back(&reserved);
            }
            // A connection that nobody waited for can be too late for that alone. This comes to an
            // end: while somebody waits, there is no idle time.
            if failure.reached == Reached::Nothing && limits.idle() > idle {
                made -= 1;
                continue;
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
    async fn hold_back(&self, limits: &TimeLimits) -> Result<(), Error> {
        let Some(pace) = &self.pace else { return Ok(()) };
        while let Err(free) = pace.leave(Instant::now()) {
            if !limits.is_before_deadline(free) {
                let message = "the rate limit would hold the call back past its deadline";
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            sleep_until(free).await;
        }
        Ok(())
    }

    /// One request and its answer.
    async fn attempt<B: TakeBody>(
        &self,
        parts: &Parts,
        headers: &HeaderMap,
        limits: &TimeLimits,
    ) -> Result<http::Response<B>, Failure> {
        let mut received = self.head(parts, headers, limits).await?;
        let mut answer = http::Response::new(());
        *answer.status_mut() = received.status();
        *answer.headers_mut() = std::mem::take(received.headers_mut());
        if let Some(key) = &self.key {
            key.mask_headers(answer.headers_mut());
        }
        // What is unpacked is packed no longer.
        #[cfg(feature = "gzip")]
        if crate::gzip::is_packed(answer.headers())
            && let Some(encoding) = answer.headers_mut().remove(header::CONTENT_ENCODING)
        {
            received.headers_mut().insert(header::CONTENT_ENCODING, encoding);
        }

        let body = B::take(received, limits.clone(), self.max_body).await?;
        let (status, headers) = (answer.status(), answer.headers());
        if let Some(whole) = body.whole()
            && let Some(error) = in_success(status, headers, whole, SystemTime::now())
        {
            return Err(Failure { error, reached: Reached::Accepted });
        }

        Ok(answer.map(|()| body))
    }

    /// One request, up to the head of a successful answer.
    async fn head(
        &self,
        parts: &Parts,
        headers: &HeaderMap,
        limits: &TimeLimits,
    ) -> Result<reqwest::Response, Failure> {
        let mut all = self.headers.clone();
        #[cfg(feature = "gzip")]
        all.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
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

        let response = match limits.wait_for(request.headers(all).send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(failure(error)),
            Err(error) => return Err(Failure { error, reached: Reached::Perhaps }),
        };
        tracing::Span::current().record("status", response.status().as_u16());
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response, limits).await)
    }

    /// The error that an answer of another status is. Its body is read as far as it comes: the
    /// status must not get lost because the body does.
    async fn refused(&self, response: reqwest::Response, limits: &TimeLimits) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = Unread::new(response, limits.clone()).beginning(ERROR_BODY_LIMIT).await;

        // Masked before it is read as well, since messages are cut, and half a key is not found.
        let mut text = String::from_utf8_lossy(&body).into_owned();
        self.redact(&mut text);
        let error = classify(status, &headers, text.as_bytes(), SystemTime::now());
        Failure { error: error.with_body(body), reached: Reached::Answered }
    }
}

/// Bytes of an error's body that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
