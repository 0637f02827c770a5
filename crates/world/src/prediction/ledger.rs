//! Trades on Polymarket: one trade in each market in each hour. Traders are identified by numbers, not by addresses.
//!
//! Each thread caches the trades of whole days, because sums over weeks read each day several times.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::prediction::market::{Market, opposite};
use crate::prediction::volumes::Venue;
use crate::random::Seed;
use crate::transaction_hash::{TransactionKind, TransactionPlace};

/// Number of wallets that trade on Polymarket.
pub(super) const TRADERS: u64 = 30;

/// Maximum number of cache entries per thread. An entry contains the trades of one market on one day, and takes less
/// than 2 KiB. The limit is enough for two months of trades in all active markets.
const KEPT: usize = 2_304;

/// Cached trades by the random seed of the market and the day (days since 1970-01-01).
type Days = HashMap<(Seed, i64), Rc<[Trade]>>;

thread_local! {
    static DAYS: RefCell<Days> = RefCell::default();
}

/// A trade on Polymarket. The fields `maker` and `taker` are the numbers of the traders' wallets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trade {
    pub(super) seed: Seed,
    hour: i64,
    pub(super) time: i64,
    pub(super) is_yes: bool,
    pub(super) maker: u64,
    pub(super) taker: u64,
    pub(super) usd: f64,
    /// Price of one share of the outcome, from 0 to 1.
    pub(super) price: f64,
}

/// Returns the trades of a market with Unix times in `from..to`, oldest first.
pub(super) fn trades(market: &Market, from: i64, to: i64) -> impl Iterator<Item = Trade> + '_ {
    let hours = market.volumes.trading_hours(Venue::Polymarket, from, to);
    let days = hours.start.div_euclid(24)..(hours.end + 23).div_euclid(24);
    days.flat_map(move |number| {
        let first = usize::try_from(hours.start - number * 24).unwrap_or(0);
        let end = usize::try_from(hours.end - number * 24).unwrap_or(0).min(24);
        let day_trades = cached_day(market, number);
        (first..end).map(move |hour| day_trades[hour])
    })
}

/// Returns the 24 hourly trades of a market on one day. The day is the number of days since 1970-01-01.
fn cached_day(market: &Market, number: i64) -> Rc<[Trade]> {
    let key = (market.seed, number);
    if let Some(cached) = DAYS.with_borrow(|days| days.get(&key).cloned()) {
        return cached;
    }

    let hours = number * 24..(number + 1) * 24;
    let trades: Rc<[Trade]> = hours.map(|hour| Trade::from_hour(market, hour)).collect();
    DAYS.with_borrow_mut(|days| {
        if days.len() >= KEPT {
            days.clear();
        }
        days.insert(key, Rc::clone(&trades));
    });
    trades
}

impl Trade {
    /// Creates the trade of a market for one hour. Each market has one trade per hour. `hour` is in hours since
    /// 1970-01-01.
    pub(super) fn from_hour(market: &Market, hour: i64) -> Self {
        let seed = market.seed.named("trade").at_time(hour);
        let maker = seed.named("maker").below(TRADERS);
        let time = market.volumes.trade_time(Venue::Polymarket, hour);
        let is_yes = seed.named("side").chance(0.5);
        let yes = market.yes_price(time);
        Trade {
            seed,
            hour,
            time,
            is_yes,
            maker,
            // The taker of a trade is never its maker.
            taker: (maker + 1 + seed.named("taker").below(TRADERS - 1)) % TRADERS,
            usd: market.volumes.hour_volume(Venue::Polymarket, hour),
            price: if is_yes { yes } else { opposite(yes) },
        }
    }

    pub(super) fn outcome(&self) -> &'static str {
        if self.is_yes { "Yes" } else { "No" }
    }

    /// Returns the hash of the trade's transaction.
    pub(super) fn hash(&self, market: &Market) -> String {
        let number = format!("0x{:040x}", market.number);
        match TransactionPlace::new(TransactionKind::Prediction, "polygon", &number, self.hour, 0) {
            Some(place) => place.hash(),
            None => self.seed.named("hash").hex_number(64),
        }
    }
}
