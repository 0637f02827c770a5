//! Runs the Rust samples of the API reference against the sandbox.

use crypto_intel::credits::Budget;
use crypto_intel::{Client, ErrorKind};
use crypto_intel_sandbox::Sandbox;

use super::reference::SAMPLES;

/// Budget of each sample in credits. A sample that reads a long list fails when the budget is used up. The test accepts
/// this error.
const CREDITS: u64 = 20;

#[tokio::test]
async fn every_rust_sample_of_the_reference_returns_data() {
    let sandbox = Sandbox::start().await.unwrap();
    let mut failed = Vec::new();
    for (operation, sample) in SAMPLES {
        let before = sandbox.requests_served();
        let client = Client::builder()
            .api_key(sandbox.key())
            .base_url(sandbox.url())
            .budget(Budget::credits(CREDITS).allow_unknown())
            .build()
            .unwrap();
        let error = sample(&client).await.err();
        let is_end = error.as_ref().is_none_or(|error| error.kind() == ErrorKind::OverBudget);
        if !is_end || sandbox.requests_served() == before {
            failed.push(format!("{operation}: {error:?}"));
        }
    }
    assert!(failed.is_empty(), "{}:\n{}", failed.len(), failed.join("\n"));
}
