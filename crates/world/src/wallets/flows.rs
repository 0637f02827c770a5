//! Flows of a token between two wallets.
//!
//! Each wallet has a few counterparties for each token, and is a counterparty of each of them. A flow has a level for
//! each period of a few days, and the difference of two levels is a transfer. Flows depend on both addresses in the
//! same way, so both wallets show the same transfers, and balances at any time need no earlier ones.

use crate::context::Context;
use crate::random::Seed;
use crate::timestamp::DAY;
use crate::token_amount::Units;
use crate::wallets::address::Wallet;

/// Counterparties of a wallet for one token. Only those that hold the token have a flow.
pub(super) const COUNTERPARTIES: u8 = 4;
/// Highest level of a flow, as a share of the smaller usual balance of the two wallets. The flows of a wallet
/// together stay below its usual balance.
const HIGHEST: f64 = 0.2;

/// A flow between a wallet and one counterparty.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// Number of the counterparty.
    pub(super) number: u8,
    /// Address of the counterparty.
    pub(super) other: String,
    /// The first of both addresses in alphabetical order. A positive level is an amount that this address has
    /// received.
    pub(super) first: String,
    sign: i64,
    seed: Seed,
    /// Days between two transfers.
    period: i64,
    offset: i64,
    highest: f64,
    places: u32,
}

/// A transfer of a flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowTransfer {
    /// Day since 1970.
    pub(super) day: i64,
    /// Unix time.
    pub(super) time: i64,
    pub(super) seed: Seed,
    /// Amount that the wallet receives; negative if it sends.
    pub(super) received: i64,
}

impl Flow {
    /// Creates the flow of a token on a chain between two wallets. `balance` is the smaller of their usual balances.
    pub(super) fn new(
        ctx: &Context,
        (wallet, other): (&Wallet, &Wallet),
        (chain, symbol): (&str, &str),
        number: u8,
        balance: f64,
        places: u32,
    ) -> Self {
        let is_first = wallet.address < other.address;
        let (first, second) = if is_first { (wallet, other) } else { (other, wallet) };
        let seed = first.seed(ctx).named("flow").named(&second.address).named(chain).named(symbol);
        let period = seed.named("period").range(3, 12);
        Flow {
            number,
            other: other.address.clone(),
            first: first.address.clone(),
            sign: if is_first { 1 } else { -1 },
            seed,
            period,
            offset: seed.named("offset").range(0, period - 1),
            highest: balance * HIGHEST,
            places,
        }
    }

    /// Returns the last day with a transfer that is not after `day`.
    fn event_day(&self, day: i64) -> i64 {
        day - (day + self.offset).rem_euclid(self.period)
    }

    fn event_time(&self, day: i64) -> i64 {
        day * DAY + self.seed.named("at").at_time(day).range(0, DAY - 1)
    }

    /// Returns the level of the flow after the transfer of `day`.
    fn level(&self, day: i64) -> i64 {
        let share = self.seed.named("level").at_time(day).unit();
        Units::from_amount(self.highest * share, self.places).count
    }

    /// Returns the amount that the wallet has received through the flow at a Unix time; negative if it has sent more.
    pub(super) fn received(&self, time: i64) -> i64 {
        let day = self.event_day(time.div_euclid(DAY));
        let is_ahead = self.event_time(day) > time;
        self.sign * self.level(if is_ahead { day - self.period } else { day })
    }

    /// Returns the transfer of a day.
    pub(super) fn transfer(&self, day: i64) -> Option<FlowTransfer> {
        let received = self.sign * (self.level(day) - self.level(day - self.period));
        (received != 0 && self.event_day(day) == day).then(|| FlowTransfer {
            day,
            time: self.event_time(day),
            seed: self.seed.named("transfer").at_time(day),
            received,
        })
    }

    /// Returns the transfers of the days `from..=to`, newest first.
    pub(super) fn transfers(&self, from: i64, to: i64) -> impl Iterator<Item = FlowTransfer> + '_ {
        let last = self.event_day(to);
        let days = (0..).map(move |n| last - n * self.period).take_while(move |day| *day >= from);
        days.filter_map(|day| self.transfer(day))
    }
}
