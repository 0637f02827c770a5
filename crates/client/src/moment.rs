//! Computes future points in time without overflow.

use std::time::Duration;

use tokio::time::Instant;

/// Wait of 30 years. It replaces a wait that is too long for the clock, such as `Duration::MAX`.
const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// Returns the point in time when this wait ends. If the addition would overflow, the function uses a wait of 30 years.
/// Very long waits are possible: programs use `Duration::MAX` for "no limit", and a service may ask for any wait.
pub(crate) fn instant_after(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or_else(|| now + NEVER)
}
