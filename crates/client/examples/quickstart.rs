//! Prints a price history, a list with several pages, and metrics of a company as small tables.
//!
//! With `CRYPTO_INTEL_BASE_URL` and `CRYPTO_INTEL_API_KEY`, this program calls the service. Without
//! `CRYPTO_INTEL_BASE_URL`, it starts a sandbox in its own process. The sandbox needs no API key and sends nothing to
//! other machines.

use crypto_intel::{BASE_URL_VARIABLE, Client, Error, prelude::*};
use crypto_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The sandbox stops when it is dropped, so `_sandbox` keeps it until the end of `main`.
    let (client, _sandbox) = client().await?;
    prices(&client).await?;
    posts(&client).await?;
    figures(&client).await?;
    let spent = client.ledger().total();
    println!(
        "{} calls: list price {}, {} reported by the service",
        spent.calls, spent.list_price, spent.reported
    );
    Ok(())
}

async fn client() -> Result<(Client, Option<Sandbox>), Box<dyn std::error::Error>> {
    if std::env::var_os(BASE_URL_VARIABLE).is_some() {
        println!("Calling the service at ${BASE_URL_VARIABLE}.\n");
        return Ok((Client::from_env()?, None));
    }
    println!("{BASE_URL_VARIABLE} is not set: running on the sandbox, with invented data.\n");
    let sandbox = Sandbox::start().await?;
    let client = Client::builder().base_url(sandbox.url()).build()?;
    Ok((client, Some(sandbox)))
}

async fn prices(client: &Client) -> Result<(), Error> {
    let price = client.market_price("BTC").time_range("30d").await?;
    println!("BTC in USD, the last of {} points", price.data.len());
    for point in price.data.iter().rev().take(5).rev() {
        println!("  {}  {:>14.2}", point.timestamp, point.value);
    }
    println!();
    Ok(())
}

async fn posts(client: &Client) -> Result<(), Error> {
    println!("Posts of eth_daily, over pages of two");
    let mut posts = client.social_user_posts("eth_daily").limit(2).max_items(5).items();
    while let Some(post) = posts.try_next().await? {
        let text: String = post.text.chars().take(60).collect();
        println!("  {:>6} likes  {text}", post.stats.likes);
    }
    println!();
    Ok(())
}

async fn figures(client: &Client) -> Result<(), Error> {
    let statements = client.equity_income_statement("AAPL").period("annual").await?;
    let Some(statement) = statements.data.first() else {
        println!("No income statement of AAPL");
        return Ok(());
    };
    println!("AAPL, year to {}, in {}", statement.report_period, statement.currency);
    for (name, metric) in statement.metrics().into_iter().take(8) {
        match metric.require() {
            Ok(value) => println!("  {name:<32} {value:>20.2}"),
            Err(_) => println!("  {name:<32} {:>20}", metric.status),
        }
    }
    println!();
    Ok(())
}
