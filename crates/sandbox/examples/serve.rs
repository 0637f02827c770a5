//! A sandbox to look at: `cargo run -p crypto-intel-sandbox --example serve -- [PORT] [TIME]`. It says
//! where it listens and runs until it is interrupted; a browser shows its page there. With a time,
//! in Unix seconds, its clock stands still.

use std::future::pending;
use std::io;

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let port = match args.next().map(|text| text.parse()) {
        None => 0,
        Some(Ok(port)) => port,
        Some(Err(_)) => return Err(io::Error::other("the port must be a number up to 65535")),
    };
    let clock = match args.next().map(|text| text.parse()) {
        None => Clock::system(),
        Some(Ok(time)) => Clock::stopped_at(UnixSeconds(time)),
        Some(Err(_)) => return Err(io::Error::other("the time must be in Unix seconds")),
    };

    let sandbox = Sandbox::builder().port(port).clock(clock).start().await?;
    println!("{}  key: {}", sandbox.url(), sandbox.key());
    pending().await
}
