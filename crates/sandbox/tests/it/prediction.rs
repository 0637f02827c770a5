//! Tests of prediction markets: the prices of Yes and No sum to one, and all endpoints return equal data about a
//! market.

use serde_json::{Value, json};

use crate::support::Bench;

fn f(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

#[tokio::test]
async fn yes_and_no_sum_to_one_on_both_venues() {
    let bench = Bench::start().await;
    for id in ["polymarket-prices", "kalshi-prices"] {
        let points = bench.example(id, &[("interval", json!("1h"))]).await.json;
        let points = points["data"].as_array().unwrap();
        assert!(points.len() > 700, "{id}");
        for point in points {
            let (yes, no) = (f(point, "/side_a/price"), f(point, "/side_b/price"));
            assert!((yes + no - 1.0).abs() < 1e-12 && yes > 0.0 && no > 0.0, "{point}");
        }
    }
    let trades = bench.example("kalshi-trades", &[]).await.json;
    for trade in trades["data"].as_array().unwrap() {
        assert!((f(trade, "/yes_price") + f(trade, "/no_price") - 1.0).abs() < 1e-12);
    }
}

#[tokio::test]
async fn a_market_is_one_market_wherever_it_is_shown() {
    let bench = Bench::start().await;
    let latest = bench.example("polymarket-prices", &[("interval", json!("latest"))]).await.json;
    let yes = f(&latest, "/data/0/side_a/price");
    let market = bench.example("polymarket-markets", &[]).await.json["data"][0].clone();
    let found = bench
        .example("search-prediction-market", &[("condition_id", market["condition_id"].clone())])
        .await
        .json;

    assert_eq!(found["data"].as_array().unwrap().len(), 1);
    assert_eq!(f(&found, "/data/0/latest_price"), yes);
    assert_eq!(f(&found, "/data/0/volume_7d"), f(&market, "/volume_1_week"));

    let pair = bench
        .example(
            "matching-market-pairs",
            &[("polymarket_condition_id", market["condition_id"].clone())],
        )
        .await
        .json;

    assert_eq!(f(&pair, "/data/0/polymarket_price"), yes);
    assert_eq!(pair["data"][0]["polymarket"]["question"], market["title"]);

    let candle = bench.example("polymarket-price-ohlcv", &[]).await.json;
    assert_eq!(f(candle["candles"].as_array().unwrap().last().unwrap(), "/close"), yes);
}

#[tokio::test]
async fn candles_and_volumes_add_up() {
    let bench = Bench::start().await;
    let ask = async |minutes: i64, from: i64, to: i64| {
        let more =
            [("interval", json!(minutes)), ("start_time", json!(from)), ("end_time", json!(to))];
        bench.example("polymarket-price-ohlcv", &more).await.json["candles"]
            .as_array()
            .unwrap()
            .clone()
    };
    let from = 1_781_481_600; // 2026-06-15 00:00 UTC
    let whole = &ask(480, from, from).await[0];
    let parts = ask(15, from, from + 8 * 3600 - 1).await;

    assert_eq!(parts.len(), 32);

    let max = parts.iter().map(|part| f(part, "/high")).fold(f64::MIN, f64::max);
    let min = parts.iter().map(|part| f(part, "/low")).fold(f64::MAX, f64::min);
    assert_eq!((max, min), (f(whole, "/high"), f(whole, "/low")));

    let sum: f64 = parts.iter().map(|part| f(part, "/volume")).sum();
    assert_eq!(sum, f(whole, "/volume"));

    let split =
        bench.example("polymarket-volume-split", &[("granularity", json!("day"))]).await.json;
    for point in split["data_points"].as_array().unwrap() {
        assert_eq!(f(point, "/yes_volume") + f(point, "/no_volume"), f(point, "/total_volume"));
    }
}

#[tokio::test]
async fn books_bracket_the_price() {
    let bench = Bench::start().await;
    let kalshi = bench.example("kalshi-orderbooks", &[]).await.json;
    for book in kalshi["snapshots"].as_array().unwrap() {
        assert!(f(book, "/best_bid") < f(book, "/best_ask"), "{book}");
        assert_eq!(f(book, "/best_bid"), f(book, "/yes_bids/0/price"));
    }
    let poly = bench.example("polymarket-orderbooks", &[]).await.json;
    for book in poly["snapshots"].as_array().unwrap() {
        assert!(f(book, "/bids/0/price") < f(book, "/asks/0/price"), "{book}");
    }
}

#[tokio::test]
async fn trades_are_filtered_and_sorted() {
    let bench = Bench::start().await;
    let more = [
        ("outcome_label", json!("Yes")),
        ("min_amount", json!(2_000)),
        ("sort_by", json!("notional_volume_usd")),
    ];
    let trades = bench.example("polymarket-trades", &more).await.json;
    let trades = trades["data"].as_array().unwrap();
    assert!(trades.len() > 5);
    assert!(trades.iter().all(|t| t["outcome_label"] == "Yes" && f(t, "/amount_usd") >= 2_000.0));
    assert!(trades.is_sorted_by(|a, b| f(a, "/amount_usd") >= f(b, "/amount_usd")));
    let address = trades[0]["maker_address"].clone();
    let own = bench.example("polymarket-trades", &[("address", address.clone())]).await.json;
    for trade in own["data"].as_array().unwrap() {
        assert!(trade["maker_address"] == address || trade["taker_address"] == address);
    }
}
