//! Generates the trades of one account from the random seed of the account.
//!
//! Time is divided into slots of 12 days. In each slot the account trades each of its symbols at most once. One to
//! three fills open the position of a trade, and one to three fills close the position. If the last fill is in the
//! future, the trade is an open position now.
//!
//! All sizes in a trade are multiples of the same power of two, so sums of sizes have no rounding errors. After the
//! last closing fill, the position is exactly zero.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::assets::{self, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::timestamp::{DAY, HOUR};

/// Length of a time slot in seconds. An account trades a symbol at most once in each slot.
const SLOT: i64 = 12 * DAY;
/// Maximum number of 12-day slots in the history of an account, including the current slot.
const SLOTS: i64 = 12;
/// Tickers of the assets with a perpetual future.
const SYMBOLS: &[&str] = &["BTC", "ETH", "SOL", "HYPE", "XRP", "DOGE", "LINK", "AVAX"];

/// One fill: the execution of a part of a trade.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LedgerFill {
    seed: Seed,
    pub(super) time_ms: i64,
    pub(super) symbol: &'static str,
    /// Size in units of the asset, always positive.
    pub(super) size: f64,
    pub(super) price: f64,
    pub(super) is_buy: bool,
    pub(super) opens: bool,
    /// Position before the fill, in units of the asset. Negative for a short position.
    pub(super) start_position: f64,
    pub(super) closed_pnl: f64,
    pub(super) fee: f64,
    pub(super) crossed: bool,
}

impl LedgerFill {
    pub(super) fn id(&self) -> String {
        self.seed.digits(15)
    }

    pub(super) fn hash(&self) -> String {
        self.seed.hex_number(64)
    }
}

/// One trade: all fills that open and close a position. If the position is still open, the trade contains only the
/// fills until now.
#[derive(Debug, Clone)]
pub(super) struct Episode {
    pub(super) seed: Seed,
    pub(super) symbol: &'static str,
    pub(super) is_long: bool,
    pub(super) fills: Vec<LedgerFill>,
    pub(super) leverage: i64,
    pub(super) is_open: bool,
    /// Sum of the trade's funding payments in USD. It includes all, half or none of the payments, depending on
    /// `coverage`. Negative if the account paid.
    pub(super) funding: f64,
    pub(super) coverage: Coverage,
}

/// Part of a trade's duration for which the funding payments are known: the whole duration, half of it, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coverage {
    Complete,
    /// The funding payments are known for only half of the trade's duration.
    Partial,
    Unavailable,
}

impl Coverage {
    /// Chooses the [`Coverage`] of a trade's funding payments by the symbol and the 12-day slot of the trade. All
    /// accounts have the same coverage. In every second slot, trades of BTC have partial or unavailable coverage. All
    /// other trades have complete coverage.
    fn from_slot(symbol: &str, slot: i64) -> Self {
        match (symbol, slot.rem_euclid(4)) {
            ("BTC", 1) => Coverage::Partial,
            ("BTC", 3) => Coverage::Unavailable,
            _ => Coverage::Complete,
        }
    }

    /// Returns the fraction of the funding payments that the response includes: 0 (none), 0.5 (half) or 1 (all).
    fn share(self) -> f64 {
        match self {
            Coverage::Complete => 1.0,
            Coverage::Partial => 0.5,
            Coverage::Unavailable => 0.0,
        }
    }

    /// Combines the coverage values of several trades. If all values are equal, returns this value. Otherwise returns
    /// `Partial`. Returns `Complete` for an empty iterator.
    pub(super) fn combine(all: impl Iterator<Item = Coverage>) -> Self {
        all.reduce(|a, b| if a == b { a } else { Coverage::Partial }).unwrap_or(Coverage::Complete)
    }

    pub(super) fn status(self) -> &'static str {
        match self {
            Coverage::Complete => "complete",
            Coverage::Partial => "partial",
            Coverage::Unavailable => "unavailable",
        }
    }
}

impl Episode {
    fn sum(&self, figure: impl Fn(&LedgerFill) -> f64) -> f64 {
        self.fills.iter().map(figure).sum()
    }

    pub(super) fn opened_size(&self) -> f64 {
        self.sum(|fill| if fill.opens { fill.size } else { 0.0 })
    }

    /// Returns the current position of this trade in units of the asset. Negative for a short position.
    pub(super) fn position(&self) -> f64 {
        self.sum(|fill| if fill.is_buy { fill.size } else { -fill.size })
    }

    /// Returns the total value in USD of the fills that open the position of this trade.
    pub(super) fn notional(&self) -> f64 {
        self.sum(|fill| if fill.opens { fill.size * fill.price } else { 0.0 })
    }

    pub(super) fn entry_price(&self) -> f64 {
        self.notional() / self.opened_size()
    }

    pub(super) fn exit_price(&self) -> f64 {
        let closed = self.sum(|fill| if fill.opens { 0.0 } else { fill.size });
        self.sum(|fill| if fill.opens { 0.0 } else { fill.size * fill.price })
            / closed.max(f64::MIN_POSITIVE)
    }

    pub(super) fn gross_pnl(&self) -> f64 {
        self.sum(|fill| fill.closed_pnl)
    }

    pub(super) fn fees(&self) -> f64 {
        self.sum(|fill| fill.fee)
    }

    pub(super) fn net_pnl(&self) -> f64 {
        self.gross_pnl() - self.fees()
    }

    pub(super) fn volume(&self) -> f64 {
        self.sum(|fill| fill.size * fill.price)
    }

    /// Returns the Unix time of the first fill of the trade, or 0 if the trade has no fills.
    pub(super) fn open_time(&self) -> i64 {
        self.fills.first().map_or(0, |fill| fill.time_ms.div_euclid(1000))
    }

    /// Returns the Unix time of the last fill of the trade, or 0 if the trade has no fills.
    pub(super) fn close_time(&self) -> i64 {
        self.fills.last().map_or(0, |fill| fill.time_ms.div_euclid(1000))
    }

    pub(super) fn direction(&self) -> &'static str {
        if self.is_long { "long" } else { "short" }
    }
}

/// Returns all trades of an account up to the current time, oldest first.
pub(super) fn episodes(ctx: &Context, account: Seed) -> Vec<Rc<Episode>> {
    let slot = ctx.now.div_euclid(SLOT);
    let age = account.named("age").range(4, SLOTS - 1);
    let mut episodes = Vec::new();
    for slot in slot - age..=slot {
        for symbol in SYMBOLS {
            let seed = account.named(symbol).at_time(slot);
            if !account.named("trades").named(symbol).chance(0.5) && *symbol != "BTC" {
                continue;
            }
            if let Ok(asset) = assets::find_by_symbol(symbol)
                && let Some(episode) = cached_episode(ctx, asset, seed, slot)
            {
                episodes.push(episode);
            }
        }
    }
    episodes.sort_by_key(|episode| episode.open_time());
    episodes
}

/// Maximum number of cached trades per thread. All leaderboard accounts together have at most 2,304 trades. One trade
/// takes at most 1 KiB.
const KEPT: usize = 4_096;

thread_local! {
    /// Cache of closed trades by their random seed. Closed trades never change.
    static CLOSED: RefCell<HashMap<Seed, Rc<Episode>>> = RefCell::default();
}

/// Returns an account's trade of an asset in a 12-day slot. `seed` is the random seed of this trade. Returns `None` if
/// the first fill of the trade is in the future. Closed trades are cached.
fn cached_episode(ctx: &Context, asset: &Asset, seed: Seed, slot: i64) -> Option<Rc<Episode>> {
    // Trades have other prices in a crash scenario, so the cache key contains the day of the crash.
    let key = ctx.scenario.crash.map_or(seed, |day| seed.named("crash").at_time(day));
    let cached = CLOSED.with_borrow(|closed| closed.get(&key).cloned());
    if let Some(cached) = cached.filter(|cached| cached.close_time() <= ctx.now) {
        return Some(cached);
    }

    let episode = Rc::new(episode(ctx, asset, seed, slot)?);
    if !episode.is_open {
        CLOSED.with_borrow_mut(|closed| {
            if closed.len() >= KEPT {
                closed.clear();
            }
            closed.insert(key, Rc::clone(&episode));
        });
    }
    Some(episode)
}

/// Returns the times of all fills of a trade: first the opening fills, then the closing fills. The times are in seconds
/// from the start of the 12-day slot that contains the trade.
fn fill_times(seed: Seed, opens: u64, closes: u64) -> Vec<i64> {
    let open_at = seed.named("open").range(HOUR, SLOT / 3);
    let hold = seed.named("hold").range(HOUR, SLOT / 2);
    let step = |n: u64, name: &str| {
        seed.named(name).at(n).range(30, 1_500) + i64::try_from(n).unwrap_or(0) * 1_800
    };
    (0..opens)
        .map(|n| open_at + step(n, "opens"))
        .chain((0..closes).map(|n| open_at + 3 * HOUR + hold + step(n, "closes")))
        .collect()
}

fn episode(ctx: &Context, asset: &Asset, seed: Seed, slot: i64) -> Option<Episode> {
    let (opens, closes) = (1 + seed.named("opens").below(3), 1 + seed.named("closes").below(3));
    let is_long = seed.named("long").chance(0.55);
    let times = fill_times(seed, opens, closes);
    let start = slot * SLOT;
    let walk = asset.walk(ctx);
    let first = walk.at(start);

    // Size of one lot in units of the asset. It is a power of two, and worth about 40 USD.
    let unit = 2_f64.powf((40.0 / first).log2().round());
    let sizes = |name: &str, count: u64, total: i64| -> Vec<i64> {
        let mut left = total;
        (0..count)
            .map(|n| {
                let rest = i64::try_from(count - n - 1).unwrap_or(0);
                let size =
                    if rest == 0 { left } else { seed.named(name).at(n).range(1, left - rest) };
                left -= size;
                size
            })
            .collect()
    };
    let total = seed.named("total").range(20, 400);
    let all_sizes =
        [sizes("open sizes", opens, total), sizes("close sizes", closes, total)].concat();

    let mut episode = Episode {
        seed,
        symbol: asset.symbol,
        is_long,
        fills: Vec::new(),
        leverage: seed.named("leverage").pick(&[2, 3, 5, 10]),
        is_open: false,
        funding: 0.0,
        coverage: Coverage::from_slot(asset.symbol, slot),
    };
    let mut position = 0.0;

    for (n, (into, lots)) in times.into_iter().zip(all_sizes).enumerate() {
        let time = start + into;
        if time > ctx.now {
            episode.is_open = true;
            break;
        }

        let fill_seed = seed.named("fill").at(n as u64);
        let opens = (n as u64) < opens;
        #[expect(clippy::cast_precision_loss, reason = "at most 400 lots")]
        let size = lots as f64 * unit;
        // The price uses the whole hour, even if the hour is not over, so that the price of a fill never changes.
        let (open, close) = walk.ends_of_hour(time.div_euclid(HOUR));
        let price = fill_seed.between(open.min(close), open.max(close));
        let closed_pnl = if opens {
            0.0
        } else {
            let sign = if is_long { 1.0 } else { -1.0 };
            (price - episode.entry_price()) * size * sign
        };
        let is_buy = opens == is_long;

        episode.fills.push(LedgerFill {
            seed: fill_seed,
            time_ms: time * 1000 + fill_seed.named("ms").range(0, 999),
            symbol: asset.symbol,
            size,
            price,
            is_buy,
            opens,
            start_position: position,
            closed_pnl,
            fee: price * size * 0.000_35,
            crossed: fill_seed.named("crossed").chance(0.6),
        });
        position += if is_buy { size } else { -size };
    }

    if episode.fills.is_empty() {
        return None;
    }

    let held = if episode.is_open { ctx.now } else { episode.close_time() } - episode.open_time();
    let rate = seed.named("funding").bell() * 0.000_01;
    #[expect(clippy::cast_precision_loss, reason = "hours of a few days")]
    let hours = (held / HOUR) as f64;
    episode.funding = episode.notional() * rate * hours * episode.coverage.share();

    Some(episode)
}
