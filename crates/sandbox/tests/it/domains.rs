//! Tests that endpoints about gas prices, liquidations, ETFs and other market data return equal data about the
//! same asset.

use serde_json::{Value, json};

use crate::support::{Bench, NOW, all, amount, at, close, rows, text};

const DAY: i64 = 86_400;

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
        // The exchange has 18/64 of the market volume.
        let volume = sign * at(candle(n), "/volume") * 64.0 / 18.0;
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
