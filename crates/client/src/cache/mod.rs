//! Cache of responses. It includes single flight: for equal concurrent calls, only one request is sent.
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
//! The cache stores complete, successful responses of GET operations that have a list price above 0 credits. Responses
//! to other calls are cached only if the call sets [`CallOptions::max_age`](crate::CallOptions::max_age). These other
//! calls are chat questions and other POST requests, calls without a published price, and calls of free operations,
//! such as the state of an SQL job. Streams and errors are never cached.
//!
//! Two calls are equal if their operation, parameters, extra headers, base URL and account are equal. All keys that one
//! key provider returns count as one account.
//!
//! # Single flight
//! If several callers make equal calls at the same time, the client sends one request. All callers get its response or
//! its error. Single flight applies only to calls that have the same maximum age, and whose responses can be cached. No
//! task is spawned.
//!
//! The request uses the options of the first call, except for the deadline: each caller keeps its own deadline. A
//! caller that reaches its deadline, or that is dropped, does not cancel the request for the other callers. When the
//! last caller is dropped, the request is cancelled.
//!
//! If a caller's deadline passes while the request waits for a retry, the caller's error reports the deadline. It does
//! not report the failure of the last attempt.

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

/// Cache of responses for one client or several clients; see the [module](self).
#[derive(Clone)]
pub struct Cache {
    max_age: Duration,
    store: Arc<dyn CacheStore>,
}

impl Cache {
    /// Creates a cache with a [`MemoryStore`] of 64 MiB. A cached response is returned only if its age is below
    /// `max_age`. With a `max_age` of zero, no stored response is reused. For equal concurrent calls, the client sends
    /// only one request, even with a `max_age` of zero.
    #[must_use]
    pub fn new(max_age: Duration) -> Self {
        Cache { max_age, store: Arc::new(MemoryStore::new(64 * 1024 * 1024)) }
    }

    /// Sets another store for the responses, for example a store that several processes share.
    #[must_use]
    pub fn store(mut self, store: impl CacheStore + 'static) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Returns the maximum age of a cached response to this call. Returns `None` if the call must always be sent.
    pub(crate) fn max_age(&self, call: &Call) -> Option<Duration> {
        let operation = call.operation();
        let own = call.options().max_age;
        let is_priced = matches!(operation.price, Price::Credits(credits) if credits > 0);
        let is_read = operation.method == Method::GET && is_priced;
        own.or(is_read.then_some(self.max_age)).filter(|_| own != Some(Duration::ZERO))
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

/// Store of cached responses. A store may remove any entry at any time. Its methods return no errors: an unreachable
/// store must behave like an empty store.
pub trait CacheStore: Send + Sync {
    /// Returns the response that is stored with this key. Returns `None` if no response is stored, or if the age of the
    /// response is `max_age` or more.
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>>;

    /// Stores a response with this key, and replaces an earlier response with the same key.
    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()>;
}

/// Forwards each method to the inner store. A program can therefore give one store to several caches, and can still
/// call the methods of the store itself.
impl<S: CacheStore + ?Sized> CacheStore for Arc<S> {
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>> {
        (**self).get(key, max_age)
    }

    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()> {
        (**self).put(key, answer)
    }
}

/// HTTP response in a cache store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedAnswer {
    /// HTTP status of the response.
    pub status: StatusCode,
    /// HTTP headers of the response.
    pub headers: HeaderMap,
    /// Body of the response, after decompression.
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
