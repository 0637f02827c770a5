//! What an error tells of each body that the service, or something in between, answers with.

use std::time::Duration;

use crypto_intel::{CallOptions, Client, Error, ErrorKind, RetryPolicy, prelude::*};

use crate::server::{Server, answer};

async fn of(status: u16, headers: &[(&str, &str)], body: &str) -> Error {
    let server = Server::start(answer(status, headers, body)).await;
    let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
    builder.build().unwrap().onchain_sql_job_create("SELECT 1").await.unwrap_err()
}

#[tokio::test]
async fn every_body_of_the_service_is_told_whole() {
    let listed = of(
        404,
        &[("x-request-id", "from the head")],
        r#"{"error": {"code": "NOT_FOUND", "message": "no data", "request_id": "from the body",
            "financial_serving_reason": "publication_missing", "new": [1]}}"#,
    )
    .await;
    assert_eq!(listed.to_string(), "onchain-sql-job-create: not found (404 NOT_FOUND): no data");
    assert_eq!(listed.financial_serving_reason(), Some("publication_missing"));
    assert_eq!(listed.request_id(), Some("from the head"));
    assert_eq!(listed.details().unwrap()["new"][0], 1);

    let chat =
        of(400, &[], r#"{"success": false, "message": "m", "error_code": "FORBIDDEN"}"#).await;
    assert_eq!((chat.kind(), chat.code()), (ErrorKind::InsufficientCredits, Some("FORBIDDEN")));
    assert_eq!((chat.message(), chat.is_free_allowance()), ("m", false));

    let rejected = of(
        429,
        &[],
        r#"{"error": {"code": "ASYNC_SQL_CIRCUIT_OPEN", "message": "m", "request_id": "r",
            "job_id": null, "query_id": null, "status": "rejected", "retryable": true,
            "retry_after_ms": 1500, "recommended_action": "narrow_query"}}"#,
    )
    .await;
    assert_eq!((rejected.kind(), rejected.is_retryable()), (ErrorKind::SqlRejected, true));
    assert_eq!(rejected.retry_after(), Some(Duration::from_millis(1500)));
    assert_eq!(rejected.recommended_action(), Some("narrow_query"));
    assert_eq!((rejected.request_id(), rejected.attempts()), (Some("r"), 1));

    let page = "<html><body>Bad gateway</body></html>";
    let proxy = of(502, &[("content-type", "text/html")], page).await;
    assert_eq!((proxy.kind(), proxy.code(), proxy.details()), (ErrorKind::Service, None, None));
    assert_eq!(proxy.status().map(|status| status.as_u16()), Some(502));
    assert!(!proxy.to_string().contains("<html>"), "{proxy}");
    assert_eq!(proxy.body().map(|body| body.text()), Some(page));
    assert!(format!("{proxy:?}").lines().count() >= 5, "{proxy:?}");
}

#[tokio::test]
async fn a_reply_tells_how_it_came() {
    let body =
        r#"{"data": [], "meta": {"cached": true, "credits_used": 0, "limit": 20, "offset": 0}}"#;
    let server = Server::start(answer(200, &[("x-request-id", "r"), ("x-new", "n")], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    assert_eq!((reply.http().status.as_u16(), reply.http().attempts), (200, 1));
    assert_eq!(
        (reply.http().request_id(), &reply.http().headers["x-new"]),
        (Some("r"), &"n".parse().unwrap())
    );
    assert_eq!((reply.credits_used(), reply.cached()), (Some(0), Some(true)));
    assert_eq!(reply.operation().id, "token-holders");
    assert!(reply.http().elapsed > Duration::ZERO);
}

#[tokio::test]
async fn a_field_read_through_a_reply_is_the_answers() {
    // Every name that `Reply` had, has, or may have inside.
    #[derive(Default)]
    struct Odd {
        value: u8,
        http: u8,
        status: u8,
        headers: u8,
        attempts: u8,
        elapsed: u8,
        operation: u8,
        credits_used: u8,
        cached: u8,
        price: u8,
        body: u8,
        request_id: u8,
    }
    let body =
        r#"{"data": [], "meta": {"cached": true, "credits_used": 0, "limit": 20, "offset": 0}}"#;
    let server = Server::start(answer(200, &[], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    let odd = reply.map(|_| Odd::default());
    let seen: [u8; 12] = [
        odd.value,
        odd.http,
        odd.status,
        odd.headers,
        odd.attempts,
        odd.elapsed,
        odd.operation,
        odd.credits_used,
        odd.cached,
        odd.price,
        odd.body,
        odd.request_id,
    ];
    assert_eq!(seen, [0; 12]);
    assert_eq!(odd.http().status.as_u16(), 200);
}

#[tokio::test]
async fn the_body_is_kept_when_asked_for() {
    let body = r#"{"data": [],  "meta": {"cached": true, "credits_used": 0, "limit": 20, "offset": 0}, "new": 1e2}"#;
    let server = Server::start(answer(200, &[], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let request = client.token_holders("vitalik.eth", "ethereum");
    assert_eq!(request.clone().await.unwrap().body(), None);
    let kept = request.with_options(CallOptions::new().keep_body()).await.unwrap();
    assert_eq!(kept.body().map(|bytes| &bytes[..]), Some(body.as_bytes()));
    let rows = kept.map(|answer| answer.data);
    assert_eq!(rows.body().map(|bytes| bytes.len()), Some(body.len()));
}
