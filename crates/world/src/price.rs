//! Prices of assets and shares, computed as a random walk. Candles of every width come from the same walk.
//!
//! The walk returns the price at each midnight. A day is divided into hours, and an hour into minutes, only if a
//! request needs them. The prices of a day can be computed without the prices of earlier days.
//!
//! Short candles add up to long candles exactly. The first part of a candle begins at the open of the candle, and the
//! last part ends at its close. One part reaches the high of the candle and one part reaches the low. The module
//! `turnover` divides the volume of a candle among its parts. The division ensures that the volume-weighted price of
//! every candle lies between the low and the high of this candle.

use std::ops::Range;
use std::rc::Rc;

use crate::candle_cache;
use crate::price_path::{RecentSteps, highest, reflect};
use crate::random::Seed;
use crate::timestamp::{DAY, HOUR};
use crate::turnover;

pub use crate::candle::{Candle, Walk};
pub use crate::candle_width::Width;

const MINUTE: i64 = 60;

/// Cache for computing the prices of consecutive days: the last random steps of the price path, and the last computed
/// price at 00:00 UTC. The computation of the next day uses most of these values again.
#[derive(Debug, Default)]
struct RecentDays {
    steps: RecentSteps,
    /// A day (days since 1970-01-01) and the price at 00:00 UTC of this day. The price is also the last price of the
    /// day before.
    midnight: Option<(i64, f64)>,
}

impl Walk {
    /// Returns the price in USD at 00:00 UTC of `day`, in days since 1970-01-01.
    fn price_at_midnight(&self, day: i64, recent: &mut RecentDays) -> f64 {
        if let Some((known, price)) = recent.midnight
            && known == day
        {
            return price;
        }

        let exponent = self.steps.at_midnight(day, &mut recent.steps) * self.volatility;
        let price = self.base * exponent.exp() * self.crash_factor(day);
        recent.midnight = Some((day, price));
        price
    }

    /// Returns the factor by which a crash multiplies the price at the start of `day`. The factor is 1 before the
    /// crash, 0.7 after the first day of the crash, and 0.5 after the second day. Prices do not recover from a crash.
    fn crash_factor(&self, day: i64) -> f64 {
        match self.crash {
            Some(crash) if day > crash => 0.5,
            Some(crash) if day == crash => 0.7,
            _ => 1.0,
        }
    }

    /// Returns the complete candle of a day. The day may be in the future. `day` is in days since 1970-01-01.
    pub(crate) fn day(&self, day: i64) -> Candle {
        self.cached_day(day, &mut RecentDays::default())
    }

    /// Returns the complete candles of consecutive days. Days are counted from 1970-01-01.
    pub(crate) fn days(&self, days: Range<i64>) -> impl Iterator<Item = Candle> {
        let mut recent = RecentDays::default();
        days.map(move |day| self.cached_day(day, &mut recent))
    }

    fn cached_day(&self, day: i64, recent: &mut RecentDays) -> Candle {
        candle_cache::get_day((*self, day), || self.compute_day(day, recent))
    }

    fn compute_day(&self, day: i64, recent: &mut RecentDays) -> Candle {
        let open = self.price_at_midnight(day, recent);
        let close = self.price_at_midnight(day + 1, recent);
        let seed = self.steps.own.named("day").at_time(day);
        // Volume is three times as high on both days of a crash.
        let panic = self.crash.is_some_and(|crash| (crash - 1..=crash).contains(&day));
        let usual = if panic { 3.0 * self.daily_usd } else { self.daily_usd };
        let usd = usual * (seed.named("volume").bell() * 0.35).exp();
        // A lot is the largest power of two with which the volume of a day has at least 2^20 lots.
        let units = usd / open;
        let lot = 2_f64.powf((units / 1_048_576.0).log2().floor());
        let volume = (units / lot).round() * lot;

        let (high, low) = self.extremes(open, close, seed, DAY);
        let trades = seed.named("trades").range(200_000, 900_000);
        let mut whole =
            Candle { start: day * DAY, open, high, low, close, volume, quote: 0.0, trades };
        whole.quote = turnover::quote_volume(volume, self.average_price(&whole, DAY));
        whole
    }

    /// Generates the highest and the lowest price of an interval from its first price `open` and its last price
    /// `close`. `seconds` is the length of the interval.
    fn extremes(&self, open: f64, close: f64, seed: Seed, seconds: i64) -> (f64, f64) {
        // The range is wider than the walk usually needs. If the walk reaches an end of the range, it is mirrored
        // there, and its later returns change their sign.
        let deviation = 1.3 * self.volatility * (seconds as f64 / DAY as f64).sqrt();
        let end = (close / open).ln();
        let above = highest(end, deviation, 0.4 * seed.named("high").unit());
        let below = highest(-end, deviation, 0.4 * seed.named("low").unit());
        (open.max(close).max(open * above.exp()), open.min(close).min(open / below.exp()))
    }

    /// Divides a candle into `count` shorter candles of `width` seconds.
    fn split(&self, whole: &Candle, count: usize, width: i64) -> Vec<Candle> {
        let seed = self.steps.own.named("split").at_time(whole.start).at_time(width);
        let points = self.border_prices(whole, count, width);

        // The part with the highest end reaches the high of the whole candle, and the part with the lowest end reaches
        // its low.
        let ends = |i: &usize| (points[*i], points[i + 1]);
        let nearest = |is_nearer: fn((f64, f64), (f64, f64)) -> bool| {
            (0..count).reduce(|a, b| if is_nearer(ends(&b), ends(&a)) { b } else { a })
        };
        let highest = nearest(|a, b| a.0.max(a.1) > b.0.max(b.1));
        let lowest = nearest(|a, b| a.0.min(a.1) < b.0.min(b.1));

        let mut parts: Vec<Candle> = (0..count)
            .map(|i| {
                let (open, close) = ends(&i);
                let (high, low) = self.extremes(open, close, seed.at(i as u64), width);
                let start = whole.start + width * i64::try_from(i).unwrap_or(0);
                let high = if highest == Some(i) { whole.high } else { high.min(whole.high) };
                let low = if lowest == Some(i) { whole.low } else { low.max(whole.low) };
                Candle { start, open, high, low, close, volume: 0.0, quote: 0.0, trades: 0 }
            })
            .collect();

        let reach = if width == HOUR { turnover::HOURS } else { turnover::MINUTES };
        let usual: Vec<f64> = parts.iter().map(|part| self.average_price(part, width)).collect();
        turnover::divide_volumes(whole, &mut parts, &usual, (seed, reach));
        parts
    }

    /// Returns the `count + 1` prices at which the parts of a candle begin and end. All prices are between the candle's
    /// low and high.
    fn border_prices(&self, whole: &Candle, count: usize, width: i64) -> Vec<f64> {
        let seconds = width * i64::try_from(count).unwrap_or(1);
        let (path, bridge) = (self.path(whole), self.steps.bridge(whole.start, seconds, count));
        let mut points: Vec<f64> = (bridge.into_iter().enumerate())
            .map(|(i, away)| path(i as f64 / count as f64, away))
            .collect();

        // The ends are set exactly, so that rounding does not create a gap between neighbouring candles.
        points[0] = whole.open;
        points[count] = whole.close;
        points
    }

    /// Returns a function that computes prices inside a candle. All prices are between the candle's low and high.
    ///
    /// The first argument is a time inside the candle, from 0 for the start to 1 for the end. The second argument is
    /// the distance of the price from the straight line between open and close. The scale is logarithmic, and the unit
    /// is the daily volatility. Positive distances are above the line. If the result would be above the high or below
    /// the low, it is mirrored at this bound.
    fn path(&self, whole: &Candle) -> impl Fn(f64, f64) -> f64 + use<> {
        let Candle { open, high, low, close, .. } = *whole;
        let (lowest, highest) = ((low / open).ln(), (high / open).ln());
        let (end, volatility) = ((close / open).ln(), self.volatility);
        move |share, away| {
            let walked = reflect(end * share + away * volatility, lowest, highest);
            (open * walked.exp()).clamp(low, high)
        }
    }

    /// Returns a volume-weighted price for a candle. `seconds` is the length of the candle. For a minute, the price is
    /// the average of open and close. For a day or an hour, the price is the mean of this average and the price in the
    /// middle of the interval. The result lies between 30% and 70% of the way from the low to the high. For
    /// hours and minutes, [`turnover::divide_volumes`] adjusts this price.
    fn average_price(&self, candle: &Candle, seconds: i64) -> f64 {
        let ends = f64::midpoint(candle.open, candle.close);
        let middle = match seconds {
            DAY => self.path(candle)(0.5, self.steps.bridge_middle(candle.start, DAY, 24)),
            HOUR => self.path(candle)(0.5, self.steps.bridge_middle(candle.start, HOUR, 60)),
            _ => ends,
        };
        let at = |share: f64| turnover::price_in_range(candle, share);
        f64::midpoint(ends, middle).clamp(at(0.3), at(0.7))
    }

    /// Returns the first and the last price of an hour in USD. `hour` is in hours since 1970-01-01.
    pub(crate) fn ends_of_hour(&self, hour: i64) -> (f64, f64) {
        let index = usize::try_from(hour.rem_euclid(24)).unwrap_or(0);
        let candle = self.hours(hour.div_euclid(24))[index];
        (candle.open, candle.close)
    }

    /// Returns the 24 complete hourly candles of a day. The day may be in the future. `day` is in days since
    /// 1970-01-01.
    pub fn hours(&self, day: i64) -> Rc<[Candle]> {
        candle_cache::get_parts((*self, day, HOUR), || self.split(&self.day(day), 24, HOUR))
    }

    fn minutes(&self, hour: i64) -> Rc<[Candle]> {
        candle_cache::get_parts((*self, hour, MINUTE), || {
            let (day, index) = (hour.div_euclid(24), hour.rem_euclid(24));
            let hours = self.hours(day);
            self.split(&hours[usize::try_from(index).unwrap_or(0)], 60, MINUTE)
        })
    }

    /// Returns the price in USD at a Unix time. Within a minute, the price changes linearly.
    pub fn at(&self, time: i64) -> f64 {
        // The price at the start of a day or an hour needs no finer candles.
        if time.rem_euclid(DAY) == 0 {
            return self.day(time.div_euclid(DAY)).open;
        }
        if time.rem_euclid(HOUR) == 0 {
            let index = usize::try_from(time.rem_euclid(DAY) / HOUR).unwrap_or(0);
            return self.hours(time.div_euclid(DAY))[index].open;
        }
        let minutes = self.minutes(time.div_euclid(HOUR));
        let minute = &minutes[usize::try_from(time.rem_euclid(HOUR) / MINUTE).unwrap_or(0)];
        #[expect(clippy::cast_precision_loss, reason = "below 60")]
        let share = time.rem_euclid(MINUTE) as f64 / 60.0;
        minute.open + (minute.close - minute.open) * share
    }

    /// Merges all candles in `from..to` into one candle. Both times are in Unix seconds and must be whole minutes.
    fn merged_candle(&self, from: i64, to: i64, recent: &mut RecentDays) -> Option<Candle> {
        let mut whole: Option<Candle> = None;
        let mut add = |part: &Candle| {
            whole = Some(whole.map_or(*part, |whole| whole.merge(part)));
        };
        let mut at = from;

        while at < to {
            let unit = if at.rem_euclid(DAY) == 0 && at + DAY <= to {
                add(&self.cached_day(at.div_euclid(DAY), recent));
                DAY
            } else if at.rem_euclid(HOUR) == 0 && at + HOUR <= to {
                let day = at.div_euclid(DAY);
                let first = usize::try_from(at.rem_euclid(DAY) / HOUR).unwrap_or(0);
                let until = if day == to.div_euclid(DAY) { to.rem_euclid(DAY) / HOUR } else { 24 };
                let until = usize::try_from(until).unwrap_or(24);
                self.hours(day)[first..until].iter().for_each(&mut add);
                HOUR * i64::try_from(until - first).unwrap_or(1)
            } else {
                let hour = at.div_euclid(HOUR);
                let first = usize::try_from(at.rem_euclid(HOUR) / MINUTE).unwrap_or(0);
                let until =
                    if hour == to.div_euclid(HOUR) { to.rem_euclid(HOUR) / MINUTE } else { 60 };
                let until = usize::try_from(until).unwrap_or(60);
                self.minutes(hour)[first..until].iter().for_each(&mut add);

                MINUTE * i64::try_from(until - first).unwrap_or(1)
            };
            at += unit;
        }

        whole
    }

    /// Returns the candles that begin in `from..to` (Unix seconds), oldest first. The unfinished candle ends with the
    /// last whole minute before `now`. Unfinished candles of all widths therefore have the same close.
    pub fn candles(&self, from: i64, to: i64, width: Width, now: i64) -> Vec<Candle> {
        let known = now - now.rem_euclid(MINUTE);
        let end = to.min(known);
        let mut start = width.start(from);
        if start < from {
            start = width.next_start(start);
        }
        let mut candles = Vec::new();
        let mut recent = RecentDays::default();
        while start < end {
            let next = width.next_start(start);
            candles.extend(self.merged_candle(start, next.min(known), &mut recent));
            start = next;
        }
        candles
    }

    /// Returns one candle for the 24 hours before the current minute.
    pub(crate) fn last_day(&self, now: i64) -> Candle {
        let end = now.div_euclid(MINUTE) * MINUTE;
        let whole = self.merged_candle(end - DAY, end, &mut RecentDays::default());
        whole.unwrap_or_else(|| self.day(now.div_euclid(DAY)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price_path::Steps;
    use crate::timestamp;
    use proptest::prelude::*;

    fn walk(seed: u64) -> Walk {
        let steps = Steps { own: Seed::new(seed), market: Seed::new(7), correlation: 0.7 };
        Walk { steps, base: 3_000.0, volatility: 0.03, daily_usd: 9e9, crash: None }
    }

    /// Current time of the tests in Unix seconds: 2026-06-15 13:37:42 UTC.
    const NOW: i64 = 1_781_530_662;

    fn add_up(parts: &[Candle]) -> Candle {
        let mut whole = parts[0];
        for part in &parts[1..] {
            assert_eq!(whole.close, part.open);
            whole.high = whole.high.max(part.high);
            whole.low = whole.low.min(part.low);
            whole.close = part.close;
            whole.volume += part.volume;
            whole.quote += part.quote;
            whole.trades += part.trades;
        }
        whole
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn finer_candles_add_up_exactly(seed in 0_u64..1000, back in 0_i64..900) {
            let walk = walk(seed);
            for (coarse, fine) in [("1d", "1h"), ("1d", "15m"), ("4h", "5m"), ("1h", "1m"), ("1w", "1d"), ("1M", "12h")] {
                let (coarse, fine) = (Width::parse(coarse).unwrap(), Width::parse(fine).unwrap());
                let start = coarse.start(NOW - back * DAY / 7);
                let next = coarse.next_start(start);
                let whole = walk.candles(start, start + 1, coarse, NOW);
                let parts = walk.candles(start, next, fine, NOW);
                prop_assert_eq!(whole.len(), 1);
                prop_assert_eq!(add_up(&parts), whole[0]);
            }
        }

        #[test]
        fn candle_range_contains_its_prices(seed in 0_u64..1000, time in (NOW - 9_000_000)..(NOW - 60)) {
            let walk = Walk { volatility: [0.03, 0.0008][seed as usize % 2], ..walk(seed) };
            for text in ["1m", "1h", "1d"] {
                let width = Width::parse(text).unwrap();
                let candle = walk.candles(width.start(time), time + 1, width, NOW)[0];
                prop_assert!(candle.low <= candle.open.min(candle.close));
                prop_assert!(candle.high >= candle.open.max(candle.close));
                prop_assert!(candle.low > 0.0 && candle.volume > 0.0 && candle.trades > 0);
                let average = candle.quote / candle.volume;
                prop_assert!(candle.low <= average && average <= candle.high, "{average} {candle:?}");
                let price = walk.at(time);
                // The unfinished candle ends with the last whole minute.
                if width.next_start(candle.start) <= NOW {
                    prop_assert!(candle.low <= price && price <= candle.high, "{price} {candle:?}");
                }
            }
        }
    }

    #[test]
    fn crash_halves_price_in_two_days_and_keeps_earlier_prices() {
        let today = NOW.div_euclid(DAY);
        let (usual, fallen) = (walk(3), Walk { crash: Some(today), ..walk(3) });
        for (day, left) in [(-1, 1.0), (0, 0.7), (1, 0.5), (30, 0.5)] {
            let (usual, fallen) = (usual.day(today + day), fallen.day(today + day));
            assert!((fallen.open / usual.open - left).abs() < 1e-9, "{day}");
        }
        assert_eq!(usual.day(today - 2), fallen.day(today - 2));
        assert!(fallen.day(today).quote > 2.0 * usual.day(today).quote);
        assert!(fallen.last_day(NOW).close < 0.85 * fallen.last_day(NOW).open);
    }

    #[test]
    fn minute_that_just_began_has_no_candle() {
        let minute = Width::Seconds(MINUTE);
        let last = |now: i64| {
            let candles = walk(1).candles(NOW - 600, NOW + 600, minute, now);
            candles.last().map(|candle| candle.start)
        };
        let begun = NOW - NOW.rem_euclid(MINUTE);
        assert_eq!(last(begun), Some(begun - MINUTE));
        assert_eq!(last(begun + 59), Some(begun - MINUTE));
        assert_eq!(last(begun + 60), Some(begun));
    }

    #[test]
    fn price_at_time_equals_open_of_candle() {
        let walk = walk(9);
        for time in [NOW - NOW.rem_euclid(DAY), NOW - NOW.rem_euclid(HOUR)] {
            for width in [Width::Seconds(MINUTE), Width::Seconds(HOUR)] {
                assert_eq!(walk.candles(time, time + 1, width, NOW)[0].open, walk.at(time));
            }
        }
    }

    #[test]
    fn weeks_begin_on_mondays_and_months_on_the_first() {
        let day = |time| timestamp::date(time);
        assert_eq!(day(Width::Week.start(NOW)).weekday(), jiff::civil::Weekday::Monday);
        assert_eq!(day(Width::Month.start(NOW)).day(), 1);
        assert_eq!(day(Width::Month.earlier_start(NOW, 6)).to_string(), "2025-12-01");
    }

    #[test]
    fn daily_moves_stay_in_plausible_range() {
        let walk = walk(5);
        let days = walk.candles(NOW - 1_000 * DAY, NOW, Width::Seconds(DAY), NOW);
        let moves: Vec<f64> = days.iter().map(|c| (c.close / c.open - 1.0).abs()).collect();
        let mean = moves.iter().sum::<f64>() / moves.len() as f64;
        assert!((0.003..0.06).contains(&mean), "{mean}");
        assert!(moves.iter().all(|m| *m < 0.4));
    }
}
