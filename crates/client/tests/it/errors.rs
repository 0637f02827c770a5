//! Tests of the errors for all kinds of response bodies from the service or a proxy.

use std::time::Duration;

use crypto_intel::{CallOptions, Client, Error, ErrorKind, RetryPolicy};

use crate::server::{Server, answer};

async fn error_from(status: u16, headers: &[(&str, &str)], body: &str) -> Error {
    let server = Server::start(answer(status, headers, body)).await;
    let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
    builder.build().unwrap().onchain_sql_job_create("SELECT 1").await.unwrap_err()
}

#[tokio::test]
async fn every_error_body_is_kept_in_the_error() {
    let listed = error_from(
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
        error_from(400, &[], r#"{"success": false, "message": "m", "error_code": "FORBIDDEN"}"#)
            .await;
    assert_eq!((chat.kind(), chat.code()), (ErrorKind::InsufficientCredits, Some("FORBIDDEN")));
    assert_eq!((chat.message(), chat.is_free_allowance()), ("m", false));

    let rejected = error_from(
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
    let proxy = error_from(502, &[("content-type", "text/html")], page).await;
    assert_eq!((proxy.kind(), proxy.code(), proxy.details()), (ErrorKind::Service, None, None));
    assert_eq!(proxy.status().map(|status| status.as_u16()), Some(502));
    assert!(!proxy.to_string().contains("<html>"), "{proxy}");
    assert_eq!(proxy.body().unwrap().text(), page);
    assert!(format!("{proxy:?}").lines().count() >= 5, "{proxy:?}");
}

#[tokio::test]
async fn exhausted_allowance_and_exhausted_balance_are_distinguished() {
    for (code, is_allowance) in
        [("FREE_QUOTA_EXHAUSTED", true), ("PAID_BALANCE_ZERO", false), ("FORBIDDEN", false)]
    {
        let body = format!(r#"{{"error": {{"code": "{code}", "message": "m"}}}}"#);
        let error = error_from(402, &[], &body).await;
        assert_eq!(error.kind(), ErrorKind::InsufficientCredits, "{code}");
        assert_eq!(error.is_free_allowance(), is_allowance, "{code}");
    }
}

/// For every integer parameter, tests a value below its minimum and a value above its maximum. The client must send no
/// request.
#[tokio::test]
async fn out_of_range_values_are_rejected_before_sending() {
    let (client, server) = client_of("{}").await;
    let mut checked = 0;
    for operation in crypto_intel::api::generated::catalogue::OPERATIONS {
        for param in operation.params {
            let crypto_intel_core::ParamKind::Integer { min, max } = param.kind else { continue };
            let outside = min.map(|min| min - 1).into_iter().chain(max.map(|max| max + 1));
            for value in outside {
                let mut call = client.request(operation.id).unwrap().call().clone();
                call.set_text(param.name, &value.to_string()).unwrap();
                let error = call.send_raw().await.unwrap_err();
                let place = format!("{} {}={value}", operation.id, param.name);
                assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{place}: {error}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn reply_returns_http_info() {
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
async fn field_read_through_reply_belongs_to_response() {
    // Response type whose fields have the names of present, former and possible fields and methods of `Reply`.
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
async fn body_is_kept_on_request() {
    let body = r#"{"data": [],  "meta": {"cached": true, "credits_used": 0, "limit": 20, "offset": 0}, "new": 1e2}"#;
    let server = Server::start(answer(200, &[], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let request = client.token_holders("vitalik.eth", "ethereum");
    assert_eq!(request.clone().await.unwrap().body(), None);
    let kept = request.with_options(CallOptions::new().keep_body(true)).await.unwrap();
    assert_eq!(kept.body().map(|bytes| &bytes[..]), Some(body.as_bytes()));
    let rows = kept.map(|answer| answer.data);
    assert_eq!(rows.body().map(|bytes| bytes.len()), Some(body.len()));
}

const JSON: (&str, &str) = ("content-type", "application/json");

async fn client_of(body: &str) -> (Client, Server) {
    let server = Server::start(answer(200, &[JSON], body)).await;
    (Client::builder().base_url(server.url()).build().unwrap(), server)
}

#[tokio::test]
async fn invalid_meta_never_fails_a_response() {
    for (meta, credits, cached) in [
        (r#""meta": {"credits_used": 2.0, "cached": true}"#, Some(2), Some(true)),
        (r#""meta": {"credits_used": 2e0, "cached": null, "limit": 1e2}"#, Some(2), None),
        (r#""meta": {"credits_used": 0.5}"#, None, None),
        (r#""meta": {"credits_used": null, "limit": "many", "total": -0}"#, None, None),
        (r#""meta": {"credits_used": "2", "has_more": 1}"#, None, None),
        (r#""meta": {}"#, None, None),
        (r#""meta": null"#, None, None),
        (r#""meta": 3"#, None, None),
        (r#""meta": [true]"#, None, None),
        (r#""new": 1"#, None, None),
    ] {
        let post = r#"{"author": {"handle": "h", "name": "n", "user_id": "1", "avatar": ""},
            "created_at": 1.0, "stats": {"likes": 1e2, "replies": -0, "reposts": 0, "views": 5},
            "text": "t", "tweet_id": "7", "url": "u", "media": []}"#;
        let (client, _server) = client_of(&format!(r#"{{"data": [{post}], {meta}}}"#)).await;
        let reply = client.social_user_posts("h").await.unwrap();
        assert_eq!((reply.data.len(), reply.data[0].stats.likes), (1, 100), "{meta}");
        assert_eq!((reply.credits_used(), reply.cached()), (credits, cached), "{meta}");

        // This response has further fields beside `data` and `meta`. Its `meta` is read in the same way.
        let points = format!(r#"{{"data": [], "symbol": "BTC", {meta}}}"#);
        let (client, _server) = client_of(&points).await;
        let reply = client.market_price("BTC").await.unwrap();
        assert_eq!((reply.credits_used(), reply.cached()), (credits, cached), "{meta}");

        // A response that is decoded as any JSON value has the same credits.
        let reply = client.raw(crypto_intel::Method::GET, "/x").await.unwrap();
        assert_eq!(reply.credits_used(), credits, "{meta}");
    }
}

#[tokio::test]
async fn paid_body_is_kept_in_error_and_never_printed() {
    let rows: Vec<_> = (0..5000).map(|n| format!(r#"{{"secret": {n}}}"#)).collect();
    let body = format!(r#"{{"data": [{}], "meta": {{}}}}"#, rows.join(","));
    let (client, _server) = client_of(&body).await;
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(error.body().unwrap().bytes(), body.as_bytes());
    assert!(!format!("{error} {error:?} {:?}", error.body()).contains("secret"), "{error:?}");

    // If the body is larger than the limit, the error contains the received part of the body, which exceeds the limit.
    let server = Server::start(answer(200, &[JSON], &body)).await;
    let client = Client::builder().base_url(server.url()).max_body(1000).build().unwrap();
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    let kept = error.body().unwrap();
    assert!(kept.len() > 1000 && body.starts_with(&*kept.text()), "{error:?}");
}

#[tokio::test]
async fn rejection_with_success_status_is_retried_if_retryable() {
    for (retryable, requests) in [(true, 2), (false, 1)] {
        let body = format!(
            r#"{{"error": {{"code": "ASYNC_SQL_CIRCUIT_OPEN", "message": "m", "request_id": "r",
                "job_id": null, "query_id": null, "status": "rejected", "retryable": {retryable},
                "retry_after_ms": 1, "recommended_action": "narrow_query"}}}}"#
        );
        let server = Server::start(answer(200, &[JSON], &body)).await;
        let retry = RetryPolicy::new().attempts(2).min_delay(Duration::from_millis(1));
        let client = Client::builder().base_url(server.url()).retry(retry).build().unwrap();
        let error = client.sql("SELECT 1").submit().await.unwrap_err();
        assert_eq!((error.kind(), server.requests()), (ErrorKind::SqlRejected, requests));
        assert_eq!(error.recommended_action(), Some("narrow_query"));
    }
}

#[tokio::test]
async fn status_in_error_object_decides_after_success_status() {
    for (fields, kind) in [
        (r#""status": 404"#, ErrorKind::NotFound),
        (r#""code": 429"#, ErrorKind::RateLimited),
        (r#""status": 503, "code": 404"#, ErrorKind::Service),
        // An error with the number 200 counts as an error without a status. Numbers such as 7 are not HTTP statuses.
        (r#""status": 200"#, ErrorKind::Service),
        (r#""code": 7"#, ErrorKind::Service),
        (r#""code": 70000"#, ErrorKind::Service),
    ] {
        let (client, _server) =
            client_of(&format!(r#"{{"error": {{"message": "m", {fields}}}}}"#)).await;
        let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, "m"), "{fields}");
    }
}

#[tokio::test]
async fn success_without_failure_is_a_response_despite_error_fields() {
    for body in [
        r#"{"success": true, "error_code": "X"}"#,
        r#"{"success": false, "errors": []}"#,
        r#"{"error": {}, "error_code": "X"}"#,
        r#"{"error": "", "success": false}"#,
    ] {
        let (client, _server) = client_of(body).await;
        let reply = client.raw(crypto_intel::Method::GET, "/x").await;
        assert!(reply.is_ok(), "{body}: {reply:?}");
    }
}

#[tokio::test]
async fn long_message_ends_at_a_word_and_unreadable_body_is_described() {
    let (client, _server) = client_of(&format!(r#"{{"error": "{}"}}"#, "word ".repeat(100))).await;
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!(error.message(), format!("{}…", "word ".repeat(60)));

    for body in [" ", "{}"] {
        let size = format!("bad request: the body of {} bytes contains", body.len());
        let error = error_from(400, &[], body).await;
        assert!(error.message().starts_with(&size), "{error}");
    }
}

#[tokio::test]
async fn request_that_cannot_be_built_names_the_reason() {
    let client = Client::builder().base_url("http://service.example:1").build().unwrap();
    let error = client.raw(crypto_intel::Method::CONNECT, "/x").await.unwrap_err();
    assert!(!error.message().is_empty());
    let http = reqwest::Client::builder().https_only(true).build().unwrap();
    let builder = Client::builder().base_url("http://127.0.0.1:9").http_client(http);
    let error = builder.build().unwrap().market_price("BTC").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 1));
    assert!(error.message().contains("could not be built: URL scheme is not allowed"), "{error}");
}

#[tokio::test]
async fn byte_order_mark_before_json_is_skipped() {
    let (client, _server) = client_of("\u{feff}{\"data\": [], \"meta\": {}}").await;
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    client.sql("SELECT 1").table().await.unwrap();
}

/// Tests every parameter that the OpenAPI document lists although the service rejects it. A call that sets such a
/// parameter must fail, and the client must send no request.
#[tokio::test]
async fn invalid_parameters_are_rejected_before_sending() {
    let (client, server) = client_of("{}").await;
    let mut refused = Vec::new();
    for operation in crypto_intel::api::generated::catalogue::OPERATIONS {
        for param in operation.params.iter().filter(|param| param.refused.is_some()) {
            let mut call = client.request(operation.id).unwrap().call().clone();
            call.set_text(param.name, "main_dex").unwrap();
            let error = call.parts().unwrap_err();
            assert!(
                error.message().starts_with(&format!("`{}` is defined", param.name)),
                "{error}"
            );
            refused.push(format!("{} {}", operation.id, param.name));
        }
    }

    assert_eq!(
        refused,
        [
            "hyperliquid-performance dex",
            "hyperliquid-trades symbol",
            "hyperliquid-trades direction",
            "hyperliquid-trades dex",
        ]
    );
    assert_eq!(server.requests(), 0);
}

/// Tests a response body that consists of two gzip members, which some servers send. The decoded body is `{"data": [],
/// "meta": {}}`. Also tests a body that is cut off.
#[cfg(feature = "gzip")]
#[tokio::test]
async fn gzip_body_of_several_members_is_read_completely() {
    use async_compression::tokio::write::GzipEncoder;
    use tokio::io::AsyncWriteExt;
    let packed = async |text: &str| {
        let mut encoder = GzipEncoder::new(Vec::new());
        encoder.write_all(text.as_bytes()).await.unwrap();
        encoder.shutdown().await.unwrap();
        encoder.into_inner()
    };
    let body = [packed(r#"{"data": [], "#).await, packed(r#""meta": {}}"#).await].concat();
    let headers = [JSON, ("content-encoding", "gzip")];
    let act = |body: &[u8], length| {
        crate::server::Act::Answer(crate::server::bytes(200, &headers, body, length))
    };

    let server = Server::start(act(&body, body.len())).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    assert!(reply.data.is_empty() && !reply.http().headers.contains_key("content-encoding"));
    assert!(server.texts()[0].contains("accept-encoding: gzip"));

    // A gzip body that was cut off is an error. It is not decoded as a complete response.
    let half = &body[..body.len() - 9];
    for (length, kind) in [(half.len(), ErrorKind::Decode), (body.len(), ErrorKind::Transport)] {
        let server = Server::start(act(half, length)).await;
        let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
        let error = builder.build().unwrap().market_price("BTC").await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error:?}");
    }
}
