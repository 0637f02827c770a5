//! Stores results under handles, so that agents can request further rows without a new request to the service.

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
/// Maximum size of all stored results together, in bytes. The oldest results are dropped first.
const BYTES: usize = 64 * 1024 * 1024;

/// Stored result of a tool call.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Identifier of the operation, or name of the tool, that produced the result.
    pub(crate) source: &'static str,
    /// Rows of the result, or its single value.
    pub(crate) rows: Arc<Vec<Json>>,
    pub(crate) is_list: bool,
    /// Other fields of the response than the rows, such as a summary.
    pub(crate) beside: Option<Json>,
    /// Metadata of the response that explain the rows, such as the reason for an empty list.
    pub(crate) meta: Option<Json>,
    /// Request and resume token of the next page. `None` after the last page.
    pub(crate) further: Option<(DynamicRequest, ResumeToken)>,
    /// State of the list after the last row of this result.
    pub(crate) completeness: Completeness,
    /// Error that ended the list after the rows of this result.
    pub(crate) failure: Option<Value>,
}

impl Stored {
    /// Creates a result that has no further pages.
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

    /// Returns the names of all documented fields of the rows. It includes fields that no row of this result has.
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

/// Stored results by their handles.
#[derive(Debug, Default)]
pub(crate) struct Store {
    shelf: Mutex<Shelf>,
    /// True if the handles of this store are unguessable, because several callers share it.
    secret_handles: bool,
}

/// Returns an unguessable number, which depends on the random seed of the standard library's hasher.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl Store {
    /// Creates a store for callers that must not read each other's results.
    pub(crate) fn with_secret_handles() -> Self {
        Store { secret_handles: true, ..Store::default() }
    }

    /// Locks the results. A panic cannot leave the data half changed, so a poisoned lock is usable.
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
            Problem::unknown(format!("there is no result `{handle}`; the newest are: {known}")).next(format!(
                "use a handle that a call returned; only the last {RESULTS} results are stored, so call the operation again"
            ))
        })
    }

    /// Returns all results with their handles, the oldest first.
    pub(crate) fn all(&self) -> Vec<(String, Stored)> {
        self.shelf().results.iter().cloned().collect()
    }

    /// Replaces the result that is stored under a handle, after another page was added to it.
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
            "there is no result `r1`; the newest are: r65, r64, r63, r62, r61"
        );
        assert_eq!(store.get("r2").expect("kept").json(), "[1]");
    }
}
