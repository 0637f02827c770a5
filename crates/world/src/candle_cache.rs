//! Caches of computed candles, separate for each thread. One cache contains daily candles. The other cache contains
//! lists of candles: each list contains the 24 hourly candles of one day, or the 60 one-minute candles of one hour.
//!
//! Cached candles never become invalid, because pure functions compute them. A cache has a fixed number of slots. A
//! hash of the asset's random seed and of the time selects the slot. A new entry replaces the older entry in the same
//! slot.

use std::cell::RefCell;
use std::rc::Rc;

use crate::candle::{Candle, Walk};

/// Number of slots in the cache for hourly and one-minute candles. One slot takes at most 4 KiB.
const PLACES: usize = 1_024;

/// Number of slots in the cache for daily candles. This is enough for one year of every asset. One slot takes 136
/// bytes.
const DAYS: usize = 16_384;

/// Cache key of the hourly candles of a day, or of the minute candles of an hour. The fields are the price history, the
/// number of the day or hour since 1970, and the width of a cached candle in seconds.
type CacheKey = (Walk, i64, i64);

type CacheEntry = Option<(CacheKey, Rc<[Candle]>)>;

thread_local! {
    static TABLE: RefCell<Vec<CacheEntry>> = const { RefCell::new(Vec::new()) };
    static ALL_DAYS: RefCell<Vec<Option<(DayKey, Candle)>>> = const { RefCell::new(Vec::new()) };
}

/// Cache key of a daily candle. It consists of the price history and the day, in days since 1970-01-01.
type DayKey = (Walk, i64);

/// Returns the cached candle of a day, or computes the candle with `make` and caches it.
pub(super) fn get_day(day: DayKey, make: impl FnOnce() -> Candle) -> Candle {
    let slot = day.0.steps.own.at_time(day.1).below(DAYS as u64);
    let slot = usize::try_from(slot).unwrap_or(0);
    let cached = ALL_DAYS.with_borrow(|days| match days.get(slot) {
        Some(Some((other, candle))) if *other == day => Some(*candle),
        _ => None,
    });
    cached.unwrap_or_else(|| {
        // `make` may read other days from the cache, so the cache must not be borrowed while `make` runs.
        let candle = make();
        ALL_DAYS.with_borrow_mut(|days| {
            if days.is_empty() {
                days.resize(DAYS, None);
            }
            days[slot] = Some((day, candle));
        });
        candle
    })
}

/// Returns the hourly candles of a day, or the minute candles of an hour, from the cache. If they are not cached,
/// computes them with `divide` and caches them.
pub(super) fn get_parts(whole: CacheKey, divide: impl FnOnce() -> Vec<Candle>) -> Rc<[Candle]> {
    let (walk, start, width) = whole;
    let slot = walk.steps.own.at_time(start).at_time(width).below(PLACES as u64);
    let slot = usize::try_from(slot).unwrap_or(0);
    let cached = TABLE.with_borrow(|table| match table.get(slot) {
        Some(Some((other, parts))) if *other == whole => Some(Rc::clone(parts)),
        _ => None,
    });
    cached.unwrap_or_else(|| {
        // `divide` may read the cache too, so the cache must not be borrowed while `divide` runs.
        let parts: Rc<[Candle]> = divide().into();
        TABLE.with_borrow_mut(|table| {
            if table.is_empty() {
                table.resize(PLACES, None);
            }
            table[slot] = Some((whole, Rc::clone(&parts)));
        });
        parts
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price_path::Steps;
    use crate::random::Seed;

    fn steps(seed: u64) -> Steps {
        Steps { own: Seed::new(seed), market: Seed::new(0), correlation: 0.5 }
    }

    fn candle(open: f64) -> Candle {
        Candle {
            start: 0,
            open,
            high: open,
            low: open,
            close: open,
            volume: 0.0,
            quote: 0.0,
            trades: 0,
        }
    }

    #[test]
    fn computing_a_day_can_read_the_day_before() {
        let walk =
            Walk { steps: steps(2), base: 1.0, volatility: 0.1, daily_usd: 1.0, crash: None };
        let after = get_day((walk, 2), || candle(get_day((walk, 1), || candle(1.0)).open + 1.0));
        let before = get_day((walk, 1), || candle(9.0));
        assert_eq!((before.open, after.open), (1.0, 2.0));
    }

    #[test]
    fn walks_with_one_seed_have_separate_entries() {
        let walk =
            Walk { steps: steps(1), base: 1.0, volatility: 0.1, daily_usd: 1.0, crash: None };
        assert_eq!(get_parts((walk, 0, 60), || vec![candle(1.0)])[0].open, 1.0);
        assert_eq!(get_parts((walk, 0, 60), || unreachable!())[0].open, 1.0);
        let other = Walk { base: 2.0, ..walk };
        assert_eq!(get_parts((other, 0, 60), || vec![candle(2.0)])[0].open, 2.0);
        assert_eq!(get_parts((walk, 0, 60), || vec![candle(3.0)])[0].open, 3.0);
    }
}
