//! Tests of connections that cause problems: requests from web pages of other origins, slow clients, too many
//! connections, and connections that stay open when the sandbox stops.

use std::time::Duration;

use crypto_intel_sandbox::Sandbox;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::builder;

/// Timeout after which a test assumes that the sandbox hangs. A test of a working sandbox ends much earlier.
const HANGS: Duration = Duration::from_secs(60);
const LARGE: &str = "GET /gateway/v1/market/ranking?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n";

async fn connect(sandbox: &Sandbox) -> TcpStream {
    TcpStream::connect(sandbox.url().trim_start_matches("http://")).await.unwrap()
}

/// Reads all bytes until the sandbox closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = timeout(HANGS, stream.read_to_end(&mut bytes)).await.expect("the sandbox hangs");
    // An error is accepted, because a reset closes the connection too.
    let _ = read;
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn answer(sandbox: &Sandbox, request: &str) -> String {
    let mut stream = connect(sandbox).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    rest(&mut stream).await
}

#[tokio::test]
async fn pages_of_other_sites_reach_nothing() {
    let sandbox = builder().control_token("open sesame").start().await.unwrap();
    let fault = "x-sandbox-token: open sesame\r\nContent-Length: 10\r\n\r\nstatus=503";
    for (head, status) in [
        ("Host: rebound.example\r\n", 421),
        ("Host: localhost\r\nOrigin: https://page.example\r\n", 403),
        ("Host: localhost\r\nOrigin: null\r\n", 403),
        ("Host: localhost\r\nHost: localhost\r\n", 400),
        ("", 400),
    ] {
        let request = format!("POST /sandbox/faults HTTP/1.1\r\n{head}{fault}");
        let answer = answer(&sandbox, &request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{head:?}: {answer}");
    }
    assert_eq!(sandbox.requests_served(), 0);

    let own = "Host: localhost\r\nOrigin: http://localhost:3000\r\n";
    let request = format!("POST /sandbox/faults HTTP/1.1\r\n{own}{fault}");
    assert!(answer(&sandbox, &request).await.starts_with("HTTP/1.1 204"));
    assert!(answer(&sandbox, LARGE).await.starts_with("HTTP/1.1 503"));
}

#[tokio::test]
async fn a_head_that_never_ends_is_given_up() {
    let brief = Duration::from_millis(50);
    let sandbox = builder().request_within(brief, HANGS).start().await.unwrap();
    for sent in ["", "P", "PRI * HTTP/2.0\r\n", "GET / HTTP/1.1\r\nHost: local"] {
        let mut stream = connect(&sandbox).await;
        stream.write_all(sent.as_bytes()).await.unwrap();
        let answer = rest(&mut stream).await;
        assert!(!answer.contains("HTTP/1.1 200"), "{sent:?}: {answer}");
    }
}

#[tokio::test]
async fn a_body_that_never_ends_is_answered_with_408() {
    let brief = Duration::from_millis(50);
    let sandbox = builder().request_within(HANGS, brief).start().await.unwrap();
    let mut stream = connect(&sandbox).await;
    let request = "POST /gateway/v1/onchain/sql HTTP/1.1\r\nHost: localhost\r\n\
        Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{\"sql\":";
    stream.write_all(request.as_bytes()).await.unwrap();

    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("did not arrive within 50ms"), "{answer}");
}

#[tokio::test]
async fn it_stops_whatever_its_connections_do() {
    let brief = Duration::from_millis(50);
    let sandbox = builder().stop_within(brief).start().await.unwrap();

    let mut open = Vec::new();
    let half_body =
        "POST /gateway/v1/onchain/sql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    for sent in ["", "GET / HTTP/1.1\r\nHost: local", half_body] {
        let mut stream = connect(&sandbox).await;
        stream.write_all(sent.as_bytes()).await.unwrap();
        open.push(stream);
    }

    // This client sends requests and never reads responses. At some point, neither side can write.
    let deaf = connect(&sandbox).await;
    let mut written = 0;
    while let Ok(Ok(())) = timeout(brief, deaf.writable()).await {
        match deaf.try_write(LARGE.as_bytes()) {
            Ok(bytes) => written += bytes,
            Err(_) => continue,
        }
        assert!(written < 1 << 28, "the sandbox reads without end");
    }

    timeout(HANGS, sandbox.stop()).await.expect("the sandbox hangs").unwrap();
}

/// An HTTP request that has a short response, because the method is wrong.
const SMALL: &str = "PUT /gateway/v1/market/ranking HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Sends the request [`SMALL`] on an open connection and returns the status code of the response.
async fn status(stream: &mut TcpStream) -> String {
    stream.write_all(SMALL.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"}}") {
        answer.push(timeout(HANGS, stream.read_u8()).await.expect("the sandbox hangs").unwrap());
    }
    String::from_utf8_lossy(&answer[9..12]).into_owned()
}

#[tokio::test]
async fn no_more_connections_than_allowed_are_served_at_once() {
    let sandbox = builder().connections(1).start().await.unwrap();
    let mut first = connect(&sandbox).await;
    assert_eq!(status(&mut first).await, "405");
    let mut second = connect(&sandbox).await;
    second.write_all(SMALL.as_bytes()).await.unwrap();

    // During these requests, a sandbox without the limit would also answer the second connection.
    for _ in 0..50 {
        assert_eq!(status(&mut first).await, "405");
    }
    let waiting = second.try_read(&mut [0; 1]).unwrap_err();
    assert_eq!(waiting.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(sandbox.requests_served(), 51);

    drop(first);
    let mut start = [0; 12];
    timeout(HANGS, second.read_exact(&mut start)).await.expect("the sandbox hangs").unwrap();
    assert_eq!((&start, sandbox.requests_served()), (b"HTTP/1.1 405", 52));
}
