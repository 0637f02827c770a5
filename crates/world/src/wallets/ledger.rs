//! Balances and transfers of a wallet.
//!
//! The balance of a token is a constant amount plus the net amount of the wallet's transfers. Every wallet has flows,
//! which are series of transfers to or from one other wallet. The 60 largest holders of a token also have transfers in
//! the token's own list, which the module `transfers` creates. Each change of a balance has a listed transfer.

use crate::assets::Asset;
use crate::context::Context;
use crate::dex::{self, Traded};
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::timestamp::DAY;
use crate::token_amount::Units;
use crate::tokens;
use crate::transaction_hash::{TransactionKind, TransactionPlace};
use crate::transfers::{Moved, Party};
use crate::wallets::address::{Family, Wallet};
use crate::wallets::flows::{COUNTERPARTIES, Flow, FlowTransfer};
use crate::wallets::holders;

/// Tokens that every wallet of a chain holds, as pairs of ticker and chain. A wallet belongs to the chains on which its
/// address is valid. For example, every wallet with a Solana address holds SOL.
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

/// A holding: one token of a wallet on one chain.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    pub(crate) asset: &'static Asset,
    pub(crate) chain: &'static str,
    /// Index of the token in the list that `tokens::asset_chains` returns.
    n: u8,
    /// Usual balance of the token: the balance without transfers. [`Holding::balance`] adds the transferred amounts.
    base: Units,
    flows: Vec<Flow>,
    /// The wallet as a sender and receiver in the list of all transfers of the token on this chain. `None` if the
    /// wallet is not among the 60 largest holders of the token, because only these holders are in the list.
    party: Option<Party>,
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
    /// Value of the transfer in USD, if it has already been computed.
    usd: Option<f64>,
}

fn chain_family(chain: &str) -> Family {
    match chain {
        "solana" => Family::Solana,
        "tron" => Family::Tron,
        _ => Family::Evm,
    }
}

/// Returns all holdings of a wallet. If `on` is set, returns only the holdings on this chain.
pub(crate) fn holdings(ctx: &Context, wallet: &Wallet, on: Option<&str>) -> Vec<Holding> {
    iter_holdings(ctx, wallet, on).collect()
}

/// Returns an iterator over the holdings of a wallet. The iterator computes each holding on demand. If `on` is
/// set, the iterator returns only the holdings on this chain.
pub(super) fn iter_holdings(
    ctx: &Context,
    wallet: &Wallet,
    on: Option<&str>,
) -> impl Iterator<Item = Holding> {
    let ranks = holders::wallet_ranks(ctx, &wallet.address);
    tokens::asset_chains()
        .zip(0_u8..)
        .filter(|((_, chain), _)| chain_family(chain) == wallet.family)
        .filter(move |((_, chain), _)| on.is_none_or(|on| on == *chain))
        .filter_map(move |((asset, chain), n)| {
            let rank = ranks.iter().find(|entry| entry.n == n).map(|entry| entry.rank);
            holding(ctx, wallet, (asset, chain), n, rank)
        })
}

/// Returns the balance of a wallet before its transfers, in units of a token. Returns `None` if the wallet does not
/// hold the token. `rank` is the rank of the wallet among the largest holders of the token.
fn usual_balance(
    ctx: &Context,
    wallet: &Wallet,
    (asset, chain): (&'static Asset, &'static str),
    rank: Option<u64>,
) -> Option<f64> {
    if let Some(rank) = rank {
        return Some(asset.supply * holders::supply_share(rank));
    }
    let seed = wallet.seed(ctx).named("holds").named(chain).named(asset.symbol);
    let has = ALWAYS.contains(&(asset.symbol, chain)) || seed.chance(0.3);
    // The amount is computed with the price at the start of 2026, so that it does not depend on the current time.
    has.then(|| seed.named("usd").magnitude(20.0, 400_000.0) / asset.walk(ctx).at(1_767_225_600))
}

/// Returns a wallet's holding of the token with index `n`, or `None` if the wallet does not hold the token. `rank` is
/// the rank of the wallet among the largest holders of the token.
pub(super) fn holding(
    ctx: &Context,
    wallet: &Wallet,
    (asset, chain): (&'static Asset, &'static str),
    n: u8,
    rank: Option<u64>,
) -> Option<Holding> {
    let own = usual_balance(ctx, wallet, (asset, chain), rank)?;
    let places = Units::decimal_places(ctx, asset);
    let flow = |number: u8| {
        let other = wallet.counterparty(n, number);
        let rank = holders::rank(ctx, &other.address, n);
        let smaller = usual_balance(ctx, &other, (asset, chain), rank)?.min(own);
        let pair = (wallet, &other);
        (other.address != wallet.address)
            .then(|| Flow::new(ctx, pair, (chain, asset.symbol), number, smaller, places))
    };
    let flows = (0..COUNTERPARTIES).filter_map(flow).collect();
    let party = rank.and_then(|rank| Party::new(ctx, asset, chain, rank));
    Some(Holding { asset, chain, n, base: Units::from_amount(own, places), flows, party })
}

impl Holding {
    /// Returns the token balance at a Unix time.
    pub(crate) fn balance(&self, time: i64) -> Units {
        let of_flows: i64 = self.flows.iter().map(|flow| flow.received_amount(time)).sum();
        let of_party = self.party.as_ref().map_or(0, |party| party.received_amount(time));
        Units { count: self.base.count + of_flows + of_party, ..self.base }
    }

    fn movement(&self, wallet: &Wallet, flow: &Flow, transfer: FlowTransfer) -> Movement {
        let FlowTransfer { day, time, seed, received } = transfer;
        let (own, other) = (wallet.address.clone(), flow.other.clone());
        let is_in = received > 0;
        let (from, to) = if is_in { (other, own) } else { (own, other) };
        let n = transaction_index(self.n, flow.number);
        let place = TransactionPlace::new(TransactionKind::Wallet, self.chain, &flow.first, day, n);
        Movement {
            time,
            seed,
            asset: self.asset,
            is_in,
            amount: Units { count: received.abs(), ..self.base },
            from,
            to,
            hash: place.map_or_else(|| seed.named("hash").hex_number(64), |place| place.hash()),
            usd: None,
        }
    }
}

/// Number of bits for the token in a transaction index. The lowest bits of a transaction index contain the index of the
/// token. The other bits contain the number of the counterparty.
const TOKEN_BITS: u8 = 6;

fn transaction_index(token: u8, counterparty: u8) -> u8 {
    counterparty << TOKEN_BITS | token
}

impl Movement {
    /// Converts `transfer`, a transfer of a token, to a [`Movement`] of `wallet`. The wallet must be the sender or the
    /// receiver of this transfer.
    fn from_moved(wallet: &Wallet, transfer: Moved) -> Self {
        Movement {
            time: transfer.time,
            seed: Seed::new(0).named(&transfer.hash),
            asset: transfer.asset,
            is_in: transfer.to.eq_ignore_ascii_case(&wallet.address),
            amount: transfer.amount,
            from: transfer.from,
            to: transfer.to,
            hash: transfer.hash,
            usd: Some(transfer.usd),
        }
    }

    /// Returns the value of the transfer in USD. If the field `usd` is `None`, computes the value with the asset's
    /// price at 00:00 UTC on the day of the transfer.
    pub(crate) fn usd(&self, ctx: &Context) -> f64 {
        let price = || self.asset.walk(ctx).at(self.time - self.time.rem_euclid(DAY));
        self.usd.unwrap_or_else(|| round(self.amount.value() * price()))
    }
}

/// Number of days that a wallet's list of transfers or trades covers, counted back from the end time of the list.
const REACH: i64 = 90;

/// Returns the transfers of a wallet on a chain until the Unix time `end`, newest first. During an outage of the chain,
/// the list ends at the start of the outage.
pub(crate) fn movements(ctx: &Context, wallet: &Wallet, chain: &str, end: i64) -> Vec<Movement> {
    let end = ctx.scenario.lost(chain).map_or(end, |since| end.min(since));
    let last = end.div_euclid(DAY);
    let mut all = Vec::new();
    for holding in holdings(ctx, wallet, Some(chain)) {
        for flow in &holding.flows {
            let transfers = flow.transfers(last - REACH, last);
            let moved = transfers.map(|transfer| holding.movement(wallet, flow, transfer));
            all.extend(moved.filter(|moved| moved.time <= end));
        }
        if let Some(party) = &holding.party {
            let moved = party.transfers(ctx, (last - REACH) * DAY, end);
            all.extend(moved.into_iter().map(|moved| Movement::from_moved(wallet, moved)));
        }
    }
    all.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.hash.cmp(&b.hash)));
    all
}

/// Returns the trades of a wallet on a chain until the Unix time `end`, unordered. During an outage of the chain, the
/// list ends at the start of the outage.
pub(super) fn trades(ctx: &Context, wallet: &Wallet, chain: &str, end: i64) -> Vec<Traded> {
    let end = ctx.scenario.lost(chain).map_or(end, |since| end.min(since));
    let times = (end - REACH * DAY, end);
    let tokens: Vec<_> = tokens::asset_chains().collect();
    holders::wallet_ranks(ctx, &wallet.address)
        .iter()
        .filter_map(|held| Some((tokens.get(usize::from(held.n))?, held.rank)))
        .filter(|((_, on), _)| *on == chain)
        .flat_map(|(token, rank)| dex::wallet_trades(ctx, *token, rank, times))
        .collect()
}

/// Finds the wallet transfer in a transaction. Returns `None` if the transaction does not exist or is in the future.
pub(crate) fn find_movement(ctx: &Context, place: &TransactionPlace) -> Option<Movement> {
    let wallet = Wallet::from_address(&place.address());
    let holdings = holdings(ctx, &wallet, Some(place.chain)).into_iter();
    let (holding, flow) = holdings
        .flat_map(|holding| {
            holding.flows.clone().into_iter().map(move |flow| (holding.clone(), flow))
        })
        .find(|(holding, flow)| transaction_index(holding.n, flow.number) == place.n)?;
    let transfer = flow.transfer(place.slot)?;
    let movement = holding.movement(&wallet, &flow, transfer);
    (flow.first == wallet.address && movement.time <= ctx.now).then_some(movement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_index_has_room_for_each_token_and_counterparty() {
        assert!(tokens::asset_chains().count() <= 1 << TOKEN_BITS);
        const { assert!(COUNTERPARTIES <= 1 << (8 - TOKEN_BITS)) };
    }
}
