//! A cache of answers, and one request for equal calls that are under way at once.
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
//! Whole answers with success of operations that read (GET) and have a list price. What is free,
//! such as the state of a job, is asked for every time. Questions and other POSTs are cached only
//! for a call that says so itself, with [`CallOptions::max_age`](crate::CallOptions::max_age).
//! Streams and errors never are.
//!
//! Calls are equal when operation, parameters, extra headers, base URL and account are. A key that
//! comes from a provider counts as always of one account.
//!
//! # Single flight
//! Of equal calls at the same time, one is sent, and all callers get its answer or its error. The
//! request uses the options of the first call, except for the deadline: each caller keeps its own.
//! A caller that reaches its deadline or is dropped does not cancel the request for the others.
//! When the last caller is dropped, the request is cancelled. No task is spawned. If a call with its
//! own deadline waits for a retry, its error reports the deadline, not the failure before it.

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

/// A cache of answers; see the [module](self).
#[derive(Clone)]
pub struct Cache {
    max_age: Duration,
    store: Arc<dyn CacheStore>,
}

impl Cache {
    /// Answers up to this age are given again, from a [`MemoryStore`] of 64 MiB. With an age of
    /// zero nothing is given again, but equal calls at once are still sent once.
    #[must_use]
    pub fn new(max_age: Duration) -> Self {
        Cache { max_age, store: Arc::new(MemoryStore::new(64 * 1024 * 1024)) }
    }

    /// Keeps answers elsewhere, such as in a store that several processes share.
    #[must_use]
    pub fn store(mut self, store: impl CacheStore + 'static) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// How old an answer to this call may be; `None` for a call that is sent every time.
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

/// Where answers are kept. A store may forget whatever it likes, whenever it likes, and has no way
/// to fail: one that cannot be reached holds nothing.
pub trait CacheStore: Send + Sync {
    /// The answer of this key, if it is at most this old.
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>>;

    /// Keeps an answer that has just come.
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

/// An answer as it came.
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
