//! Tests that read whole lists from a fake transport. The transport returns scripted responses and records the
//! requests.

mod by_rows;
mod completeness;
mod ends;
mod offsets;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use crypto_intel_api::Api;
use crypto_intel_core::{
    BoxFuture, Call, Error, ErrorKind, Handle, RawReply, RawStream, Redact, Transport,
};
use futures_util::StreamExt;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::{PageExt, ResumeToken};

/// Function that returns the response body for a request target, or an error.
type Answer = dyn Fn(&str) -> Result<Value, Error> + Send + Sync;

/// Fake transport. It returns a scripted response for each request target, and records the targets in order.
struct Fake {
    targets: Mutex<Vec<String>>,
    answer: Box<Answer>,
}

impl Redact for Fake {}

impl Transport for Fake {
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, Error>> {
        Box::pin(async move {
            let target = call.parts()?.target;
            self.targets.lock().unwrap().push(target.clone());
            // This pause lets parallel requests overlap.
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok(RawReply {
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: Bytes::from((self.answer)(&target)?.to_string()),
                attempts: 1,
                elapsed: Duration::ZERO,
                reused: false,
            })
        })
    }

    fn open(self: Arc<Self>, _: Call) -> BoxFuture<Result<RawStream, Error>> {
        Box::pin(async { Err(Error::new(ErrorKind::Service, "no streams here")) })
    }
}

fn api(answer: impl Fn(&str) -> Result<Value, Error> + Send + Sync + 'static) -> (Api, Arc<Fake>) {
    let fake = Arc::new(Fake { targets: Mutex::default(), answer: Box::new(answer) });
    (Api::new(Handle::new(fake.clone())), fake)
}

impl Fake {
    /// Returns the value of a query parameter in each recorded request. The value is `-` for a request without the
    /// parameter.
    fn values(&self, name: &str) -> Vec<String> {
        let targets = self.targets.lock().unwrap();
        targets.iter().map(|target| parameter(target, name).unwrap_or("-").to_owned()).collect()
    }
}

/// Returns the value of a parameter in the query string of a request target.
fn parameter<'a>(target: &'a str, name: &str) -> Option<&'a str> {
    let (_, query) = target.split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Returns a query parameter of a request target as a number. Returns `None` if the parameter is missing or not a
/// number.
fn number(target: &str, name: &str) -> Option<u64> {
    parameter(target, name)?.parse().ok()
}

fn holder(address: u64) -> Value {
    json!({"address": address.to_string(), "balance": "1"})
}

fn post(id: &str) -> Value {
    json!({"author": {"handle": "h", "name": "n", "user_id": "1"}, "created_at": 1, "text": "t", "url": "u",
        "stats": {"likes": 0, "replies": 0, "reposts": 0, "views": 0}, "tweet_id": id})
}

fn cursor_page(ids: &[&str], next: Option<&str>) -> Value {
    let rows: Vec<_> = ids.iter().map(|id| post(id)).collect();
    let mut meta =
        json!({"cached": false, "credits_used": 1, "has_more": next.is_some(), "limit": 20});
    if let Some(next) = next {
        meta["next_cursor"] = next.into();
    }
    json!({"data": rows, "meta": meta})
}

/// Creates a fake service with cursor pages. A page has three parts: the cursor that requests it (`-` for the first
/// page), the identifiers of its rows, and the cursor of the next page.
fn cursors(
    pages: &'static [(&'static str, &'static [&'static str], Option<&'static str>)],
) -> (Api, Arc<Fake>) {
    api(move |target| {
        let cursor = parameter(target, "cursor").unwrap_or("-");
        match pages.iter().find(|(at, ..)| *at == cursor) {
            Some((_, ids, next)) => Ok(cursor_page(ids, *next)),
            None => Err(Error::new(ErrorKind::Service, "no such page")),
        }
    })
}

/// Reads a whole list. Returns the identifiers of its rows, and the kind of the error if the list ended with an error.
async fn ids(api: &Api) -> (Vec<String>, Option<ErrorKind>) {
    let mut items = api.social_user_posts("h").items();
    let mut ids = Vec::new();
    loop {
        match items.try_next().await {
            Ok(Some(post)) => ids.push(post.tweet_id),
            Ok(None) => return (ids, None),
            Err(error) => return (ids, Some(error.kind())),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn cursor_list_ends_without_cursor_not_at_empty_page() {
    let (api, fake) = cursors(&[
        ("-", &["a", "b"], Some("c1")),
        ("c1", &[], Some("c2")),
        ("c2", &["z"], Some("")),
    ]);
    assert_eq!(ids(&api).await, (vec!["a".into(), "b".into(), "z".into()], None));
    assert_eq!(fake.values("cursor"), ["-", "c1", "c2"]);
    assert_eq!(fake.values("handle"), ["h", "h", "h"], "parameters hold for every page");
}

#[tokio::test(start_paused = true)]
async fn next_page_is_requested_ahead_of_the_caller() {
    let (api, fake) = cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("c2"))]);
    api.social_user_posts("h").pages().try_next().await.unwrap().unwrap();
    assert_eq!(fake.values("cursor"), ["-", "c1"]);

    let (api, fake) = cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("c2"))]);
    api.social_user_posts("h").items().try_next().await.unwrap().unwrap();
    assert_eq!(fake.values("cursor"), ["-", "c1"]);
}

#[tokio::test(start_paused = true)]
async fn repeated_cursor_is_an_error_after_the_valid_pages() {
    let (api, fake) = cursors(&[
        ("-", &["a"], Some("c1")),
        ("c1", &["b"], Some("c2")),
        ("c2", &["c"], Some("c1")),
    ]);
    // The rows of the page with the repeated cursor are returned before the error.
    assert_eq!(
        ids(&api).await,
        (vec!["a".into(), "b".into(), "c".into()], Some(ErrorKind::Service))
    );
    assert_eq!(fake.values("cursor"), ["-", "c1", "c2"]);
    // The second page contains its own cursor as the cursor of the next page.
    let (api, fake) = cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("c1"))]);
    assert_eq!(ids(&api).await, (vec!["a".into(), "b".into()], Some(ErrorKind::Service)));
    assert_eq!(fake.values("cursor"), ["-", "c1"]);
}

#[tokio::test(start_paused = true)]
async fn valid_pages_precede_an_error_that_ends_the_list() {
    let (api, fake) = cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("gone"))]);
    assert_eq!(ids(&api).await, (vec!["a".into(), "b".into()], Some(ErrorKind::Service)));
    assert_eq!(fake.values("cursor").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn limits_are_exact_and_pages_beyond_them_are_not_requested() {
    const PAGES: &[(&str, &[&str], Option<&str>)] = &[
        ("-", &["a", "b"], Some("c1")),
        ("c1", &["c", "d"], Some("c2")),
        ("c2", &["e", "f"], Some("c3")),
    ];
    for (limit, rows, requests) in [(0, 0, 0), (1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 4, 2)] {
        let (api, fake) = cursors(PAGES);
        let seen = api.social_user_posts("h").max_items(limit).collect_all().await.unwrap();
        assert_eq!((seen.len(), fake.values("cursor").len()), (rows, requests), "limit {limit}");
    }
    let (api, fake) = cursors(PAGES);
    let pages: Vec<_> = api.social_user_posts("h").max_pages(2).pages().collect().await;
    assert_eq!((pages.len(), fake.values("cursor").len()), (2, 2));
    // The list price of a page of posts is one credit.
    let (api, fake) = cursors(PAGES);
    let pager = api.social_user_posts("h").max_credits(2);
    assert_eq!(pager.collect_all().await.unwrap().len(), 4);
    assert_eq!(fake.values("cursor").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn one_page_is_requested_ahead_and_none_after_drop() {
    let (api, fake) =
        cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("c2")), ("c2", &["c"], None)]);
    let mut items = api.social_user_posts("h").items();
    items.try_next().await.unwrap();
    assert_eq!(fake.values("cursor"), ["-", "c1"]);
    drop(items);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(fake.values("cursor"), ["-", "c1"]);
}

#[tokio::test(start_paused = true)]
async fn resumed_list_has_every_row_once() {
    const PAGES: &[(&str, &[&str], Option<&str>)] = &[
        ("-", &["a", "b", "c"], Some("c1")),
        ("c1", &["d", "e"], Some("c2")),
        ("c2", &["f"], None),
    ];
    let all = ["a", "b", "c", "d", "e", "f"];

    for stop in 0..=all.len() {
        let (api, _) = cursors(PAGES);
        let mut items = api.social_user_posts("h").items();
        let mut seen = Vec::new();
        for _ in 0..stop {
            seen.push(items.try_next().await.unwrap().unwrap().tweet_id);
        }

        let Some(token) = items.resume_token() else {
            assert_eq!(seen, all);
            continue;
        };
        let token: ResumeToken =
            serde_json::from_value(serde_json::to_value(token).unwrap()).unwrap();
        let rest =
            api.social_user_posts("h").pager().resume_from(token).collect_all().await.unwrap();
        seen.extend(rest.into_iter().map(|post| post.tweet_id));

        assert_eq!(seen, all, "stopped after {stop}");
    }
}

#[tokio::test(start_paused = true)]
async fn list_resumed_after_each_row_has_every_row() {
    let (api, _) = cursors(&[("-", &["a", "b", "c"], Some("c1")), ("c1", &["d", "e", "f"], None)]);
    let mut items = api.social_user_posts("h").items();
    for row in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(items.try_next().await.unwrap().unwrap().tweet_id, row);
        let Some(token) = items.resume_token() else { continue };
        items = api.social_user_posts("h").pager().resume_from(token).items();
    }
    assert!(items.try_next().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn token_of_another_operation_is_rejected() {
    let (api, fake) = cursors(&[]);
    let refused = |token: String| {
        let pager = api.social_user_posts("h").pager();
        async move {
            let error = pager.resume_from(token.parse().unwrap()).collect_all().await.unwrap_err();
            assert_eq!(
                (error.kind(), error.operation()),
                (ErrorKind::InvalidRequest, Some("social-user-posts"))
            );
            error.message().to_owned()
        }
    };
    let other = "token-holders|0|0|offset|3".to_owned();

    assert_eq!(
        refused(other).await,
        "the resume token belongs to `token-holders`, not to this operation"
    );

    let token = |request: crate::api::generated::social::SocialUserPostsRequest| {
        request.items().resume_token().unwrap().to_string()
    };

    for other in [api.social_user_posts("i"), api.social_user_posts("h").filter("original")] {
        let message = refused(token(other)).await;
        assert!(message.contains("created for other parameters"), "{message}");
    }

    // The test replaces the position in the token by a position of another kind of paging.
    let own = token(api.social_user_posts("h").limit(5));
    for place in ["offset|3", r#"keys|[["handle","i"]]"#] {
        let message = refused(own.replace("start|", place)).await;
        assert_eq!(
            message,
            "the position in the resume token does not match the paging of this operation"
        );
    }
    let fills = || api.hyperliquid_fills("vitalik.eth").pager();
    let own = fills().items().resume_token().unwrap().to_string();
    let token = own.replace("start|", r#"keys|[["address","i"]]"#).parse().unwrap();
    let error = fills().resume_from(token).collect_all().await.unwrap_err();
    assert_eq!(
        error.message(),
        "the position in the resume token does not match the paging of this operation"
    );
    assert!(fake.values("cursor").is_empty());
}

#[tokio::test(start_paused = true)]
async fn fills_without_cursor_continue_after_keys_of_last_row() {
    let (api, fake) = api(|target| {
        let below = parameter(target, "to_ms").map_or(1_000, |value| value.parse::<i64>().unwrap());
        let fill = |ms: i64| {
            json!({"closed_pnl": 0.0, "crossed": true, "direction": "Open Long", "fee": 0.0, "fee_token": "USDC",
                "fill_id": format!("f{ms}"), "hash": "0x", "is_internal": false, "price": 1.0, "side": "buy",
                "size": 1.0, "start_position": 0.0, "symbol": "BTC", "time": ms / 1000, "time_ms": ms, "tx_index": 0})
        };
        let rows: Vec<_> = (1..=2).map(|n| below - n).filter(|ms| *ms > 995).map(fill).collect();
        let meta =
            json!({"cached": false, "credits_used": 4, "has_more": below - 2 > 995, "limit": 2});

        Ok(json!({"data": rows, "meta": meta}))
    });
    let fills = api.hyperliquid_fills("vitalik.eth").limit(2).collect_all().await.unwrap();

    assert_eq!(fills.iter().map(|fill| fill.time_ms.0).collect::<Vec<_>>(), [999, 998, 997, 996]);
    assert_eq!(fake.values("to_ms"), ["-", "998", "996"]);
    assert_eq!(fake.values("to_fill_id"), ["-", "f998", "f996"]);
}

#[tokio::test(start_paused = true)]
async fn repeated_keys_are_an_error() {
    let (api, fake) = api(|_| {
        let fill = json!({"closed_pnl": 0.0, "crossed": true, "direction": "Open Long", "fee": 0.0,
            "fee_token": "USDC", "fill_id": "f", "hash": "0x", "is_internal": false, "price": 1.0,
            "side": "buy", "size": 1.0, "start_position": 0.0, "symbol": "BTC", "time": 1,
            "time_ms": 1000, "tx_index": 0});
        let meta = json!({"cached": false, "credits_used": 4, "has_more": true, "limit": 1});
        Ok(json!({"data": [fill], "meta": meta}))
    });
    let mut fills = api.hyperliquid_fills("vitalik.eth").limit(1).items();
    let mut seen = 0;
    let error = loop {
        match fills.try_next().await {
            Ok(fill) => seen += usize::from(fill.is_some()),
            Err(error) => break error,
        }
    };
    assert_eq!((seen, error.kind(), fake.values("to_ms").len()), (2, ErrorKind::Service, 2));
}

#[tokio::test(start_paused = true)]
async fn order_books_follow_their_pagination_key() {
    let (api, fake) = api(|target| {
        let first = !target.contains("pagination_key=");
        let snapshot = json!({"asks": null, "bids": [], "assetId": "1", "hash": "h", "indexedAt": 1, "market": "m",
            "tickSize": "0.01", "timestamp": 1});
        let mut pagination = json!({"count": 1, "has_more": first, "limit": 1});
        pagination["pagination_key"] = if first { "k1" } else { "k2" }.into();
        Ok(json!({"snapshots": [snapshot], "pagination": pagination}))
    });
    assert_eq!(api.polymarket_orderbooks("1").collect_all().await.unwrap().len(), 2);
    assert_eq!(fake.values("pagination_key"), ["-", "k1"]);
}
