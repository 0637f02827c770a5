//! Tokens: their price on decentralised exchanges, their holders, transfers and unlocks.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::moment::{DAY, HOUR};
use crate::random::Seed;
use crate::refusal::Refusal;

use super::assets::{self, ASSETS, Asset};
use super::price::{Candle, Width};
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

pub(crate) fn decimals(asset: &Asset) -> u32 {
    match (asset.symbol, asset.chain) {
        ("USDT" | "USDC", _) => 6,
        (_, "solana") => 9,
        _ => 18,
    }
}

/// A wallet of the world by its number.
pub(crate) fn wallet(seed: Seed, chain: &str) -> String {
    match chain {
        "solana" => seed.base58(44),
        "tron" => format!("T{}", seed.base58(33)),
        _ => format!("0x{}", seed.hex(40)),
    }
}

/// Trades of a token in an hour.
pub(crate) const TRADES_AN_HOUR: i64 = 3;

/// One trade of a token for dollars.
pub(crate) struct Trade {
    pub(crate) seed: Seed,
    pub(crate) time: i64,
    asset: &'static Asset,
    /// Whether dollars are given for the token.
    pub(crate) buys: bool,
    amount: f64,
    pub(crate) usd: f64,
}

impl Trade {
    pub(crate) fn bought(&self) -> (&'static str, f64) {
        if self.buys { (self.asset.symbol, self.amount) } else { ("USDC", self.usd) }
    }

    pub(crate) fn sold(&self) -> (&'static str, f64) {
        if self.buys { ("USDC", self.usd) } else { (self.asset.symbol, self.amount) }
    }

    pub(crate) fn project(&self) -> &'static str {
        self.seed.named("project").pick(&["uniswap", "aerodrome", "curve"])
    }

    pub(crate) fn version(&self) -> &'static str {
        self.seed.named("version").pick(&["v2", "v3"])
    }

    pub(crate) fn pair(&self) -> String {
        format!("{}-USDC", self.asset.symbol)
    }

    pub(crate) fn taker(&self, chain: &str) -> String {
        wallet(self.seed.named("taker"), chain)
    }

    pub(crate) fn hash(&self) -> String {
        format!("0x{}", self.seed.named("hash").hex(64))
    }
}

/// The trades of a token in the hour of `hour`, which is a whole one also while it lasts.
pub(crate) fn trades_of_hour(
    ctx: &Context<'_>,
    asset: &'static Asset,
    address: &str,
    chain: &str,
    hour: &Candle,
) -> impl Iterator<Item = Trade> {
    let seed = ctx.seed.named("trade").named(address).named(chain).at_time(hour.start);
    let (start, low, high) = (hour.start, hour.low, hour.high);
    (0..TRADES_AN_HOUR).map(move |n| {
        let seed = seed.at_time(n);
        let price = seed.named("price").between(low, high);
        let usd = round(seed.named("usd").magnitude(50.0, 200_000.0));
        Trade {
            seed,
            time: start + seed.named("at").range(0, 3_599),
            asset,
            buys: seed.chance(0.5),
            amount: round(usd / price),
            usd,
        }
    })
}

fn trades(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, address) = token(ctx, args);
    let chain = args.text("chain").unwrap_or("ethereum");
    let labelled = args.list("include").contains(&"labels");
    let mut rows = Vec::new();
    for hour in hours(ctx, asset, ctx.now - 3 * DAY, ctx.now) {
        for trade in trades_of_hour(ctx, asset, &address, chain, &hour) {
            if trade.time > ctx.now {
                continue;
            }
            let ((bought, bought_amount), (sold, sold_amount)) = (trade.bought(), trade.sold());
            let mut given = json!({
                "block_time": trade.time,
                "project": trade.project(),
                "version": trade.version(),
                "token_pair": trade.pair(),
                "token_bought_symbol": bought, "token_sold_symbol": sold,
                "token_bought_amount": bought_amount, "token_sold_amount": sold_amount,
                "amount_usd": trade.usd,
                "taker": trade.taker(chain),
                "tx_hash": trade.hash(),
            });
            if let Some(members) = given.as_object_mut() {
                let side = if trade.buys { "token_bought_address" } else { "token_sold_address" };
                members.insert(side.to_owned(), address.as_str().into());
                if labelled {
                    let taker = members["taker"].clone();
                    members.insert("taker_label".to_owned(), label(trade.seed, taker));
                }
            }
            let mut row = Row::new(trade.seed, trade.time, given);
            row.given.entry("taker_label").or_insert(Value::Null);
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

/// The whole hours that begin in `from..to`.
fn hours(ctx: &Context<'_>, asset: &Asset, from: i64, to: i64) -> Vec<Candle> {
    let walk = asset.walk(ctx);
    let days = from.div_euclid(DAY)..=to.div_euclid(DAY);
    days.flat_map(|day| walk.hours(day)).filter(|hour| (from..to).contains(&hour.start)).collect()
}

/// What is known of a wallet's owner.
pub(crate) fn label(seed: Seed, address: Value) -> Value {
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

/// Transfers of a token in an hour.
pub(crate) const TRANSFERS_AN_HOUR: i64 = 2;

/// One transfer of a token.
pub(crate) struct Transfer {
    pub(crate) seed: Seed,
    pub(crate) time: i64,
    pub(crate) asset: &'static Asset,
    pub(crate) amount: f64,
    pub(crate) usd: f64,
}

impl Transfer {
    pub(crate) fn from(&self, chain: &str) -> String {
        wallet(self.seed.named("from").at(self.seed.below(40)), chain)
    }

    pub(crate) fn to(&self, chain: &str) -> String {
        wallet(self.seed.named("to").at(self.seed.below(40)), chain)
    }

    pub(crate) fn hash(&self) -> String {
        format!("0x{}", self.seed.named("hash").hex(64))
    }
}

/// The transfers of a token in the hour of `hour`.
pub(crate) fn transfers_of_hour(
    ctx: &Context<'_>,
    asset: &'static Asset,
    address: &str,
    chain: &str,
    hour: &Candle,
) -> impl Iterator<Item = Transfer> {
    let seed = ctx.seed.named("transfer").named(address).named(chain).at_time(hour.start);
    let (start, price) = (hour.start, hour.open);
    (0..TRANSFERS_AN_HOUR).map(move |n| {
        let seed = seed.at_time(n);
        let amount = round(seed.named("amount").magnitude(10.0, 2e5) / price);
        Transfer {
            seed,
            time: start + seed.named("at").range(0, 3_599),
            asset,
            amount,
            usd: round(amount * price),
        }
    })
}

fn transfers(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let (asset, address) = token(ctx, args);
    let chain = args.text("chain").unwrap_or("ethereum");
    let (from, to) = span(ctx, args, 3 * DAY);
    let from = from.max(to - 20 * DAY);
    let labelled = args.list("include").contains(&"labels");
    let mut rows = Vec::new();
    for hour in hours(ctx, asset, from, to) {
        for transfer in transfers_of_hour(ctx, asset, &address, chain, &hour) {
            if transfer.time < from || transfer.time > to {
                continue;
            }
            let mut row = Row::new(
                transfer.seed,
                transfer.time,
                json!({
                    "timestamp": transfer.time,
                    "symbol": asset.symbol,
                    "amount": transfer.amount.to_string(),
                    "amount_usd": transfer.usd,
                    "block_number": block(chain, transfer.time),
                    "from_address": transfer.from(chain),
                    "to_address": transfer.to(chain),
                    "tx_hash": transfer.hash(),
                }),
            );
            for side in ["from", "to"] {
                let value = if labelled {
                    let address = row.given[&format!("{side}_address")].clone();
                    label(transfer.seed.named(side), address)
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
pub(crate) fn block(chain: &str, time: i64) -> i64 {
    let (first, seconds) = match chain {
        "ethereum" => (1_438_269_973, 14),
        "solana" => (1_584_282_000, 1),
        _ => (1_600_000_000, 2),
    };
    (time - first) / seconds
}
