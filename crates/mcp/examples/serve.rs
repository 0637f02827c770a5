//! A server on a sandbox, to try clients on: `cargo run -p crypto-intel-mcp --example serve -- stdio|http [MAX-CREDITS]`.
//! Over HTTP it says where it listens and the token on standard output, and runs until it is interrupted.

use std::io;

use crypto_intel::Client;
use crypto_intel_mcp::http::Listen;
use crypto_intel_mcp::{Server, Settings};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// An example has no secrets.
const TOKEN: &str = "a-token-for-a-sandbox";

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let transport = args.next().unwrap_or_default();
    let cap = args.next().and_then(|text| text.parse().ok()).unwrap_or(500);

    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).control(true).start().await?;
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let settings = Settings::new().sandbox(true).max_credits(cap);
    let server = Server::new(builder, settings).map_err(io::Error::other)?;

    match transport.as_str() {
        "stdio" => server.serve_stdio().await,
        "http" => {
            let listener = Listen::new(TOKEN)?.bind(server).await?;
            println!("{} {TOKEN}", listener.url());
            listener.serve(std::future::pending()).await
        }
        _ => Err(io::Error::other("say `stdio` or `http`")),
    }
}
