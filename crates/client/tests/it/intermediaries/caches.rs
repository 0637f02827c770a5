//! Tests of cache stores with invalid entries, and of HTTP caches between client and service.

use std::time::Duration;

use crypto_intel::cache::{Cache, CacheKey, CacheStore, CachedAnswer};
use crypto_intel::credits::Credits;
use crypto_intel::extend::BoxFuture;
use crypto_intel::http::{HeaderMap, StatusCode};
use crypto_intel::{prelude::*, reqwest};

use super::{JSON, ROWS, assert_case_count, assert_shows_no_key, builder, http};
use crate::server::{Server, answer};

/// Cache store that returns the same response for every key, and ignores new responses.
struct FixedStore(CachedAnswer);

impl CacheStore for FixedStore {
    fn get(&self, _: &CacheKey, _: Duration) -> BoxFuture<Option<CachedAnswer>> {
        Box::pin(std::future::ready(Some(self.0.clone())))
    }

    fn put(&self, _: &CacheKey, _: CachedAnswer) -> BoxFuture<()> {
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn stores_with_bad_entries_count_as_empty() {
    let bad = [
        "",
        " ",
        "null",
        "{}",
        "[]",
        "7",
        "<html></html>",
        "{\"data\":[",
        "{\"data\":7}",
        "\u{feff}",
        r#"{"data":[{"timestamp":"x"}]}"#,
        r#"{"error":{"code":"X","message":"m"}}"#,
        r#"{"success":false,"message":"m"}"#,
    ];

    let http = http(reqwest::Client::builder().no_proxy());
    let mut cases = 0;
    for body in bad {
        for status in [200, 204, 404, 500] {
            cases += 1;
            let server = Server::start(answer(200, &[JSON], ROWS)).await;
            let status = StatusCode::from_u16(status).unwrap();
            let entry = CachedAnswer { status, headers: HeaderMap::new(), body: body.into() };
            let cache = Cache::new(Duration::from_secs(60)).store(FixedStore(entry));
            let client = builder(server.url()).http_client(http.clone()).cache(cache);
            let client = client.build().unwrap();
            let reply = client.market_price("BTC").await;
            let reply = reply.unwrap_or_else(|error| panic!("{body:?} {status}: {error}"));
            assert_eq!((reply.http().reused, server.requests()), (false, 1), "{body:?} {status}");
            assert_eq!(client.ledger().total().saved, Credits(0), "{body:?} {status}");
        }
    }
    assert_case_count("cache stores", cases, 50);
}

/// Tests that a raw call ignores a bad response in the cache store and sends a request. A bad response has no success
/// status, contains no JSON, or contains an error.
#[tokio::test]
async fn stored_errors_do_not_answer_raw_calls() {
    let http = http(reqwest::Client::builder().no_proxy());
    for (status, body) in [
        (200, r#"{"error":{"code":"X","message":"m"}}"#),
        (200, r#"{"success":false,"message":"m","error_code":"UNAUTHORIZED"}"#),
        (200, "<html></html>"),
        (204, ""),
        (304, ROWS),
        (404, ROWS),
        (500, ROWS),
    ] {
        let server = Server::start(answer(200, &[JSON], ROWS)).await;
        let status = StatusCode::from_u16(status).unwrap();
        let entry = CachedAnswer { status, headers: HeaderMap::new(), body: body.into() };
        let cache = Cache::new(Duration::from_secs(60)).store(FixedStore(entry));
        let client = builder(server.url()).http_client(http.clone()).cache(cache).build().unwrap();

        let raw = client.market_fear_greed().into_call().send_raw().await.unwrap();
        assert_eq!((raw.reused, raw.status.as_u16(), &raw.body[..]), (false, 200, ROWS.as_bytes()));
        assert_eq!(server.requests(), 1, "{status} {body}");
    }
}

#[tokio::test]
async fn responses_of_intermediate_caches_are_complete_or_errors() {
    let headers: [&[(&str, &str)]; 6] = [
        &[JSON, ("age", "99999999999"), ("warning", "110 - \"stale\"")],
        &[JSON, ("etag", "\"x\""), ("cache-control", "max-age=31536000, immutable")],
        &[JSON, ("content-range", "bytes 0-9/999")],
        &[JSON, ("vary", "*"), ("x-cache", "HIT")],
        &[JSON, ("date", "Thu, 01 Jan 1970 00:00:00 GMT"), ("expires", "-1")],
        &[JSON, ("retry-after", "-5"), ("last-modified", "x")],
    ];

    let http = http(reqwest::Client::builder().no_proxy());
    let mut cases = 0;
    for status in [200, 203, 204, 206, 226, 304, 410, 416, 504] {
        for headers in headers {
            for body in [ROWS, &ROWS[..20], ""] {
                cases += 1;
                let server = Server::start(answer(status, headers, body)).await;
                let client = builder(server.url()).http_client(http.clone()).build().unwrap();
                let case = format!("{status} {headers:?} {body:?}");
                let sees_whole = body == ROWS && status < 300;
                match client.market_price("BTC").await {
                    Ok(_) => assert!(sees_whole, "{case} succeeds"),
                    Err(error) => {
                        assert!(!sees_whole || status == 204, "{case}: {error:?}");
                        assert_eq!(error.attempts() as usize, server.requests(), "{case}");
                        assert_shows_no_key(&error, &case);
                    }
                }
            }
        }
    }
    assert_case_count("caches on the way", cases, 160);
}
