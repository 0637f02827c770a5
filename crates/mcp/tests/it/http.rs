//! Streamable HTTP: who is let in, and a whole session.

use std::net::SocketAddr;

use crypto_intel_mcp::Settings;
use crypto_intel_mcp::http::Listen;
use crypto_intel_sandbox::Sandbox;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::common::{sandbox, server};

const TOKEN: &str = "a-token-of-enough-length";

struct Running {
    url: String,
    _sandbox: Sandbox,
    stop: Option<oneshot::Sender<()>>,
}

async fn running() -> Running {
    let sandbox = sandbox().await;
    let listen = Listen::new(TOKEN).expect("a token");
    let listener = listen.bind(server(&sandbox, Settings::new())).await.expect("a port");
    let url = listener.url();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(listener.serve(async {
        let _ = stopped.await;
    }));
    Running { url, _sandbox: sandbox, stop: Some(stop) }
}

fn initialize() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"}
        }
    })
}

fn post(url: &str) -> reqwest::RequestBuilder {
    reqwest::Client::new()
        .post(url)
        .header(ACCEPT, "application/json, text/event-stream")
        .header(CONTENT_TYPE, "application/json")
        .body(initialize().to_string())
}

#[tokio::test]
async fn who_is_let_in() {
    let running = running().await;
    let bearer = format!("Bearer {TOKEN}");
    let status = |request: reqwest::RequestBuilder| async {
        request.send().await.expect("an answer").status().as_u16()
    };

    let url = running.url.as_str();
    assert_eq!(status(post(url)).await, 401);
    assert_eq!(status(post(url).header(AUTHORIZATION, "Bearer wrong")).await, 401);
    assert_eq!(status(post(url).header(AUTHORIZATION, &bearer)).await, 200);
    let elsewhere = post(url).header(AUTHORIZATION, &bearer).header(HOST, "evil.example");
    assert_eq!(status(elsewhere).await, 403);
    let page = post(url).header(AUTHORIZATION, &bearer).header(ORIGIN, "http://evil.example");
    assert_eq!(status(page).await, 403);
}

#[tokio::test]
async fn it_listens_on_loopback_alone_and_stops() {
    let mut running = running().await;
    let address: SocketAddr = running
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/mcp")
        .parse()
        .expect("an address");
    assert!(address.ip().is_loopback());

    running.stop.take().expect("running").send(()).expect("running");
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_short_token_is_refused_and_none_is_shown() {
    assert!(Listen::new("short").is_err());
    assert!(Listen::new("with a blank in the middle").is_err());
    let listen = Listen::new(TOKEN).expect("a token");
    assert!(!format!("{listen:?}").contains(TOKEN));
}

#[tokio::test]
async fn a_session_lists_and_calls() {
    let running = running().await;
    let client = reqwest::Client::new();
    let bearer = format!("Bearer {TOKEN}");
    let send = |session: Option<String>, body: Value| {
        let mut request = client
            .post(&running.url)
            .header(AUTHORIZATION, &bearer)
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .header("mcp-protocol-version", "2025-06-18")
            .body(body.to_string());
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        async { request.send().await.expect("an answer") }
    };

    let started = send(None, initialize()).await;
    let session =
        started.headers().get("mcp-session-id").map(|id| id.to_str().expect("text").to_owned());
    assert!(session.is_some());
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(send(session.clone(), told).await.status().as_u16(), 202);

    let call = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "call_operation", "arguments": {"operation": "market-fear-greed", "jq": "length"}}
    });
    let answer = send(session, call).await.text().await.expect("text");
    let event = answer
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .find(|data| data.contains("result"));
    let event: Value = serde_json::from_str(event.expect("an event")).expect("JSON");
    assert!(event["result"]["structuredContent"]["service_data"].is_number(), "{event}");
}
