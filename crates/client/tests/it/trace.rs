//! Tests of the `tracing` spans and events of calls.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crypto_intel::Client;

use crate::server::{Server, answer};

/// Log output of a test, as text. The tests in `secrets.rs` use this type too.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Returns a subscriber that writes events of all levels, and the start and end of each span, to this log.
    pub(crate) fn subscriber(&self) -> impl tracing::Subscriber + Send + Sync + use<> {
        let log = self.clone();
        tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
            .with_ansi(false)
            .with_writer(move || log.clone())
            .finish()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn span_describes_call_without_its_content() {
    let rows =
        r#"{"data": [], "meta": {"cached": false, "credits_used": 9, "limit": 20, "offset": 0}}"#;
    let server = Server::start(answer(200, &[("content-type", "application/json")], rows)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.subscriber());
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    drop(guard);
    let text = log.text();
    let ours: Vec<_> = text.lines().filter(|line| line.contains("crypto_intel")).collect();
    let end = ours.iter().find(|line| line.contains(" close")).expect("the span ends");

    for field in [
        "call{",
        "operation=\"token-holders\"",
        "http.response.status_code=200",
        "http.request.method=\"GET\"",
        "server.address=\"127.0.0.1\"",
        "otel.kind=\"client\"",
        "url.template=\"/gateway/v1/token/holders\"",
        "attempts=1",
        "credits_used=9",
        "elapsed_ms=",
    ] {
        assert!(end.contains(field), "{field} in {end}");
    }

    assert!(!ours.iter().any(|line| line.contains("vitalik")), "{ours:#?}");
}

/// Tests a call with a model that the catalogue does not contain. A warning is logged and the call is sent, because the
/// service may know the model.
#[tokio::test]
async fn unknown_model_is_logged_before_the_call() {
    let body = r#"{"id": "r", "output": [], "status": "completed"}"#;
    let server = Server::start(answer(200, &[("content-type", "application/json")], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    for (model, is_known) in [("svc-2.0-instnat", false), ("svc-2.0-instant", true)] {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.subscriber());
        let _ = client.responses(model, "BTC").await;
        drop(guard);
        let warned = log
            .text()
            .lines()
            .any(|line| line.contains("WARN") && line.contains("did you mean `svc-2.0-instant`?"));
        assert_eq!(warned, !is_known, "{model}: {}", log.text());
    }
}

/// Tests a chat call without a message of the role `user`. A warning is logged and the call is sent, because the
/// service recommends such a message but does not require it.
#[tokio::test]
async fn messages_without_user_role_are_logged_before_the_call() {
    let body = r#"{"id": "c", "choices": []}"#;
    let server = Server::start(answer(200, &[("content-type", "application/json")], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    for (role, is_warned) in [("system", true), ("user", false)] {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.subscriber());
        let request = client.request("chat-completions").unwrap();
        let request = request.with_text("model", "svc-2.0-instant").unwrap();
        let messages = format!(r#"[{{"role": "{role}", "content": "BTC"}}]"#);
        let _ = request.with_text("messages", &messages).unwrap().await;
        drop(guard);
        let warned =
            log.text().lines().any(|line| line.contains("WARN") && line.contains("`user`"));
        assert_eq!(warned, is_warned, "{role}: {}", log.text());
    }
    assert_eq!(server.requests(), 2);
}

/// Tests an SQL query that compares a column with a value in double quotes: `chain = "base"`. The service reads this
/// value as a column name, so each method that sends the query must log one warning.
#[tokio::test]
async fn double_quoted_values_are_logged_before_the_call() {
    let query = r#"SELECT 1 FROM t WHERE chain = "base""#;
    let server = Server::start(answer(500, &[], "")).await;
    let retry = crypto_intel::RetryPolicy::none();
    let client = Client::builder().base_url(server.url()).retry(retry).build().unwrap();
    let warnings = async |send: futures_util::future::BoxFuture<'static, bool>| {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.subscriber());
        assert!(send.await, "the query succeeded");
        drop(guard);
        let text = log.text();
        text.lines().filter(|line| line.contains("WARN") && line.contains("base")).count()
    };

    let sql = client.sql(query);
    assert_eq!(warnings(Box::pin(async { sql.await.is_err() })).await, 1);
    let sql = client.sql(query);
    assert_eq!(warnings(Box::pin(async { sql.submit().await.is_err() })).await, 1);
    let request = client.onchain_sql(query);
    assert_eq!(warnings(Box::pin(async { request.await.is_err() })).await, 1);
    let request = client.request("onchain-sql").unwrap().with_text("sql", query).unwrap();
    assert_eq!(warnings(Box::pin(async { request.await.is_err() })).await, 1);
    let request = client.onchain_sql("SELECT 1 FROM t WHERE chain = 'base'");
    assert_eq!(warnings(Box::pin(async { request.await.is_err() })).await, 0);
}

#[tokio::test]
async fn retirement_of_an_operation_is_logged_once() {
    let rows = r#"{"data": [], "meta": {"limit": 20, "offset": 0}}"#;
    let sunset = "Fri, 01 Jan 2027 00:00:00 GMT";
    let headers =
        [("content-type", "application/json"), ("deprecation", "@1767225600"), ("sunset", sunset)];
    let server = Server::start(answer(200, &headers, rows)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.subscriber());
    for _ in 0..2 {
        let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
        assert_eq!(reply.http().deprecation(), Some("@1767225600"));
        assert_eq!(reply.http().sunset(), Some(sunset));
    }
    drop(guard);
    let text = log.text();
    let warnings: Vec<_> = text.lines().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("token-holders") && warnings[0].contains(sunset), "{warnings:?}");
}

#[test]
fn key_without_encryption_is_a_warning() {
    for (url, warns) in [
        ("http://service.example", true),
        ("https://service.example", false),
        ("http://127.0.0.1:80", false),
        ("http://[::1]:80", false),
        ("http://localhost", false),
    ] {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.subscriber());
        Client::builder().base_url(url).build().unwrap();
        assert!(!log.text().contains("encryption"), "{url} without a key");
        Client::builder().base_url(url).api_key("sk-1").build().unwrap();
        drop(guard);
        assert_eq!(log.text().contains("encryption"), warns, "{url}");
    }
}
