//! Offers a Rust function to the model as a tool: `cargo run --example tools`

mod common;

use crypto_intel::chat::{Tool, Tools, user};
use crypto_intel::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Holding {
    /// Ticker in capitals, such as `BTC`.
    symbol: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _sandbox) = common::client().await?;
    let prices = client.clone();
    let worth = move |holding: Holding| {
        let client = prices.clone();
        async move {
            let amount = if holding.symbol == "BTC" { 0.25 } else { 10.0 };
            let price = client.market_price([holding.symbol.as_str()]).await?;
            let last = price.data.last().map(|point| point.value).unwrap_or_default();
            Ok::<_, crypto_intel::Error>(amount * last)
        }
    };
    let tools =
        Tools::new().with(Tool::new("worth_of_holding", "Worth of a holding in USD", worth));

    // The service documents tools only for this deprecated operation; see the documentation of `Tools`.
    #[allow(deprecated, reason = "the service documents tools only for this operation")]
    let request = client.chat_completions("svc-1.5-instant", [user("What is my BTC worth?")]);
    let done = tools.run(request).max_rounds(4).max_credits(20).await?;
    for run in &done.runs {
        println!("{}({}) gave {:?}", run.call.name, run.call.arguments, run.result);
    }
    println!("\n{}\n", done.answer.text());
    println!("{:?} after {} requests, {}", done.end, done.rounds, done.credits);
    Ok(())
}
