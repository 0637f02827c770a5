//! The law of coherence in the domains around the market: what is shown twice is the same.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Bench, NOW};

const DAY: i64 = 86_400;

fn rows(value: &Value) -> &Vec<Value> {
    value["data"].as_array().unwrap_or_else(|| panic!("no rows in {value}"))
}

#[track_caller]
fn at(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

fn amount(value: &Value, name: &str) -> f64 {
    text(value, name).parse().unwrap()
}

#[track_caller]
fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-9), "{what}: {a} and {b}");
}

/// Every row of an operation, page by page.
async fn all(bench: &Bench, id: &str, more: &[(&str, Value)]) -> Vec<Value> {
    let mut rows = Vec::new();
    loop {
        let mut page: Vec<_> = more.to_vec();
        page.extend([("limit", json!(100)), ("offset", json!(rows.len()))]);
        let answer = bench.example(id, &page).await.json;
        rows.extend(self::rows(&answer).iter().cloned());
        if answer["meta"]["has_more"] != true {
            return rows;
        }
    }
}

#[tokio::test]
async fn a_wallet_holds_what_was_moved_to_it() {
    let bench = Bench::start().await;
    let holdings = async || {
        let detail = bench.example("wallet-detail", &[("chain", json!("ethereum"))]).await.json;
        detail["data"]["evm_tokens"].as_array().unwrap().clone()
    };
    let before = holdings().await;
    bench.sandbox.clock().advance(Duration::from_secs(30 * 86_400));
    let after = holdings().await;
    let transfers = all(&bench, "wallet-transfers", &[]).await;
    let history = all(&bench, "wallet-history", &[]).await;
    let mut moved = 0;
    for (before, after) in before.iter().zip(&after) {
        let token = text(before, "token_address");
        let net: f64 = transfers
            .iter()
            .filter(|t| t["token_address"] == token && t["timestamp"].as_i64().unwrap() > NOW)
            .map(|t| amount(t, "amount") * if t["flow"] == "in" { 1.0 } else { -1.0 })
            .sum();
        let change = amount(after, "balance") - amount(before, "balance");
        assert!((change - net).abs() <= 1e-6 * amount(after, "balance"), "{token}: {change} {net}");
        moved += usize::from(net != 0.0);
    }
    assert!(moved > 2);
    assert_eq!(history.len(), transfers.len());
    for (entry, transfer) in history.iter().zip(&transfers) {
        for name in ["timestamp", "from_address", "to_address", "tx_hash"] {
            assert_eq!(entry[name], transfer[name]);
        }
        assert_eq!(entry["value"], transfer["amount"]);
        let own = if transfer["flow"] == "in" { "to_address" } else { "from_address" };
        assert_eq!(text(transfer, own), "0x".to_owned() + &"2".repeat(40));
    }
    let worth = bench.example("wallet-net-worth", &[]).await.json;
    let detail = bench.example("wallet-detail", &[]).await.json;
    let now = at(rows(&worth).last().unwrap(), "/usd_value");
    close(now, at(&detail, "/data/evm_balance/total_usd"), "net worth");
    let tokens = detail["data"]["evm_tokens"].as_array().unwrap();
    close(now, tokens.iter().map(|token| at(token, "/usd_value")).sum(), "tokens");
    let chains = detail["data"]["active_chains"].as_array().unwrap();
    close(now, chains.iter().map(|chain| at(chain, "/usd_value")).sum(), "chains");
    let by_value = all(&bench, "wallet-history", &[("sort_by", json!("value"))]).await;
    assert!(by_value.is_sorted_by(|a, b| amount(a, "value") >= amount(b, "value")));
    let earlier = all(&bench, "wallet-history", &[("before", json!(NOW))]).await;
    assert!(earlier.iter().all(|entry| entry["timestamp"].as_i64().unwrap() < NOW));
    assert!(
        history
            .iter()
            .filter(|e| e["timestamp"].as_i64().unwrap() < NOW)
            .all(|entry| { earlier.contains(entry) })
    );
}

#[tokio::test]
async fn a_wallet_is_the_same_by_its_name() {
    let bench = Bench::start().await;
    let named = bench.example("wallet-detail", &[("address", json!("someone.eth"))]).await.json;
    let address = named["data"]["evm_balance"]["address"].clone();
    assert!(address.as_str().unwrap().starts_with("0x"));
    let same = bench.example("wallet-detail", &[("address", address)]).await.json;
    assert_eq!(same["data"], named["data"]);
    for wallet in rows(&bench.example("portfolio-wallets", &[]).await.json) {
        let more = [("address", wallet["address"].clone()), ("chain", wallet["chain"].clone())];
        let detail = bench.example("wallet-detail", &more).await.json;
        assert_eq!(detail["data"]["evm_balance"]["total_usd"], wallet["usd_value"]);
    }
    let protocols = bench.example("wallet-protocols", &[]).await.json;
    for protocol in rows(&protocols) {
        for position in protocol["positions"].as_array().unwrap() {
            let sum = |name: &str| -> f64 {
                let tokens = position[name].as_array().unwrap();
                tokens.iter().map(|token| at(token, "/amount") * at(token, "/price")).sum()
            };
            let worth = sum("supply_tokens") + sum("lp_tokens") + sum("reward_tokens")
                - sum("borrow_tokens");
            close(worth, at(position, "/balance_usd"), "position");
        }
    }
}

#[tokio::test]
async fn labels_belong_to_addresses() {
    let bench = Bench::start().await;
    let found = bench.example("search-wallet", &[("q", json!("harbour"))]).await.json;
    let entity = &rows(&found)[0];
    assert_eq!(
        entity["addresses"].as_array().unwrap().len(),
        at(entity, "/num_addresses") as usize
    );
    for known in entity["addresses"].as_array().unwrap() {
        let labels =
            bench.example("wallet-labels-batch", &[("addresses", known["address"].clone())]).await;
        assert_eq!(labels.json["data"][0]["entity_name"], entity["entity_name"]);
        let by_address = bench.example("search-wallet", &[("q", known["address"].clone())]).await;
        assert_eq!(by_address.json["data"][0]["entity_name"], entity["entity_name"]);
    }
    let labelled = [("include", json!("labels")), ("limit", json!(100))];
    let transfers = bench.example("token-transfers", &labelled).await.json;
    let mut named = 0;
    for transfer in rows(&transfers) {
        let (address, label) = (&transfer["from_address"], &transfer["from_label"]);
        assert_eq!(&label["address"], address);
        let same = bench.example("wallet-labels-batch", &[("addresses", address.clone())]).await;
        assert_eq!(&same.json["data"][0], label);
        named += usize::from(!label["entity_name"].is_null());
        if named > 3 {
            return;
        }
    }
    panic!("nobody is known");
}

#[tokio::test]
async fn transfers_add_up_to_their_sums_and_parties() {
    let bench = Bench::start().await;
    let week = [("from", json!((NOW - 7 * DAY).to_string())), ("to", json!(NOW.to_string()))];
    let transfers = all(&bench, "token-transfers", &week).await;
    assert!(transfers.len() > 300);
    assert!(transfers.is_sorted_by(|a, b| at(a, "/timestamp") >= at(b, "/timestamp")));
    let stats = bench.example("token-transfer-stats", &[("include", json!("series"))]).await.json;
    let stats = &stats["data"];
    assert_eq!(at(stats, "/total_transfers") as usize, transfers.len());
    let sum = |of: &dyn Fn(&Value) -> f64| transfers.iter().map(of).sum::<f64>();
    close(amount(stats, "total_amount"), sum(&|t| amount(t, "amount")), "amount");
    close(at(stats, "/total_amount_usd"), sum(&|t| at(t, "/amount_usd")), "usd");
    let distinct = |name: &str| transfers.iter().map(|t| text(t, name)).collect::<BTreeSet<_>>();
    assert_eq!(at(stats, "/unique_senders") as usize, distinct("from_address").len());
    assert_eq!(at(stats, "/unique_receivers") as usize, distinct("to_address").len());
    let series = stats["series"].as_array().unwrap();
    let counted: f64 = series.iter().map(|day| at(day, "/transfer_count")).sum();
    assert_eq!(counted as usize, transfers.len());
    for (direction, side) in [("to", "to_address"), ("from", "from_address")] {
        let more = [("direction", json!(direction)), ("metric", json!("amount_usd"))];
        let parties = all(&bench, "token-transfer-counterparties", &more).await;
        assert!(parties.is_sorted_by(|a, b| at(a, "/amount_usd") >= at(b, "/amount_usd")));
        assert_eq!(parties.len(), distinct(side).len());
        for party in &parties {
            let address = text(party, "counterparty_address");
            let own: Vec<_> = transfers.iter().filter(|t| t[side] == address).collect();
            assert_eq!(at(party, "/transfer_count") as usize, own.len());
            close(amount(party, "amount"), own.iter().map(|t| amount(t, "amount")).sum(), address);
            assert_eq!(party["last_transfer_at"], own[0]["timestamp"]);
        }
    }
    let quiet = [("direction", json!("to")), ("exclude_labels", json!("exchange,fund"))];
    let parties = all(&bench, "token-transfer-counterparties", &quiet).await;
    assert!(parties.len() < distinct("to_address").len() && !parties.is_empty());
}

#[tokio::test]
async fn trades_add_up_to_activity() {
    let bench = Bench::start().await;
    let trades = all(&bench, "token-dex-trades", &[]).await;
    let address = json!("0x".to_owned() + &"2".repeat(40));
    let operation = crate::support::operation("onchain-dex-activity");
    let activity = async |more: &[(&str, Value)]| {
        let mut values = vec![("chain", json!("ethereum")), ("address", address.clone())];
        values.extend_from_slice(more);
        bench.call(operation, &values).await.json["data"].as_array().unwrap().clone()
    };
    let total = activity(&[]).await;
    assert_eq!(total.len(), 1);
    assert_eq!(at(&total[0], "/trades") as usize, trades.len());
    close(
        at(&total[0], "/volume_usd"),
        trades.iter().map(|t| at(t, "/amount_usd")).sum(),
        "volume",
    );
    let takers: BTreeSet<_> = trades.iter().map(|t| text(t, "taker")).collect();
    assert_eq!(at(&total[0], "/active_traders") as usize, takers.len());
    let days = activity(&[("group_by", json!("day"))]).await;
    assert_eq!(days.len(), 8);
    close(at(&total[0], "/volume_usd"), days.iter().map(|d| at(d, "/volume_usd")).sum(), "days");
}

#[tokio::test]
async fn every_hash_that_is_shown_can_be_looked_up() {
    let bench = Bench::start().await;
    let look = async |hash: &Value, chain: &str| {
        let more = [("hash", hash.clone()), ("chain", json!(chain))];
        let seen = bench.example("onchain-tx", &more).await;
        assert_eq!(seen.status, 200, "{hash} {chain}: {}", seen.text);
        seen.json["data"][0].clone()
    };
    let block = |tx: &Value| {
        i64::from_str_radix(text(tx, "blockNumber").trim_start_matches("0x"), 16).unwrap()
    };
    for chain in ["ethereum", "base", "bsc", "arbitrum"] {
        let on = [("chain", json!(chain))];
        for transfer in rows(&bench.example("token-transfers", &on).await.json) {
            let tx = look(&transfer["tx_hash"], chain).await;
            assert_eq!(tx["hash"], transfer["tx_hash"]);
            assert_eq!(
                (&tx["from"], &tx["to"]),
                (&transfer["from_address"], &transfer["to_address"])
            );
            assert_eq!(block(&tx), transfer["block_number"].as_i64().unwrap());
        }
        for transfer in rows(&bench.example("wallet-transfers", &on).await.json) {
            let tx = look(&transfer["tx_hash"], chain).await;
            assert_eq!(
                (&tx["from"], &tx["to"]),
                (&transfer["from_address"], &transfer["to_address"])
            );
        }
        for trade in rows(&bench.example("token-dex-trades", &on).await.json) {
            assert_eq!(look(&trade["tx_hash"], chain).await["from"], trade["taker"]);
        }
    }
    for trade in rows(&bench.example("polymarket-trades", &[]).await.json) {
        let tx = look(&trade["tx_hash"], "polygon").await;
        assert_eq!(tx["from"], trade["taker_address"]);
        assert_eq!(block(&tx), trade["block_number"].as_i64().unwrap());
    }
    let known = rows(&bench.example("token-transfers", &[]).await.json)[0]["tx_hash"].clone();
    for (hash, chain, status) in [
        (known, "polygon", 404),
        (json!("0x".to_owned() + &"1".repeat(64)), "ethereum", 404),
        (json!("0x12"), "ethereum", 422),
    ] {
        let more = [("hash", hash), ("chain", json!(chain))];
        assert_eq!(bench.example("onchain-tx", &more).await.status, status);
    }
}

#[tokio::test]
async fn gas_costs_the_same_in_either_unit() {
    let bench = Bench::start().await;
    for chain in ["ethereum", "polygon", "cyber"] {
        let gas = bench.example("onchain-gas-price", &[("chain", json!(chain))]).await.json;
        close(amount(&gas["data"], "gas_price"), at(&gas, "/data/gas_price_gwei") * 1e9, chain);
    }
}

#[tokio::test]
async fn liquidations_add_up() {
    let bench = Bench::start().await;
    let (from, to) = (NOW - NOW % 3_600 - 24 * 3_600, NOW - NOW % 3_600 - 1);
    let window = [("from", json!(from.to_string())), ("to", json!(to.to_string()))];
    let mut more = window.to_vec();
    more.push(("min_amount", json!("0")));
    let orders = all(&bench, "market-liquidation-order", &more).await;
    let chart = bench.example("market-liquidation-chart", &window).await.json;
    assert_eq!(rows(&chart).len(), 24);
    for (side, member) in [("long", "/long_liquidation_usd"), ("short", "/short_liquidation_usd")] {
        for step in rows(&chart) {
            let start = at(step, "/timestamp");
            let of_step = orders.iter().filter(|order| {
                order["side"] == side && (start..start + 3_600.0).contains(&at(order, "/timestamp"))
            });
            assert_eq!(at(step, member), of_step.map(|o| at(o, "/usd_value")).sum::<f64>());
        }
    }
    let list = bench.example("market-liquidation-exchange-list", &[]).await.json;
    let since = [("from", json!((NOW - DAY).to_string())), ("min_amount", json!("0"))];
    let orders = all(&bench, "market-liquidation-order", &since).await;
    let binance = rows(&list).iter().find(|row| row["exchange"] == "Binance").unwrap();
    let sum: f64 = orders.iter().map(|order| at(order, "/usd_value")).sum();
    assert_eq!(at(binance, "/liquidation_usd"), sum);
    let signal = bench.example("signal-detail", &[]).await.json;
    let all_venues: f64 = rows(&list).iter().map(|row| at(row, "/long_liquidation_usd")).sum();
    close(at(&signal, "/data/liquidation_long_24h"), all_venues, "signal");
}

#[tokio::test]
async fn indicators_follow_from_the_candles() {
    let bench = Bench::start().await;
    let from = NOW - NOW % DAY - 60 * DAY;
    let more = [
        ("interval", json!("1d")),
        ("from", json!(from.to_string())),
        ("limit", json!(61)),
        ("pair", json!("BTC/USDT")),
    ];
    let klines = bench.example("exchange-klines", &more).await.json;
    let candles = klines["data"][0]["candles"].as_array().unwrap();
    let closes: Vec<f64> = candles.iter().map(|candle| at(candle, "/close")).collect();
    let ask = async |name: &str, from: i64| {
        let more = [("indicator", json!(name)), ("from", json!(from.to_string()))];
        bench.example("market-price-indicator", &more).await.json["data"].clone()
    };
    let last = |points: &Value| at(points.as_array().unwrap().last().unwrap(), "/value");
    let sma = ask("sma", from).await;
    close(last(&sma), closes[closes.len() - 20..].iter().sum::<f64>() / 20.0, "sma");
    let bands = ask("bbands", from).await;
    assert_eq!(last(&bands), last(&sma));
    let highest = candles[candles.len() - 14..].iter().map(|c| at(c, "/high")).fold(0.0, f64::max);
    let lowest =
        candles[candles.len() - 14..].iter().map(|c| at(c, "/low")).fold(f64::MAX, f64::min);
    let k = 100.0 * (closes[closes.len() - 1] - lowest) / (highest - lowest);
    let stoch = ask("stoch", from).await;
    assert!((last(&stoch) - k).abs() < 0.001, "{k} {stoch}");
    for name in ["rsi", "macd", "ema", "adx", "atr", "cci", "vwap", "dmi", "ichimoku", "supertrend"]
    {
        let (long, short) = (ask(name, from).await, ask(name, from + 50 * DAY).await);
        let (long, short) = (long.as_array().unwrap(), short.as_array().unwrap());
        assert_eq!(long.len(), 61, "{name}");
        assert_eq!(&long[50..], short.as_slice(), "{name} depends on the window");
    }
    let obv = ask("obv", from).await;
    let obv = obv.as_array().unwrap();
    let candle = |n: usize| &candles[n];
    for n in 1..obv.len() {
        let sign = (closes[n] - closes[n - 1]).signum();
        let step = at(&obv[n], "/value") - at(&obv[n - 1], "/value");
        // Shown volumes are an eighth of the market's.
        let volume = sign * at(candle(n), "/volume") * 8.0;
        assert!((step - volume).abs() <= 1e-5 * at(&obv[n], "/value").abs().max(volume.abs()));
    }
}

#[tokio::test]
async fn coins_flow_as_reserves_change() {
    let bench = Bench::start().await;
    let ask = async |metric: &str, exchange: &str| -> Vec<f64> {
        let more = [("metric", json!(metric)), ("exchange", json!(exchange))];
        let answer = bench.example("market-onchain-indicator", &more).await.json;
        rows(&answer).iter().map(|point| at(point, "/value")).collect()
    };
    let (inflow, outflow, netflow, reserve) = (
        ask("exchange-flows/inflow", "binance").await,
        ask("exchange-flows/outflow", "binance").await,
        ask("exchange-flows/netflow", "binance").await,
        ask("exchange-flows/reserve", "binance").await,
    );
    assert!(reserve.len() > 80);
    for day in 1..reserve.len() {
        assert_eq!(inflow[day] - outflow[day], netflow[day]);
        assert_eq!(reserve[day] - reserve[day - 1], netflow[day]);
    }
    let parts = [
        ask("exchange-flows/reserve", "spot_exchange").await,
        ask("exchange-flows/reserve", "derivative_exchange").await,
    ];
    let whole = ask("exchange-flows/reserve", "all_exchange").await;
    assert!(whole.iter().enumerate().all(|(day, sum)| parts[0][day] + parts[1][day] == *sum));
    let venues = bench.example("market-exchange-flow-exchanges", &[]).await.json;
    for venue in rows(&venues) {
        assert!(!ask("mvrv", text(venue, "name")).await.is_empty());
    }
}

#[tokio::test]
async fn options_lie_around_the_price() {
    let bench = Bench::start().await;
    let price = bench.example("exchange-price", &[]).await.json;
    let price = at(&price, "/data/0/last");
    let options = bench.example("market-options", &[]).await.json;
    for venue in rows(&options) {
        let pain = at(venue, "/max_pain_price");
        assert!((0.4..2.5).contains(&(pain / price)), "{venue} {price}");
        assert!(at(venue, "/volume_24h") < at(venue, "/open_interest"));
    }
}

#[tokio::test]
async fn pools_hold_what_their_project_holds() {
    let bench = Bench::start().await;
    let ranking = bench.example("project-defi-ranking", &[]).await.json;
    for project in rows(&ranking) {
        let more = [("project", project["name"].clone()), ("limit", json!(100))];
        let pools = bench.example("onchain-yield-ranking", &more).await.json;
        let held: f64 = rows(&pools).iter().map(|pool| at(pool, "/tvl_usd")).sum();
        assert_eq!(held, at(project, "/tvl"), "{project}");
        for pool in rows(&pools) {
            close(at(pool, "/apy"), at(pool, "/apy_base") + at(pool, "/apy_reward"), "apy");
        }
    }
    let carried = async |range: &str| {
        let bridges =
            bench.example("onchain-bridge-ranking", &[("time_range", json!(range))]).await;
        let rows = rows(&bridges.json).clone();
        assert!(rows.is_sorted_by(|a, b| at(a, "/volume_usd") >= at(b, "/volume_usd")));
        rows.iter().map(|bridge| at(bridge, "/volume_usd")).sum::<f64>()
    };
    assert!(carried("7d").await < carried("30d").await);
    assert!(carried("1y").await < carried("all").await);
}
