//! Computes the logarithm of a price over time, as a random walk with the same volatility at every time scale.
//!
//! The walk is the sum of a slow trend and of independent random steps. Each step belongs to one interval. The
//! intervals have a length of 1 hour, or of 1, 2, 4, … 2,048 days. A step is largest at one point inside its interval,
//! and zero at both ends of the interval. The size at this point is random, with the standard deviation of a Brownian
//! bridge. So returns of minutes, hours and days have the same volatility and no autocorrelation. Each point can be
//! computed without the earlier points.
//!
//! The input is the random seeds of an asset and of its market, and a time. The output is the value of the walk, in
//! units of the asset's daily volatility.

use crate::random::Seed;

/// Random seeds for the price steps of one asset. Each step is a weighted sum of two random parts. One part is common
/// to the whole market, and the other part belongs to the asset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Steps {
    /// Random seed for the price changes of this asset alone.
    pub(crate) own: Seed,
    /// Random seed for the market's part of each step. All assets of one market, such as crypto, have this seed in
    /// common.
    pub(crate) market: Seed,
    /// Correlation of the asset's returns with the returns of its market, from 0 to 1.
    pub(crate) correlation: f64,
}

/// Number of interval lengths of two days or more. The lengths are 2, 4, 8, … 2,048 days.
const OCTAVES: usize = 11;

/// Length of the random walk's longest intervals: 2,048 days. Each random step of the walk belongs to one interval.
const LONGEST: i64 = 1 << OCTAVES;

/// Number of days by which the starts of all intervals of the random walk are shifted. Each random step grows
/// from zero at the start of its interval. Without the shift, intervals of all lengths would start on the same day in January 2026, so
/// all random steps would be zero on this day.
const SHIFT: i64 = 700;

/// Cache with one entry for each interval length of 2, 4, 8, … 2,048 days. An entry contains the index of the last
/// computed interval of this length, and the random number that all days of this interval use.
#[derive(Debug, Default)]
pub(crate) struct RecentSteps([Option<(i64, f64)>; OCTAVES]);

impl Steps {
    /// Returns the random number for one step of the random walk, with mean 0 and variance 1. Its distribution has
    /// heavier tails than the normal distribution. The caller scales the number to the length of the interval.
    fn step(&self, name: &str, interval: i64, point: u64) -> f64 {
        let at = |seed: Seed| seed.named(name).at_time(interval).at(point);
        let market = at(self.market);

        // 6% of the steps are 2.6 times as large as usual. The factor of the other steps keeps the variance at 1.
        let factor = if market.named("large").chance(0.06) { 2.6 } else { 0.795 };
        let rest = (1.0 - self.correlation * self.correlation).sqrt();
        factor * (self.correlation * market.bell() + rest * at(self.own).bell())
    }

    /// Returns the value of the random walk at 00:00 UTC of `day`, in days since 1970-01-01.
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

            // The step has its full size in the middle of the interval, and is zero at both ends.
            let share = 1.0 - (2.0 * into as f64 / length as f64 - 1.0).abs();
            step * share * (length as f64).sqrt() / 2.0
        });
        trend + steps.sum::<f64>()
    }

    /// Divides an interval into `count` parts, and returns the random walk at the `count + 1` borders of the parts.
    ///
    /// The values are distances from the straight line between the two ends of the interval, so the first and the last
    /// value are 0. `start` is the start of the interval in Unix seconds, and `seconds` is its length.
    pub(crate) fn bridge(&self, start: i64, seconds: i64, count: usize) -> Vec<f64> {
        let mut points = vec![0.0; count + 1];
        self.fill_between(start, seconds, &mut points, 0, count);
        points
    }

    /// Computes only the middle element of the list that [`Steps::bridge`] returns. `count` must be even.
    pub(crate) fn bridge_middle(&self, start: i64, seconds: i64, count: usize) -> f64 {
        self.step("parts", start, count as u64 / 2) * (seconds as f64 / 86_400.0).sqrt() / 2.0
    }

    /// Computes the elements of `points` between the indices `from` and `to`. The elements at `from` and `to` are
    /// already set. Computes first the element in the middle, then the elements of both halves.
    fn fill_between(&self, start: i64, seconds: i64, points: &mut [f64], from: usize, to: usize) {
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
        self.fill_between(start, seconds, points, from, middle);
        self.fill_between(start, seconds, points, middle, to);
    }
}

/// Returns the highest value of a random walk over one interval, relative to the walk's value at the start of the
/// interval.
///
/// `end` is the value of the walk at the end of the interval, relative to the same start value. `deviation` is the
/// standard deviation of `end`. `chance` is a random number from 0 to 1. The result has the distribution of the maximum
/// of a Brownian bridge.
pub(crate) fn highest(end: f64, deviation: f64, chance: f64) -> f64 {
    let spread = -2.0 * deviation * deviation * chance.max(1e-9).ln();
    f64::midpoint(end, (end * end + spread).sqrt())
}

/// Mirrors a value at the bounds of the range `low..=high` until it lies inside the range.
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
