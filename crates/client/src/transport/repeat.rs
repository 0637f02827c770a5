//! Sends the attempts of a call until one succeeds. This module applies retries, budget and rate limit.
//!
//! The input is the HTTP request of a call. The output is the response of the successful attempt, or the error of the
//! last attempt. Before each attempt, the key provider, the budget or the rate limit can also end the call with an
//! error.

use std::time::Duration;

use crypto_intel_core::{Call, Error, ErrorKind};
use http::StatusCode;
use tokio::time::{Instant, sleep_until};

use super::body::TakeBody;
use super::departure::Departure;
use super::time_limits::TimeLimits;
use super::{Http, Outgoing};
use crate::moment::instant_after;
use crate::retry::{CallKind, Decision, Reached, RetryPolicy, decide};

impl Http {
    /// Sends attempts until one succeeds, or until the rules for retries allow no further attempt. Returns the
    /// successful response and the number of attempts.
    pub(super) async fn send_with_retries<B: TakeBody>(
        &self,
        outgoing: &Outgoing<'_>,
    ) -> Result<(http::Response<B>, u32), Error> {
        let call = outgoing.call;
        let operation = call.operation();
        let policy = self.policy(call);
        let limits = self.limits(call);
        let kind = CallKind::from_method(&outgoing.parts.method);

        let mut made = 0;
        let mut last = None;
        loop {
            // A key provider may be slow, so it is called before credits are reserved for the attempt.
            let headers = self.headers(outgoing, &limits).await;
            let headers = headers.map_err(|error| chain(error, operation.id, made, last.take()))?;

            // The service may execute and charge each attempt, so credits are reserved for each attempt.
            let reserved = match self.ledger.reserve(call) {
                Ok(reserved) => reserved,
                Err(refused) => return Err(last.unwrap_or(refused)),
            };
            let held_back = self.wait_for_rate_limit(&limits).await;
            held_back.map_err(|error| chain(error, operation.id, made, last.take()))?;

            let departure = self.departure(outgoing);
            let risk = reserved.at_risk(|| departure.has_not_begun());
            let idle = limits.idle_time();
            made += 1;
            let failure = match self.attempt(outgoing, headers, &limits, &departure).await {
                Ok(response) => {
                    risk.record_success(call);
                    return Ok((response, made));
                }
                Err(failure) => failure,
            };
            risk.record_failure(failure.is_free());
            if let Some(pace) = &self.pace
                && failure.error.status() == Some(StatusCode::TOO_MANY_REQUESTS)
            {
                pace.record_refusal(Instant::now(), failure.error.retry_after());
            }
            // While no caller polled the call (idle time), a connection attempt may have timed out. Such an attempt
            // does not count. This loop ends, because idle time is added only while no caller polls.
            if failure.reached == Reached::Nothing && limits.idle_time() > idle {
                made -= 1;
                continue;
            }

            let error = failure.error.with_operation(operation.id).with_attempts(made);
            match decide(&policy, kind, made, failure.reached, &error, fastrand::f64()) {
                // If the wait would exceed the deadline, the call does not wait and returns the error of this attempt.
                Decision::Again(wait) if limits.allows(wait) => {
                    if !self.quota.take_retry() {
                        tracing::debug!("the client has no retries left");
                        return Err(error);
                    }
                    tracing::debug!(attempt = made, ?wait, kind = ?error.kind(), "trying again");
                    last = Some(error);
                    sleep_until(instant_after(wait)).await;
                }
                _ => return Err(error),
            }
        }
    }

    fn departure(&self, outgoing: &Outgoing<'_>) -> Departure<'_> {
        // A watched body cannot be sent a second time. An HTTP client of the program may follow redirects and then send
        // the body again, so its bodies are not watched.
        let is_watched = outgoing.parts.body.is_some() && self.connected.is_some();
        Departure::new(self.connected.as_ref(), is_watched)
    }

    fn policy(&self, call: &Call) -> RetryPolicy {
        let attempts = call.options().attempts.unwrap_or(self.retry.attempts);
        RetryPolicy { attempts, ..self.retry }
    }

    /// Starts the time limits of a call and returns them.
    fn limits(&self, call: &Call) -> TimeLimits {
        let deadline = call.options().deadline.or(self.deadline);
        TimeLimits::start(deadline, self.read_timeout(call), call.idle_time().clone())
    }

    /// Returns the read timeout of a call, which is the maximum time without a byte from the service.
    ///
    /// Returns the read timeout from the options of the call, if it is set. Otherwise returns the read timeout of the
    /// client, or the minimum read timeout of a slow operation (`Operation::patience`), whichever is longer.
    fn read_timeout(&self, call: &Call) -> Duration {
        let patience = call.operation().patience.map(|seconds| Duration::from_secs(seconds.into()));
        let usual = self.read_timeout.max(patience.unwrap_or_default());
        call.options().read_timeout.unwrap_or(usual)
    }

    /// Waits until the rate limit of the client allows a request. Without a rate limit it does not wait.
    async fn wait_for_rate_limit(&self, limits: &TimeLimits) -> Result<(), Error> {
        let Some(pace) = &self.pace else { return Ok(()) };
        while let Err(free) = pace.admit(Instant::now()) {
            if !limits.is_before_deadline(free) {
                let message = "the rate limit would delay the call beyond its deadline";
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            sleep_until(free).await;
        }
        Ok(())
    }
}

/// Returns the error of a call that fails before its first attempt or between two attempts. The error of the previous
/// attempt, if any, becomes the source of this error.
fn chain(error: Error, operation: &'static str, made: u32, last: Option<Error>) -> Error {
    let error = error.with_operation(operation).with_attempts(made);
    match last {
        Some(last) => error.with_source(last),
        None => error,
    }
}
