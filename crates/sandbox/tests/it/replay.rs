//! Tests of replayed recordings. They test the matching of requests, the order of responses, missing recordings, and
//! invalid files.

use std::fs;
use std::path::Path;

use crypto_intel_sandbox::{Fault, Sandbox};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Bench, builder, seen};

/// Writes a recording file with one HTTP exchange.
fn tape(dir: &Path, name: &str, request: Value, response: Value) {
    let file = json!({"tape": 1, "recorded_at": "", "request": request, "response": response});
    fs::write(dir.join(format!("{name}.json")), serde_json::to_string_pretty(&file).unwrap())
        .unwrap();
}

fn get(path: &str, query: Value) -> Value {
    json!({"method": "GET", "path": path, "query": query, "body": null})
}

fn says(status: u16, text: &str) -> Value {
    json!({"status": status, "headers": {"content-type": "text/plain", "retry-after": "3"},
        "body": {"text": text}})
}

async fn replaying(dir: &TempDir) -> Bench {
    Bench::from_builder(builder().replay(dir.path())).await
}

#[tokio::test]
async fn answers_come_in_order_and_then_the_last_again() {
    let dir = TempDir::new().unwrap();
    let request = get("/gateway/v1/x", json!([["b", "2"], ["a", "1 2"]]));
    tape(dir.path(), "x-0001", request.clone(), says(429, "wait"));
    tape(dir.path(), "x-0002", request, says(200, "fine"));
    let bench = replaying(&dir).await;
    let url = format!("{}/gateway/v1/x?a=1+2&b=2", bench.sandbox.url());
    let first = bench.http.get(&url).send().await.unwrap();

    assert_eq!(first.status(), 429);
    assert_eq!(
        (&first.headers()["retry-after"], &first.headers()["content-type"]),
        (&"3".parse().unwrap(), &"text/plain".parse().unwrap())
    );

    for _ in 0..3 {
        let answer = bench.get("/gateway/v1/x?b=2&a=1%202").await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "fine"));
    }

    assert_eq!(bench.sandbox.requests().len(), 4);

    bench.sandbox.inject(Fault::status(503).times(1)).unwrap();
    assert_eq!(bench.get("/gateway/v1/x?b=2&a=1%202").await.status, 503);
}

#[tokio::test]
async fn bodies_match_whatever_the_order_of_their_members() {
    let dir = TempDir::new().unwrap();
    let body = json!({"json": {"input": "q", "model": "m", "metadata": {"a": 1, "b": 2}}});
    let request =
        json!({"method": "POST", "path": "/gateway/v1/responses", "query": [], "body": body});
    let answer = json!({"status": 200, "headers": {}, "body": {"base64": "AP8="}});
    tape(dir.path(), "responses", request, answer);
    let bench = replaying(&dir).await;
    let url = format!("{}/gateway/v1/responses", bench.sandbox.url());
    let body = r#"{"metadata": {"b": 2, "a": 1}, "model": "m", "input": "q"}"#;
    let answer = bench.http.post(&url).body(body).send().await.unwrap();

    assert_eq!(answer.bytes().await.unwrap().as_ref(), [0, 255]);

    let missed = seen(bench.http.post(&url).body(r#"{"model": "m", "input": "other"}"#)).await;
    assert_eq!(missed.status, 404);
    assert_eq!(missed.json["error"]["code"], "NOT_RECORDED");

    let message = missed.json["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("other")
            && message
                .contains(r#"similar recorded requests: POST /gateway/v1/responses {"input":"q""#),
        "{message}"
    );
}

#[tokio::test]
async fn a_miss_names_the_nearest() {
    let dir = TempDir::new().unwrap();
    for n in 0..20 {
        let request = get(&format!("/gateway/v1/other/{n}"), json!([]));
        tape(dir.path(), &format!("other-{n}"), request, says(200, ""));
    }
    let request = get("/gateway/v1/market/price", json!([["symbol", "BTC"]]));
    tape(dir.path(), "price", request, says(200, ""));
    let bench = replaying(&dir).await;
    let missed = bench.get("/gateway/v1/market/price?symbol=ETH").await;
    let message = missed.json["error"]["message"].as_str().unwrap();
    assert!(message.contains("GET /gateway/v1/market/price?symbol=ETH"), "{message}");
    assert!(
        message
            .contains("similar recorded requests: GET /gateway/v1/market/price?symbol=BTC; GET "),
        "{message}"
    );
    assert_eq!(message.matches("/gateway/v1/other/").count(), 4);
    let url = format!("{}/v1/chat/completions", bench.sandbox.url());
    assert_eq!(seen(bench.http.post(url)).await.json["error_code"], "NOT_RECORDED");
}

#[tokio::test]
async fn what_is_no_recording_is_refused_with_file_and_line() {
    let whole = json!({"tape": 1, "request": get("/x", json!([])), "response": says(200, "")});
    let with = |pointer: &str, value: Value| {
        let mut file = whole.clone();
        *file.pointer_mut(pointer).unwrap() = value;
        serde_json::to_string_pretty(&file).unwrap()
    };
    let truncated = &with("/tape", json!(1))[..60];

    for (text, says) in [
        (String::new(), "line 1: "),
        ("{}".to_owned(), "line 1: it has no `tape`"),
        (truncated.to_owned(), "line 5: EOF"),
        (
            with("/tape", json!(2)),
            "`tape` is newer than 1, the newest version that this release reads",
        ),
        (with("/tape", json!("1")), "`tape` is not 1"),
        (with("/request/path", json!(5)), "line 5: `path` must be a string"),
        (with("/request/query", json!([["a"]])), "`query` must be a list of pairs"),
        (with("/response/status", json!(99)), "`status` must be an HTTP status"),
        (
            with("/response/headers", json!({"a b": "c"})),
            "`headers` must have valid HTTP names and values",
        ),
        (with("/response/body", json!({"base64": "?"})), "`body` is not base64"),
        (with("/response", json!({})), "`response` has no `status`"),
    ] {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("broken-0001.json"), &text).unwrap();
        let error = Sandbox::builder().replay(dir.path()).start().await.unwrap_err().to_string();
        assert!(error.contains("broken-0001.json") && error.contains(says), "{text}: {error}");
    }

    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("bytes.json"), b"\xff").unwrap();
    let error = Sandbox::builder().replay(dir.path()).start().await.unwrap_err().to_string();
    assert!(error.contains("bytes.json"), "{error}");

    for dir in [TempDir::new().unwrap().path(), Path::new("/no/such/directory")] {
        let error = Sandbox::builder().replay(dir).start().await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(error.to_string().contains(dir.to_str().unwrap()), "{error}");
    }
}
