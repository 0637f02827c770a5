//! Overrides, which are responses that a test sets in place of generated responses.
//!
//! A test adds an [`Override`] for an operation. The module `check` compares the override with the types of the
//! operation. An override consists of steps, such as a response and then an error. Each call of the operation takes the
//! next step ([`Overrides::take`]). The module `respond` builds the response from this step. The module `form` reads
//! and writes overrides as JSON.

mod check;
mod form;
mod respond;
mod script;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crypto_intel_core::Operation;
use crypto_intel_world::args::Args;
use serde_json::Value;

pub(crate) use form::{read, read_all};
pub(crate) use respond::{full_response, lay_over};
pub(crate) use script::Content;
pub use script::{InvalidOverride, Override};

/// An override and the operation to which it applies.
#[derive(Debug)]
struct Entry {
    operation: &'static Operation,
    script: Override,
}

/// All overrides of a sandbox.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    /// Overrides that are not used up, oldest first.
    entries: Mutex<Vec<Entry>>,
    /// True for a sandbox that records or replays. Such a sandbox generates no responses and accepts no overrides.
    is_taped: bool,
}

impl Overrides {
    pub(crate) fn new(is_taped: bool) -> Self {
        Overrides { is_taped, ..Overrides::default() }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an override for the operation with the id `operation`. If the operation already has an override and both
    /// overrides have equal conditions, the new override replaces the earlier override.
    ///
    /// # Errors
    /// Returns an error in these cases:
    ///
    /// - The sandbox records or replays responses.
    /// - The operation is unknown.
    /// - The override does not fit the operation, for example because of an unknown field.
    pub(crate) fn add(&self, operation: &str, script: Override) -> Result<(), InvalidOverride> {
        if self.is_taped {
            let problem = "a sandbox that records or replays accepts no overrides: edit the \
             recording, or start a sandbox that generates its responses";
            return Err(InvalidOverride(problem.to_owned()));
        }
        let operation = check::checked(operation, &script)?;
        let mut entries = self.entries();
        entries.retain(|entry| {
            entry.operation.id != operation.id || entry.script.conditions != script.conditions
        });
        entries.push(Entry { operation, script });
        Ok(())
    }

    /// Removes the overrides of the operation with the id `only`. If `only` is `None`, removes all overrides.
    pub(crate) fn clear(&self, only: Option<&str>) {
        self.entries().retain(|entry| only.is_some_and(|id| entry.operation.id != id));
    }

    /// Returns all overrides as JSON objects, in the format that the control path `/sandbox/answers` accepts.
    pub(crate) fn written(&self) -> Vec<Value> {
        self.entries()
            .iter()
            .map(|entry| form::override_json(entry.operation.id, &entry.script))
            .collect()
    }

    /// Finds the override that matches a call. An override has a list of steps, each of which sets one response.
    /// Returns the content of the next step, and marks the step as used. If several overrides match, the override with
    /// the most conditions is used. Among overrides with equally many conditions, the newest is used.
    pub(crate) fn take(&self, args: &Args) -> Option<Content> {
        let mut entries = self.entries();
        let meets = |entry: &Entry| is_for(entry, args.operation) && entry.script.accepts(args);
        let (index, _) = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| meets(entry))
            .max_by_key(|(index, entry)| (entry.script.conditions.len(), *index))?;

        let content = entries[index].script.next();
        if entries[index].script.is_over() {
            entries.remove(index);
        }
        content
    }
}

/// Returns true if an override applies to calls of `operation`. If an override has no `data` or `partial` step, the
/// override also applies to another operation with equal path and method. For example, an override of `responses` with
/// a `text` step also applies to `responses-stream`.
fn is_for(entry: &Entry, operation: &Operation) -> bool {
    let is_twin = entry.operation.path == operation.path
        && entry.operation.method == operation.method
        && entry.script.can_stream();
    entry.operation.id == operation.id || is_twin
}

#[cfg(test)]
mod tests;
