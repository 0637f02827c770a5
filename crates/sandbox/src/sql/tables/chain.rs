//! Rows of the SQL tables about chains. The rows contain the same transfers and trades as the data endpoints about
//! tokens.
//!
//! The inputs are a chain and a day. The output is the transfers, trades and transactions of that day.

use crypto_intel_sql::Value;

use crate::context::Context;
use crypto_intel_world::assets::{ASSETS, Asset};
use crypto_intel_world::chains;
use crypto_intel_world::dex::{self, Traded};
use crypto_intel_world::random::Seed;
use crypto_intel_world::timestamp::DAY;
use crypto_intel_world::transfers::{self, Moved};

use super::table::Days;

/// Chains that have SQL tables of their own.
pub(super) const CHAINS: [&str; 6] = ["ethereum", "base", "bsc", "arbitrum", "tron", "solana"];

/// Iterates over the assets that have transfers on a chain. These are the assets of the chain, and USDC on every chain.
/// USDT also has transfers on `tron`, and ETH on `base` and `arbitrum`.
pub(super) fn assets(chain: &str) -> impl Iterator<Item = &'static Asset> {
    ASSETS.iter().filter(move |asset| {
        asset.chain == chain
            || asset.symbol == "USDC"
            || (asset.symbol == "USDT" && chain == "tron")
            || (asset.symbol == "ETH" && matches!(chain, "base" | "arbitrum"))
    })
}

/// Returns the time of the newest data of a chain in Unix seconds. If the chain is unavailable, this is the time at
/// which its outage began. Otherwise, this is the current time.
fn known_until(ctx: &Context<'_>, chain: &str) -> i64 {
    ctx.scenario.lost(chain).map_or(ctx.now, |since| since.min(ctx.now))
}

pub(super) fn transfers(ctx: &Context<'_>, chain: &'static str, day: i64) -> Vec<Moved> {
    let until = known_until(ctx, chain);
    let mut rows: Vec<_> =
        assets(chain).flat_map(|asset| transfers::of_day(ctx, asset, chain, day)).collect();
    rows.retain(|row| row.time <= until);
    rows.sort_by_key(|row| row.time);
    rows
}

pub(super) fn transfer_count(ctx: &Context<'_>, chain: &str, days: Days) -> i64 {
    let (from, to) = (days.0 * DAY, days.1 * DAY + DAY - 1);
    let to = to.min(known_until(ctx, chain));
    assets(chain).map(|asset| transfers::count(ctx, asset, chain, from, to)).sum()
}

pub(super) fn trade_count(ctx: &Context<'_>, chain: &str, days: Days) -> i64 {
    let (from, to) = (days.0 * DAY, days.1 * DAY + DAY - 1);
    let to = to.min(known_until(ctx, chain));
    dex::traded_on(chain).map(|asset| dex::count(ctx, asset, chain, from, to)).sum()
}

/// A trade between a token and the stablecoin USDC, with the contract address of USDC.
pub(super) struct ForDollars {
    pub(super) trade: Traded,
    pub(super) dollars: String,
}

pub(super) fn trades(ctx: &Context<'_>, chain: &'static str, day: i64) -> Vec<ForDollars> {
    let until = known_until(ctx, chain);
    let usdc = ASSETS.iter().find(|asset| asset.symbol == "USDC");
    let dollars = usdc.map(|asset| asset.address(ctx)).unwrap_or_default();
    let all = dex::traded_on(chain).flat_map(|asset| dex::of_day(ctx, asset, chain, day));
    let mut rows: Vec<_> = all
        .filter(|trade| trade.time <= until)
        .map(|trade| ForDollars { trade, dollars: dollars.clone() })
        .collect();
    rows.sort_by_key(|row| row.trade.time);
    rows
}

/// A transaction on a chain: a token transfer or a trade. Each transaction emits one event.
pub(super) struct Sent {
    pub(super) chain: &'static str,
    pub(super) time: i64,
    pub(super) hash: String,
    /// Address that signed the transaction.
    pub(super) from: String,
    /// Address of the contract that the transaction called.
    pub(super) contract: String,
    /// Name of the event that the called contract emits.
    pub(super) event: &'static str,
    /// Gas price of the transaction in wei.
    pub(super) gas_price: i64,
}

pub(super) fn transactions(ctx: &Context<'_>, chain: &'static str, day: i64) -> Vec<Sent> {
    let known = chains::by_name(chain);
    let gas_price = |hash: &str, time: i64| {
        let price = match known {
            Some(chain) => chain.gas_price(ctx, time),
            None => seed(hash).named("price").below(500_000_000),
        };
        i64::try_from(price).unwrap_or(i64::MAX)
    };

    let moved = transfers(ctx, chain, day).into_iter().map(|moved| Sent {
        chain,
        time: moved.time,
        gas_price: gas_price(&moved.hash, moved.time),
        hash: moved.hash,
        from: moved.from,
        contract: moved.contract,
        event: "Transfer",
    });
    let traded = trades(ctx, chain, day).into_iter().map(|ForDollars { trade, .. }| Sent {
        chain,
        time: trade.time,
        gas_price: gas_price(&trade.hash, trade.time),
        hash: trade.hash,
        from: trade.taker,
        contract: dex::router(trade.protocol, chain),
        event: "Swap",
    });

    let mut all: Vec<_> = moved.chain(traded).collect();
    all.sort_by_key(|sent| sent.time);
    all
}

/// Returns the random seed for further data of a transaction, such as its nonce. The data endpoint that looks up
/// transactions uses the same seed.
pub(super) fn seed(hash: &str) -> Seed {
    Seed::new(0).named(hash)
}

/// Converts an integer to a SQL value.
pub(super) fn integer(number: i64) -> Value {
    Value::Int(number.into())
}

/// Converts a time in Unix seconds to the SQL value of its date, in days since 1970-01-01.
pub(super) fn date(time: i64) -> Value {
    integer(time.div_euclid(DAY))
}
