//! The logarithm of a price over time, as a random walk with the same volatility at every scale.
//!
//! The walk is a sum of independent steps. A step belongs to an interval and moves the price at one point inside it.
//! The intervals are days to years, the hours of a day and the minutes of an hour. A step has the size that a
//! Brownian bridge has at that point. So returns of minutes, hours and days have the same volatility and no
//! autocorrelation, and any time is computed without computing earlier times.
//!
//! In: the seeds of an asset and of its market, and a point in time. Out: the walk in units of the daily
//! volatility of the asset.

use crate::random::Seed;

/// Two sources of steps: a share of each step belongs to the whole market, the rest to the asset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Steps {
    /// Seed of the asset's own steps.
    pub(crate) own: Seed,
    /// Seed of the steps that all assets of a market share.
    pub(crate) market: Seed,
    /// Correlation of the asset with its market, from 0 to 1.
    pub(crate) correlation: f64,
}

/// Days are parts of intervals of 2, 4, 8, … days. This is the number of such lengths.
const OCTAVES: usize = 11;

/// Length of the longest interval, in days.
const LONGEST: i64 = 1 << OCTAVES;

/// Days by which the intervals are moved, so that the walk is not at its middle in 2026.
const SHIFT: i64 = 700;

/// The last steps that were read. Consecutive days share nearly all of them.
#[derive(Debug, Default)]
pub(crate) struct RecentSteps([Option<(i64, f64)>; OCTAVES]);

impl Steps {
    /// Returns a random number with mean 0 and variance 1, and with heavier tails than a normal one.
    fn step(&self, name: &str, interval: i64, point: u64) -> f64 {
        let at = |seed: Seed| seed.named(name).at_time(interval).at(point);
        let market = at(self.market);

        // One step in 17 is 2.6 times as large as usual; the two factors keep the variance at 1.
        let factor = if market.named("large").chance(0.06) { 2.6 } else { 0.795 };
        let rest = (1.0 - self.correlation * self.correlation).sqrt();
        factor * (self.correlation * market.bell() + rest * at(self.own).bell())
    }

    /// Returns the value of the random walk at 00:00 UTC of `day` (days since 1970).
    pub(crate) fn at_midnight(&self, day: i64, recent: &mut RecentSteps) -> f64 {
        let day = day + SHIFT;
        let long_term =
            |interval: i64| 0.3 * (LONGEST as f64).sqrt() * self.step("long", interval, 0);
        let (interval, into) = (day.div_euclid(LONGEST), day.rem_euclid(LONGEST));
        let (left, right) = (long_term(interval), long_term(interval + 1));
        let trend = left + (right - left) * into as f64 / LONGEST as f64;

        let steps = (1_u64..).zip(&mut recent.0).map(|(octave, known)| {
            let length = 1_i64 << octave;
            let (interval, into) = (day.div_euclid(length), day.rem_euclid(length));
            let step = match *known {
                Some((other, step)) if other == interval => step,
                _ => known.insert((interval, self.step("days", interval, octave))).1,
            };

            // Full in the middle of the interval, and zero at both ends.
            let share = 1.0 - (2.0 * into as f64 / length as f64 - 1.0).abs();
            step * share * (length as f64).sqrt() / 2.0
        });
        trend + steps.sum::<f64>()
    }

    /// Returns the distances between the walk and the straight line, at the borders of all `count` parts of an
    /// interval.
    ///
    /// `start` and `seconds` are the start and length of the whole interval. The distance is 0 at both of its ends.
    pub(crate) fn bridge(&self, start: i64, seconds: i64, count: usize) -> Vec<f64> {
        let mut points = vec![0.0; count + 1];
        self.divide(start, seconds, &mut points, 0, count);
        points
    }

    /// Returns the middle one of the distances that [`Steps::bridge`] returns for an even `count`.
    pub(crate) fn middle(&self, start: i64, seconds: i64, count: usize) -> f64 {
        self.step("parts", start, count as u64 / 2) * (seconds as f64 / 86_400.0).sqrt() / 2.0
    }

    /// Sets the points between `from` and `to`: first the middle one, then the points of both halves.
    fn divide(&self, start: i64, seconds: i64, points: &mut [f64], from: usize, to: usize) {
        if to - from < 2 {
            return;
        }
        let middle = usize::midpoint(from, to);
        let (before, after) = ((middle - from) as f64, (to - middle) as f64);
        let variance = before * after / (before + after) / (points.len() - 1) as f64;
        let days = seconds as f64 / 86_400.0;

        let straight = (points[from] * after + points[to] * before) / (before + after);
        let step = self.step("parts", start, middle as u64);
        points[middle] = straight + step * (variance * days).sqrt();
        self.divide(start, seconds, points, from, middle);
        self.divide(start, seconds, points, middle, to);
    }
}

/// Returns the highest point of a random walk over one interval, relative to its start.
///
/// `end` is the last point of the walk, and `deviation` its standard deviation. `chance` is a random number from 0 to
/// 1. The result has the distribution of the maximum of a Brownian bridge.
pub(crate) fn highest(end: f64, deviation: f64, chance: f64) -> f64 {
    let spread = -2.0 * deviation * deviation * chance.max(1e-9).ln();
    f64::midpoint(end, (end * end + spread).sqrt())
}

/// Mirrors a point at the bounds of a range until it lies inside.
pub(crate) fn reflect(point: f64, low: f64, high: f64) -> f64 {
    let width = high - low;
    if width <= 0.0 {
        return low;
    }
    let into = (point - low).rem_euclid(2.0 * width);
    low + if into > width { 2.0 * width - into } else { into }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflected_points_stay_in_range() {
        assert_eq!(reflect(1.5, 0.0, 2.0), 1.5);
        assert_eq!(reflect(2.5, 0.0, 2.0), 1.5);
        assert_eq!(reflect(-0.5, 0.0, 2.0), 0.5);
        assert_eq!(reflect(7.0, 3.0, 3.0), 3.0);
    }

    #[test]
    fn highest_point_is_at_or_above_both_ends() {
        for chance in [0.0, 0.2, 1.0] {
            assert!(highest(0.3, 0.1, chance) >= 0.3);
            assert!(highest(-0.3, 0.1, chance) >= 0.0);
        }
    }
}
