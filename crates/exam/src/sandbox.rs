//! The sandbox of an exam. It has no socket, so only this process can reach it. It also requires a random API key.

use std::io;
use std::time::Duration;

use crypto_intel::{Client, ClientBuilder};
use crypto_intel_sandbox::{Clock, Sandbox};

use crate::seed::Seed;

/// Base URL of requests to the sandbox. No server has this URL, because the requests do not leave this process.
const URL: &str = "http://exam.example";

/// Starts a sandbox with the data of a seed. Returns the sandbox, and a builder for clients that send their requests to
/// it.
pub(crate) fn start(seed: Seed) -> Result<(Sandbox, ClientBuilder), String> {
    let key = format!("sk-{}", secret().map_err(|error| error.to_string())?);
    let builder = Sandbox::builder()
        .seed(seed.world())
        .clock(Clock::stopped_at(seed.exam_time()))
        .key(&key, seed.credits())
        .require_key(true)
        // No repeated call is free, so that the budget of a task counts every page.
        .free_repeats(Duration::ZERO);
    let sandbox = builder.without_socket().map_err(|error| error.to_string())?;
    let client = Client::builder().base_url(URL).api_key(key).http_service(sandbox.service());
    Ok((sandbox, client))
}

/// Returns 24 random bytes as hexadecimal digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
