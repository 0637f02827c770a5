//! Responses about tokens. They contain prices on decentralised exchanges, search results and unlock schedules.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::chains;
use crate::context::Context;
use crate::labels;
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::{DAY, HOUR};
use crate::wallets::address;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "dex-token-price" => Data::Rows(bars(ctx, args)?),
        "search-token" => Data::Rows(search(ctx, args)),
        "token-tokenomics" => Data::Rows(unlocks(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Finds the asset whose token contract is the `address` argument. Returns the asset and its contract address.
///
/// If the address consists of one repeated digit, such as `0x2222…`, returns one of the assets on the requested chain.
///
/// # Errors
/// Returns an error of kind `Unfit` if the argument is not an address. Returns an error of kind `NotFound` if no token
/// has this contract.
pub(super) fn find_token(ctx: &Context, args: &Args) -> Result<(&'static Asset, String), Refusal> {
    let address = address::check_address("address", args.text("address").unwrap_or_default())?;
    let chain = args.text("chain").unwrap_or("ethereum");
    let asset = find_asset(ctx, &address, chain).ok_or_else(|| {
        Refusal::not_found(format!("no token has the contract `{address}` on {chain}"))
    })?;
    Ok((asset, asset.address(ctx)))
}

/// Returns the address of a wallet that uses a token on a chain. `n` is the number of the wallet. On EVM chains, every
/// sixth wallet belongs to a known entity. The first 200 wallets have different addresses.
pub(super) fn party_address(ctx: &Context, token: &str, chain: &str, n: u64) -> String {
    let seed = ctx.seed.named("party").named(&token.to_lowercase()).named(chain);
    if n.is_multiple_of(6) && chains::by_name(chain).is_some() {
        return labels::known_wallet(seed.below(1_000) + n / 6).to_owned();
    }
    chains::address(seed.at(n), chain)
}

/// Finds the asset whose token contract on the chain is `address`. If the address consists of one repeated digit,
/// returns one of the assets on the chain. The sandbox's random seed and the address select this asset.
pub(super) fn find_asset(ctx: &Context, address: &str, chain: &str) -> Option<&'static Asset> {
    let mut on_chain = asset_chains().filter(|(_, on)| *on == chain).map(|(asset, _)| asset);
    if address::is_repeated_digit(address) {
        let on_chain: Vec<_> = on_chain.collect();
        let n = ctx.seed.named(&address.to_lowercase()).below(on_chain.len() as u64);
        return on_chain.get(usize::try_from(n).ok()?).copied();
    }
    on_chain.find(|asset| asset.address(ctx).eq_ignore_ascii_case(address))
}

/// Additional chains of the assets ETH and USDC, as pairs of a ticker and a chain. Each asset has the same contract
/// address on all its chains. Without these entries, some chains, such as `polygon`, would have no asset.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ETH", "base"),
    ("ETH", "arbitrum"),
    ("ETH", "optimism"),
    ("USDC", "polygon"),
    ("USDC", "fantom"),
    ("USDC", "base"),
    ("USDC", "avalanche"),
    ("ETH", "linea"),
    ("ETH", "cyber"),
    ("USDC", "arbitrum"),
    ("USDC", "optimism"),
    ("USDC", "bsc"),
];

/// Returns all pairs of an asset and a chain on which the asset exists. Transaction hashes contain the index of a pair
/// in this list, so new pairs must be added at the end of the list.
pub(super) fn asset_chains() -> impl Iterator<Item = (&'static Asset, &'static str)> {
    let elsewhere = ELSEWHERE
        .iter()
        .filter_map(|(symbol, chain)| Some((assets::find_by_symbol(symbol).ok()?, *chain)));
    ASSETS.iter().map(|asset| (asset, asset.chain)).chain(elsewhere)
}

/// Returns `chain` if the asset exists on this chain, and otherwise the asset's own chain. The result is a static
/// string.
pub(super) fn chain_or_default(asset: &Asset, chain: &str) -> &'static str {
    let pair = asset_chains().find(|(other, on)| other.symbol == asset.symbol && *on == chain);
    pair.map_or(asset.chain, |(_, on)| on)
}

fn bars(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (asset, _) = find_token(ctx, args)?;
    let width = Width::parse(args.text("interval").unwrap_or("1h")).unwrap_or(Width::Seconds(HOUR));
    let (from, to) = span(ctx, args, DAY);

    // The oldest bar is at most 2,000 bars before the newest bar.
    let from = from.max(width.earlier_start(to, 2_000));
    Ok(asset
        .walk(ctx)
        .candles(from, to + 1, width, ctx.now)
        .iter()
        .map(|candle| {
            Row::new(
                asset.seed(ctx),
                candle.start,
                record!(DexTokenPriceBar {
                    timestamp: candle.start,
                    open: round(candle.open),
                    high: round(candle.high),
                    low: round(candle.low),
                    close: round(candle.close),
                    volume_usd: (candle.quote * 0.0625).floor(),
                }),
            )
        })
        .collect())
}

fn search(ctx: &Context, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default();
    let mut found: Vec<_> = asset_chains()
        .filter(|(asset, _)| asset.is_about(q) || asset.address(ctx).eq_ignore_ascii_case(q))
        .collect();
    // The sort is stable, so the token's own chain is before its further chains.
    found.sort_by_key(|(asset, _)| asset.symbol);

    found
        .into_iter()
        .map(|(asset, chain)| {
            let volume = asset.walk(ctx).last_day(ctx.now).quote;
            let is_own = chain == asset.chain;
            Row::new(
                asset.seed(ctx),
                ctx.now,
                record!(SearchTokenItem {
                    address: asset.address(ctx),
                    chain,
                    symbol: asset.symbol,
                    decimals: decimals(asset),
                    volume_usd: if is_own { volume } else { (volume * 0.05).floor() },
                }),
            )
        })
        .collect()
}

/// Returns the number of decimals of an asset's token contract.
pub fn decimals(asset: &Asset) -> u32 {
    match (asset.symbol, asset.chain) {
        ("USDT" | "USDC", _) => 6,
        (_, "solana") => 9,
        _ => 18,
    }
}

fn unlocks(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = match args.text("id") {
        Some(id) => assets::find_project(Some(id), None)?,
        None => assets::find_by_symbol(args.text("symbol").unwrap_or_default())?,
    };
    let total = asset.max_supply.unwrap_or(asset.supply).round();
    let seed = asset.seed(ctx).named("unlocks");
    let month = 30 * DAY;

    // The unlock schedule always starts on 2022-12-24. It does not depend on the current time.
    let first = 1_672_531_200_i64.div_euclid(month);
    let months = 72;
    // The circulating supply is unlocked at the end of the schedule. 3% of it is unlocked during the schedule, and the
    // rest before.
    let monthly = (asset.supply * 0.03 / f64::from(months)).floor();
    let mut cumulative = (asset.supply - monthly * f64::from(months)).floor();
    Ok((0..i64::from(months))
        .map(|n| {
            let time = (first + n) * month;
            let team = (monthly * seed.named("team").between(0.3, 0.6)).floor();
            cumulative += monthly;

            Row::new(
                seed,
                time,
                record!(TokenUnlockPoint {
                    timestamp: time,
                    unlock_amount: monthly,
                    cumulative_unlocked_amount: cumulative,
                    total_supply: total,
                    unlocked_percentage_of_total_supply: round(cumulative / total * 100.0),
                    allocations: [
                        record!(TokenUnlockAllocationItem { name: "Team", amount: team }),
                        record!(TokenUnlockAllocationItem {
                            name: "Community",
                            amount: monthly - team
                        }),
                    ],
                }),
            )
        })
        .collect())
}
