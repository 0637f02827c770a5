//! Caches computed results for one second. A result depends only on the request and on the current second, so equal
//! requests within one second reuse the result. Data that differ between equal requests, such as the credits used, are
//! not part of a result.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crypto_intel_world::random::Seed;

/// Maximum size of all cached results in bytes.
const BYTES: usize = 16 << 20;

/// Cache of computed results, by the hash of the request. All cached results were computed in the same second. They are
/// dropped before a result of another second is added, and if a new result would increase the total size above
/// [`BYTES`].
#[derive(Debug)]
pub(crate) struct Memo<T>(Mutex<Kept<T>>);

#[derive(Debug)]
struct Kept<T> {
    /// Second in which the cached results were computed, in Unix seconds.
    now: i64,
    bytes: usize,
    known: HashMap<Seed, Arc<T>>,
}

impl<T> Kept<T> {
    fn empty(now: i64) -> Self {
        Kept { now, bytes: 0, known: HashMap::new() }
    }
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(Mutex::new(Kept::empty(0)))
    }
}

impl<T> Memo<T> {
    /// Returns the cached result for the request with the hash `request` at the time `now`, in Unix seconds. If no
    /// result is cached, calls `compute`, which returns the result and the size of the result in bytes.
    ///
    /// # Errors
    /// Returns the errors of `compute`. Errors are not cached.
    pub(crate) fn take<E>(
        &self,
        request: Seed,
        now: i64,
        compute: impl FnOnce() -> Result<(T, usize), E>,
    ) -> Result<Arc<T>, E> {
        if let Some(known) = self.find(request, now) {
            return Ok(known);
        }
        // The lock is not held here, so that other requests need not wait. If two requests compute the same result,
        // both results are equal.
        let (value, size) = compute()?;
        let value = Arc::new(value);
        self.keep(request, now, &value, size);
        Ok(value)
    }

    fn find(&self, request: Seed, now: i64) -> Option<Arc<T>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.now == now { kept.known.get(&request).cloned() } else { None }
    }

    fn keep(&self, request: Seed, now: i64, value: &Arc<T>, size: usize) {
        // One large result must not evict all others.
        if size > BYTES / 2 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.now != now || kept.bytes + size > BYTES {
            *kept = Kept::empty(now);
        }
        if kept.known.insert(request, Arc::clone(value)).is_none() {
            kept.bytes += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(size: usize) -> Result<(usize, usize), ()> {
        Ok((size, size))
    }

    #[test]
    fn everything_is_computed_once_a_second() {
        let memo = Memo::default();
        let mut computed = 0;
        for (request, now) in [(1, 0), (1, 0), (2, 0), (1, 0), (1, 1), (2, 1), (1, 0)] {
            let known = memo.take(Seed::new(request), now, || {
                computed += 1;
                sized(3)
            });
            assert_eq!(*known.unwrap(), 3);
        }
        assert_eq!(computed, 5);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let memo = Memo::default();
        for request in 0..100 {
            memo.take(Seed::new(request), 0, || sized(BYTES / 10)).unwrap();
            memo.take(Seed::new(1_000 + request), 0, || sized(BYTES)).unwrap();
        }
        let kept = memo.0.lock().unwrap();
        let held: usize = kept.known.values().map(|size| **size).sum();
        assert!(held == kept.bytes && held <= BYTES && held > 0, "{held}");
    }

    #[test]
    fn a_refusal_is_not_kept() {
        let memo = Memo::default();
        assert!(memo.take(Seed::new(1), 0, || Err(())).is_err());
        assert!(memo.take(Seed::new(1), 0, || sized(1)).is_ok());
    }
}
