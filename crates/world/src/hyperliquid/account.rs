//! A perpetual-futures account: its trades, and sums over them.
//!
//! The input is an address and the present time. The output is the same trades for each operation, and their sums.

use std::rc::Rc;

use crate::args::Args;
use crate::context::Context;
use crate::hyperliquid::ledger::{Episode, episodes};
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::value::Value;
use crate::wallets::address;

/// An account with its whole trading history.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) address: String,
    pub(super) seed: Seed,
    /// Trades on the requested exchange.
    episodes: Vec<Rc<Episode>>,
    /// Deposited USD.
    pub(super) deposit: f64,
    /// Data about the account that the service could not get.
    pub(super) gap: Gap,
}

/// Missing data of an account, chosen by the last digit of its address so that tests can meet each case.
/// Most accounts are complete; `docs/states.md` lists the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    /// The account holds a token without a price. Its address ends in `a`.
    UnpricedToken,
    /// Staking and the newest fills are missing. The address ends in `b`.
    Staking,
    /// Balances and the snapshot are missing. The address ends in `c`.
    Spot,
    /// Prices are missing. The address ends in `d`.
    Pricing,
}

impl Gap {
    fn from_address(address: &str) -> Self {
        match address.chars().last().map(|digit| digit.to_ascii_lowercase()) {
            Some('a') => Gap::UnpricedToken,
            Some('b') => Gap::Staking,
            Some('c') => Gap::Spot,
            Some('d') => Gap::Pricing,
            _ => Gap::None,
        }
    }

    /// Returns the name of the failed section, in views of holdings and in views of performance.
    pub(super) fn sections(self) -> Option<(&'static str, &'static str)> {
        match self {
            Gap::None | Gap::UnpricedToken => None,
            Gap::Staking => Some(("staking", "gap_fill")),
            Gap::Spot => Some(("spot", "snapshot")),
            Gap::Pricing => Some(("pricing", "ledger")),
        }
    }
}

impl Account {
    /// Returns the account of the `address` argument. Every well-formed address has traded.
    pub(super) fn asked(ctx: &Context, args: &Args) -> Result<Self, Refusal> {
        let address = address::read("address", args.text("address").unwrap_or_default())?;
        let mut account = Account::at(ctx, &address);
        // All trades are on the main exchange.
        if args.text("dex").is_some_and(|dex| dex != "main_dex") {
            account.episodes.clear();
        }
        Ok(account)
    }

    pub(super) fn at(ctx: &Context, address: &str) -> Self {
        let seed = ctx.seed.named("account").named(&address.to_lowercase());
        Account {
            address: address.to_owned(),
            seed,
            episodes: episodes(ctx, seed),
            deposit: seed.named("deposit").magnitude(2e5, 3e6).round(),
            gap: Gap::from_address(address),
        }
    }

    /// Returns all trades, oldest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().map(Rc::as_ref)
    }

    pub(super) fn closed(&self) -> impl Iterator<Item = &Episode> {
        self.all().filter(|episode| !episode.is_open)
    }

    pub(super) fn open(&self) -> impl Iterator<Item = &Episode> {
        self.all().filter(|episode| episode.is_open && episode.position() != 0.0)
    }
}

/// Sums over trades.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sums {
    pub(super) count: u32,
    pub(super) wins: u32,
    pub(super) gross: f64,
    pub(super) net: f64,
    pub(super) fees: f64,
    pub(super) funding: f64,
    pub(super) volume: f64,
    pub(super) won: f64,
    pub(super) lost: f64,
}

impl Sums {
    pub(super) fn add_up<'a>(episodes: impl Iterator<Item = &'a Episode>) -> Self {
        let mut sums = Sums::default();
        for episode in episodes {
            let net = episode.net();
            sums.count += 1;
            sums.gross += episode.gross();
            sums.net += net;
            sums.fees += episode.fees();
            sums.funding += episode.funding;
            sums.volume += episode.volume();
            if net > 0.0 {
                sums.wins += 1;
                sums.won += net;
            } else {
                sums.lost += net;
            }
        }
        sums
    }

    pub(super) fn losses(&self) -> u32 {
        self.count - self.wins
    }

    pub(super) fn rate(&self, part: u32) -> f64 {
        if self.count == 0 { 0.0 } else { f64::from(part) / f64::from(self.count) }
    }

    /// Returns the mean of a sum; `null` if nothing was added.
    pub(super) fn mean(sum: f64, count: u32) -> Value {
        if count == 0 { Value::Null } else { (sum / f64::from(count)).into() }
    }
}
