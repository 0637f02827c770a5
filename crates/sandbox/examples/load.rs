//! Measures how many requests per second the sandbox answers.
//!
//! Command: `cargo run --release -p crypto-intel-sandbox --example load -- [SECONDS] [CONNECTIONS] [WHAT]`.
//!
//! WHAT can be:
//! - `mix`: all data operations of the catalogue in turn, on every connection.
//! - `fresh`: like `mix`, but the sandbox's clock advances after each response, so no cached response is reused.
//! - `each`: each operation alone, one after the other. The output has one line per operation.
//! - The id of one operation.
//! - A URL path.
//!
//! After `mix` and `fresh`, the program also measures a server that always returns the same 2 KiB. The ratio of both
//! rates can be compared between machines. If other programs run at the same time, compare the processor time per
//! response instead of the rate.
//!
//! The client is written by hand on plain sockets with keep-alive, because a full HTTP client needs more processor time
//! than the sandbox. The client and the sandbox run in one process.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, In, Method, Operation, Price};
use crypto_intel_sandbox::{Clock, Sandbox, example};
use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let connections = args.next().and_then(|text| text.parse().ok()).unwrap_or(32);
    let what = args.next().unwrap_or_else(|| "mix".to_owned());
    let duration = Duration::from_secs_f64(seconds);

    let start = Instant::now();
    let sandbox = Sandbox::builder().key(KEY, i64::MAX).start().await?;
    println!("ready in {:?}", start.elapsed());
    let address = sandbox.url().trim_start_matches("http://").to_owned();
    let clock = (what == "fresh").then(|| sandbox.clock().clone());
    let data = OPERATIONS.iter().copied().filter(|operation| is_data(operation));

    match what.as_str() {
        "each" => {
            let mut rates = Vec::new();
            for operation in data {
                let requests = vec![request_of(operation, &address)];
                rates.push((
                    load(&address, requests, connections, duration, clock.as_ref()).await?.1,
                    operation.id,
                ));
            }
            rates.sort_unstable();
            rates.iter().for_each(|(rate, id)| println!("{rate:>8} a second  {id}"));
        }
        "mix" | "fresh" => {
            let requests: Vec<_> = data.map(|operation| request_of(operation, &address)).collect();
            println!("{} operations in turn", requests.len());

            let before = processor();
            let (count, rate) =
                load(&address, requests, connections, duration, clock.as_ref()).await?;
            say((count, rate), connections);
            println!("{} of processor time each, with its client", each(before, count));

            let bare = bare().await?;
            let requests = vec![request("GET", "/", &bare, "")];
            let before = processor();
            let (all, most) = load(&bare, requests, connections, duration, None).await?;
            #[expect(clippy::cast_precision_loss, reason = "thousands")]
            let share = rate as f64 / most.max(1) as f64;
            println!("bare axum: {most} a second, of which the above is {share:.3}");
            // `cargo xtask bench` reads this line.
            println!("ratio\tanswers a second\t{rate}\tbare axum\t{most}\ta second");
            println!("{} of processor time each", each(before, all));
        }
        other => {
            let known = OPERATIONS.iter().find(|operation| operation.id == other);
            let request = known.map_or_else(
                || request("GET", other, &address, ""),
                |operation| request_of(operation, &address),
            );
            say(
                load(&address, vec![request], connections, duration, clock.as_ref()).await?,
                connections,
            );
        }
    }

    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let memory = |line: &&str| line.starts_with("VmRSS") || line.starts_with("VmHWM");
        status.lines().filter(memory).for_each(|line| println!("{line}"));
    }
    sandbox.stop().await
}

const KEY: &str = "sk-load";

/// Returns the processor time of this program so far, in hundredths of a second; 0 if the system does not report it.
fn processor() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may contain spaces. After it, field 12 is the user time and field 13 the system time.
    let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
    fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Returns the mean processor time per response in microseconds, as text. `before` is the processor time at the start
/// of the measurement.
fn each(before: u64, count: u64) -> String {
    format!("{} µs", (processor() - before) * 10_000 / count.max(1))
}

/// Starts a server that always returns the same response of 2 KiB. Returns the address of the server.
async fn bare() -> io::Result<String> {
    let body = Value::String("x".repeat(2_046)).to_string();
    let answer = move || std::future::ready(([("content-type", "application/json")], body.clone()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let service = axum::Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, service).await });
    Ok(address)
}

fn say((count, rate): (u64, u64), connections: usize) {
    println!("{count} requests over {connections} connections: {rate} a second");
}

/// Returns true for all operations except chat endpoints and the operations on SQL jobs.
fn is_data(operation: &Operation) -> bool {
    let talks = operation.answer == Answer::Stream || matches!(operation.price, Price::ByModel(_));
    !talks && !operation.id.starts_with("onchain-sql-job")
}

/// Returns the text of an HTTP/1.1 request for `operation`, with the example values of its parameters.
fn request_of(operation: &Operation, address: &str) -> String {
    let mut path = operation.path.to_owned();
    let mut query = form_urlencoded::Serializer::new(String::new());
    let mut body = Map::new();

    for (name, value) in example::parameters(operation) {
        let text = example::written(&value);
        match operation.param(name).map(|(_, param)| param.location) {
            Some(In::Path) => path = path.replace(&format!("{{{name}}}"), &text),
            Some(In::Body) => drop(body.insert(name.to_owned(), value)),
            _ => drop(query.append_pair(name, &text)),
        }
    }

    let query = query.finish();
    let target = if query.is_empty() { path } else { format!("{path}?{query}") };
    let body = if operation.method == Method::GET {
        String::new()
    } else {
        Value::Object(body).to_string()
    };

    request(operation.method.as_str(), &target, address, &body)
}

fn request(method: &str, target: &str, address: &str, body: &str) -> String {
    let length = body.len();
    let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
    format!(
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {KEY}\r\n{kind}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Sends `requests` in turn over each of `connections` connections until `duration` has passed. Returns the number of
/// responses, and the responses per second.
async fn load(
    address: &str,
    requests: Vec<String>,
    connections: usize,
    duration: Duration,
    clock: Option<&Clock>,
) -> io::Result<(u64, u64)> {
    let (answered, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let requests = Arc::new(requests);
    let start = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|n| {
            // Each connection begins with a different request.
            let first = n * requests.len() / connections;
            let requests = (Arc::clone(&requests), first);

            tokio::spawn(ask(
                address.to_owned(),
                requests,
                Arc::clone(&answered),
                Arc::clone(&done),
                clock.cloned(),
            ))
        })
        .collect();
    tokio::time::sleep(duration).await;
    done.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.map_err(io::Error::other)??;
    }

    let count = answered.load(Ordering::Relaxed);
    let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    Ok((count, count * 1_000 / millis))
}

/// Sends `requests` in turn over one connection until `done` is true. Starts with the request at index `first`.
async fn ask(
    address: String,
    (requests, first): (Arc<Vec<String>>, usize),
    answered: Arc<AtomicU64>,
    done: Arc<AtomicBool>,
    clock: Option<Clock>,
) -> io::Result<()> {
    let mut socket = TcpStream::connect(address).await?;
    let mut buffer = Vec::with_capacity(64 * 1024);
    for request in requests.iter().cycle().skip(first) {
        if done.load(Ordering::Relaxed) {
            break;
        }

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
        if let Some(clock) = &clock {
            clock.advance(Duration::from_secs(1));
        }
    }

    Ok(())
}

/// Returns the length of an HTTP response in bytes: head and body together. `None` if the head has not arrived
/// completely.
///
/// # Errors
/// Returns an error if the status is not 2xx, or if the head has no `Content-Length`.
fn length_of_answer(buffer: &[u8]) -> io::Result<Option<usize>> {
    let Some(head) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&buffer[..head]);
    if !text.starts_with("HTTP/1.1 2") {
        return Err(io::Error::other(String::from_utf8_lossy(buffer).into_owned()));
    }
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
    });
    length.map(|length| Some(head + 4 + length)).ok_or_else(|| io::Error::other("no length"))
}
