//! Overrides: responses that a test defines instead of generated ones.
//!
//! In: an [`Override`] for an operation. `check` compares it with the record tables when it is added. Out: each call
//! of the operation uses the next step ([`Overrides::take`]), and `respond` builds the response from the step. `form`
//! is the JSON form, for the control path and saved sandboxes.

mod check;
mod form;
mod respond;
mod script;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crypto_intel_core::Operation;
use crypto_intel_world::args::Args;
use serde_json::Value;

pub(crate) use form::{read, read_all};
pub(crate) use respond::{given, lay_over};
pub(crate) use script::Content;
pub use script::{InvalidOverride, Override};

/// An override of an operation.
#[derive(Debug)]
struct Entry {
    operation: &'static Operation,
    script: Override,
}

/// The overrides of a sandbox.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    /// Overrides, oldest first.
    entries: Mutex<Vec<Entry>>,
    /// True for a sandbox that records or replays. It generates no responses.
    is_taped: bool,
}

impl Overrides {
    pub(crate) fn new(is_taped: bool) -> Self {
        Overrides { is_taped, ..Overrides::default() }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an override. It replaces an earlier override of the operation with equal conditions.
    ///
    /// # Errors
    /// If the operation is unknown, or cannot return such a response.
    pub(crate) fn add(&self, operation: &str, script: Override) -> Result<(), InvalidOverride> {
        if self.is_taped {
            let problem = "a sandbox that records or replays accepts no overrides: edit its \
             recording, or start another sandbox";
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

    /// Removes the overrides of an operation, or all.
    pub(crate) fn clear(&self, only: Option<&str>) {
        self.entries().retain(|entry| only.is_some_and(|id| entry.operation.id != id));
    }

    /// Returns the overrides as JSON, in the form in which the control path accepts them.
    pub(crate) fn written(&self) -> Vec<Value> {
        self.entries()
            .iter()
            .map(|entry| form::written(entry.operation.id, &entry.script))
            .collect()
    }

    /// Takes the next step for a call from the matching override with the most conditions. If several have equally
    /// many, the newest is used.
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

/// Returns true if an override applies to calls of `operation`: to its own operation, and to the streaming variant if
/// each step can be streamed.
fn is_for(entry: &Entry, operation: &Operation) -> bool {
    let is_twin = entry.operation.path == operation.path
        && entry.operation.method == operation.method
        && entry.script.can_stream();
    entry.operation.id == operation.id || is_twin
}

#[cfg(test)]
mod tests;
