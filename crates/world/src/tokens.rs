//! Tokens: their price on decentralised exchanges, their holders and unlocks.

use serde_json::json;

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::chains;
use crate::context::Context;
use crate::fill::number::round;
use crate::labels::{self, label_if};
use crate::moment::{DAY, HOUR};
use crate::price::Width;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::span::span;
use crate::wallets::address;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "dex-token-price" => Data::Rows(bars(ctx, args)?),
        "search-token" => Data::Rows(search(ctx, args)),
        "token-holders" => Data::Rows(holders(ctx, args)?),
        "token-tokenomics" => Data::Rows(unlocks(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// The asset of the contract a request names. Any other address is a token of its own: an asset
/// of the world stands in for it, always the same.
///
/// # Errors
/// 422 for what is no address at all.
pub(super) fn token(ctx: &Context, args: &Args) -> Result<(&'static Asset, String), Refusal> {
    let address = address::read(args.text("address").unwrap_or_default())?;
    Ok((stands_for(ctx, &address), address))
}

/// Wallet number `n` of those that deal in a token on a chain: first some that are known, then
/// strangers.
pub(super) fn party(ctx: &Context, token: &str, chain: &str, n: u64) -> String {
    let seed = ctx.seed.named("party").named(&token.to_lowercase()).named(chain).at(n);
    if n.is_multiple_of(6) && chains::by_name(chain).is_some() {
        return labels::known_wallet(seed).to_owned();
    }
    chains::address(seed, chain)
}

/// The asset behind a contract.
pub(super) fn stands_for(ctx: &Context, address: &str) -> &'static Asset {
    assets::by_address(ctx, address).unwrap_or_else(|| {
        let n = ctx.seed.named(&address.to_lowercase()).below(10);
        &ASSETS[11 + usize::try_from(n).unwrap_or(0)]
    })
}

fn bars(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (asset, _) = token(ctx, args)?;
    let width = Width::read(args.text("interval").unwrap_or("1h")).unwrap_or(Width::Seconds(HOUR));
    let (from, to) = span(ctx, args, DAY);

    // As many bars as the longest sensible answer has.
    let from = from.max(width.back(to, 2_000));
    Ok(asset
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
        .collect())
}

fn search(ctx: &Context, args: &Args) -> Vec<Row> {
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

/// Digits behind the point of an amount of the token.
pub fn decimals(asset: &Asset) -> u32 {
    match (asset.symbol, asset.chain) {
        ("USDT" | "USDC", _) => 6,
        (_, "solana") => 9,
        _ => 18,
    }
}

/// Holders shown of a token.
const HOLDERS: u64 = 200;

fn holders(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (asset, token) = token(ctx, args)?;
    let chain = args.text("chain").unwrap_or("ethereum");
    let labelled = args.list("include").contains(&"labels");

    // Shares fall like 1/n, and the shown ones hold 80% together.
    let harmonic: f64 = (1..=HOLDERS).map(|n| 1.0 / n as f64).sum();
    Ok((0..HOLDERS)
        .map(|n| {
            let address = party(ctx, &token, chain, n);
            let share = 0.8 / harmonic / (n + 1) as f64;
            let owner = labels::owner(&address);
            let given = json!({
                "address": address,
                "balance": format!("{:.4}", asset.supply * share),
                "percentage": round(share * 100.0),
                "entity_name": owner.map(|owner| owner.name),
                "entity_type": owner.map(|owner| owner.kind),
                "label": label_if(labelled, ctx, &address),
            });

            Row::new(ctx.seed, ctx.now, given)
        })
        .collect())
}

fn unlocks(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = match args.text("id") {
        Some(id) => assets::by_id_or_words(ctx, Some(id), None)?,
        None => assets::by_symbol(args.text("symbol").unwrap_or_default())?,
    };
    let total = asset.max_supply.unwrap_or(asset.supply).round();
    let seed = asset.seed(ctx).named("unlocks");
    let month = 30 * DAY;

    // From the start of 2023 on, whenever it is asked for.
    let first = 1_672_531_200_i64.div_euclid(month);
    let months = 72;
    let monthly = (total * 0.6 / f64::from(months)).floor();
    let mut cumulative = (total * 0.3).floor();

    Ok((0..i64::from(months))
        .map(|n| {
            let time = (first + n) * month;
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
