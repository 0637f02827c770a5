//! A perpetual-futures account: its trades, and sums over these trades.
//!
//! The input is an account address and the current time. All operations show the same trades of the account.

use std::rc::Rc;

use crate::args::Args;
use crate::context::Context;
use crate::hyperliquid::ledger::{Episode, episodes};
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::value::Value;
use crate::wallets::address;

/// A perpetual-futures account with its whole trading history.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) address: String,
    pub(super) seed: Seed,
    /// Trades of the account. All trades are on the exchange `main_dex`, so the list is empty if the `dex` argument
    /// names another exchange.
    episodes: Vec<Rc<Episode>>,
    /// USD that the owner deposited in the account.
    pub(super) deposit: f64,
    /// Kind of data that responses about this account lack, for example spot balances ([`Gap::Spot`]). Most accounts
    /// lack nothing ([`Gap::None`]).
    pub(super) gap: Gap,
}

/// Data of an account that are missing in responses.
///
/// The last digit of the account address decides which data are missing, so that tests can choose the case. Most
/// accounts are complete; `docs/states.md` lists the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    /// The address ends in `a`: the account holds a token without a price.
    UnpricedToken,
    /// The address ends in `b`: the account response contains no staked tokens, and the performance response reports
    /// that the section `gap_fill` failed.
    Staking,
    /// The address ends in `c`: the account response contains no spot balances. The performance response contains no
    /// account value and no open positions, because the section `snapshot` failed.
    Spot,
    /// The address ends in `d`: the account response reports that its section `pricing` failed. The performance
    /// response reports that its section `ledger` failed, and contains no sums over closed trades (field
    /// `performance`).
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

    /// Returns the names of the failed sections of the account response and of the performance response. For
    /// [`Gap::Spot`], the names are `spot` and `snapshot`. Returns `None` if no section failed.
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
    /// Returns the account of the `address` argument. Every well-formed address has an account with trades.
    pub(super) fn from_args(ctx: &Context, args: &Args) -> Result<Self, Refusal> {
        let address = address::check_address("address", args.text("address").unwrap_or_default())?;
        let mut account = Account::new(ctx, &address);
        // All trades are on the main exchange, so an account has no trades on other exchanges.
        if args.text("dex").is_some_and(|dex| dex != "main_dex") {
            account.episodes.clear();
        }
        Ok(account)
    }

    pub(super) fn new(ctx: &Context, address: &str) -> Self {
        let seed = ctx.seed.named("account").named(&address.to_lowercase());
        Account {
            address: address.to_owned(),
            seed,
            episodes: episodes(ctx, seed),
            deposit: seed.named("deposit").magnitude(2e5, 3e6).round(),
            gap: Gap::from_address(address),
        }
    }

    /// Returns all trades of the account, oldest first.
    pub(super) fn episodes(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().map(Rc::as_ref)
    }

    pub(super) fn closed_episodes(&self) -> impl Iterator<Item = &Episode> {
        self.episodes().filter(|episode| !episode.is_open)
    }

    pub(super) fn open_episodes(&self) -> impl Iterator<Item = &Episode> {
        self.episodes().filter(|episode| episode.is_open && episode.position() != 0.0)
    }
}

/// Sums over several trades of an account, for example the total of the fees. Amounts are in USD.
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
            let net = episode.net_pnl();
            sums.count += 1;
            sums.gross += episode.gross_pnl();
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

    /// Returns `sum / count` as a JSON number, or `null` if `count` is 0.
    pub(super) fn mean(sum: f64, count: u32) -> Value {
        if count == 0 { Value::Null } else { (sum / f64::from(count)).into() }
    }
}
