//! Property test for invisible characters. A simulated service sends these characters. The MCP server must not pass any
//! of them on to its client.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::{Client, RetryPolicy, http};
use crypto_intel_mcp::{Server, Settings};
use proptest::prelude::*;
use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::common::{Listener, jq_worker};

/// A simulated service that puts one text into all parts of its responses: values, field names, errors and headers.
#[derive(Debug, Clone)]
struct Hostile {
    /// Text that the service puts into JSON strings of the response body, with JSON escapes.
    spelled: String,
    /// Text that the service puts into the response headers, without JSON escapes.
    raw: String,
    status: u16,
}

impl Hostile {
    fn response(&self) -> http::Response<Body> {
        let text = &self.spelled;
        let row = format!(
            r#"{{"symbol":"{text}","{text}":"{text}","value":1.50,"list":["{text}"],"inner":{{"{text}":"{text}"}},"text":"{text}"}}"#
        );
        let body = match self.status {
            200 => format!(
                r#"{{"data":[{row},{row},{row}],"columns":["{text}"],"note":"{text}","meta":{{"cached":false,"credits_used":1,"empty_reason":"{text}","watermark":"{text}"}},"pagination":{{"has_more":true,"next_cursor":"{text}"}}}}"#
            ),
            _ => format!(
                r#"{{"error":{{"code":"{text}","message":"{text}","recommended_action":"{text}","details":{{"{text}":"{text}"}}}}}}"#
            ),
        };
        let mut response = http::Response::new(Body::from(body));
        *response.status_mut() = http::StatusCode::from_u16(self.status).expect("a status");
        for name in ["x-request-id", "retry-after", "deprecation", "sunset", "content-language"] {
            if let Ok(value) = http::HeaderValue::from_bytes(self.raw.as_bytes()) {
                response.headers_mut().insert(name, value);
            }
        }
        let json = http::HeaderValue::from_static("application/json");
        response.headers_mut().insert("content-type", json);
        response
    }
}

/// Copies bytes from a reader to a writer, and records them in `seen`.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    seen: Arc<Mutex<Vec<u8>>>,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        seen.lock().expect("no panic").extend_from_slice(&buffer[..count]);
        if to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
}

/// Connects a client to an MCP server, which uses the simulated service `hostile`. The client calls general and typed
/// tools, and reads resources. Returns all bytes that the MCP server sent to the client.
async fn bytes_sent(hostile: Hostile) -> String {
    let service = service_fn(move |_: http::Request<Body>| {
        let response = hostile.response();
        async move { Ok::<_, Infallible>(response) }
    });
    let builder = Client::builder()
        .base_url("http://service.example")
        .http_service(service)
        .retry(RetryPolicy::new().attempts(1));
    let settings = Settings::new().tool("all").allow_unpriced(true).jq_worker(jq_worker());
    let server = Server::new(builder, settings).expect("a server");

    let (ours, near) = tokio::io::duplex(1 << 16);
    let (far, theirs) = tokio::io::duplex(1 << 16);
    let seen: Arc<Mutex<Vec<u8>>> = Arc::default();
    let (from_client, to_client) = tokio::io::split(near);
    let (from_server, to_server) = tokio::io::split(far);
    tokio::spawn(copy(from_client, to_server, Arc::default()));
    tokio::spawn(copy(from_server, to_client, seen.clone()));
    tokio::spawn(async move {
        if let Ok(running) = rmcp::serve_server(server, theirs).await {
            let _ = running.waiting().await;
        }
    });
    let client = Listener::default().serve(ours).await.expect("a connection");

    for (tool, arguments) in calls() {
        let arguments = arguments.as_object().expect("an object").clone();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        client.call_tool(params).await.expect("a result");
    }
    for handle in ["r1", "r2", "r9"] {
        let request = ReadResourceRequestParams::new(format!("cintel://results/{handle}"));
        let _ = client.read_resource(request).await;
    }
    let seen = seen.lock().expect("no panic").clone();
    String::from_utf8(seen).expect("UTF-8")
}

fn calls() -> Vec<(&'static str, Value)> {
    let price = json!({"operation": "market-price", "arguments": {"symbol": "BTC"}});
    vec![
        ("call_operation", price.clone()),
        ("call_operation", json!({"operation": "news-feed", "pages": 2})),
        (
            "call_operation",
            json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "jq": ".[0]"}),
        ),
        ("call_side_by_side", json!({"calls": [price, {"operation": "market-ranking"}]})),
        ("read_result", json!({"handle": "r1"})),
        ("read_result", json!({"handle": "r1", "jq": "map(error(.symbol))"})),
        ("read_result", json!({"handle": "r2", "next_page": true})),
        ("sql", json!({"query": "SELECT 1"})),
        ("sql", json!({"query": "SELECT 1", "preflight": true})),
        ("sql", json!({"query": "SELECT * FROM r1", "over_results": true})),
        ("sql", json!({"query": "SELECT toInt64(symbol) FROM r1", "over_results": true})),
        ("ask", json!({"question": "How is BTC?"})),
        ("credits", json!({})),
        ("market_price", json!({"symbol": "BTC"})),
        ("onchain_sql_job_create", json!({"sql": "SELECT 1"})),
        ("web_fetch", json!({"url": "https://news.example"})),
    ]
}

/// Returns true for invisible characters that the server's messages must not contain. Returns false for the joiners
/// U+200C and U+200D, because some scripts and emoji need these characters.
fn is_invisible(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
        || matches!(letter, '\u{ad}' | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Finds all strings and field names with invisible characters in a JSON value. Appends these strings and names to
/// `found`, with Unicode escapes. If a string is the JSON text of an object or a list, also searches this JSON.
fn hidden(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if text.contains(is_invisible) {
                found.push(text.escape_unicode().to_string());
            }
            if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                hidden(&inner, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| hidden(item, found)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            hidden(&Value::from(name.clone()), found);
            hidden(value, found);
        }),
        _ => {}
    }
}

fn letter() -> impl Strategy<Value = (char, bool)> {
    let letter = prop_oneof![
        prop::char::range('\u{200b}', '\u{206f}'),
        prop::char::range('\u{e0000}', '\u{e01ef}'),
        prop::char::range('\u{fe00}', '\u{fe0f}'),
        prop::char::range('\u{1}', '\u{9f}'),
        Just('\u{feff}'),
    ];
    (letter, any::<bool>())
}

/// Writes a text as a JSON string without quotes. A character with the flag `true` is written as a JSON escape.
fn spelled(letters: &[(char, bool)]) -> String {
    let mut text = String::new();
    for (letter, is_escaped) in letters {
        let mut units = [0; 2];
        match letter {
            '"' | '\\' => text.extend(['\\', *letter]),
            _ if *is_escaped || *letter < ' ' => letter
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| text.push_str(&format!("\\u{unit:04X}"))),
            _ => text.push(*letter),
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn bytes_of_the_server_have_no_invisible_characters(
        letters in prop::collection::vec(letter(), 1..8),
        status in prop::sample::select(vec![200, 200, 200, 400, 401, 402, 404, 408, 422, 429, 500, 503]),
    ) {
        let raw = letters.iter().map(|(letter, _)| *letter).collect();
        let hostile = Hostile { spelled: spelled(&letters), raw, status };
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let sent = runtime.block_on(bytes_sent(hostile));
        prop_assert!(sent.len() > 5_000);

        let mut found = Vec::new();
        for line in sent.lines() {
            prop_assert!(!line.contains(is_invisible), "{line}");
            hidden(&serde_json::from_str(line).expect("a message"), &mut found);
            prop_assert!(found.is_empty(), "{found:?} in {}", &line[..line.len().min(2000)]);
        }
    }
}
