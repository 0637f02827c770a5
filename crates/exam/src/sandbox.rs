//! The sandbox of an exam: a seed, and a clock that stands still.

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// Time of all exams, 28 May 2026 20:26:40 UTC. The clock stands still, so that answers stay right.
const MOMENT: UnixSeconds = UnixSeconds(1_780_000_000);

/// Starts a sandbox with a seed.
pub(crate) async fn sandbox(seed: u64) -> Result<Sandbox, String> {
    let builder = Sandbox::builder().seed(seed).clock(Clock::stopped_at(MOMENT));
    builder.start().await.map_err(|error| error.to_string())
}
