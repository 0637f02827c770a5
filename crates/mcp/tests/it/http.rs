//! Tests of streamable HTTP: access control, sessions, and separate results per session.

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
async fn requests_without_token_or_with_foreign_host_are_rejected() {
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
async fn server_listens_on_loopback_and_stops() {
    let mut running = running().await;
    let address: SocketAddr = running
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/mcp")
        .parse()
        .expect("an address");
    assert!(address.ip().is_loopback());

    running.stop.take().expect("running").send(()).expect("running");
    let closed = async {
        while tokio::net::TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    let limit = std::time::Duration::from_secs(30);
    tokio::time::timeout(limit, closed).await.expect("the port is closed");
}

#[test]
fn short_token_is_rejected_and_debug_hides_tokens() {
    assert!(Listen::new("short").is_err());
    assert!(Listen::new("with a blank in the middle").is_err());
    let listen = Listen::new(TOKEN).expect("a token");
    assert!(!format!("{listen:?}").contains(TOKEN));
}

/// An HTTP client with an MCP session.
struct Session {
    url: String,
    id: Option<String>,
    /// API key that the caller sends. `None` means that the caller uses the server's key.
    key: Option<&'static str>,
}

impl Session {
    async fn start(url: &str) -> Self {
        let mut session = Session { url: url.to_owned(), id: None, key: None };
        let started = session.send(initialize()).await;
        let id = started.headers().get("mcp-session-id").expect("an identifier");
        session.id = Some(id.to_str().expect("text").to_owned());
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.send(told).await.status().as_u16(), 202);
        session
    }

    async fn send(&self, body: Value) -> reqwest::Response {
        let mut request = reqwest::Client::new()
            .post(&self.url)
            .bearer_auth(TOKEN)
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .header("mcp-protocol-version", "2025-06-18")
            .body(body.to_string());
        if let Some(id) = &self.id {
            request = request.header("mcp-session-id", id);
        }
        if let Some(key) = self.key {
            request = request.header(crypto_intel_mcp::http::KEY, key);
        }
        request.send().await.expect("an answer")
    }

    /// Calls a tool and returns its structured content.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let body = json!({
            "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}
        });
        let answer = self.send(body).await.text().await.expect("text");
        let event = answer
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .find(|data| data.contains("result"));
        let mut event: Value = serde_json::from_str(event.expect("an event")).expect("JSON");
        event["result"]["structuredContent"].take()
    }
}

#[tokio::test]
async fn a_session_calls_a_tool() {
    let running = running().await;
    let session = Session::start(&running.url).await;
    let arguments = json!({"operation": "market-fear-greed", "jq": "length"});
    let answer = session.call("call_operation", arguments).await;
    assert!(answer["service_data"].is_number(), "{answer}");
}

/// Runs checks of other tests again, with HTTP between the client and the MCP server. The checks cover expensive jq
/// programs, jq programs with unknown fields, incomplete results, large errors and invisible characters.
#[tokio::test]
async fn safety_and_truth_of_results_hold_over_http() {
    let running = running().await;
    let session = Session::start(&running.url).await;
    let ranking = |jq: Value| json!({"operation": "market-ranking", "jq": jq});
    for bomb in ["\"a\" * 10000000000", "def f: [f]; f", "[limit(100000000; repeat(1))]"] {
        let failed = session.call("call_operation", ranking(bomb.into())).await;
        assert!(failed["next_step"].is_string(), "{bomb}: {failed}");
        let next = session.call("read_result", json!({"handle": "r1", "jq": "length"})).await;
        assert_eq!(next["service_data"], 20, "{bomb}: {next}");
    }

    let cut = session.call("call_operation", ranking(Value::Null)).await;
    assert_eq!(cut["incomplete"]["state"], "more_available", "{cut}");
    assert!(cut["incomplete"]["total"].is_u64() && cut["incomplete"]["next"].is_string(), "{cut}");

    let missing = session.call("call_operation", ranking("sum(.nope)".into())).await;
    assert!(
        missing["message"].as_str().is_some_and(|text| text.contains("price_usd")),
        "{missing}"
    );
    let large = session.call("call_operation", ranking(".foo".into())).await;
    assert!(large.to_string().len() < 2_000, "{large}");

    let hidden = json!({"symbol": "B\u{202e}T\u{200b}C\u{e0041}"});
    let call = json!({"operation": "market-price", "arguments": hidden});
    let refused = session.call("call_operation", call).await.to_string();
    assert!(refused.contains("NOT_FOUND"), "{refused}");
    assert!(!refused.contains(['\u{202e}', '\u{200b}', '\u{e0041}']), "{refused}");
}

/// Tests several sessions at the same time. Each session stores 0 to 5 results. A session can read its own results. For
/// a handle of another session, it gets an error.
#[tokio::test]
async fn a_handle_of_one_session_is_unknown_in_all_others() {
    const SESSIONS: u64 = 20;
    const MOST: u64 = 6;
    let running = running().await;
    let url = running.url.as_str();
    let store = |number: u64| async move {
        let session = Session::start(url).await;
        for row in 1..=number % MOST {
            let query = format!("SELECT {number} AS session, {row} AS result");
            let answer = session.call("sql", json!({"query": query})).await;
            assert_eq!(answer["handle"], format!("r{row}"), "{answer}");
        }
        (number, session)
    };
    let sessions = futures_util::future::join_all((0..SESSIONS).map(store)).await;

    let mut crossings = 0;
    let mut own = 0;
    for row in 1..=MOST {
        let read = sessions.iter().map(|(number, session)| async move {
            let handle = json!({"handle": format!("r{row}")});
            let over = json!({"query": format!("SELECT * FROM r{row}"), "over_results": true});
            (*number, session.call("read_result", handle).await, session.call("sql", over).await)
        });
        for (number, read, queried) in futures_util::future::join_all(read).await {
            for answer in [read, queried] {
                match (row <= number % MOST, answer["service_data"][0]["session"].as_u64()) {
                    // A query stores its result under the next handle of its own session.
                    (_, Some(found)) if found == number => own += 1,
                    (false, None) => assert!(answer["error"].is_string(), "{answer}"),
                    _ => crossings += 1,
                }
            }
        }
    }
    assert_eq!(crossings, 0);
    assert!(own >= 2 * (0..SESSIONS).map(|number| number % MOST).sum::<u64>(), "{own}");
}

/// Tests callers that send their own API keys. Each caller spends the credits of its own account, and has its own
/// credit limit.
#[tokio::test]
async fn key_cap_and_ledger_of_a_caller_are_its_own() {
    let keys = ["sk-caller-one-0123456789", "sk-caller-two-0123456789"];
    let builder = Sandbox::builder().free_repeats(std::time::Duration::ZERO);
    let builder = keys
        .iter()
        .fold(builder.key("sk-of-the-server-01234", 100), |builder, key| builder.key(*key, 100));
    let sandbox = builder.start().await.expect("a free port");
    let listen = Listen::new(TOKEN).expect("a token");
    let listener = listen.bind(server(&sandbox, Settings::new().max_credits(5))).await;
    let listener = listener.expect("a port");
    let url = listener.url();
    tokio::spawn(listener.serve(std::future::pending()));

    let (mut one, mut two) = (Session::start(&url).await, Session::start(&url).await);
    (one.key, two.key) = (Some(keys[0]), Some(keys[1]));
    let call = json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "jq": "length"});
    for _ in 0..2 {
        assert!(one.call("call_operation", call.clone()).await["service_data"].is_number());
    }
    let over = one.call("call_operation", call.clone()).await;
    assert_eq!(over["error"], "over the credit cap", "{over}");

    // The credit limit of the second key is not used up, and each session has its own limit for this key.
    let other = two.call("call_operation", call.clone()).await;
    assert_eq!(other["credits"]["left"], 3, "{other}");
    one.key = Some(keys[1]);
    let other = one.call("call_operation", call.clone()).await;
    assert_eq!((&other["credits"]["left"], &other["handle"]), (&json!(3), &json!("r1")), "{other}");
    let second = json!({"handle": "r2"});
    assert_eq!(one.call("read_result", second.clone()).await["error"], "not found");
    one.key = Some(keys[0]);
    assert!(one.call("read_result", second).await["service_data"].is_object());
    assert_eq!(one.call("credits", json!({})).await["connection"]["reported"], 4);

    let charged = keys.map(|key| sandbox.charged(key).expect("a key"));
    assert_eq!(charged, [4, 4]);
    assert_eq!(sandbox.charged("sk-of-the-server-01234"), Some(0));
}
