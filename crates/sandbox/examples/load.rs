//! How many requests a second the sandbox answers: `cargo run --release -p crypto-intel-sandbox
//! --example load -- [SECONDS] [CONNECTIONS] [PATH]`.
//!
//! The client is written by hand on plain sockets with keep-alive, because a full client costs
//! more than the answer. It shares the processors with the sandbox.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crypto_intel_sandbox::Sandbox;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|text| text.parse().ok()).unwrap_or(5);
    let connections = args.next().and_then(|text| text.parse().ok()).unwrap_or(32);
    let path = args.next().unwrap_or_else(|| "/gateway/v1/exchange/price?pair=BTC/USDT".to_owned());

    let sandbox = Sandbox::start().await?;
    let address = sandbox.url().trim_start_matches("http://").to_owned();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\r\n",
        sandbox.key()
    );
    let (answered, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let start = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|_| {
            let (answered, done) = (Arc::clone(&answered), Arc::clone(&done));
            tokio::spawn(ask(address.clone(), request.clone(), answered, done))
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    done.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.map_err(io::Error::other)??;
    }
    let count = answered.load(Ordering::Relaxed);
    let rate = u128::from(count) * 1000 / start.elapsed().as_millis().max(1);
    println!(
        "{count} requests in {:?} over {connections} connections: {rate} a second",
        start.elapsed()
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        for line in
            status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"))
        {
            println!("{line}");
        }
    }
    sandbox.stop().await
}

/// Sends `request` again and again over one connection.
async fn ask(
    address: String,
    request: String,
    answered: Arc<AtomicU64>,
    done: Arc<AtomicBool>,
) -> io::Result<()> {
    let mut socket = TcpStream::connect(address).await?;
    let mut buffer = Vec::with_capacity(64 * 1024);
    while !done.load(Ordering::Relaxed) {
        socket.write_all(request.as_bytes()).await?;
        buffer.clear();
        let end = loop {
            if socket.read_buf(&mut buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(end) = length_of_answer(&buffer)?
                && buffer.len() >= end
            {
                break end;
            }
        };
        debug_assert_eq!(buffer.len(), end);
        answered.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// Bytes of head and body, once the head is there.
fn length_of_answer(buffer: &[u8]) -> io::Result<Option<usize>> {
    let Some(head) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&buffer[..head]);
    if !text.starts_with("HTTP/1.1 200") {
        return Err(io::Error::other(text.into_owned()));
    }
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
    });
    length.map(|length| Some(head + 4 + length)).ok_or_else(|| io::Error::other("no length"))
}
