//! A sandbox to look at: `cargo run -p crypto-intel-sandbox --example serve -- [PORT]`. It says where
//! it listens and runs until it is interrupted; a browser shows its page there.

use std::future::pending;
use std::io;

use crypto_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> io::Result<()> {
    let port = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 0,
        Some(Ok(port)) => port,
        Some(Err(_)) => return Err(io::Error::other("the port must be a number up to 65535")),
    };
    let sandbox = Sandbox::builder().port(port).start().await?;
    println!("{}  key: {}", sandbox.url(), sandbox.key());
    pending().await
}
