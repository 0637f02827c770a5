//! Tests plans of several exports.

use std::collections::BTreeMap;
use std::future::pending;

use crypto_intel::Client;
use crypto_intel::credits::{Budget, Credits};
use crypto_intel_frames::export::{Outcome, SyncPlan};
use crypto_intel_sandbox::Sandbox;
use serde_json::json;

use super::export::read_parquet;
use super::stopped;

fn plan() -> SyncPlan {
    let plan = json!({
        "side_by_side": 3,
        "export": [
            {"operation": "market-price", "arguments": {"symbol": ["BTC", "ETH"]}},
            {
                "operation": "exchange-candles",
                "arguments": {"exchange": "upbit", "pair": "BTC-KRW", "limit": 100},
                "windows": {"from": "2026-05-01", "to": "2026-05-06", "days": 2},
                "max_rows": 150,
            },
        ],
    });
    serde_json::from_value(plan).expect("a plan")
}

fn client(sandbox: &Sandbox, budget: u64) -> Client {
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    builder.budget(Budget::credits(budget)).build().expect("a client")
}

#[tokio::test(flavor = "multi_thread")]
async fn plan_is_priced_runs_within_one_budget_and_continues() {
    let (sandbox, _) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let bill = plan().prepare(&client(&sandbox, 0)).expect("exports").bill();
    // Two exports with one page of 2 credits, and three exports with two pages of 1 credit.
    assert_eq!((bill.exports.len(), bill.credits, bill.open), (5, Credits(10), 0));
    assert_eq!(sandbox.requests_served(), 0);

    let run = async |budget| {
        let sync = plan().prepare(&client(&sandbox, budget)).expect("exports");
        sync.run(folder.path(), |_, _| (), pending()).await
    };
    let first = run(6).await;
    assert!(first.iter().any(|synced| synced.is_over_budget()), "{first:?}");
    assert!(sandbox.requests_served() <= 6);

    let second = run(10).await;
    let rows: BTreeMap<&str, u64> = second
        .iter()
        .map(|synced| (synced.name.as_str(), synced.result.as_ref().expect("a report").rows))
        .collect();
    let candles = rows.iter().filter(|(name, _)| name.starts_with("exchange-candles"));
    assert_eq!(candles.map(|(_, rows)| *rows).collect::<Vec<_>>(), [150; 3]);
    assert!(rows["market-price/symbol=BTC"] > 0 && rows["market-price/symbol=ETH"] > 0);
    // No page was paid for twice, and a third run requests nothing.
    assert_eq!(sandbox.requests_served(), 8);
    let third = run(0).await;
    let is_done = |outcome| matches!(outcome, Outcome::Complete | Outcome::RowLimit);
    assert!(third.iter().all(|synced| is_done(synced.result.as_ref().expect("a report").outcome)));
    assert_eq!(sandbox.requests_served(), 8);

    let window = "exchange-candles/exchange=upbit,limit=100,pair=BTC-KRW,from=2026-05-03";
    let first = read_parquet(&folder.path().join(window)).swap_remove(0);
    // The last candle before the end of the window, which is the newest one.
    assert_eq!(first["timestamp"], 1_777_938_900_000_i64);
}

#[tokio::test]
async fn fault_of_a_plan_names_the_operation_and_the_reason() {
    let (sandbox, client) = stopped().await;
    for (export, reason) in [
        (json!({"operation": "market-prices"}), "market-prices"),
        (json!({"operation": "market-price"}), "symbol"),
        (json!({"operation": "market-price", "arguments": {"coin": "BTC"}}), "no parameter `coin`"),
        (
            json!({
                "operation": "fund-ranking",
                "windows": {"from": "2026-05-01", "to": "2026-05-06", "days": 2},
            }),
            "no parameter `from`",
        ),
    ] {
        let plan: SyncPlan = serde_json::from_value(json!({"export": [export]})).expect("a plan");
        let error = plan.prepare(&client).err().expect("an error").to_string();
        assert!(error.contains(reason), "{error}");
    }
    let unknown: Result<SyncPlan, _> = serde_json::from_value(json!({"exports": []}));
    assert!(unknown.expect_err("a fault").to_string().contains("unknown field `exports`"));
    let day = json!({"from": "May", "to": "2026-05-06", "days": 2});
    let day: Result<SyncPlan, _> =
        serde_json::from_value(json!({"export": [{"operation": "x", "windows": day}]}));
    assert!(day.expect_err("a fault").to_string().contains("`May` is not a day"));
    assert_eq!(sandbox.requests_served(), 0);
}
