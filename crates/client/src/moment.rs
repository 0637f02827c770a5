//! Moments to come.

use std::time::Duration;

use tokio::time::Instant;

/// Stands for "never" where the clock does not reach as far as a limit.
const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// The moment after this wait. `Duration::MAX` is a usual way to say "no limit", and services may
/// ask for any wait: neither may overflow the clock.
pub(crate) fn after(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or_else(|| now + NEVER)
}
