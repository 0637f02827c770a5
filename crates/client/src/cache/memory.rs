//! Cache store in memory: [`MemoryStore`].
//!
//! The store holds responses by cache key, up to a maximum size in bytes. Above this size, the store removes the least
//! recently used responses.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crypto_intel_core::BoxFuture;
use tokio::time::Instant;

use super::{CacheKey, CacheStore, CachedAnswer};

/// Cache store in the memory of the process, with a maximum size in bytes. The least recently used responses are
/// removed first.
pub struct MemoryStore {
    most: usize,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    entries: HashMap<CacheKey, Entry>,
    /// Cache keys, sorted by their last use. The first entry is the least recently used. Each number is the value of
    /// the counter `uses` at the last use of the cache key.
    order: BTreeMap<u64, CacheKey>,
    uses: u64,
    bytes: usize,
}

struct Entry {
    answer: CachedAnswer,
    at: Instant,
    used: u64,
    bytes: usize,
}

impl MemoryStore {
    /// Creates a store with this maximum number of bytes for keys, headers and bodies together. A key counts twice,
    /// because the store holds two copies of it.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        MemoryStore { most: bytes, shelf: Mutex::default() }
    }

    /// Locks the entries of the store. No code panics while it holds this lock, so poisoning is ignored.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn take(&mut self, key: &CacheKey) -> Option<Entry> {
        let entry = self.entries.remove(key)?;
        self.order.remove(&entry.used);
        self.bytes -= entry.bytes;
        Some(entry)
    }

    fn insert(&mut self, key: CacheKey, entry: Entry) {
        self.uses += 1;
        self.order.insert(self.uses, key.clone());
        self.bytes += entry.bytes;
        self.entries.insert(key, Entry { used: self.uses, ..entry });
    }

    fn evict_oldest(&mut self, most: usize) {
        while self.bytes > most {
            let Some((_, oldest)) = self.order.pop_first() else { return };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

impl CacheStore for MemoryStore {
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>> {
        let mut shelf = self.shelf();
        let found = shelf.take(key).filter(|entry| entry.at.elapsed() < max_age).map(|entry| {
            let answer = entry.answer.clone();
            shelf.insert(key.clone(), entry);
            answer
        });
        Box::pin(ready(found))
    }

    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()> {
        let headers = answer.headers.iter().map(|(name, value)| name.as_str().len() + value.len());
        let bytes = 2 * key.as_str().len() + headers.sum::<usize>() + answer.body.len();
        let mut shelf = self.shelf();
        shelf.take(key);
        if bytes <= self.most {
            let at = Instant::now();
            shelf.insert(key.clone(), Entry { answer, at, used: 0, bytes });
            shelf.evict_oldest(self.most);
        }
        Box::pin(ready(()))
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shelf = self.shelf();
        f.debug_struct("MemoryStore")
            .field("answers", &shelf.entries.len())
            .field("bytes", &shelf.bytes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::*;
    use crate::Client;

    fn key(path: &str) -> CacheKey {
        let client = Client::builder().base_url("http://localhost").build().unwrap();
        let call = crypto_intel_core::Request::into_call(client.request("market-price").unwrap());
        let parts = crypto_intel_core::Parts {
            method: http::Method::GET,
            target: path.to_owned(),
            headers: HeaderMap::new(),
            body: None,
        };
        CacheKey::new(&call, "http://localhost", &parts, "a")
    }

    fn answer(length: usize) -> CachedAnswer {
        let body = Bytes::from(vec![b'x'; length]);
        CachedAnswer { status: StatusCode::OK, headers: HeaderMap::new(), body }
    }

    #[tokio::test(start_paused = true)]
    async fn least_recently_used_answer_is_evicted() {
        let keys: Vec<_> = (0..4).map(|n| key(&format!("/{n}"))).collect();
        let size = 1000 + 2 * keys[0].as_str().len();
        let store = MemoryStore::new(3 * size);
        let minute = Duration::from_secs(60);
        for key in &keys[..3] {
            store.put(key, answer(1000)).await;
        }
        // This reads the first entry again, so the second entry is now the least recently used.
        assert!(store.get(&keys[0], minute).await.is_some());
        store.put(&keys[3], answer(1000)).await;
        let mut kept = Vec::new();
        for key in &keys {
            kept.push(store.get(key, minute).await.is_some());
        }
        assert_eq!(kept, [true, false, true, true]);

        // An entry that is larger than the store is not stored, and no other entry is removed for it.
        store.put(&keys[1], answer(4 * size)).await;
        assert!(store.get(&keys[1], minute).await.is_none());
        assert!(store.get(&keys[0], minute).await.is_some());
        // A second `put` with an equal key replaces the entry.
        store.put(&keys[0], answer(10)).await;
        assert_eq!(store.get(&keys[0], minute).await, Some(answer(10)));

        let shelf = store.shelf();
        assert_eq!(shelf.entries.len(), shelf.order.len());
    }

    #[tokio::test(start_paused = true)]
    async fn expired_answer_is_not_returned() {
        let store = MemoryStore::new(10_000);
        store.put(&key("/"), answer(10)).await;
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(store.get(&key("/"), Duration::from_secs(60)).await.is_some());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(store.get(&key("/"), Duration::from_secs(60)).await.is_none());
        assert_eq!(store.shelf().bytes, 0);
    }
}
