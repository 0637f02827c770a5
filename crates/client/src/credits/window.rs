//! Free window of operations: a period after a paid call. According to the OpenAPI document, repeated calls of the
//! operation in this period are free.

use std::collections::BTreeMap;
use std::time::Duration;

use crypto_intel_core::Operation;
use tokio::time::Instant;

/// Time of the last paid call of each operation, by operation identifier. Only calls of this client are recorded.
#[derive(Debug, Default)]
pub(super) struct Windows(BTreeMap<&'static str, Instant>);

impl Windows {
    /// Returns true if a request at the time `at` is in the free window of an earlier paid request of the operation.
    pub(super) fn is_open(&self, operation: &Operation, at: Instant) -> bool {
        let Some(seconds) = operation.free_window else { return false };
        let window = Duration::from_secs(seconds.into());
        self.0
            .get(operation.id)
            .and_then(|paid| paid.checked_add(window))
            .is_some_and(|end| at < end)
    }

    /// Records the time `at` of a paid request. If the operation has a free window, the window starts at this time.
    pub(super) fn record_paid(&mut self, operation: &Operation, at: Instant) {
        self.0.insert(operation.id, at);
    }

    /// Ends the free window of an operation early. The ledger calls this method only if the service reports more
    /// credits for a call than the budget counted, for example 2 credits for a call that should be free. The next call
    /// of the operation counts with its list price.
    pub(super) fn close(&mut self, operation: &Operation) {
        self.0.remove(operation.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_is_open_until_its_end() {
        let windowed = crypto_intel_api::generated::catalogue::OPERATIONS
            .iter()
            .find(|one| one.free_window.is_some());
        let operation = windowed.expect("an operation with a free window");
        let window = Duration::from_secs(operation.free_window.unwrap().into());
        let (mut windows, at) = (Windows::default(), Instant::now());
        assert!(!windows.is_open(operation, at));

        windows.record_paid(operation, at);
        assert!(windows.is_open(operation, at));
        assert!(windows.is_open(operation, at + window - Duration::from_nanos(1)));
        assert!(!windows.is_open(operation, at + window));
    }
}
