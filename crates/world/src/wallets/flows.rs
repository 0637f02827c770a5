//! Flows: series of transfers of a token between two wallets.
//!
//! Each wallet has a few counterparties for each token. If B is a counterparty of A, A is a counterparty of B. For each
//! period of a few days, a flow has a random level: the net amount that one of the two wallets has received so far. The
//! difference between two consecutive levels is a transfer.
//!
//! Both wallets use the same flow, so the transfers appear in the lists of both wallets. The level includes all earlier
//! transfers, so the balance of a wallet is computed without earlier balances.

use crate::context::Context;
use crate::random::Seed;
use crate::timestamp::DAY;
use crate::token_amount::Units;
use crate::wallets::address::Wallet;

/// Number of counterparties of a wallet for one token. If a counterparty does not hold the token, the two wallets have
/// no flow (no series of transfers).
pub(super) const COUNTERPARTIES: u8 = 4;
/// Maximum level of a flow between two wallets, as a fraction of a balance. The level is the net amount that one wallet
/// has received from the other wallet. The balance is the smaller usual balance of the two wallets. A usual balance is
/// a balance without transfers.
///
/// A wallet has at most four flows of a token. Together they change the wallet's balance of the token by at most 80 %
/// of its usual balance (4 times 0.2).
const HIGHEST: f64 = 0.2;

/// A flow: the series of transfers of a token between a wallet and one counterparty.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// Index of the counterparty among the wallet's counterparties for this token. Less than [`COUNTERPARTIES`].
    pub(super) number: u8,
    /// Address of the counterparty's wallet.
    pub(super) other: String,
    /// Alphabetically first address of the two wallets. The level of the flow is the net amount that the wallet with
    /// this address has received from the other wallet.
    pub(super) first: String,
    sign: i64,
    seed: Seed,
    /// Number of days from one transfer of the flow to the next.
    period: i64,
    offset: i64,
    highest: f64,
    places: u32,
}

/// One transfer of a token between a wallet and its counterparty.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowTransfer {
    /// Day of the transfer, in days since 1970-01-01.
    pub(super) day: i64,
    /// Unix time of the transfer.
    pub(super) time: i64,
    pub(super) seed: Seed,
    /// Amount that the wallet receives. Negative if the wallet sends.
    pub(super) received: i64,
}

impl Flow {
    /// Creates the series of transfers of a token between two wallets on a chain. The usual balance of a wallet is its
    /// balance without transfers. `balance` is the smaller of the two wallets' usual balances.
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

    /// Returns the day of the last transfer up to and including `day`. Days are counted from 1970-01-01.
    fn event_day(&self, day: i64) -> i64 {
        day - (day + self.offset).rem_euclid(self.period)
    }

    fn event_time(&self, day: i64) -> i64 {
        day * DAY + self.seed.named("at").at_time(day).range(0, DAY - 1)
    }

    /// Returns the net amount that the wallet `first` has received from its counterparty, up to and including the
    /// transfer on `day`. `day` is in days since 1970-01-01.
    fn level(&self, day: i64) -> i64 {
        let share = self.seed.named("level").at_time(day).unit();
        Units::from_amount(self.highest * share, self.places).count
    }

    /// Returns the net amount that the wallet has received from the counterparty until a Unix time. Negative if the
    /// wallet has sent more than it received.
    pub(super) fn received_amount(&self, time: i64) -> i64 {
        let day = self.event_day(time.div_euclid(DAY));
        let is_ahead = self.event_time(day) > time;
        self.sign * self.level(if is_ahead { day - self.period } else { day })
    }

    /// Returns the transfer on `day`. Returns `None` if the wallets transfer nothing on this day. `day` is in days
    /// since 1970-01-01.
    pub(super) fn transfer(&self, day: i64) -> Option<FlowTransfer> {
        let received = self.sign * (self.level(day) - self.level(day - self.period));
        (received != 0 && self.event_day(day) == day).then(|| FlowTransfer {
            day,
            time: self.event_time(day),
            seed: self.seed.named("transfer").at_time(day),
            received,
        })
    }

    /// Returns the transfers on the days `from..=to`, newest first. Days are counted from 1970-01-01.
    pub(super) fn transfers(&self, from: i64, to: i64) -> impl Iterator<Item = FlowTransfer> + '_ {
        let last = self.event_day(to);
        let days = (0..).map(move |n| last - n * self.period).take_while(move |day| *day >= from);
        days.filter_map(|day| self.transfer(day))
    }
}
