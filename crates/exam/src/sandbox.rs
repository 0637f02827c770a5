//! The sandbox of an exam: a seed, and a clock that stands still.

use std::io;

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// Time of all exams, 28 May 2026 20:26:40 UTC. The clock stands still, so that answers stay right.
const MOMENT: UnixSeconds = UnixSeconds(1_780_000_000);

/// [`MOMENT`] in the form in which tasks state it.
pub(crate) const NOW: &str = "2026-05-28T20:26:40Z";

/// Credits of the key, more than any task may spend.
const CREDITS: i64 = 1_000_000;

/// Starts a sandbox with a seed. It answers only calls with its key, which stays in this process.
pub(crate) async fn sandbox(seed: u64) -> Result<(Sandbox, String), String> {
    let key = format!("sk-{}", secret().map_err(|error| error.to_string())?);
    let builder = Sandbox::builder()
        .seed(seed)
        .clock(Clock::stopped_at(MOMENT))
        .key(&key, CREDITS)
        .require_key(true);
    let sandbox = builder.start().await.map_err(|error| error.to_string())?;
    Ok((sandbox, key))
}

/// 24 random bytes as hexadecimal digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
