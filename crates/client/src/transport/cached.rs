//! Calls whose response may come from the cache.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crypto_intel_core::{BoxFuture, Call, Error, RawReply};
use futures_util::FutureExt;
use tokio::time::Instant;

use super::Http;
use super::time_limits::TimeLimits;
use crate::cache::{CacheKey, CachedAnswer, Landed, Outcome};
use crate::classify::body_error;

/// Time limit for one `get` or `put` of a cache store. A store that takes longer is treated as an empty store.
const STORE_LIMIT: Duration = Duration::from_secs(2);

impl Http {
    /// Returns the response to a call: from the cache, from the request of an equal call in flight, or from the
    /// service.
    pub(super) async fn send_cached(
        self: Arc<Self>,
        mut call: Call,
        max_age: Duration,
    ) -> Result<RawReply, Error> {
        let started = Instant::now();
        let outgoing = self.outgoing(&call)?;
        let account = self.keys.account(call.options());
        let key = CacheKey::new(&call, &outgoing.url, &outgoing.parts, &account);

        // The deadline is applied here, outside the shared request. So a caller that reaches its deadline does not end
        // the request for the other callers.
        let deadline = call.options().deadline.or(self.deadline);
        let limits = TimeLimits::start(deadline, Duration::MAX, call.idle_time().clone());
        let options = call.options().clone().deadline(Duration::MAX);
        call.set_options(options);

        let (http, of_flight, asked) = (Arc::clone(&self), key.clone(), call.clone());
        let begin = move || http.flight(asked, of_flight, max_age).shared();
        let flight = self.flights.share((key, max_age), begin);
        let landed = limits.wait_for(flight).await.and_then(|outcome| outcome);
        let landed = landed.map_err(|error| error.with_operation(call.operation().id))?;

        let reply = RawReply { elapsed: started.elapsed(), ..landed.claim() };
        if reply.reused {
            tracing::Span::current().record("reused", true);
            self.ledger.record_saved(&call);
        }
        Ok(reply)
    }

    /// Returns the response from the cache store. If the store has no valid response, sends the request and stores the
    /// response.
    fn flight(self: Arc<Self>, call: Call, key: CacheKey, max_age: Duration) -> BoxFuture<Outcome> {
        Box::pin(async move {
            let store = self.cache.as_ref().map(|cache| cache.entries());
            if let Some(store) = &store
                && let Some(answer) = timed(store.get(&key, max_age), "get").await.flatten()
            {
                let reply = RawReply::from(answer);
                if is_success(&reply) && call.accepts(&reply) {
                    return Ok(Landed::from_cache(reply));
                }
                tracing::warn!("the cached response is not valid, so the request is sent");
            }

            let reply = self.reply(&call).await?;
            // A response that contains an API key is not stored, because the cache store may be a file.
            let can_be_stored = call.accepts(&reply) && !self.keys.are_in(&reply.body);
            if let Some(store) = store.filter(|_| can_be_stored) {
                timed(store.put(&key, CachedAnswer::from(&reply)), "put").await;
            }
            Ok(Landed::from_response(reply))
        })
    }
}

/// Returns true if a response from the cache store is a success without an error in its body. The client stores only
/// such responses, but a store that the program supplies may return anything.
fn is_success(reply: &RawReply) -> bool {
    let error = body_error(reply.status, &reply.headers, &reply.body, SystemTime::now());
    reply.status.is_success() && error.is_none()
}

/// Waits until the cache store has read or written a response. Returns `None` if this takes longer than
/// [`STORE_LIMIT`].
async fn timed<T>(stored: BoxFuture<T>, what: &str) -> Option<T> {
    let result = tokio::time::timeout(STORE_LIMIT, stored).await.ok();
    if result.is_none() {
        tracing::warn!(what, limit = ?STORE_LIMIT, "the cache store exceeded its time limit");
    }
    result
}

impl From<CachedAnswer> for RawReply {
    fn from(answer: CachedAnswer) -> Self {
        RawReply {
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            attempts: 0,
            elapsed: Duration::ZERO,
            reused: true,
        }
    }
}
