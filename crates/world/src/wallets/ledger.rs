//! Balances and transfers of a wallet.
//!
//! A holding has a balance for each period of a few days, and the difference of two balances is the transfer
//! between them. So balances and transfers agree at any time, and none depends on another being computed
//! first.

use crate::assets::Asset;
use crate::chains;
use crate::context::Context;
use crate::labels;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::timestamp::DAY;
use crate::token_amount::Units;
use crate::tokens;
use crate::transaction_hash::{TransactionKind, TransactionPlace};
use crate::wallets::address::{Family, Wallet};
use crate::wallets::holders;

/// Tokens that every wallet of a chain holds.
const ALWAYS: &[(&str, &str)] = &[
    ("ETH", "ethereum"),
    ("BNB", "bsc"),
    ("AVAX", "avalanche"),
    ("SOL", "solana"),
    ("TRX", "tron"),
    ("ETH", "base"),
    ("ETH", "arbitrum"),
    ("ETH", "optimism"),
    ("USDC", "polygon"),
    ("USDC", "fantom"),
];

/// A token in a wallet on one chain.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    pub(crate) asset: &'static Asset,
    pub(crate) chain: &'static str,
    /// Index in the list of tokens that a wallet may hold.
    n: u8,
    seed: Seed,
    /// Days between two transfers.
    period: i64,
    offset: i64,
    /// Typical balance, in units.
    base: f64,
    places: u32,
}

/// A transfer into or out of a wallet.
#[derive(Debug, Clone)]
pub(crate) struct Movement {
    pub(crate) time: i64,
    pub(crate) seed: Seed,
    pub(crate) asset: &'static Asset,
    pub(crate) is_in: bool,
    pub(crate) amount: Units,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) hash: String,
}

fn family_of(chain: &str) -> Family {
    match chain {
        "solana" => Family::Solana,
        "tron" => Family::Tron,
        _ => Family::Evm,
    }
}

/// Holdings of a wallet on one chain, or on all.
pub(crate) fn holdings(ctx: &Context, wallet: &Wallet, on: Option<&str>) -> Vec<Holding> {
    let great = holders::of_wallet(ctx, &wallet.address);
    tokens::held()
        .zip(0_u8..)
        .filter(|((_, chain), _)| family_of(chain) == wallet.family)
        .filter(|((_, chain), _)| on.is_none_or(|on| on == *chain))
        .filter_map(|((asset, chain), n)| {
            let rank = great.iter().find(|held| held.n == n).map(|held| held.rank);
            holding(ctx, wallet, (asset, chain), n, rank)
        })
        .collect()
}

/// Holding number `n` of a wallet, if it has one. `rank` is its rank among the largest holders.
pub(super) fn holding(
    ctx: &Context,
    wallet: &Wallet,
    (asset, chain): (&'static Asset, &'static str),
    n: u8,
    rank: Option<u64>,
) -> Option<Holding> {
    let seed = wallet.seed(ctx).named("holds").named(chain).named(asset.symbol);
    let has = rank.is_some() || ALWAYS.contains(&(asset.symbol, chain)) || seed.chance(0.3);
    if !has {
        return None;
    }

    let period = seed.named("period").range(2, 9);
    let base = match rank {
        Some(rank) => asset.supply * holders::share(rank),
        // The USD value is that of the start of 2026.
        None => seed.named("usd").magnitude(20.0, 400_000.0) / asset.walk(ctx).at(1_767_225_600),
    };
    Some(Holding {
        asset,
        chain,
        n,
        seed,
        period,
        offset: seed.named("offset").range(0, period - 1),
        base,
        places: Units::places_of(ctx, asset),
    })
}

impl Holding {
    /// Last day with a transfer that is not after `day`.
    fn event_day(&self, day: i64) -> i64 {
        day - (day + self.offset).rem_euclid(self.period)
    }

    fn event_time(&self, day: i64) -> i64 {
        day * DAY + self.seed.named("at").at_time(day).range(0, DAY - 1)
    }

    /// Balance after the transfer of `day`.
    fn level(&self, day: i64) -> Units {
        let share = self.seed.named("level").at_time(day).between(0.5, 1.5);
        Units::from_amount(self.base * share, self.places)
    }

    /// Balance at a Unix time.
    pub(crate) fn balance(&self, time: i64) -> Units {
        let day = self.event_day(time.div_euclid(DAY));
        let is_ahead = self.event_time(day) > time;
        self.level(if is_ahead { day - self.period } else { day })
    }

    fn movement(&self, wallet: &Wallet, day: i64) -> Option<Movement> {
        let (before, after) = (self.level(day - self.period), self.level(day));
        let difference = after.count - before.count;
        if difference == 0 || self.event_day(day) != day {
            return None;
        }

        let seed = self.seed.named("transfer").at_time(day);
        let is_evm = wallet.family == Family::Evm;
        let other = if is_evm && seed.named("known").chance(0.4) {
            labels::known_wallet(seed.named("other")).to_owned()
        } else {
            chains::address(seed.named("other"), self.chain)
        };

        let (from, to) = if difference > 0 {
            (other, wallet.address.clone())
        } else {
            (wallet.address.clone(), other)
        };
        let place =
            TransactionPlace::at(TransactionKind::Wallet, self.chain, &wallet.address, day, self.n);
        let time = self.event_time(day);

        Some(Movement {
            time,
            seed,
            asset: self.asset,
            is_in: difference > 0,
            amount: Units { count: difference.abs(), places: self.places },
            from,
            to,
            hash: place.map_or_else(|| seed.named("hash").hex_number(64), |place| place.hash()),
        })
    }
}

impl Movement {
    /// Value of the transfer in USD, at the price of its day.
    pub(crate) fn usd(&self, ctx: &Context) -> f64 {
        round(self.amount.value() * self.asset.walk(ctx).at(self.time - self.time.rem_euclid(DAY)))
    }
}

/// Days of history in a list of transfers.
const REACH: i64 = 90;

/// Transfers of a wallet on a chain before `end`, newest first. They end where an outage of the chain began.
pub(crate) fn movements(ctx: &Context, wallet: &Wallet, chain: &str, end: i64) -> Vec<Movement> {
    let end = ctx.scenario.lost(chain).map_or(end, |since| end.min(since));
    let last = end.div_euclid(DAY);
    let mut all = Vec::new();
    for holding in holdings(ctx, wallet, Some(chain)) {
        let mut day = holding.event_day(last);
        while day >= last - REACH {
            all.extend(holding.movement(wallet, day).filter(|moved| moved.time <= end));
            day -= holding.period;
        }
    }
    all.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.hash.cmp(&b.hash)));
    all
}

/// Finds the transfer of a transaction.
pub(crate) fn movement_of(ctx: &Context, place: &TransactionPlace) -> Option<Movement> {
    let wallet = Wallet::at(&place.address());
    let holding = holdings(ctx, &wallet, Some(place.chain)).into_iter().find(|h| h.n == place.n)?;
    holding.movement(&wallet, place.slot).filter(|moved| moved.time <= ctx.now)
}
