//! All-time high and all-time low prices.
//!
//! The days with a new record price are cached. So the all-time high on any day is found without reading all days
//! again.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::assets::Asset;
use crate::context::Context;
use crate::price::{Walk, Width};
use crate::time_range::BEGINNING;
use crate::timestamp::DAY;

/// An all-time high or low price in USD, and the start of its day in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extreme {
    pub(crate) price: f64,
    pub(crate) date: i64,
}

/// Cached all-time highs and all-time lows of one price history, for all days before the day `until`.
#[derive(Debug, Clone)]
struct Records {
    walk: Walk,
    until: i64,
    /// Days on which the price reached a new all-time high, oldest first.
    highs: Vec<Extreme>,
    lows: Vec<Extreme>,
}

/// Maximum number of cached price histories. One random seed has about thirty price histories.
const REMEMBERED: usize = 512;

static RECORDS: LazyLock<Mutex<HashMap<u64, Records>>> = LazyLock::new(Mutex::default);

impl Records {
    fn new(walk: Walk) -> Self {
        Records { walk, until: BEGINNING.div_euclid(DAY), highs: Vec::new(), lows: Vec::new() }
    }

    fn extend(&mut self, until: i64) {
        for day in self.walk.days(self.until..until) {
            if self.highs.last().is_none_or(|high| day.high > high.price) {
                self.highs.push(Extreme { price: day.high, date: day.start });
            }
            if self.lows.last().is_none_or(|low| day.low < low.price) {
                self.lows.push(Extreme { price: day.low, date: day.start });
            }
        }
        self.until = self.until.max(until);
    }

    /// Returns the all-time high and the all-time low of the days before `day`. `day` is the number of days since
    /// 1970-01-01.
    fn extremes_before(&self, day: i64) -> (Option<Extreme>, Option<Extreme>) {
        let last = |records: &[Extreme]| {
            records[..records.partition_point(|record| record.date < day * DAY)].last().copied()
        };
        (last(&self.highs), last(&self.lows))
    }
}

/// Returns the all-time high and the all-time low of an asset, including the prices of the current day.
pub(crate) fn find_extremes(ctx: &Context, asset: &Asset) -> (Extreme, Extreme) {
    let (walk, today) = (asset.walk(ctx), ctx.now.div_euclid(DAY));

    let (high, low) = {
        let mut known = RECORDS.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let records = known.entry(walk.steps.own.bits()).or_insert_with(|| Records::new(walk));
        if records.walk != walk {
            *records = Records::new(walk);
        }
        records.extend(today);
        records.extremes_before(today)
    };

    let begin = today * DAY;
    let price = walk.at(ctx.minute());
    let so_far = walk.candles(begin, begin + 1, Width::Seconds(DAY), ctx.now);
    let (highest, lowest) =
        so_far.first().map_or((price, price), |day| (day.high.max(price), day.low.min(price)));
    let now_high = Extreme { price: highest, date: begin };
    let now_low = Extreme { price: lowest, date: begin };
    (
        high.filter(|high| high.price >= now_high.price).unwrap_or(now_high),
        low.filter(|low| low.price <= now_low.price).unwrap_or(now_low),
    )
}
