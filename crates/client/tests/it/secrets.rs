//! Tests that no output of the client contains the API key.

use crypto_intel::prelude::*;
use crypto_intel::{CallOptions, Client, Request, RetryPolicy};

use crate::server::{Act, Server, answer};
use crate::trace::Log;

const KEY: &str = "sk-planted-0123456789";

/// Creates a client that uses the API key `KEY` and does not retry requests.
fn client(server: &Server) -> Client {
    let builder = Client::builder().base_url(server.url()).api_key(KEY);
    builder.retry(RetryPolicy::none()).build().unwrap()
}

#[tokio::test]
async fn no_output_holds_the_key() {
    let log = Log::default();
    // The subscriber is global, so it also records the logs of other tests in this test program.
    tracing::subscriber::set_global_default(log.subscriber()).unwrap();
    let quoted =
        format!(r#"{{"error":{{"code":"{KEY}","message":"{KEY}","request_id":"{KEY}"}}}}"#);
    let mut shown = String::new();

    for act in [
        answer(200, &[("content-type", "application/json")], "{}"),
        // These responses contain the key in texts that error messages quote, and at the position where a body is cut.
        answer(200, &[], &format!(r#"{{"data": "{KEY}", "meta": {{}}}}"#)),
        answer(200, &[], &format!(r#""{}{KEY}{KEY}""#, "x".repeat(2040))),
        answer(500, &[("x-request-id", KEY)], ""),
        answer(401, &[], &quoted),
        answer(429, &[("retry-after", "0")], &quoted),
        answer(500, &[], KEY),
        answer(404, &[], &format!("<html>{KEY}</html>")),
        Act::Reset(Vec::new()),
    ] {
        let server = Server::start(act).await;
        let builder = Client::builder().base_url(server.url()).api_key(KEY);
        shown.push_str(&format!("{builder:?}"));
        let client = builder.build().unwrap();
        let request = client.market_price("BTC");
        shown.push_str(&format!("{client:?} {request:?} {:?}", request.clone().into_call()));

        let error = request.await.unwrap_err();
        shown.push_str(&format!(
            "{error} {error:?} {error:#?} {:?} {:?}",
            error.details(),
            error.body()
        ));
        let mut cause = std::error::Error::source(&error);
        while let Some(inner) = cause {
            shown.push_str(&format!("{inner} {inner:?}"));
            cause = inner.source();
        }
        assert!(server.texts()[0].contains(KEY), "the key was never sent");
    }

    let log = log.text();
    assert!(log.contains("market-price") && log.contains("attempts="), "{log}");
    assert!(!log.contains(KEY), "the log holds the key");
    assert!(!shown.contains(KEY), "{shown}");
}

/// Tests error messages that are cut after 300 characters. A cut inside the key would leave half a key, which masking
/// does not find.
#[tokio::test]
async fn cut_message_contains_no_part_of_a_key() {
    for (before, blank) in (276..=301).flat_map(|before| [(before, " "), (before, "")]) {
        let message = format!("{}{blank}{KEY} and more", "x".repeat(before));
        let body = format!(r#"{{"error":{{"code":"SOME_CODE","message":"{message}"}}}}"#);
        let server = Server::start(answer(200, &[], &body)).await;
        let shown = texts(&client(&server).market_price("BTC").await.unwrap_err());
        assert!(shown.contains("SOME_CODE") && !shown.contains("sk-pl"), "{shown}");
    }
}

/// Returns one text with the `Display` and `Debug` output of an error and of its source errors. The text also contains
/// the details and the response body of the error.
fn texts(error: &crypto_intel::Error) -> String {
    let body = error.body().map(|body| body.text().into_owned());
    let mut shown = format!("{error} {error:?} {:?} {body:?}", error.details());
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        shown.push_str(&format!("{inner} {inner:?}"));
        cause = inner.source();
    }
    shown
}

/// Tests responses that begin with a success status and later repeat the API key in an error.
#[tokio::test]
async fn error_with_success_status_never_holds_the_key() {
    use crypto_intel::chat::{ChatRequest, StructuredExt};
    let key = r#"sk-pla"nted-0123456789"#;
    let quoted = serde_json::to_string(key).unwrap();
    let spelled = quoted.replace('0', "\\u0030").replace('9', "\\u0039");
    let client = async |headers: &[(&str, &str)], body: &str| {
        let server = Server::start(answer(200, headers, body)).await;
        let client = Client::builder().base_url(server.url()).api_key(key).build().unwrap();
        (client, server)
    };

    let mut shown = String::new();
    for quoted in [&quoted, &spelled] {
        // The key is in an event of a chat stream, and in the request ID.
        let event =
            format!("data: {{\"error\": {{\"code\": {quoted}, \"message\": {quoted}}}}}\n\n");
        let headers = [("content-type", "text/event-stream"), ("x-request-id", key)];
        let (chat, _server) = client(&headers, &event).await;
        let stream = chat.responses("svc-2.0", "?").stream().await.unwrap();
        shown.push_str(&format!("{:?} {:?}", stream.request_id(), stream.headers()));
        let unfinished = stream.read_to_end().await.unwrap_err();
        shown.push_str(&texts(unfinished.error()));

        // The key is in a structured answer that cannot be decoded.
        let inner = serde_json::to_string(&format!("[{quoted}]")).unwrap();
        let response = format!(
            r#"{{"id": "r", "object": "response", "status": "completed", "created_at": 1,
                "model": "m", "output": [], "output_text": {inner}}}"#
        );
        let (chat, _server) = client(&[("x-request-id", key)], &response).await;
        let request = chat.responses("svc-2.0", "?");
        let error = request.clone().structured::<Vec<u8>>().await.unwrap_err();
        assert_eq!(error.kind(), crypto_intel::ErrorKind::Decode);
        shown.push_str(&texts(&error));
        let reply = request.await.unwrap();
        shown.push_str(&format!("{:?} {:?}", reply.http(), reply.http().request_id()));
        shown.push_str(&format!("{:?}", chat.ledger()));

        // The key is in the record of a failed SQL job.
        let job = format!(
            r#"{{"data": {{"request_id": {quoted}, "job_id": "j", "query_id": "q", "status": "failed",
                "sql": "", "executed_sql": "", "parameters": {{}}, "max_rows": 1, "created_at": 1,
                "expires_at": 2, "elapsed_ms": 0, "processed_rows": 0, "processed_bytes": 0,
                "retryable": false, "cancellation_requested": false, "recommended_action": "",
                "error": {{"code": {quoted}, "message": {quoted}}}}}, "meta": {{}}}}"#
        );
        let (sql, _server) = client(&[], &job).await;
        let error = sql.sql("SELECT 1").submit().await.unwrap().wait().await.unwrap_err();
        shown.push_str(&texts(&error));
    }
    assert!(shown.matches("sk-…").count() > 10, "{shown}");
    assert!(!shown.contains("0123456789") && !shown.contains("u0030123"), "{shown}");
}

#[tokio::test]
#[expect(deprecated, reason = "the retired operation is supported")]
async fn one_key_is_sent_with_data_and_chat_calls() {
    let server = Server::start(answer(404, &[], "")).await;
    let client = client(&server);
    client.market_price("BTC").await.unwrap_err();
    client.responses("svc-2.0", "q").await.unwrap_err();
    assert!(client.responses("svc-2.0", "q").stream().await.is_err());
    client.chat_completions("svc-1.5", [crypto_intel::chat::user("q")]).await.unwrap_err();
    client.credit_balance().await.unwrap_err();

    let texts = server.texts();
    assert_eq!(texts.len(), 5);
    for text in texts {
        let text = text.to_ascii_lowercase();
        assert_eq!(text.matches(&format!("authorization: bearer {KEY}\r\n")).count(), 1, "{text}");
    }
}

#[tokio::test]
async fn key_is_sent_and_custom_header_cannot_replace_it() {
    let server = Server::start(answer(404, &[], "")).await;
    let mut headers = http::HeaderMap::new();
    headers.insert("authorization", "Bearer other".parse().unwrap());
    headers.insert("x-trace", "t".parse().unwrap());
    let options = CallOptions::new().headers(headers);
    let request = client(&server).market_price("BTC").with_options(options);
    request.await.unwrap_err();
    let text = server.texts().remove(0).to_ascii_lowercase();
    assert!(text.contains(&format!("authorization: bearer {KEY}")), "{text}");
    assert!(!text.contains("other") && text.contains("x-trace: t"), "{text}");
    assert!(text.contains("user-agent: crypto-intel/"), "{text}");
}

#[tokio::test]
async fn redirect_to_another_host_does_not_carry_the_key() {
    let elsewhere = Server::start(answer(404, &[], "")).await;
    for status in [301, 307] {
        let location = elsewhere.url() + "/elsewhere";
        let server = Server::start(answer(status, &[("location", &location)], "")).await;
        // The client uses the `reqwest` client of the program with its settings. By default `reqwest` follows
        // redirects.
        let builder = Client::builder().base_url(server.url()).api_key(KEY);
        let client = builder.http_client(reqwest::Client::new()).build().unwrap();
        client.market_price("BTC").await.unwrap_err();
        client.onchain_sql("SELECT 1").await.unwrap_err();
        assert!(server.texts().iter().all(|text| text.contains(KEY)));
    }
    let seen = elsewhere.texts();
    assert_eq!(seen.len(), 4, "the redirects were not followed");
    assert!(!seen.concat().contains(KEY), "{seen:?}");
}

/// Tests a response whose data contains the API key. The data belongs to the caller, so the client does not change the
/// data. Only the `Debug` output of the reply is masked.
#[tokio::test]
async fn debug_of_response_that_quotes_the_key_is_masked() {
    let body = format!(r#"{{"data":[{{"timestamp":1,"value":2,"note":"{KEY}"}}],"meta":{{}}}}"#);
    let server = Server::start(answer(200, &[("content-type", "application/json")], &body)).await;
    let reply = client(&server).market_price("BTC").await.unwrap();
    assert!(reply.data[0].extra.get("note").is_some_and(|note| note == KEY));
    for shown in [format!("{reply:?}"), format!("{reply:#?}")] {
        assert!(!shown.contains(KEY), "{shown}");
        assert!(shown.contains("sk-…"), "{shown}");
    }
    let page =
        client(&server).market_price("BTC").with_options(CallOptions::default().keep_body(true));
    let shown = format!("{:?}", page.await.unwrap());
    assert!(!shown.contains(KEY), "{shown}");
}

#[tokio::test]
async fn key_quoted_by_service_is_masked() {
    let body =
        format!(r#"{{"error":{{"code":"UNAUTHORIZED","message":"the key {KEY} is unknown"}}}}"#);
    let server = Server::start(answer(401, &[("content-type", "application/json")], &body)).await;
    let error = client(&server).market_price("BTC").await.unwrap_err();
    assert_eq!(error.message(), "the key sk-… is unknown");
    assert!(!format!("{error:?} {:?}", error.details()).contains(KEY));
}

/// Tests an error in the middle of a streamed response. The error comes from the program's own `tower` service, which
/// received the key with the request.
#[tokio::test]
async fn key_in_error_within_stream_is_masked() {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use crypto_intel::ErrorKind;
    use crypto_intel::bytes::Bytes;
    use crypto_intel::http::{Method, Request, Response};
    use crypto_intel::http_service::{Body, service_fn};
    use futures_util::StreamExt as _;
    use http_body::Frame;

    struct Broken;

    impl http_body::Body for Broken {
        type Data = Bytes;
        type Error = crypto_intel::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            let error = crypto_intel::Error::new(ErrorKind::Transport, format!("{KEY} ended"));
            Poll::Ready(Some(Err(error)))
        }
    }

    let service = service_fn(|_: Request<Body>| async {
        Ok::<_, std::convert::Infallible>(Response::new(Body::new(Broken)))
    });
    let builder = Client::builder().base_url("http://service.example").api_key(KEY);
    let client = builder.http_service(service).build().unwrap();

    let mut stream = client.raw(Method::GET, "/anything").open().await.unwrap();
    let error = stream.body.next().await.unwrap().unwrap_err();
    assert_eq!(error.message(), "sk-… ended");
}
