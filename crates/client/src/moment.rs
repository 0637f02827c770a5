//! Computes points in time in the future without overflow.

use std::time::Duration;

use tokio::time::Instant;

/// Wait that replaces a wait beyond the range of the clock.
const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// Returns the time after this wait. Programs use `Duration::MAX` for "no limit", and a service may ask for any wait,
/// so the addition must not overflow.
pub(crate) fn after(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or_else(|| now + NEVER)
}
