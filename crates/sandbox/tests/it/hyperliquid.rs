//! Tests that the fills of an account add up to its positions, and that the statistics of an account match its trades.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::Bench;

/// Returns all rows that the operation `id` returns for the account `address`. Follows the cursors to read all pages.
async fn all(bench: &Bench, id: &str, address: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut more = vec![("address", json!(address)), ("limit", json!(100))];
    loop {
        let page = bench.example(id, &more).await.json;
        rows.extend(page["data"].as_array().unwrap_or_else(|| panic!("{page}")).clone());
        match page["meta"]["next_cursor"].as_str() {
            None | Some("") => return rows,
            Some(cursor) => {
                more.truncate(2);
                more.push(("cursor", json!(cursor)));
            }
        }
    }
}

pub(crate) async fn addresses(bench: &Bench) -> Vec<String> {
    let board = bench.example("hyperliquid-leaderboard", &[("limit", json!(6))]).await.json;
    let rows = board["data"].as_array().unwrap();
    assert_eq!(rows.len(), 6, "{board}");
    rows.iter().map(|row| row["address"].as_str().unwrap().to_owned()).collect()
}

fn sum(rows: &[Value], name: &str) -> f64 {
    rows.iter().map(|row| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"))).sum()
}

#[track_caller]
fn same(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())), "{what}: {a} and {b}");
}

#[tokio::test]
async fn fills_add_up_to_positions() {
    let bench = Bench::start().await;
    let mut open = 0;
    for address in addresses(&bench).await {
        open += fills_add_up(&bench, &address).await;
    }
    assert!(open > 3, "hardly a position is open");
}

/// Checks that the fills of an account add up to its open positions. Returns the number of open positions.
pub(crate) async fn fills_add_up(bench: &Bench, address: &str) -> usize {
    let fills = all(bench, "hyperliquid-fills", address).await;
    assert!(fills.len() > 20, "{address}");

    let mut held: BTreeMap<&str, f64> = BTreeMap::new();
    for fill in fills.iter().rev() {
        let symbol = fill["symbol"].as_str().unwrap();
        let position = held.entry(symbol).or_default();
        assert_eq!(fill["start_position"].as_f64().unwrap(), *position, "{address} {symbol}");
        let sign = if fill["side"] == "buy" { 1.0 } else { -1.0 };
        *position += sign * fill["size"].as_f64().unwrap();
    }

    held.retain(|_, size| *size != 0.0);
    let positions =
        bench.example("hyperliquid-positions", &[("address", json!(address))]).await.json;
    let data = &positions["data"];
    let shown: BTreeMap<&str, f64> = data["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["symbol"].as_str().unwrap(), p["size"].as_f64().unwrap()))
        .collect();

    assert_eq!(shown, held, "{address}");

    for position in data["positions"].as_array().unwrap() {
        let f = |name: &str| position[name].as_f64().unwrap();
        same(f("position_value"), f("size").abs() * f("mark_price"), "value");
        same(f("unrealized_pnl"), (f("mark_price") - f("entry_price")) * f("size"), "pnl");
        same(f("return_on_equity"), f("unrealized_pnl") / f("margin_used"), "return");
        let pair = json!(format!("{}/USDT", position["symbol"].as_str().unwrap()));
        let ticker = bench.example("exchange-price", &[("pair", pair)]).await.json;
        let last = ticker["data"][0]["last"].as_f64().unwrap();
        assert!((last / f("mark_price") - 1.0).abs() < 1e-6);
    }

    let view = bench.example("hyperliquid-performance", &[("address", json!(address))]).await.json;
    // If the snapshot of positions failed, both fields are missing.
    if view["data"]["account_value"].is_number() {
        assert_eq!(view["data"]["open_positions"], data["positions"]);
        assert_eq!(view["data"]["account_value"], data["account_value"]);
    }

    let account = bench.example("hyperliquid-account", &[("address", json!(address))]).await.json;
    assert_eq!(account["data"]["perp"]["account_value"], data["account_value"]);
    assert_eq!(account["data"]["perp"]["open_position_count"], shown.len());

    shown.len()
}

#[tokio::test]
async fn episodes_add_up_to_every_aggregate() {
    let bench = Bench::start().await;
    for address in addresses(&bench).await {
        let episodes = all(&bench, "hyperliquid-trades", &address).await;
        for episode in &episodes {
            let f = |name: &str| episode[name].as_f64().unwrap();
            same(f("net_pnl"), f("gross_pnl") - f("fees"), "net");
            let sign = if episode["direction"] == "long" { 1.0 } else { -1.0 };
            same(f("gross_pnl"), (f("exit_px") - f("entry_px")) * f("opened_sz") * sign, "gross");
        }

        for group in ["day", "symbol", "direction", "size_bucket", "hold_bucket"] {
            let more = [("address", json!(address)), ("group_by", json!(group))];
            let groups = bench.example("hyperliquid-trades-aggregate", &more).await.json;
            let groups = groups["data"].as_array().unwrap();
            for name in ["gross_pnl", "net_pnl", "fees", "funding_pnl"] {
                same(sum(groups, name), sum(&episodes, name), &format!("{address} {group} {name}"));
            }
            same(sum(groups, "trade_count"), episodes.len() as f64, group);
        }

        let stats =
            bench.example("hyperliquid-trader-stats", &[("address", json!(address))]).await.json;
        let stats = &stats["data"];
        same(stats["total_fees"].as_f64().unwrap(), sum(&episodes, "fees"), "fees");
        let wins = episodes.iter().filter(|episode| episode["is_win"] == true).count();
        same(stats["win_rate"].as_f64().unwrap(), wins as f64 / episodes.len() as f64, "wins");
        let one = &episodes[0];
        let mut more = vec![("address", json!(address))];
        for name in ["symbol", "direction", "open_time", "close_time"] {
            more.push((name, one[name].clone()));
        }

        let context = bench.example("hyperliquid-trades-context", &more).await.json;
        assert_eq!(context["data"]["funding_status"], one["funding_status"]);
        let known =
            if one["funding_status"] == "complete" { &one["funding_pnl"] } else { &Value::Null };
        assert_eq!(&context["data"]["funding_pnl"], known);
    }
}

#[tokio::test]
async fn keys_of_the_last_fill_lead_on() {
    let bench = Bench::start().await;
    let address = &addresses(&bench).await[0];
    let whole = all(&bench, "hyperliquid-fills", address).await;
    let mut walked = Vec::new();
    let mut more = vec![("address", json!(address)), ("limit", json!(7))];
    loop {
        let page = bench.example("hyperliquid-fills", &more).await.json;
        let rows = page["data"].as_array().unwrap().clone();
        let Some(last) = rows.last().cloned() else { break };
        walked.extend(rows);
        more.truncate(2);
        more.extend([("to_ms", last["time_ms"].clone()), ("to_fill_id", last["fill_id"].clone())]);
    }
    assert_eq!(walked, whole);
}

#[tokio::test]
async fn fills_keep_their_price_as_time_goes_on() {
    let bench = Bench::start().await;
    let address = &addresses(&bench).await[0];
    let before = all(&bench, "hyperliquid-fills", address).await;
    bench.sandbox.clock().advance(std::time::Duration::from_secs(3 * 3600));
    let after = all(&bench, "hyperliquid-fills", address).await;
    assert!(after.ends_with(&before));
}

#[tokio::test]
async fn identifiers_are_unique_and_lists_are_ordered_as_the_service_says() {
    let bench = Bench::start().await;
    let mut ids = BTreeSet::new();
    let mut places = BTreeSet::new();
    let (mut fills, mut positions, mut balances) = (0, 0, 0);
    for address in addresses(&bench).await {
        for fill in all(&bench, "hyperliquid-fills", &address).await {
            assert!(ids.insert(fill["fill_id"].to_string()), "{fill} has the id of another fill");
            let place = (fill["time_ms"].to_string(), fill["tx_index"].to_string());
            assert!(places.insert(place), "{fill} is at the place of another fill");
            fills += 1;
        }

        let address = [("address", json!(address))];
        let held = bench.example("hyperliquid-positions", &address).await.json;
        let values: Vec<f64> = held["data"]["positions"]
            .as_array()
            .unwrap_or_else(|| panic!("{held}"))
            .iter()
            .map(|position| position["position_value"].as_f64().unwrap().abs())
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "the largest position is not first: {held}");
        positions += values.len();

        let account = bench.example("hyperliquid-account", &address).await.json;
        for answer in [&held, &account] {
            let text = answer.to_string();
            assert!(!text.contains(":-0.0,") && !text.contains(":-0.0}"), "negative zero: {text}");
        }
        // The spot section of one account is missing.
        let symbols: Vec<&str> = account["data"]["spot"]["balances"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|balance| balance["symbol"].as_str().unwrap())
            .collect();
        assert!(symbols.is_sorted(), "balances are not sorted by symbol: {symbols:?}");
        balances += symbols.len();
    }
    assert!(fills > 100 && positions > 3 && balances > 3, "{fills} {positions} {balances}");
}
