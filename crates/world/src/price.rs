//! Prices: one walk an asset, from which every candle of every width is cut.
//!
//! Days come first: the price at a midnight is a sum of waves of 1 to 2,048 days. Hours divide
//! their day and minutes their hour: the parts begin and end where the whole does, one of them
//! touches its high and one its low, and volumes are divided in whole lots. So finer candles add
//! up to coarser ones exactly, and no moment depends on another being asked for first.

use std::ops::Range;
use std::rc::Rc;

use crate::candle_cache;
use crate::random::Seed;
use crate::timestamp::{DAY, HOUR};

pub use crate::candle::{Candle, Walk};
pub use crate::candle_width::Width;

const MINUTE: i64 = 60;

/// Periods of the waves are powers of two up to this one, in days.
const OCTAVES: usize = 12;

/// What was read last: days that follow each other lie on the same straight parts of nearly all waves,
/// and one begins where the other ends.
#[derive(Debug, Default)]
struct Stretches {
    /// Number, left and right.
    waves: [Option<(i64, f64, f64)>; OCTAVES],
    /// A day and the price at which it begins.
    midnight: Option<(i64, f64)>,
}

impl Walk {
    /// The price at midnight when day `day` (since 1970) begins.
    fn midnight(&self, day: i64, stretches: &mut Stretches) -> f64 {
        if let Some((known, price)) = stretches.midnight
            && known == day
        {
            return price;
        }

        let waves = self.seed.named("wave");
        let exponent: f64 = (0_u64..)
            .zip(&mut stretches.waves)
            .map(|(octave, known)| {
                let period = 1_i64 << octave;
                let (cell, into) = (day.div_euclid(period), day.rem_euclid(period));
                let (_, left, right) = match *known {
                    Some(stretch) if stretch.0 == cell => stretch,
                    _ => {
                        let wave = waves.at(octave);
                        let ends = (wave.at_time(cell).bell(), wave.at_time(cell + 1).bell());
                        *known.insert((cell, ends.0, ends.1))
                    }
                };
                #[expect(clippy::cast_precision_loss, reason = "at most 2,048")]
                let (share, height) = (into as f64 / period as f64, (period as f64).sqrt());
                height * (left + (right - left) * share)
            })
            .sum();
        let price = self.base * (exponent * self.volatility * 0.5).exp() * self.left(day);
        stretches.midnight = Some((day, price));
        price
    }

    /// The part of the price that a crash has left when day `day` begins. It takes two days, and nothing
    /// comes back.
    fn left(&self, day: i64) -> f64 {
        match self.crash {
            Some(crash) if day > crash => 0.5,
            Some(crash) if day == crash => 0.7,
            _ => 1.0,
        }
    }

    /// A day, whole also where it lies ahead.
    pub(crate) fn day(&self, day: i64) -> Candle {
        self.day_by(day, &mut Stretches::default())
    }

    /// Days one after the other.
    pub(crate) fn days(&self, days: Range<i64>) -> impl Iterator<Item = Candle> {
        let mut stretches = Stretches::default();
        days.map(move |day| self.day_by(day, &mut stretches))
    }

    fn day_by(&self, day: i64, stretches: &mut Stretches) -> Candle {
        candle_cache::day((*self, day), || self.new_day(day, stretches))
    }

    fn new_day(&self, day: i64, stretches: &mut Stretches) -> Candle {
        let open = self.midnight(day, stretches);
        let close = self.midnight(day + 1, stretches);
        let seed = self.seed.named("day").at_time(day);
        let wick = |name: &str| (seed.named(name).bell().abs() * self.volatility * 0.6).exp();
        // Who sells in a panic sells more.
        let panic = self.crash.is_some_and(|crash| (crash - 1..=crash).contains(&day));
        let usual = if panic { 3.0 * self.daily_usd } else { self.daily_usd };
        let usd = usual * (seed.named("volume").bell() * 0.35).exp();
        // 2^20 lots or more a day: the largest power of two that leaves that many.
        let units = usd / open;
        let lot = 2_f64.powf((units / 1_048_576.0).log2().floor());
        Candle {
            start: day * DAY,
            open,
            high: open.max(close) * wick("high"),
            low: open.min(close) / wick("low"),
            close,
            volume: (units / lot).round() * lot,
            quote: usd.round(),
            trades: seed.named("trades").range(200_000, 900_000),
        }
    }

    /// `whole` in `count` parts.
    fn split(&self, whole: &Candle, count: usize, width: i64) -> Vec<Candle> {
        let seed = splitting(self, whole, width);
        let room = (whole.high / whole.low).ln();
        let points: Vec<f64> = (0..=count).map(|i| knot(whole, seed, count, i)).collect();
        let lots = divide(seed.named("lots"), count);
        let lot = 2_f64.powf((whole.volume / 16_777_216.0).log2().floor());
        let (mut volume_left, mut quote_left, mut trades_left) =
            (whole.volume, whole.quote, whole.trades);
        let highest = seed.named("highest").below(count as u64);
        let lowest = seed.named("lowest").below(count as u64);

        (0..count)
            .map(|i| {
                let (open, close) = (points[i], points[i + 1]);
                let seed = seed.at(i as u64);
                let wick = |name: &str| (seed.named(name).unit() * room * 0.1).exp();
                let high = if i as u64 == highest {
                    whole.high
                } else {
                    (open.max(close) * wick("high")).min(whole.high)
                };

                let low = if i as u64 == lowest {
                    whole.low
                } else {
                    (open.min(close) / wick("low")).max(whole.low)
                };
                let (volume, quote, trades) = if i + 1 == count {
                    (volume_left, quote_left, trades_left)
                } else {
                    #[expect(
                        clippy::cast_precision_loss,
                        clippy::cast_possible_truncation,
                        reason = "under a million trades a day"
                    )]
                    let trades = ((whole.trades as f64 * lots[i]) as i64).min(trades_left);
                    let volume = ((whole.volume * lots[i] / lot).floor() * lot).min(volume_left);
                    (volume, (whole.quote * lots[i]).floor().min(quote_left), trades)
                };
                volume_left -= volume;
                quote_left -= quote;
                trades_left -= trades;
                let start = whole.start + width * i64::try_from(i).unwrap_or(0);

                Candle { start, open, high, low, close, volume, quote, trades }
            })
            .collect()
    }

    /// The first and the last price of an hour, without the rest of its day.
    pub(crate) fn ends_of_hour(&self, hour: i64) -> (f64, f64) {
        let day = self.day(hour.div_euclid(24));
        let seed = splitting(self, &day, HOUR);
        let index = usize::try_from(hour.rem_euclid(24)).unwrap_or(0);
        (knot(&day, seed, 24, index), knot(&day, seed, 24, index + 1))
    }

    /// The hours of a day, whole also where they lie ahead.
    pub fn hours(&self, day: i64) -> Rc<[Candle]> {
        candle_cache::parts((*self, day, HOUR), || self.split(&self.day(day), 24, HOUR))
    }

    fn minutes(&self, hour: i64) -> Rc<[Candle]> {
        candle_cache::parts((*self, hour, MINUTE), || {
            let (day, index) = (hour.div_euclid(24), hour.rem_euclid(24));
            let hours = self.hours(day);
            self.split(&hours[usize::try_from(index).unwrap_or(0)], 60, MINUTE)
        })
    }

    /// The price at a moment, in USD.
    pub fn at(&self, time: i64) -> f64 {
        // Where a day or an hour begins its price is known without dividing it.
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

    /// Everything from `from` until `to`, both whole minutes, in one candle.
    fn over(&self, from: i64, to: i64, stretches: &mut Stretches) -> Option<Candle> {
        let mut whole: Option<Candle> = None;
        let mut add = |part: &Candle| {
            whole = Some(whole.map_or(*part, |whole| whole.then(part)));
        };
        let mut at = from;

        while at < to {
            let unit = if at.rem_euclid(DAY) == 0 && at + DAY <= to {
                add(&self.day_by(at.div_euclid(DAY), stretches));
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

    /// Candles that begin in `from..to`, oldest first. The one in progress ends with the last
    /// whole minute before `now`, so that candles of every width tell the same.
    pub fn candles(&self, from: i64, to: i64, width: Width, now: i64) -> Vec<Candle> {
        let known = now - now.rem_euclid(MINUTE);
        let end = to.min(known);
        let mut start = width.start(from);
        if start < from {
            start = width.after(start);
        }
        let mut candles = Vec::new();
        let mut stretches = Stretches::default();
        while start < end {
            let next = width.after(start);
            candles.extend(self.over(start, next.min(known), &mut stretches));
            start = next;
        }
        candles
    }

    /// The last 24 hours up to the minute of `now`.
    pub(crate) fn last_day(&self, now: i64) -> Candle {
        let end = now.div_euclid(MINUTE) * MINUTE;
        let whole = self.over(end - DAY, end, &mut Stretches::default());
        whole.unwrap_or_else(|| self.day(now.div_euclid(DAY)))
    }
}

/// The seed of the parts of `whole`, each `width` seconds long.
fn splitting(walk: &Walk, whole: &Candle, width: i64) -> Seed {
    walk.seed.named("split").at_time(whole.start).at_time(width)
}

/// The price where part `i` of `count` begins.
fn knot(whole: &Candle, seed: Seed, count: usize, i: usize) -> f64 {
    match i {
        0 => whole.open,
        i if i == count => whole.close,
        i => {
            #[expect(clippy::cast_precision_loss, reason = "at most 60")]
            let share = i as f64 / count as f64;
            let straight = whole.open * (whole.close / whole.open).powf(share);
            let room = (whole.high / whole.low).ln();
            let off = seed.named("point").at(i as u64).bell() * room * 0.2;
            (straight * off.exp()).clamp(whole.low, whole.high)
        }
    }
}

/// Shares of `count` parts; they add up to 1.
fn divide(seed: Seed, count: usize) -> Vec<f64> {
    let weights: Vec<f64> = (0..count as u64).map(|n| 0.4 + seed.at(n).unit()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp;
    use proptest::prelude::*;

    fn walk(seed: u64) -> Walk {
        Walk { seed: Seed::new(seed), base: 3_000.0, volatility: 0.03, daily_usd: 9e9, crash: None }
    }

    /// 2026-06-15 13:37:42 UTC.
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
                let (coarse, fine) = (Width::read(coarse).unwrap(), Width::read(fine).unwrap());
                let start = coarse.start(NOW - back * DAY / 7);
                let next = coarse.after(start);
                let whole = walk.candles(start, start + 1, coarse, NOW);
                let parts = walk.candles(start, next, fine, NOW);
                prop_assert_eq!(whole.len(), 1);
                prop_assert_eq!(add_up(&parts), whole[0]);
            }
        }

        #[test]
        fn a_candle_holds_its_prices(seed in 0_u64..1000, time in (NOW - 9_000_000)..(NOW - 60)) {
            let walk = walk(seed);
            for text in ["1m", "1h", "1d"] {
                let width = Width::read(text).unwrap();
                let candle = walk.candles(width.start(time), time + 1, width, NOW)[0];
                prop_assert!(candle.low <= candle.open.min(candle.close));
                prop_assert!(candle.high >= candle.open.max(candle.close));
                prop_assert!(candle.low > 0.0 && candle.volume > 0.0);
                let price = walk.at(time);
                // The candle in progress ends at the last whole minute.
                if width.after(candle.start) <= NOW {
                    prop_assert!(candle.low <= price && price <= candle.high, "{price} {candle:?}");
                }
            }
        }
    }

    #[test]
    fn a_crash_halves_the_price_in_two_days_and_leaves_the_past_alone() {
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
    fn what_has_just_begun_has_no_candle_yet() {
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
    fn the_price_is_the_same_by_every_way() {
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
        assert_eq!(day(Width::Month.back(NOW, 6)).to_string(), "2025-12-01");
    }

    #[test]
    fn a_walk_moves_but_not_absurdly() {
        let walk = walk(5);
        let days = walk.candles(NOW - 1_000 * DAY, NOW, Width::Seconds(DAY), NOW);
        let moves: Vec<f64> = days.iter().map(|c| (c.close / c.open - 1.0).abs()).collect();
        let mean = moves.iter().sum::<f64>() / moves.len() as f64;
        assert!((0.003..0.06).contains(&mean), "{mean}");
        assert!(moves.iter().all(|m| *m < 0.4));
    }
}
