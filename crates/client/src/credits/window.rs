//! The free window: within it, the interface text says, a repeat call costs nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use crypto_intel_core::Operation;
use tokio::time::Instant;

/// When each operation was last paid for, as far as this client knows.
#[derive(Debug, Default)]
pub(super) struct Windows(BTreeMap<&'static str, Instant>);

impl Windows {
    /// Whether a request that leaves at `at` falls into the window of one before it.
    pub(super) fn is_open(&self, operation: &Operation, at: Instant) -> bool {
        let Some(seconds) = operation.free_window else { return false };
        let window = Duration::from_secs(seconds.into());
        self.0
            .get(operation.id)
            .and_then(|paid| paid.checked_add(window))
            .is_some_and(|end| at < end)
    }

    /// A request that left at `at` was paid for.
    pub(super) fn paid(&mut self, operation: &Operation, at: Instant) {
        self.0.insert(operation.id, at);
    }

    /// The service charged within the window: the next call counts in full again.
    pub(super) fn close(&mut self, operation: &Operation) {
        self.0.remove(operation.id);
    }
}
