//! A cache of responses, with single flight: equal concurrent calls are sent once.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let builder = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
//! use std::time::Duration;
//! use crypto_intel::cache::Cache;
//! use crypto_intel::credits::Credits;
//!
//! let client = builder.cache(Cache::new(Duration::from_secs(60))).build()?;
//! client.market_price("BTC").await?;
//! let again = client.market_price("BTC").await?;
//! assert!(again.http().reused);
//! assert_eq!(again.credits_used(), Some(0));
//! assert_eq!(client.ledger().total().saved, Credits(2));
//! # assert_eq!(sandbox.requests_served(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # What is cached
//! The cache stores complete, successful responses of GET operations that have a list price. Free operations, such as
//! the state of a job, are always sent. Questions and other POSTs are cached only if the call sets
//! [`CallOptions::max_age`](crate::CallOptions::max_age). Streams and errors are never cached.
//!
//! Calls are equal if operation, parameters, extra headers, base URL and account are equal. All keys of one key
//! provider count as one account.
//!
//! # Single flight
//! Of equal concurrent calls, one is sent, and all callers get its response or its error. The request uses the options
//! of the first call, except for the deadline: each caller keeps its own. A caller that reaches its deadline or is
//! dropped does not cancel the request for the others. When the last caller is dropped, the request is cancelled. No
//! task is spawned. If the deadline of a caller passes while the request waits for a retry, the caller's error reports
//! the deadline, and not the failure of the last attempt.

mod flight;
mod key;
mod memory;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use crypto_intel_core::{BoxFuture, Call, Price, RawReply};
use http::{HeaderMap, Method, StatusCode};

pub(crate) use flight::{Flights, Landed, Outcome};
pub use key::CacheKey;
pub(crate) use key::digest;
pub use memory::MemoryStore;

/// A cache of responses; see the [module](self).
#[derive(Clone)]
pub struct Cache {
    max_age: Duration,
    store: Arc<dyn CacheStore>,
}

impl Cache {
    /// Creates a cache that returns responses up to this age, from a [`MemoryStore`] of 64 MiB. With an age of zero
    /// no response is reused later, but equal concurrent calls are still sent once.
    #[must_use]
    pub fn new(max_age: Duration) -> Self {
        Cache { max_age, store: Arc::new(MemoryStore::new(64 * 1024 * 1024)) }
    }

    /// Stores responses in another store, for example one that several processes share.
    #[must_use]
    pub fn store(mut self, store: impl CacheStore + 'static) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Returns the maximum age of a cached response to this call; `None` for a call that is always sent.
    pub(crate) fn max_age(&self, call: &Call) -> Option<Duration> {
        let operation = call.operation();
        let told = call.options().max_age;
        let is_priced = matches!(operation.price, Price::Credits(credits) if credits > 0);
        let is_read = operation.method == Method::GET && is_priced;
        told.or(is_read.then_some(self.max_age)).filter(|_| told != Some(Duration::ZERO))
    }

    pub(crate) fn entries(&self) -> Arc<dyn CacheStore> {
        Arc::clone(&self.store)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("max_age", &self.max_age).finish_non_exhaustive()
    }
}

/// Store of cached responses. A store may drop any entry at any time, and reports no errors: an unreachable store
/// counts as empty.
pub trait CacheStore: Send + Sync {
    /// Returns the response with this key, if its age is at most `max_age`.
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>>;

    /// Stores a response.
    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()>;
}

/// Shares one store between caches, or between a cache and the program.
impl<S: CacheStore + ?Sized> CacheStore for Arc<S> {
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>> {
        (**self).get(key, max_age)
    }

    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()> {
        (**self).put(key, answer)
    }
}

/// A stored response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedAnswer {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl From<&RawReply> for CachedAnswer {
    fn from(reply: &RawReply) -> Self {
        CachedAnswer {
            status: reply.status,
            headers: reply.headers.clone(),
            body: reply.body.clone(),
        }
    }
}
