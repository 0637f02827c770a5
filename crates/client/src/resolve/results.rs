//! Cache of search results. A result is cached for one hour.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::Candidate;

/// Maximum age of a cached search result.
const MAX_AGE: Duration = Duration::from_secs(3_600);
/// Maximum number of cached search results. When the cache is full, all results are removed before the next one is
/// added.
const MAX_RESULTS: usize = 1_000;

/// Result of one search operation for one name.
#[derive(Debug, Clone)]
pub(super) struct SearchResult {
    pub(super) all: Arc<[Candidate]>,
    pub(super) is_whole: bool,
}

/// Cache key of a search: the identifier of the search operation, and the searched name in lower case.
type SearchKey = (&'static str, String);

/// Cache of search results that a client and its clones share.
#[derive(Debug, Default)]
pub(crate) struct SearchResults(Mutex<HashMap<SearchKey, (Instant, SearchResult)>>);

impl SearchResults {
    pub(super) fn get(&self, search: &'static str, text: &str) -> Option<SearchResult> {
        let results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, found) = results.get(&(search, text.to_lowercase()))?;
        (since.elapsed() < MAX_AGE).then(|| found.clone())
    }

    pub(super) fn put(&self, search: &'static str, text: &str, found: SearchResult) {
        let mut results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if results.len() >= MAX_RESULTS {
            results.clear();
        }
        results.insert((search, text.to_lowercase()), (Instant::now(), found));
    }
}
