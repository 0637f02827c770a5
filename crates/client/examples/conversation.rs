//! Saves a chat conversation as JSON and resumes it: `cargo run --example conversation`

mod common;

use crypto_intel::chat::Thread;
use crypto_intel::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _sandbox) = common::client().await?;
    let mut thread = Thread::new("svc-2.0-instant").instructions("Answer in one sentence.");
    println!("> What is ETH?\n{}\n", thread.ask(&client, "What is ETH?").await?.text());

    let saved = serde_json::to_string_pretty(&thread)?;
    println!("Saved as {saved}\n");

    let mut thread: Thread = serde_json::from_str(&saved)?;
    println!("> And its supply?\n{}\n", thread.ask(&client, "And its supply?").await?.text());
    for (model, spent) in client.ledger().by_model() {
        println!("{}: {} calls, list price {}", model.model, spent.calls, spent.list_price);
    }
    Ok(())
}
