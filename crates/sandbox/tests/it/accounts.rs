//! Tests of API keys, the free daily allowance, charged credits and rate limits.

use std::time::Duration;

use serde_json::json;

use crate::support::{Bench, builder, operation, seen};

#[tokio::test]
async fn a_wrong_key_is_refused_and_none_has_an_allowance() {
    let bench = Bench::from_builder(builder().free_repeats(Duration::ZERO)).await;
    let price = operation("market-price");
    let values = [("symbol", json!("BTC"))];
    let wrong = seen(bench.request(price, &values).bearer_auth("sk-wrong")).await;
    assert_eq!((wrong.status, &wrong.json["error"]["code"]), (401, &json!("UNAUTHORIZED")));
    for _ in 0..15 {
        assert_eq!(seen(bench.request(price, &values)).await.status, 200);
    }
    let spent = seen(bench.request(price, &values)).await;
    assert_eq!((spent.status, &spent.json["error"]["code"]), (402, &json!("FREE_QUOTA_EXHAUSTED")));
    let balance = seen(bench.request(operation("credit-balance"), &[])).await;
    assert_eq!(balance.json["free_remaining"], 0);
    bench.sandbox.clock().advance(Duration::from_secs(86_400));
    assert_eq!(seen(bench.request(price, &values)).await.status, 200);
}

#[tokio::test]
async fn keys_can_be_required() {
    let bench = Bench::from_builder(builder().require_key(true)).await;
    let price = operation("market-price");
    let refused = seen(bench.request(price, &[("symbol", json!("BTC"))])).await;
    assert_eq!(refused.status, 401);
    assert_eq!(bench.example("market-price", &[]).await.status, 200);
    let chat = operation("chat-completions");
    let refused = seen(bench.request(chat, &[])).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.json["success"], false);
    assert_eq!(refused.json["error_code"], "UNAUTHORIZED");
}

#[tokio::test]
async fn the_meta_tells_what_the_balance_loses() {
    let bench = Bench::from_builder(builder().key("sk-mine", 30)).await;
    let left = || bench.sandbox.balance("sk-mine").unwrap();
    let first = bench.example("equity-income-statement", &[]).await;
    assert_eq!(first.json["meta"]["credits_used"], 6);
    assert_eq!(first.json["meta"]["cached"], false);
    assert_eq!(left(), 24);
    let second = bench.example("equity-income-statement", &[("symbol", json!("MSFT"))]).await;
    assert_eq!(second.json["meta"]["credits_used"], 0);
    assert_eq!(second.json["meta"]["cached"], true);
    bench.sandbox.clock().advance(Duration::from_secs(180));
    bench.example("equity-income-statement", &[]).await;
    assert_eq!(left(), 18);
    let deep = [("model", json!("svc-2.0")), ("reasoning", json!({"effort": "low"}))];
    let refused = bench.example("responses", &deep).await;
    assert_eq!((refused.status, &refused.json["error"]["code"]), (402, &json!("FORBIDDEN")));
    assert_eq!(left(), 18);
    assert_eq!(bench.example("credit-balance", &[]).await.json["balance"], 18);
}

#[tokio::test]
async fn the_rate_limit_says_how_long_to_wait() {
    let bench = Bench::from_builder(builder().rate_limit(Some(3))).await;
    for _ in 0..3 {
        assert_eq!(bench.example("market-fear-greed", &[]).await.status, 200);
    }
    let request = bench.request(operation("news-feed"), &[]).bearer_auth(bench.sandbox.key());
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["retry-after"], "60");
    bench.sandbox.clock().advance(Duration::from_secs(60));
    assert_eq!(bench.example("news-feed", &[]).await.status, 200);
}
