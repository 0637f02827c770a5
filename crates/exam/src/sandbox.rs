//! The sandbox of an exam: one seed, and a clock that stands still.

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// When all exams take place, 28 May 2026 20:26:40 UTC: the clock stands still, so that answers
/// stay right.
const MOMENT: UnixSeconds = UnixSeconds(1_780_000_000);

/// A sandbox of a seed.
pub(crate) async fn sandbox(seed: u64) -> Result<Sandbox, String> {
    let builder = Sandbox::builder().seed(seed).clock(Clock::stopped_at(MOMENT));
    builder.start().await.map_err(|error| error.to_string())
}
