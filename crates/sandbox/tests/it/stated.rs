//! Tests of statements in the service's documentation about fields and lists in responses. For example,
//! `total_value_usd` of an account must be the sum of its four parts. `docs/conformance.md` lists the tested
//! statements, each with the name of its test.

use std::collections::BTreeSet;
use std::time::Duration;

use crypto_intel_sandbox::Fault;
use serde_json::{Value, json};

use crate::hyperliquid::addresses;
use crate::support::{Bench, NOW, all, at, close, rows, text};

const DAY: i64 = 86_400;

/// Returns the sum of a number field over all rows.
fn sum(rows: &[Value], name: &str) -> f64 {
    rows.iter().map(|row| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"))).sum()
}

async fn list(bench: &Bench, id: &str, more: &[(&str, Value)]) -> Vec<Value> {
    rows(&bench.example(id, more).await.json).clone()
}

#[tokio::test]
async fn account_value_is_the_sum_of_its_four_parts() {
    let bench = Bench::start().await;
    let pair = [("pair", json!("HYPE/USDT"))];
    let hype = at(&list(&bench, "exchange-price", &pair).await[0], "/last");
    let mut complete = 0;
    for address in addresses(&bench).await {
        let account = bench.example("hyperliquid-account", &[("address", json!(address))]).await;
        let data = &account.json["data"];
        if data["unpriced_token_count"] != 0 || data["total_value_usd"].is_null() {
            continue;
        }

        let price = |balance: &Value| if balance["symbol"] == "HYPE" { hype } else { 1.0 };
        let spot: f64 = data["spot"]["balances"]
            .as_array()
            .unwrap()
            .iter()
            .map(|balance| at(balance, "/total") * price(balance))
            .sum();
        let staked = at(data, "/staking/delegated_hype") * hype;
        let parts = at(data, "/perp/account_value") + at(data, "/vaults/total_equity");
        let (whole, parts) = (at(data, "/total_value_usd"), parts + staked + spot);
        // The ticker price is rounded to fewer digits than the price in the account.
        assert!((whole / parts - 1.0).abs() < 1e-4, "{whole} and {parts}: {data}");
        complete += 1;
    }
    assert!(complete > 1, "{complete}");
}

#[tokio::test]
async fn positions_without_a_liquidation_price_leave_the_fields_out() {
    let bench = Bench::start().await;
    let (mut with, mut without) = (0, 0);
    for row in all(&bench, "hyperliquid-leaderboard", &[]).await {
        let address = [("address", row["address"].clone())];
        let held = bench.example("hyperliquid-positions", &address).await.json;
        for position in held["data"]["positions"].as_array().unwrap() {
            let names = ["liquidation_price", "distance_to_liquidation"];
            match names.map(|name| position.get(name)) {
                [None, None] => without += 1,
                [Some(price), Some(distance)] => {
                    assert!(price.is_number() && at(position, "/distance_to_liquidation") > 0.0);
                    assert!(distance.is_number(), "{position}");
                    with += 1;
                }
                _ => panic!("one of two: {position}"),
            }
        }
    }
    assert!(with > 0 && without > 0, "{with} with, {without} without");
}

#[tokio::test]
async fn parts_of_accounts_have_the_stated_ranges() {
    let bench = Bench::start().await;
    let mut locks = BTreeSet::new();
    for row in all(&bench, "hyperliquid-leaderboard", &[]).await {
        assert!((0.0..=100.0).contains(&at(&row, "/human_score")), "{row}");
        let address = [("address", row["address"].clone())];
        let held = bench.example("hyperliquid-positions", &address).await.json;
        assert!((0.0..=1.0).contains(&at(&held, "/data/margin_ratio")), "{held}");

        let account = bench.example("hyperliquid-account", &address).await.json;
        for vault in account["data"]["vaults"]["positions"].as_array().into_iter().flatten() {
            locks.insert(vault.get("locked_until").map(Value::is_i64));
        }
        for balance in account["data"]["spot"]["balances"].as_array().into_iter().flatten() {
            close(
                at(balance, "/available"),
                at(balance, "/total") - at(balance, "/hold"),
                "available",
            );
        }
    }
    assert_eq!(locks, BTreeSet::from([None, Some(true)]), "a vault without a lock has no date");
}

#[tokio::test]
async fn momentum_is_sorted_by_the_chosen_figure() {
    let bench = Bench::start().await;
    for by in ["volume_7d", "price_change_7d"] {
        let more = [("sort_by", json!(by))];
        let data = bench.example("prediction-market-analytics", &more).await.json["data"].clone();
        let items = data["momentum_markets"].as_array().unwrap_or_else(|| panic!("{by}: {data}"));
        let by = format!("/{by}");
        assert!(items.len() > 3 && items.is_sorted_by(|a, b| at(a, &by) >= at(b, &by)), "{by}");
    }
}

#[tokio::test]
async fn answers_have_the_prefixes_and_sums_that_were_seen() {
    let bench = Bench::start().await;
    let answer = bench.example("responses", &[]).await.json;
    let id = text(&answer, "id").to_owned();
    assert!(id.starts_with("resp_"), "{answer}");
    let usage = &answer["usage"];
    let parts = at(usage, "/input_tokens") + at(usage, "/output_tokens");
    close(at(usage, "/total_tokens"), parts, "tokens");
    // The service has no operation that returns an earlier answer.
    assert_eq!(bench.get(&format!("/gateway/v1/responses/{id}")).await.status, 404);

    let completion = bench.example("chat-completions", &[]).await.json;
    assert!(text(&completion, "id").starts_with("chatcmpl-"), "{completion}");
    assert_eq!(completion["object"], "chat.completion");
    assert_eq!(completion["choices"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn ranks_of_traders_count_from_the_offset() {
    let bench = Bench::start().await;
    for offset in [0, 5] {
        let more = [("offset", json!(offset)), ("limit", json!(4))];
        let ranks: Vec<_> = list(&bench, "hyperliquid-leaderboard", &more)
            .await
            .iter()
            .map(|row| row["rank"].as_u64().unwrap())
            .collect();
        assert_eq!(ranks, (offset + 1..=offset + 4).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn totals_of_orders_exceed_truncated_lists() {
    let bench = Bench::start().await;
    let whole = bench.example("hyperliquid-orders", &[]).await.json["data"].clone();
    let more = [("open_limit", json!(1)), ("historical_limit", json!(2))];
    let cut = bench.example("hyperliquid-orders", &more).await.json["data"].clone();
    for (list, total, limit) in [("open", "open_total", 1), ("historical", "historical_total", 2)] {
        assert_eq!(cut[list].as_array().unwrap().len(), limit, "{cut}");
        assert_eq!(cut[total], whole[total], "{list}");
        assert!(cut[total].as_u64().unwrap() > limit as u64, "{cut}");
    }
}

#[tokio::test]
async fn groups_of_trades_have_the_keys_of_their_kind() {
    let bench = Bench::start().await;
    let is_day = |key: &str| key.len() == 10 && key.split('-').count() == 3;
    let is_symbol = |key: &str| key.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let is_side = |key: &str| ["long", "short"].contains(&key);
    let is_tier = |key: &str| key.contains(['<', '-', '>']) && !is_day(key);
    type Fits<'a> = &'a dyn Fn(&str) -> bool;
    let kinds: [(&str, Fits<'_>); 5] = [
        ("day", &is_day),
        ("symbol", &is_symbol),
        ("direction", &is_side),
        ("size_bucket", &is_tier),
        ("hold_bucket", &is_tier),
    ];
    for (kind, fits) in kinds {
        let groups =
            list(&bench, "hyperliquid-trades-aggregate", &[("group_by", json!(kind))]).await;
        let keys: BTreeSet<_> = groups.iter().map(|group| text(group, "key")).collect();
        assert!(keys.len() == groups.len() && !keys.is_empty(), "{kind}: {keys:?}");
        assert!(keys.iter().all(|key| fits(key)), "{kind}: {keys:?}");
        assert!(groups.iter().all(|group| (0.0..=1.0).contains(&at(group, "/win_rate"))));
    }
}

#[tokio::test]
async fn live_episodes_have_no_id() {
    let bench = Bench::start().await;
    let (mut live, mut stored) = (0, 0);
    for row in all(&bench, "hyperliquid-leaderboard", &[]).await {
        let more = [("address", row["address"].clone()), ("limit", json!(100))];
        for episode in list(&bench, "hyperliquid-trades", &more).await {
            let is_live = episode["source"] == "live";
            assert_eq!(episode.get("episode_id").is_none(), is_live, "{episode}");
            *(if is_live { &mut live } else { &mut stored }) += 1;
        }
    }
    assert!(live > 0 && stored > 0, "{live} live, {stored} stored");
}

#[tokio::test]
async fn candles_of_hyperliquid_cover_a_half_open_range() {
    let bench = Bench::start().await;
    let (from, to) = (NOW - NOW % DAY - 3 * DAY, NOW - NOW % DAY);
    let range = [("interval", json!("1d")), ("from", json!(from)), ("to", json!(to))];
    let times: Vec<_> = list(&bench, "hyperliquid-candles", &range)
        .await
        .iter()
        .map(|row| row["open_time"].as_i64().unwrap())
        .collect();
    assert_eq!(times, [from, from + DAY, from + 2 * DAY]);

    for (minutes, status) in [(5_000, 200), (5_001, 422)] {
        let from = to - minutes * 60;
        let range = [("interval", json!("1m")), ("from", json!(from)), ("to", json!(to))];
        let seen = bench.example("hyperliquid-candles", &range).await;
        assert_eq!(seen.status, status, "{minutes}: {:.200}", seen.text);
    }
}

#[tokio::test]
async fn correlations_count_the_days_that_both_markets_have() {
    let bench = Bench::start().await;
    // At this time, some of the markets are younger than 30 days.
    bench.sandbox.clock().set(crypto_intel_sandbox::UnixSeconds(1_640_000_000));
    let mut days = BTreeSet::new();
    for category in ["crypto", "politics", "economics", "sports", "culture"] {
        let more = [("category", json!(category)), ("limit", json!(100))];
        for row in list(&bench, "prediction-market-correlations", &more).await {
            assert!((-1.0..=1.0).contains(&at(&row, "/correlation")), "{row}");
            days.insert(row["overlapping_days"].as_u64().unwrap());
        }
    }
    assert_eq!(days.last(), Some(&30), "{days:?}");
    assert!(days.len() > 1 && days.iter().all(|days| *days >= 1), "{days:?}");
}

#[tokio::test]
async fn only_markets_with_an_outcome_token_have_its_price() {
    let bench = Bench::start().await;
    let mut seen = BTreeSet::new();
    for row in all(&bench, "search-prediction-market", &[]).await {
        let platform = text(&row, "platform").to_owned();
        let has_token = row["token_id"].is_string();
        assert_eq!(has_token, platform == "polymarket", "{row}");
        assert_eq!(row.get("latest_price").is_some(), has_token, "{row}");
        assert_eq!(row.get("smart_money_direction").is_some(), has_token, "{row}");
        if has_token {
            assert!((0.0..=1.0).contains(&at(&row, "/latest_price")), "{row}");
        }
        seen.insert(platform);
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}

#[tokio::test]
async fn analytics_are_sums_and_ordered() {
    let bench = Bench::start().await;
    let analytics = async |more: &[(&str, Value)]| {
        let json = bench.example("prediction-market-analytics", more).await.json;
        json["data"].clone()
    };
    let whole = analytics(&[("time_range", json!("7d"))]).await;
    let top = whole["top_markets"].as_array().unwrap();
    assert!(top.len() > 3);
    assert!(top.is_sorted_by(|a, b| at(a, "/open_interest_usd") >= at(b, "/open_interest_usd")));

    // The values of all categories together are the sums over the single categories.
    let days = whole["category_trends"].as_array().unwrap();
    let mut parts = (0.0, 0.0);
    for category in ["crypto", "politics", "economics", "sports", "culture", "financials", "stem"] {
        let more = [("time_range", json!("7d")), ("category", json!(category))];
        let one = analytics(&more).await["category_trends"].as_array().unwrap().clone();
        parts.0 += sum(&one, "volume_usd");
        parts.1 += sum(&one, "open_interest_usd");
    }
    close(sum(days, "volume_usd"), parts.0, "volume");
    close(sum(days, "open_interest_usd"), parts.1, "open interest");

    // The points of one venue are one day apart. Open interest changes little from day to day.
    let one: Vec<_> = days.iter().filter(|day| day["source"] == "Polymarket").collect();
    for pair in one.windows(2) {
        let [before, after] = [0, 1].map(|n| at(pair[n], "/open_interest_usd"));
        assert!((0.5..2.0).contains(&(after / before)), "{before} then {after}");
        assert_eq!(at(pair[1], "/timestamp") - at(pair[0], "/timestamp"), DAY as f64);
        assert!(at(pair[0], "/market_count") > 0.0);
    }

    let markets = all(&bench, "search-prediction-market", &[]).await;
    let active = markets.iter().filter(|row| row["platform"] == "polymarket").count();
    assert_eq!(at(one[one.len() - 1], "/market_count"), active as f64, "counts active markets");
}

#[tokio::test]
async fn trades_on_polymarket_are_filtered_by_each_parameter() {
    let bench = Bench::start().await;
    let trades = async |more: &[(&str, Value)]| {
        let mut more = more.to_vec();
        more.push(("limit", json!(500)));
        list(&bench, "polymarket-trades", &more).await
    };
    let every = trades(&[]).await;
    let market = every[0]["condition_id"].clone();
    let of_market = trades(&[("condition_id", market.clone())]).await;
    assert!(of_market.iter().all(|trade| trade["condition_id"] == market));
    assert!(of_market.len() > 5);

    let (from, to) = (NOW - 2 * DAY, NOW - DAY);
    for (from_text, to_text) in [
        (json!(from.to_string()), json!(to.to_string())),
        (json!("2026-06-13"), json!("2026-06-14")),
    ] {
        let range =
            [("condition_id", market.clone()), ("from", from_text), ("to", to_text.clone())];
        let inside = trades(&range).await;
        let last = if to_text == json!("2026-06-14") { 1_781_395_200 } else { to };
        assert!(!inside.is_empty());
        for trade in &inside {
            let time = trade["block_time"].as_i64().unwrap();
            assert!((1_781_308_800.min(from)..=last).contains(&time), "{time}");
        }
    }

    // The trades of a wallet are the trades in which the wallet is one of the two parties.
    let wallet = of_market[0]["taker_address"].clone();
    let own = trades(&[("address", wallet.clone())]).await;
    let parties = ["maker_address", "taker_address"];
    assert!(own.iter().all(|trade| parties.iter().any(|party| trade[party] == wallet)));
    for party in parties {
        let listed = every.iter().filter(|trade| trade[party] == wallet).count();
        let found = own.iter().filter(|trade| trade[party] == wallet).count();
        assert!(found >= listed && found > 0, "{party}: {found} of {listed}");
    }
}

#[tokio::test]
async fn class_of_assets_filters_holdings_and_not_their_count() {
    let bench = Bench::start().await;
    let whole =
        bench.example("equity-etf-holdings", &[]).await.json["data"]["snapshots"][0].clone();
    let weights: Vec<_> =
        whole["holdings"].as_array().unwrap().iter().map(|row| at(row, "/weight")).collect();
    assert!(weights.len() > 5 && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    assert!(weights[0] > 1.0, "percentage points: {weights:?}");

    let more = [("asset_class", json!("debt"))];
    let none =
        bench.example("equity-etf-holdings", &more).await.json["data"]["snapshots"][0].clone();
    assert_eq!(none["holdings"], json!([]));
    assert_eq!(none["fund"]["total_holdings"], whole["fund"]["total_holdings"]);
    assert_eq!(none["fund"]["returned"], 0);
}

#[tokio::test]
async fn takers_have_labels_only_on_request() {
    let bench = Bench::start().await;
    let plain = list(&bench, "token-dex-trades", &[]).await;
    assert!(plain.iter().all(|trade| trade.get("taker_label").is_none()), "{}", plain[0]);
    let labelled = list(&bench, "token-dex-trades", &[("include", json!("labels"))]).await;
    for trade in &labelled {
        assert_eq!(trade["taker_label"]["address"], trade["taker"], "{trade}");
    }
    assert_eq!(plain.len(), labelled.len());
}

#[tokio::test]
async fn found_funds_have_a_tier_and_at_most_five_projects() {
    let bench = Bench::start().await;
    let funds = list(&bench, "search-fund", &[("q", json!("a")), ("limit", json!(100))]).await;
    assert!(!funds.is_empty());
    for fund in &funds {
        assert!(fund["tier"].is_i64() && fund["top_projects"].as_array().unwrap().len() <= 5);
        for id in ["fund-detail", "fund-portfolio"] {
            let seen = bench.example(id, &[("id", fund["id"].clone())]).await;
            assert_eq!(seen.status, 200, "{id} {fund}: {}", seen.text);
        }
    }
}

#[tokio::test]
async fn rejections_have_nine_fields() {
    let bench = Bench::start().await;
    let sql = [("sql", json!("SELECT 1"))];
    for fault in ["queue-full", "circuit-open"] {
        bench.sandbox.inject(fault.parse::<Fault>().unwrap().times(1)).unwrap();
        let seen = bench.example("onchain-sql-job-create", &sql).await;
        let error = seen.json["error"].as_object().unwrap();
        let names: BTreeSet<_> = error.keys().map(String::as_str).collect();
        let stated = "code message request_id job_id query_id status retryable retry_after_ms \
            recommended_action";
        assert_eq!(names, stated.split_whitespace().collect(), "{fault}");
        assert!(error["retry_after_ms"].as_i64().unwrap() >= 1 && error["retryable"].is_boolean());
        assert!(error["message"].is_string() && error["request_id"].is_string());
        assert!(error["job_id"].is_null() && error["query_id"].is_null());
    }
}

#[tokio::test]
async fn limits_of_rows_of_a_query_are_checked() {
    let bench = Bench::start().await;
    for id in ["onchain-sql", "onchain-sql-job-create", "onchain-sql-preflight"] {
        for max_rows in [0, 10_001] {
            let more = [("sql", json!("SELECT 1")), ("max_rows", json!(max_rows))];
            assert_eq!(bench.example(id, &more).await.status, 422, "{id} {max_rows}");
        }
    }
}

#[tokio::test]
async fn repeats_are_free_for_three_minutes_whatever_their_parameters() {
    let bench = Bench::start().await;
    let credits = async |symbol: &str| {
        let json = bench.example("market-price", &[("symbol", json!(symbol))]).await.json;
        json["meta"]["credits_used"].as_u64().unwrap()
    };
    assert_eq!((credits("BTC").await, credits("ETH").await), (2, 0));
    bench.sandbox.clock().advance(Duration::from_secs(179));
    assert_eq!(credits("SOL").await, 0);
    bench.sandbox.clock().advance(Duration::from_secs(1));
    assert_eq!(credits("SOL").await, 2);
}
