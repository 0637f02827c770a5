//! Fuzzes the MCP server with random bytes on its connection. After these bytes, the server must still answer a valid
//! message. Every line that it sends must be JSON.
#![no_main]

use std::convert::Infallible;
use std::time::Duration;

use crypto_intel::http::{Request, Response};
use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::{Client, RetryPolicy};
use crypto_intel_mcp::{Server, Settings};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, split};

const START: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
    r#""clientInfo":{"name":"fuzz","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);
const PING: &str = "\n{\"jsonrpc\":\"2.0\",\"id\":\"the last one\",\"method\":\"ping\"}\n";
const ROWS: &str = r#"{"data":[{"symbol":"BTC","value":1.50}],"meta":{"credits_used":1}}"#;

fuzz_target!(|bytes: &[u8]| {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let answered = runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(15), session(bytes)).await });
    assert!(answered.is_ok(), "the server did not answer the last message");
});

async fn session(bytes: &[u8]) {
    let service = service_fn(|_: Request<Body>| async {
        Ok::<_, Infallible>(Response::new(Body::from(ROWS)))
    });
    let builder = Client::builder().base_url("http://service.example").http_service(service);
    let server =
        Server::new(builder.retry(RetryPolicy::none()), Settings::new()).expect("a server");
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let serving = tokio::spawn(async move {
        if let Ok(running) = rmcp::serve_server(server, theirs).await {
            let _ = running.waiting().await;
        }
    });

    let (from, mut to) = split(ours);
    for part in [START.as_bytes(), bytes, PING.as_bytes()] {
        to.write_all(part).await.expect("an open connection");
    }
    let mut lines = BufReader::new(from).lines();
    loop {
        let line = lines.next_line().await.expect("text").expect("the server is still there");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message["id"] == "the last one" {
            break;
        }
    }
    serving.abort();
}
