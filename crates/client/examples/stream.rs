//! Prints a chat answer while the model writes it: `cargo run --example stream`

mod common;

use std::io::Write;

use crypto_intel::{ErrorKind, prelude::*};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _sandbox) = common::client().await?;
    let mut answer = client.responses("svc-2.0-instant", "What moved ETH today?").stream().await?;
    loop {
        match answer.next_text().await {
            Ok(Some(text)) => {
                print!("{text}");
                std::io::stdout().flush()?;
            }
            Ok(None) => break,
            // The connection ended early. `into_answer` returns the part of the text that arrived before.
            Err(error) if error.kind() == ErrorKind::Truncated => break,
            Err(error) => return Err(error.into()),
        }
    }

    println!("\n");
    match answer.into_answer() {
        Ok(response) => {
            let tokens = response.usage.as_ref().and_then(|usage| usage.total_tokens);
            println!("{} after {} tokens", response.status, tokens.unwrap_or_default());
        }
        Err(unfinished) => {
            let (error, partial) = unfinished.into_parts();
            println!("{error}; {} characters had arrived", partial.text().chars().count());
        }
    }

    Ok(())
}
