//! Defines the SQL tables of prices and other market data.
//!
//! Each table has a name, columns, and a function that generates the rows. If the rows belong to days, the function
//! generates the rows of one day.

use crypto_intel_sql::Value;

use crate::context::Context;
use crypto_intel_world::assets::{ASSETS, Asset};
use crypto_intel_world::missing_fields::number::round;
use crypto_intel_world::price::{Candle, Width};
use crypto_intel_world::timestamp::{DAY, HOUR};
use crypto_intel_world::{Row, hyperliquid, labels, market, tokens};

use super::chain::{CHAINS, assets, date, integer};
use super::table::{Cell, Count, DAYS, Daily, Days, Shown, Source, Table};

/// An asset and one of its price candles.
struct Priced {
    asset: &'static Asset,
    candle: Candle,
}

const CANDLES: &[Cell<Priced>] = &[
    ("block_date", "Date", "Day, UTC.", |r| date(r.candle.start)),
    ("timestamp", "DateTime", "Start of the candle.", |r| integer(r.candle.start)),
    ("symbol", "LowCardinality(String)", "Ticker of the asset.", |r| Value::text(r.asset.symbol)),
    ("open", "Float64", "First price, USD.", |r| Value::Float(round(r.candle.open))),
    ("high", "Float64", "Highest price, USD.", |r| Value::Float(round(r.candle.high))),
    ("low", "Float64", "Lowest price, USD.", |r| Value::Float(round(r.candle.low))),
    ("close", "Float64", "Last price, USD.", |r| Value::Float(round(r.candle.close))),
    ("volume", "Float64", "Units traded.", |r| Value::Float(r.candle.volume)),
    ("volume_usd", "Float64", "Value of the trades, USD.", |r| Value::Float(r.candle.quote)),
    ("trades", "UInt64", "Number of trades.", |r| integer(r.candle.trades)),
];

fn days(ctx: &Context<'_>, _: &'static str, day: i64) -> Vec<Priced> {
    candles(ctx, day, Width::Seconds(DAY))
}

fn hours(ctx: &Context<'_>, _: &'static str, day: i64) -> Vec<Priced> {
    // On past days, all hourly candles are complete. The last candle of today can be incomplete.
    if (day + 1) * DAY > ctx.now {
        return candles(ctx, day, Width::Seconds(HOUR));
    }
    let priced = ASSETS.iter().flat_map(|asset| {
        let hours = asset.walk(ctx).hours(day).to_vec();
        hours.into_iter().map(move |candle| Priced { asset, candle })
    });
    priced.collect()
}

fn candles(ctx: &Context<'_>, day: i64, width: Width) -> Vec<Priced> {
    let mut rows = Vec::new();
    for asset in ASSETS {
        let candles = asset.walk(ctx).candles(day * DAY, (day + 1) * DAY, width, ctx.now);
        rows.extend(candles.into_iter().map(|candle| Priced { asset, candle }));
    }
    rows
}

/// A funding rate of an asset. Each asset has three funding rates per day.
struct Funded {
    asset: &'static Asset,
    time: i64,
    price: f64,
    rate: f64,
}

const FUNDING: &[Cell<Funded>] = &[
    ("block_date", "Date", "Day, UTC.", |r| date(r.time)),
    ("timestamp", "DateTime", "Time of the payment.", |r| integer(r.time)),
    ("symbol", "LowCardinality(String)", "Ticker of the asset.", |r| Value::text(r.asset.symbol)),
    ("mark_price", "Float64", "Price at the time, USD.", |r| Value::Float(round(r.price))),
    ("funding_rate", "Float64", "Eight-hour rate, as a fraction.", |r| Value::Float(r.rate)),
];

const FUNDED_EVERY: i64 = 8 * HOUR;

fn funding(ctx: &Context<'_>, _: &'static str, day: i64) -> Vec<Funded> {
    let times = (0..3).map(|n| day * DAY + n * FUNDED_EVERY).filter(|time| *time <= ctx.now);
    let rows = times.flat_map(|time| {
        ASSETS.iter().map(move |asset| Funded {
            asset,
            time,
            price: asset.walk(ctx).at(time),
            rate: market::funding_rate(ctx, asset, time),
        })
    });
    rows.collect()
}

const FLOWS: &[(&str, &str, &str)] = &[
    ("block_date", "Date", "Day, UTC."),
    ("timestamp", "DateTime", "Start of the day."),
    ("symbol", "LowCardinality(String)", "Ticker of the asset."),
    ("price_usd", "Float64", "Price at the end of the day, USD."),
    ("flow_usd", "Float64", "Net flow into all funds, USD."),
];

/// Symbols of the assets that have ETFs.
const WITH_FUNDS: [&str; 4] = ["BTC", "ETH", "SOL", "XRP"];

fn flows(ctx: &Context<'_>, day: i64) -> Vec<Row> {
    let held = ASSETS.iter().filter(|asset| WITH_FUNDS.contains(&asset.symbol));
    let rows = held.flat_map(|asset| market::flows(ctx, asset, day * DAY, day * DAY));
    rows.map(dated).collect()
}

const MOODS: &[(&str, &str, &str)] = &[
    ("block_date", "Date", "Day, UTC."),
    ("timestamp", "DateTime", "Start of the day."),
    ("value", "UInt8", "Index from 0 (extreme fear) to 100 (extreme greed)."),
    ("classification", "LowCardinality(String)", "The value in words."),
    ("price", "Float64", "Price of bitcoin at the start of the day, USD."),
];

fn moods(ctx: &Context<'_>, day: i64) -> Vec<Row> {
    let rows = market::moods(ctx, day * DAY, day * DAY).unwrap_or_default();
    rows.into_iter().map(dated).collect()
}

/// Adds the column `block_date` to a row. Its value is the day of the row's time.
pub(super) fn dated(mut row: Row) -> Row {
    let day = row.time - row.time.rem_euclid(DAY);
    row.given.insert("block_date", day);
    row
}

const TOKENS: &[(&str, &str, &str)] = &[
    ("chain", "LowCardinality(String)", "Chain of the contract."),
    ("address", "String", "Address of the contract."),
    ("symbol", "LowCardinality(String)", "Ticker."),
    ("name", "String", "Name."),
    ("decimals", "UInt8", "Number of decimals."),
    ("project_id", "String", "Project of the token."),
    ("circulating_supply", "Float64", "Units in circulation."),
    ("max_supply", "Nullable(Float64)", "Maximum supply in units."),
    ("price_usd", "Float64", "Price now, USD."),
    ("is_stablecoin", "UInt8", "1 for stablecoins, 0 for other tokens."),
];

/// Iterates over all tokens. A token that exists on several chains is returned once per chain.
fn on_chains() -> impl Iterator<Item = (&'static str, &'static Asset)> {
    let chains = CHAINS.into_iter().chain(["avalanche", "optimism"]);
    chains.flat_map(|chain| assets(chain).map(move |asset| (chain, asset)))
}

fn all_tokens(ctx: &Context<'_>, _: i64) -> Vec<Row> {
    let row = |(chain, asset): (&str, &'static Asset)| {
        let given = serde_json::json!({
            "chain": chain, "address": asset.address(ctx), "symbol": asset.symbol,
            "name": asset.name, "decimals": tokens::decimals(asset), "project_id": asset.id(),
            "circulating_supply": asset.supply, "max_supply": asset.max_supply,
            "price_usd": round(asset.price(ctx)),
            "is_stablecoin": asset.categories.contains(&"STABLECOIN"),
        });
        Row::new(asset.seed(ctx), ctx.now, given)
    };
    on_chains().map(row).collect()
}

const LABELS: &[(&str, &str, &str)] = &[
    ("address", "String", "Address of the wallet."),
    ("entity_name", "Nullable(String)", "Owner of the wallet, if known."),
    ("entity_type", "LowCardinality(Nullable(String))", "Type of the owner."),
    ("label", "LowCardinality(String)", "Label of the wallet."),
    ("confidence", "Float64", "Confidence of the label, from 0 to 1."),
];

/// Returns a row for each wallet with a label. These wallets belong to known entities or trade perpetual futures.
fn all_labels(ctx: &Context<'_>, _: i64) -> Vec<Row> {
    let owned = labels::ENTITIES.iter().flat_map(|entity| &entity.addresses);
    let owned = owned.map(|(address, _)| address.clone());
    let traders = (0..hyperliquid::TRADERS).map(|n| hyperliquid::trader(ctx, n));
    let row = |address: String| {
        let mut row = Row::new(ctx.seed, ctx.now, labels::label(ctx, &address));
        let first = row.given.get("labels")?.as_array()?.first()?.clone();
        for name in ["label", "confidence"] {
            row.given.insert(name, first[name].clone());
        }
        Some(row)
    };
    owned.chain(traders).filter_map(row).collect()
}

fn count<T>(items: &[T]) -> i64 {
    i64::try_from(items.len()).unwrap_or(0)
}

/// Returns the number of events within a range of days, if one event happens every `step` seconds. Events at or after
/// the time `until` are not counted.
fn count_events((first, last): Days, step: i64, until: i64) -> i64 {
    let (from, end) = (first * DAY, ((last + 1) * DAY).min(until));
    (end - from + step - 1).div_euclid(step).max(0)
}

/// Returns the number of candles within a range of days. Candles that start in or after the current minute are not
/// counted. `width` is the length of a candle in seconds.
fn begun(ctx: &Context<'_>, days: Days, width: i64) -> i64 {
    count_events(days, width, ctx.minute())
}

/// Returns the number of trading days within a range of days. ETFs have flows only on trading days. Days that start in
/// or after the current minute are not counted.
fn days_with_flows(ctx: &Context<'_>, (first, last): Days) -> i64 {
    let begun = |day: i64| day * DAY < ctx.minute();
    let days = (first..=last).filter(|day| begun(*day) && market::has_flows(day * DAY));
    i64::try_from(days.count()).unwrap_or(0)
}

pub(super) fn tables() -> Vec<Table> {
    let daily = |name: &str, source: Box<dyn Source>, days, rows, count: Box<Count>, key| Table {
        name: name.to_owned(),
        source,
        days,
        rows,
        count,
        is_large: false,
        key,
    };
    let by_time = "symbol, timestamp";

    let daily_prices = daily(
        "market_prices_day",
        Box::new(Daily { cells: CANDLES, chain: "", make: days }),
        Some(DAYS),
        count(ASSETS),
        Box::new(|ctx, days| count(ASSETS) * begun(ctx, days, DAY)),
        by_time,
    );
    let hourly_prices = daily(
        "market_prices_hour",
        Box::new(Daily { cells: CANDLES, chain: "", make: hours }),
        Some(180),
        count(ASSETS) * 24,
        Box::new(|ctx, days| count(ASSETS) * begun(ctx, days, HOUR)),
        by_time,
    );

    let funding_rates = daily(
        "exchange_funding_rates",
        Box::new(Daily { cells: FUNDING, chain: "", make: funding }),
        Some(365),
        count(ASSETS) * 3,
        Box::new(|ctx, days| count(ASSETS) * count_events(days, FUNDED_EVERY, ctx.now + 1)),
        by_time,
    );
    let etf_flows = daily(
        "market_etf_flows",
        Box::new(Shown { columns: FLOWS, make: flows }),
        Some(365),
        count(&WITH_FUNDS),
        Box::new(|ctx, days| count(&WITH_FUNDS) * days_with_flows(ctx, days)),
        by_time,
    );
    let fear_greed = daily(
        "market_fear_greed",
        Box::new(Shown { columns: MOODS, make: moods }),
        Some(DAYS),
        1,
        Box::new(|ctx, days| begun(ctx, days, DAY)),
        "timestamp",
    );

    let tokens = daily(
        "tokens",
        Box::new(Shown { columns: TOKENS, make: all_tokens }),
        None,
        count(&on_chains().collect::<Vec<_>>()),
        Box::new(|_, _| count(&on_chains().collect::<Vec<_>>())),
        "chain, address",
    );
    let wallet_labels = daily(
        "wallet_labels",
        Box::new(Shown { columns: LABELS, make: all_labels }),
        None,
        labels::ENTITIES.iter().map(|entity| count(&entity.addresses)).sum(),
        Box::new(|ctx, _| count(&all_labels(ctx, 0))),
        "address",
    );

    vec![daily_prices, hourly_prices, funding_rates, etf_flows, fear_greed, tokens, wallet_labels]
}
