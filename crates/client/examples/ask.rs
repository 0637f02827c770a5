//! Asks the model one question, and prints the answer and the credits used: `cargo run --example ask -- What moved ETH
//! today?`

mod common;

use crypto_intel::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _sandbox) = common::client().await?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let question =
        if words.is_empty() { "What moved ETH today?".to_owned() } else { words.join(" ") };

    let request = client.responses("svc-2.0", question).effort("low");
    println!("The estimated cost by list price is {}.\n", request.estimate());
    let answer = request.await?;
    println!("{}\n", answer.text());

    let spent = client.ledger().total();
    println!("list price {}, {} reported by the service", spent.list_price, spent.reported);
    Ok(())
}
