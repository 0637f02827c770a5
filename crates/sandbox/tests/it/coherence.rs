//! Tests that different endpoints return equal data, for example the same price, candles or funding rounds.

use serde_json::{Value, json};

use crate::support::Bench;

/// Returns the number at a JSON pointer. Panics if the value there is not a number.
#[track_caller]
fn at(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

fn rows(value: &Value) -> &Vec<Value> {
    value["data"].as_array().unwrap()
}

#[track_caller]
fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-6 * a.abs().max(b.abs()), "{what}: {a} and {b}");
}

#[tokio::test]
async fn a_price_is_one_price_wherever_it_is_shown() {
    prices_agree(&Bench::start().await, 100).await;
}

/// Checks that all endpoints return the same price of a coin, for the first `coins` coins of the market ranking.
pub(crate) async fn prices_agree(bench: &Bench, coins: usize) {
    let ranking = bench.example("market-ranking", &[("limit", json!(coins))]).await.json;
    for coin in rows(&ranking) {
        let (symbol, price) = (coin["symbol"].as_str().unwrap(), at(coin, "/price_usd"));
        let history = bench.example("market-price", &[("symbol", json!(symbol))]).await.json;
        close(at(&history, "/summary/last"), price, symbol);

        let pair = json!(format!("{symbol}/USDT"));
        if symbol != "USDT" {
            let ticker = bench.example("exchange-price", &[("pair", pair.clone())]).await.json;
            close(at(&ticker, "/data/0/last"), price, symbol);
            close(at(&ticker, "/data/0/high_24h"), at(coin, "/high_24h"), symbol);
            let depth = bench.example("exchange-depth", &[("pair", pair.clone())]).await.json;
            assert!(at(&depth, "/data/0/bids/0/price") < price, "{symbol}");
            assert!(at(&depth, "/data/0/asks/0/price") > price, "{symbol}");
            let perp = bench.example("exchange-perp", &[("pair", pair)]).await.json;
            close(at(&perp, "/data/funding/mark_price"), price, symbol);
        }

        let found = bench.example("search-token", &[("q", json!(symbol))]).await.json;
        let token = rows(&found).iter().find(|token| token["symbol"] == symbol).unwrap();
        close(at(token, "/volume_usd"), at(coin, "/volume_24h_usd"), symbol);

        let slug = coin["slug"].clone();
        let detail = bench.example("project-detail", &[("q", slug.clone())]).await.json;
        close(at(&detail, "/data/token_info/price_usd"), price, symbol);

        let signal = bench.example("signal-detail", &[("project_slug", slug)]).await.json;
        close(at(&signal, "/data/price"), price, symbol);
    }
}

#[tokio::test]
async fn candles_agree_across_domains_and_widths() {
    candles_agree(&Bench::start().await, 1_781_222_400).await; // 2026-06-12 00:00 UTC
}

/// Checks that the hourly candles of one day add up to the daily candle of this day. Also checks that other endpoints
/// return the same candles. `from` is the Unix time of the day's start.
pub(crate) async fn candles_agree(bench: &Bench, from: i64) {
    let day = bench
        .example(
            "exchange-klines",
            &[
                ("pair", json!("ETH/USDT")),
                ("interval", json!("1d")),
                ("from", json!(from.to_string())),
                ("limit", json!(1)),
            ],
        )
        .await
        .json;
    let day = &day["data"][0]["candles"][0];

    let hours = bench
        .example(
            "exchange-klines",
            &[
                ("pair", json!("ETH/USDT")),
                ("interval", json!("1h")),
                ("from", json!(from.to_string())),
                ("limit", json!(24)),
            ],
        )
        .await
        .json;
    let hours = hours["data"][0]["candles"].as_array().unwrap();

    assert_eq!(hours.len(), 24);

    let values = |name: &str| hours.iter().map(|hour| at(hour, name)).collect::<Vec<_>>();
    assert_eq!(values("/volume").iter().sum::<f64>(), at(day, "/volume"));
    assert_eq!(values("/high").iter().copied().fold(f64::MIN, f64::max), at(day, "/high"));
    assert_eq!(values("/low").iter().copied().fold(f64::MAX, f64::min), at(day, "/low"));
    assert_eq!(
        (at(&hours[0], "/open"), at(&hours[23], "/close")),
        (at(day, "/open"), at(day, "/close"))
    );

    let eth = bench.example("search-token", &[("q", json!("ethereum"))]).await.json;
    let eth = rows(&eth).iter().find(|token| token["symbol"] == "ETH").unwrap();
    let bars = bench
        .example(
            "dex-token-price",
            &[
                ("address", eth["address"].clone()),
                ("from", json!(from.to_string())),
                ("to", json!((from + 86_399).to_string())),
            ],
        )
        .await
        .json;

    assert_eq!(rows(&bars).len(), 24);

    for (bar, hour) in rows(&bars).iter().zip(hours) {
        assert_eq!((&bar["open"], &bar["high"]), (&hour["open"], &hour["high"]));
    }
}

#[tokio::test]
async fn history_reads_the_same_later() {
    let bench = Bench::start().await;
    let ask = async || {
        let range = [("from", json!("2026-05-01")), ("to", json!("2026-05-20"))];
        bench.example("market-price", &range).await.json["data"].clone()
    };
    let before = ask().await;
    bench.sandbox.clock().advance(std::time::Duration::from_secs(40 * 86_400));
    assert_eq!(before, ask().await);
    assert!(before.as_array().unwrap().len() > 19);
}

#[tokio::test]
async fn funds_and_projects_tell_of_the_same_rounds() {
    let bench = Bench::start().await;
    let funds = bench.example("fund-ranking", &[("metric", json!("portfolio_count"))]).await.json;
    let fund = &rows(&funds)[0];
    let portfolio = bench
        .example("fund-portfolio", &[("id", fund["id"].clone()), ("q", json!("ignored"))])
        .await
        .json;

    assert_eq!(portfolio["meta"]["total"], fund["invested_projects_count"]);

    for project in rows(&portfolio) {
        let detail =
            bench.example("project-detail", &[("id", project["project_id"].clone())]).await.json;
        let rounds = detail["data"]["funding"]["rounds"].as_array().unwrap();
        assert_eq!(detail["data"]["funding"]["total_raise"], project["total_raise"]);
        let backed = rounds.iter().flat_map(|round| round["investors"].as_array().unwrap());
        assert!(backed.into_iter().any(|investor| investor["id"] == fund["id"]));
        assert_eq!(
            rounds.iter().map(|round| at(round, "/amount")).sum::<f64>(),
            at(project, "/total_raise")
        );
    }
}

#[tokio::test]
async fn lists_are_sorted_and_filtered_as_asked() {
    let bench = Bench::start().await;
    let column = async |id: &str, member: &str, more: &[(&str, Value)]| -> Vec<f64> {
        let answer = bench.example(id, more).await.json;
        rows(&answer).iter().map(|row| at(row, &format!("/{member}"))).collect()
    };
    let asc = [("sort_by", json!("volume_24h")), ("order", json!("asc")), ("limit", json!(100))];
    let volumes = column("market-ranking", "volume_24h_usd", &asc).await;

    assert!(volumes.is_sorted() && volumes.len() > 20, "{volumes:?}");

    let desc = column("market-ranking", "market_cap_usd", &[]).await;
    assert!(desc.is_sorted_by(|a, b| a >= b), "{desc:?}");

    let memes = bench.example("market-ranking", &[("category", json!("MEME"))]).await.json;
    assert_eq!(rows(&memes).len(), 3);

    let large = [("min_amount", json!("500000")), ("sort_by", json!("usd_value"))];
    let orders = column("market-liquidation-order", "usd_value", &large).await;
    assert!(orders.iter().all(|usd| *usd >= 500_000.0) && orders.is_sorted_by(|a, b| a >= b));

    let longs = bench.example("market-liquidation-order", &[("side", json!("long"))]).await.json;
    assert!(!rows(&longs).is_empty());
    assert!(rows(&longs).iter().all(|order| order["side"] == "long"));

    let range =
        [("from", json!("2026-06-01")), ("to", json!("2026-06-05")), ("order", json!("asc"))];
    let days = column("market-etf", "timestamp", &range).await;
    assert_eq!(days.len(), 5);
    assert!(days.is_sorted());
}

#[tokio::test]
async fn what_the_world_does_not_have_is_not_found() {
    let bench = Bench::start().await;
    for (id, name, value) in [
        ("market-price", "symbol", "NOSUCH"),
        ("exchange-price", "pair", "NOSUCH/USDT"),
        ("project-detail", "q", "no such project"),
        ("fund-detail", "q", "no such fund"),
    ] {
        let seen = bench.example(id, &[(name, json!(value))]).await;
        assert_eq!((seen.status, &seen.json["error"]["code"]), (404, &json!("NOT_FOUND")), "{id}");
    }
}

#[tokio::test]
async fn people_and_articles_are_the_same_wherever_they_appear() {
    let bench = Bench::start().await;
    let detail = bench.example("project-detail", &[]).await.json;
    let overview = &detail["data"]["overview"];
    // The parameter `id` takes precedence over the other parameters.
    let both = [("id", overview["id"].clone()), ("q", json!("ethereum"))];
    let by_id = bench.example("project-detail", &both).await.json;
    assert_eq!(by_id["data"]["overview"]["id"], overview["id"]);

    let handle = overview["x_handle"].clone();
    let person = bench.example("social-user", &[("handle", handle.clone())]).await.json;

    assert_eq!(person["data"]["user_id"], overview["x_id"]);
    assert_eq!(person["data"]["followers_count"], overview["x_followers"]);

    let more = [("handle", handle.clone()), ("limit", json!(100))];
    let posts = bench.example("social-user-posts", &more).await.json;
    assert!(rows(&posts).iter().all(|post| post["author"]["user_id"] == overview["x_id"]));
    assert!(rows(&posts).iter().any(|post| post["type"] == "repost"));

    let original = [more[0].clone(), more[1].clone(), ("filter", json!("original"))];
    let original = bench.example("social-user-posts", &original).await.json;
    assert!(!rows(&original).is_empty());
    assert!(rows(&original).iter().all(|post| post["type"] != "repost"));

    let feed = bench.example("news-feed", &[("project", json!("bitcoin"))]).await.json;
    let article = &rows(&feed)[0];
    assert_eq!(article["project_id"], overview["id"]);

    let full = bench.example("news-detail", &[("id", article["id"].clone())]).await.json;
    for name in ["title", "url", "source", "published_at", "project_name"] {
        assert_eq!(full["data"][name], article[name], "{name}");
    }

    let source = bench.example("news-feed", &[("source", json!("decrypt"))]).await.json;
    assert!(!rows(&source).is_empty());
    assert!(rows(&source).iter().all(|article| article["source"] == "decrypt"));
}
