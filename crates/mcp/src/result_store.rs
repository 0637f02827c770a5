//! Stores results under handles. With the handle of a result, an agent can read further rows without a new request to
//! the service.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel::catalogue::OPERATIONS;
use crypto_intel::{Completeness, CompletenessState, DynamicRequest, ResumeToken};
use crypto_intel_search::record_of;
use serde_json::Value;

use crate::json::Json;
use crate::problem::Problem;

/// Maximum number of stored results.
const RESULTS: usize = 64;
/// Maximum total size of the stored results, in bytes. If the total size is larger, the oldest results are removed. The
/// newest result is never removed.
const BYTES: usize = 64 * 1024 * 1024;

/// Stored result of a tool call.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Identifier of the operation, or name of the tool, that produced the result.
    pub(crate) source: &'static str,
    /// Rows of the result. If the result is a single value and not a list, this value is the only row.
    pub(crate) rows: Arc<Vec<Json>>,
    pub(crate) is_list: bool,
    /// Fields of the response that are not rows, such as a summary.
    pub(crate) beside: Option<Json>,
    /// Metadata of the response, such as the reason for an empty list.
    pub(crate) meta: Option<Json>,
    /// Request and resume token of the next page. `None` after the last page.
    pub(crate) further: Option<(DynamicRequest, ResumeToken)>,
    /// State of the list from which the rows were read. For example, the state is `MoreAvailable` if the list may have
    /// further rows.
    pub(crate) completeness: Completeness,
    /// Error of a request for the next page. The result contains only the rows before this page. `None` if no error
    /// occurred.
    pub(crate) failure: Option<Value>,
}

impl Stored {
    /// Creates a complete result, which has no further pages.
    pub(crate) fn new(source: &'static str, rows: Vec<Json>, is_list: bool) -> Self {
        Stored {
            source,
            rows: Arc::new(rows),
            is_list,
            beside: None,
            meta: None,
            further: None,
            completeness: Completeness::new(CompletenessState::Complete),
            failure: None,
        }
    }

    /// Returns the rows as one JSON list, or the single value as JSON.
    pub(crate) fn json(&self) -> String {
        match (self.is_list, self.rows.first()) {
            (false, Some(one)) => one.get().to_owned(),
            _ => {
                let rows: Vec<_> = self.rows.iter().map(|row| row.get()).collect();
                format!("[{}]", rows.join(","))
            }
        }
    }

    /// Returns the names of all documented fields of a row. A name is included even if no row of this result has the
    /// field.
    pub(crate) fn members(&self) -> Vec<&'static str> {
        let operation = OPERATIONS.iter().find(|operation| operation.id == self.source);
        let record = operation.and_then(|operation| record_of(operation));
        record.into_iter().flat_map(|record| record.fields).map(|field| field.name).collect()
    }

    fn bytes(&self) -> usize {
        self.rows.iter().map(|row| row.get().len()).sum()
    }
}

#[derive(Debug, Default)]
struct Shelf {
    count: u64,
    results: VecDeque<(String, Stored)>,
    bytes: usize,
}

/// Store of results. Each result has a handle, such as `r1`.
#[derive(Debug, Default)]
pub(crate) struct Store {
    shelf: Mutex<Shelf>,
    /// True if several callers share this store. Handles then contain a random number, so that a caller cannot guess
    /// the handles of other callers' results.
    secret_handles: bool,
}

/// Returns a random number, which nobody can guess. The randomness comes from the hash seeds of the standard library.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl Store {
    /// Creates a store with unguessable handles. Several callers can share the store, because a caller cannot guess the
    /// handles of another caller's results.
    pub(crate) fn with_secret_handles() -> Self {
        Store { secret_handles: true, ..Store::default() }
    }

    /// Locks the results. The function ignores a poisoned lock, because a panic cannot leave the data in an
    /// inconsistent state.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a result and returns its handle.
    pub(crate) fn keep(&self, result: Stored) -> String {
        let mut shelf = self.shelf();
        shelf.count += 1;
        let handle = match self.secret_handles {
            true => format!("r{}-{:016x}", shelf.count, random()),
            false => format!("r{}", shelf.count),
        };

        shelf.bytes += result.bytes();
        shelf.results.push_back((handle.clone(), result));
        while shelf.results.len() > RESULTS || (shelf.bytes > BYTES && shelf.results.len() > 1) {
            let Some((_, oldest)) = shelf.results.pop_front() else { break };
            shelf.bytes -= oldest.bytes();
        }
        handle
    }

    /// Returns the result that is stored under a handle. Returns an error for an unknown handle.
    pub(crate) fn get(&self, handle: &str) -> Result<Stored, Problem> {
        let shelf = self.shelf();
        let found = shelf.results.iter().find(|(known, _)| known == handle);
        found.map(|(_, result)| result.clone()).ok_or_else(|| {
            let newest = shelf.results.iter().rev().take(if self.secret_handles { 0 } else { 5 });
            let known: Vec<_> = newest.map(|(name, _)| name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Problem::unknown(format!("no result is stored under `{handle}`; the newest handles are: {known}")).next(format!(
                "use the handle of a recent call, or call the operation again; only the last {RESULTS} results are stored"
            ))
        })
    }

    /// Returns all results with their handles, the oldest first.
    pub(crate) fn all(&self) -> Vec<(String, Stored)> {
        self.shelf().results.iter().cloned().collect()
    }

    /// Replaces the stored result of a handle by a result with more pages. Does nothing if the handle is unknown.
    pub(crate) fn replace(&self, handle: &str, result: Stored) {
        let mut shelf = self.shelf();
        let Some(index) = shelf.results.iter().position(|(known, _)| known == handle) else {
            return;
        };
        let (old, new) = (shelf.results[index].1.bytes(), result.bytes());
        shelf.bytes = shelf.bytes - old + new;
        shelf.results[index].1 = result;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::json_from_text;

    fn stored(text: &str) -> Stored {
        let rows = vec![json_from_text(text.to_owned())];
        Stored::new("test", rows, true)
    }

    #[test]
    fn the_oldest_make_room_and_are_named_as_gone() {
        let store = Store::default();
        for number in 0..RESULTS + 1 {
            store.keep(stored(&number.to_string()));
        }
        let problem = store.get("r1").expect_err("gone");
        assert_eq!(
            problem.message(),
            "no result is stored under `r1`; the newest handles are: r65, r64, r63, r62, r61"
        );
        assert_eq!(store.get("r2").expect("kept").json(), "[1]");
    }
}
