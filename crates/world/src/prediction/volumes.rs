//! Trading volumes of a question on each venue. Each venue has one trade per hour.
//!
//! The volume of a month is divided into days, and the volume of a day into hours. So the volume of a long time range
//! is computed without computing the volume of each hour.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use crate::random::Seed;
use crate::timestamp::HOUR;

/// A venue on which people trade the outcomes of questions. Every question is traded on each venue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Venue {
    Polymarket,
    Kalshi,
}

/// Trading volumes of a question on both venues, with cached sums.
#[derive(Debug)]
pub(super) struct Volumes {
    /// Time range in which the question is traded, in Unix seconds.
    life: Range<i64>,
    venues: [VenueVolumes; 2],
}

#[derive(Debug)]
struct VenueVolumes {
    times: Seed,
    volumes: Seed,
    /// Cumulative volumes in USD. Element `n` is the total volume of the first `n` months of trading. So element 0 is
    /// 0.
    months: RefCell<Vec<f64>>,
    days: [Cell<Option<Day>>; DAYS],
}

/// Cumulative volumes of one day in USD, counted from the start of the 30-day month that contains the day. `before` is
/// the volume up to the start of the day. `after` is the volume up to its end.
#[derive(Debug, Clone, Copy)]
struct Day {
    /// Number of the day, in days since 1970-01-01.
    number: i64,
    before: f64,
    after: f64,
}

/// Number of slots in the cache of a venue. Each slot holds the cumulative volumes of one day.
const DAYS: usize = 64;

/// Number of days in a month. In this module, all months have this length.
const MONTH: i64 = 30;

impl Volumes {
    pub(super) fn new(seed: Seed, life: Range<i64>) -> Self {
        let venue = |times, volumes| VenueVolumes {
            times: seed.named(times),
            volumes: seed.named(volumes),
            months: RefCell::default(),
            days: [const { Cell::new(None) }; DAYS],
        };
        Volumes { life, venues: [venue("trade", "volume"), venue("kalshi trade", "kalshi volume")] }
    }

    fn venue(&self, venue: Venue) -> &VenueVolumes {
        &self.venues[usize::from(venue == Venue::Kalshi)]
    }

    /// Returns the Unix time of the question's trade on a venue in one hour. Each venue has exactly one trade of an
    /// open question per hour. `hour` is in hours since 1970-01-01.
    pub(super) fn trade_time(&self, venue: Venue, hour: i64) -> i64 {
        let seed = self.venue(venue).times.at_time(hour).named("at");
        hour * HOUR + seed.range(0, HOUR - 1)
    }

    /// Returns the range of hours whose trades on a venue are at Unix times in `from..to`. While the question is
    /// traded, each venue has exactly one trade of the question per hour. Hours are counted from 1970-01-01.
    pub(super) fn trading_hours(&self, venue: Venue, from: i64, to: i64) -> Range<i64> {
        let (from, to) = (from.max(self.life.start), to.min(self.life.end));
        // Returns the first hour whose trade is at or after `time`.
        let first = |time: i64| {
            let hour = time.div_euclid(HOUR);
            hour + i64::from(self.trade_time(venue, hour) < time)
        };
        if from < to { first(from)..first(to) } else { 0..0 }
    }

    /// Returns the trading volume of the question on a venue in `from..to` (Unix seconds), in USD.
    pub(super) fn volume(&self, venue: Venue, from: i64, to: i64) -> f64 {
        let hours = self.trading_hours(venue, from, to);
        if hours.is_empty() { 0.0 } else { self.hours_volume(venue, hours) }
    }

    /// Returns the trading volume on a venue in one hour, in whole USD. `hour` is in hours since 1970-01-01.
    pub(super) fn hour_volume(&self, venue: Venue, hour: i64) -> f64 {
        self.hours_volume(venue, hour..hour + 1)
    }

    fn hours_volume(&self, venue: Venue, hours: Range<i64>) -> f64 {
        let venue = self.venue(venue);
        let first = month_number(self.life.start.div_euclid(HOUR));
        let months = venue.volume_until_month(first, month_number(hours.end))
            - venue.volume_until_month(first, month_number(hours.start));
        months + venue.volume_until_hour(hours.end) - venue.volume_until_hour(hours.start)
    }
}

/// Returns the 30-day month that contains an hour. Months and hours are counted from 1970-01-01.
fn month_number(hour: i64) -> i64 {
    hour.div_euclid(24 * MONTH)
}

impl VenueVolumes {
    /// Returns the volume of a 30-day month in whole USD, and the random seed from which the volume of each day is
    /// computed.
    fn month_volume(&self, month: i64) -> (f64, Seed) {
        let seed = self.volumes.at_time(month);
        (seed.magnitude(60_000.0, 6_000_000.0).round(), seed)
    }

    /// Returns the total trading volume of the question on this venue in the months `first..month`, in USD. A month has
    /// 30 days, and months are counted from 1970-01-01. The result is a whole number, because the volume of each month
    /// is a whole number.
    fn volume_until_month(&self, first: i64, month: i64) -> f64 {
        let mut sums = self.months.borrow_mut();
        let index = usize::try_from(month - first).unwrap_or(0);
        while sums.len() <= index {
            let next = first + i64::try_from(sums.len()).unwrap_or(0);
            let sum = sums.last().map_or(0.0, |sum| sum + self.month_volume(next - 1).0);
            sums.push(sum);
        }
        sums[index]
    }

    /// Returns the volume in USD from the start of the 30-day month that contains `hour` to the start of `hour`. `hour`
    /// is in hours since 1970-01-01.
    fn volume_until_hour(&self, hour: i64) -> f64 {
        let day = self.cached_day(hour.div_euclid(24));
        match hour.rem_euclid(24) {
            0 => day.before,
            n => {
                let seed = self.volumes.named("day").at_time(day.number);
                day.before + sum_of_parts(day.after - day.before, n, 24, seed)
            }
        }
    }

    fn cached_day(&self, number: i64) -> Day {
        let slot = usize::try_from(number).unwrap_or(0) % DAYS;
        match self.days[slot].get() {
            Some(day) if day.number == number => day,
            _ => {
                let (whole, seed) = self.month_volume(number.div_euclid(MONTH));
                let until = |n: i64| sum_of_parts(whole, n, MONTH, seed);
                let n = number.rem_euclid(MONTH);
                let day = Day { number, before: until(n), after: until(n + 1) };
                self.days[slot].set(Some(day));
                day
            }
        }
    }
}

/// Divides `whole` into `count` random parts, and returns the sum of the first `n` parts. The parts have different
/// sizes, but none is zero.
fn sum_of_parts(whole: f64, n: i64, count: i64, seed: Seed) -> f64 {
    match n {
        0 => 0.0,
        n if n == count => whole,
        n => {
            #[expect(clippy::cast_precision_loss, reason = "at most 30")]
            let share = (n as f64 + seed.at_time(n).between(-0.4, 0.4)) / count as f64;
            (whole * share).floor()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::timestamp::DAY;

    /// Time range with trades: from 2023-01-01 to 2028-01-01, in Unix seconds.
    const LIFE: Range<i64> = 1_672_531_200..1_830_297_600;

    proptest! {
        #[test]
        fn volumes_of_parts_add_up(
            seed in 0_u64..100,
            mut times in [LIFE, LIFE, LIFE],
            kalshi in any::<bool>(),
        ) {
            times.sort_unstable();
            let [from, middle, to] = times;
            let venue = if kalshi { Venue::Kalshi } else { Venue::Polymarket };
            let volumes = Volumes::new(Seed::new(seed), LIFE);
            let parts = volumes.volume(venue, from, middle) + volumes.volume(venue, middle, to);
            prop_assert_eq!(parts, volumes.volume(venue, from, to));

            // The cached sums of earlier calls do not change the result.
            let unread = Volumes::new(Seed::new(seed), LIFE);
            prop_assert_eq!(unread.volume(venue, from, to), volumes.volume(venue, from, to));
        }

        #[test]
        fn volume_is_the_sum_of_trades(seed in 0_u64..100, start in LIFE, days in 0_i64..70) {
            let volumes = Volumes::new(Seed::new(seed), LIFE);
            let (from, to) = (start, start + days * DAY);
            let hours = volumes.trading_hours(Venue::Polymarket, from, to);
            let trades: f64 = hours.map(|hour| volumes.hour_volume(Venue::Polymarket, hour)).sum();
            prop_assert_eq!(trades, volumes.volume(Venue::Polymarket, from, to));
        }
    }
}
