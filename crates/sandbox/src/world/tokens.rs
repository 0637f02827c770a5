//! Tokens: their price on decentralised exchanges, their holders, transfers and unlocks.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::moment::{DAY, HOUR};
use crate::random::Seed;
use crate::refusal::Refusal;

use super::assets::{self, ASSETS, Asset};
use super::price::Width;
use super::{Data, Row, span};

pub(super) fn data(ctx: &Context<'_>, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "dex-token-price" => Data::Rows(bars(ctx, args)),
        "search-token" => Data::Rows(search(ctx, args)),
        "token-dex-trades" => Data::Rows(trades(ctx, args)),
        "token-holders" => Data::Rows(holders(ctx, args)),
        "token-tokenomics" => Data::Rows(unlocks(ctx, args)?),
        "token-transfers" => Data::Rows(transfers(ctx, args)),
        _ => return Ok(None),
    }))
}

/// The asset of the contract a request names. Any other address is a token of its own: an asset
/// of the world stands in for it, always the same.
fn token(ctx: &Context<'_>, args: &Args) -> (&'static Asset, String) {
    let address = args.text("address").unwrap_or_default().to_owned();
    let asset = assets::by_address(ctx, &address).unwrap_or_else(|| {
        &ASSETS[11 + usize::try_from(ctx.seed.named(&address).below(10)).unwrap_or(0)]
    });
    (asset, address)
}

fn bars(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, _) = token(ctx, args);
    let width = Width::read(args.text("interval").unwrap_or("1h")).unwrap_or(Width::Seconds(HOUR));
    let (from, to) = span(ctx, args, DAY);
    // As many bars as the longest sensible answer has.
    let from = from.max(width.back(to, 2_000));
    asset
        .walk(ctx)
        .candles(from, to + 1, width, ctx.now)
        .iter()
        .map(|candle| {
            Row::new(
                asset.seed(ctx),
                candle.start,
                json!({
                    "timestamp": candle.start,
                    "open": round(candle.open), "high": round(candle.high),
                    "low": round(candle.low), "close": round(candle.close),
                    "volume_usd": (candle.quote * 0.0625).floor(),
                }),
            )
        })
        .collect()
}

fn search(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default();
    let mut found: Vec<&Asset> = ASSETS
        .iter()
        .filter(|asset| asset.is_about(q) || asset.address(ctx).eq_ignore_ascii_case(q))
        .collect();
    found.sort_by(|a, b| a.symbol.cmp(b.symbol));
    found
        .into_iter()
        .map(|asset| {
            Row::new(
                asset.seed(ctx),
                ctx.now,
                json!({
                    "address": asset.address(ctx),
                    "chain": asset.chain,
                    "symbol": asset.symbol,
                    "decimals": decimals(asset),
                    "volume_usd": asset.walk(ctx).last_day(ctx.now).quote,
                }),
            )
        })
        .collect()
}

pub(super) fn decimals(asset: &Asset) -> u32 {
    match (asset.symbol, asset.chain) {
        ("USDT" | "USDC", _) => 6,
        (_, "solana") => 9,
        _ => 18,
    }
}

/// A wallet of the world by its number.
pub(super) fn wallet(seed: Seed, chain: &str) -> String {
    match chain {
        "solana" => seed.base58(44),
        "tron" => format!("T{}", seed.base58(33)),
        _ => format!("0x{}", seed.hex(40)),
    }
}

fn trades(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, address) = token(ctx, args);
    let chain = args.text("chain").unwrap_or("ethereum");
    let labelled = args.list("include").contains(&"labels");
    let walk = asset.walk(ctx);
    let mut rows = Vec::new();
    for hour in walk.candles(ctx.now - 3 * DAY, ctx.now, Width::Seconds(HOUR), ctx.now) {
        for n in 0..3 {
            let seed =
                ctx.seed.named("trade").named(&address).named(chain).at_time(hour.start).at(n);
            let time = hour.start + seed.named("at").range(0, 3_599);
            if time > ctx.now {
                continue;
            }
            let price = seed.named("price").between(hour.low, hour.high);
            let usd = round(seed.named("usd").magnitude(50.0, 200_000.0));
            let amount = round(usd / price);
            let buys = seed.chance(0.5);
            let (bought, sold) = if buys { (asset.symbol, "USDC") } else { ("USDC", asset.symbol) };
            let (bought_amount, sold_amount) = if buys { (amount, usd) } else { (usd, amount) };
            let mut given = json!({
                "block_time": time,
                "project": seed.named("project").pick(&["uniswap", "aerodrome", "curve"]),
                "version": seed.named("version").pick(&["v2", "v3"]),
                "token_pair": format!("{}-USDC", asset.symbol),
                "token_bought_symbol": bought, "token_sold_symbol": sold,
                "token_bought_amount": bought_amount, "token_sold_amount": sold_amount,
                "amount_usd": usd,
                "taker": wallet(seed.named("taker"), chain),
                "tx_hash": format!("0x{}", seed.named("hash").hex(64)),
            });
            if let Some(members) = given.as_object_mut() {
                let side = if buys { "token_bought_address" } else { "token_sold_address" };
                members.insert(side.to_owned(), address.as_str().into());
                if labelled {
                    let taker = members["taker"].clone();
                    members.insert("taker_label".to_owned(), label(seed, taker));
                }
            }
            let mut row = Row::new(seed, time, given);
            row.given.entry("taker_label").or_insert(Value::Null);
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

/// What is known of a wallet's owner.
pub(super) fn label(seed: Seed, address: Value) -> Value {
    let seed = seed.named("label");
    let (name, kind) = seed.pick(&[
        ("Harbour Exchange", "exchange"),
        ("Meridian Market Making", "market_maker"),
        ("Cobalt Ventures", "fund"),
        ("Unknown whale", "whale"),
    ]);
    json!({
        "address": address, "entity_name": name, "entity_type": kind,
        "labels": [{"label": kind, "confidence": round(seed.between(0.6, 1.0))}],
    })
}

/// Holders shown of a token.
const HOLDERS: u64 = 200;

fn holders(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, address) = token(ctx, args);
    let chain = args.text("chain").unwrap_or("ethereum");
    let seed = ctx.seed.named("holders").named(&address);
    // Shares fall like 1/n, and the shown ones hold 80% together.
    let harmonic: f64 = (1..=HOLDERS).map(|n| 1.0 / n as f64).sum();
    (0..HOLDERS)
        .map(|n| {
            let seed = seed.at(n);
            let share = 0.8 / harmonic / (n + 1) as f64;
            Row::new(
                seed,
                ctx.now,
                json!({
                    "address": wallet(seed, chain),
                    "balance": format!("{:.4}", asset.supply * share),
                    "percentage": round(share * 100.0),
                }),
            )
        })
        .collect()
}

fn unlocks(ctx: &Context<'_>, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = match args.text("id") {
        Some(id) => assets::by_id_or_words(ctx, Some(id), None)?,
        None => assets::by_symbol(args.text("symbol").unwrap_or_default())?,
    };
    let total = asset.max_supply.unwrap_or(asset.supply).round();
    let seed = asset.seed(ctx).named("unlocks");
    let month = 30 * DAY;
    let last = ctx.now.div_euclid(month) + 12;
    let months = 48;
    let monthly = (total * 0.6 / f64::from(months)).floor();
    let mut cumulative = (total * 0.3).floor();
    Ok((0..i64::from(months))
        .map(|n| {
            let time = (last - i64::from(months) + 1 + n) * month;
            let team = (monthly * seed.named("team").between(0.3, 0.6)).floor();
            cumulative += monthly;
            Row::new(
                seed,
                time,
                json!({
                    "timestamp": time,
                    "unlock_amount": monthly,
                    "cumulative_unlocked_amount": cumulative,
                    "total_supply": total,
                    "unlocked_percentage_of_total_supply": round(cumulative / total * 100.0),
                    "allocations": [
                        {"name": "Team", "amount": team},
                        {"name": "Community", "amount": monthly - team},
                    ],
                }),
            )
        })
        .collect())
}

fn transfers(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, address) = token(ctx, args);
    let chain = args.text("chain").unwrap_or("ethereum");
    let (from, to) = span(ctx, args, 3 * DAY);
    let from = from.max(to - 20 * DAY);
    let labelled = args.list("include").contains(&"labels");
    let mut rows = Vec::new();
    for hour in asset.walk(ctx).candles(from, to, Width::Seconds(HOUR), ctx.now) {
        for n in 0..2 {
            let seed =
                ctx.seed.named("transfer").named(&address).named(chain).at_time(hour.start).at(n);
            let time = hour.start + seed.named("at").range(0, 3_599);
            if time < from || time > to {
                continue;
            }
            let amount = round(seed.named("amount").magnitude(10.0, 2e5) / hour.open);
            let mut row = Row::new(
                seed,
                time,
                json!({
                    "timestamp": time,
                    "symbol": asset.symbol,
                    "amount": amount.to_string(),
                    "amount_usd": round(amount * hour.open),
                    "block_number": block(chain, time),
                    "from_address": wallet(seed.named("from").at(seed.below(40)), chain),
                    "to_address": wallet(seed.named("to").at(seed.below(40)), chain),
                    "tx_hash": format!("0x{}", seed.named("hash").hex(64)),
                }),
            );
            for side in ["from", "to"] {
                let value = if labelled {
                    label(seed.named(side), row.given[&format!("{side}_address")].clone())
                } else {
                    Value::Null
                };
                row.given.insert(format!("{side}_label"), value);
            }
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

/// The number of the block at a moment: chains have had one every so many seconds.
pub(super) fn block(chain: &str, time: i64) -> i64 {
    let (first, seconds) = match chain {
        "ethereum" => (1_438_269_973, 14),
        "solana" => (1_584_282_000, 1),
        _ => (1_600_000_000, 2),
    };
    (time - first) / seconds
}
