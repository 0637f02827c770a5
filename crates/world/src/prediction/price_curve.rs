//! Price of a prediction market over time. The price is computed from a sum of waves with periods of 2 to 512 hours.

use std::cell::RefCell;
use std::sync::LazyLock;

use crate::random::Seed;

/// Number of waves in the sum of a price curve.
const WAVES: usize = 9;

/// A price curve: a sum of waves. Each wave consists of periods of equal length. For each wave, the curve caches the
/// period that contains the last computed hour, so that other hours of this period are fast to compute.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    seed: Seed,
    recent: RefCell<RecentPeriods>,
}

#[derive(Debug, Clone, Default)]
struct RecentPeriods {
    lean: Option<f64>,
    periods: [Option<WavePeriod>; WAVES],
}

/// Factor for the height of each wave of a price curve, from the shortest period to the longest. Each factor is 1.3
/// times the factor before it: 1.3, 1.69, 2.197, …
static HEIGHTS: LazyLock<[f64; WAVES]> = LazyLock::new(|| {
    std::array::from_fn(|wave| 1.3_f64.powi(i32::try_from(wave + 1).unwrap_or(0)))
});

/// One period of one of the waves. During a period, the height of the wave changes linearly from `left` to `right`.
/// Both heights are random.
#[derive(Debug, Clone, Copy)]
struct WavePeriod {
    number: i64,
    left: f64,
    right: f64,
}

impl Curve {
    /// Creates the price curve of a market from a random seed.
    pub(super) fn new(seed: Seed) -> Self {
        Curve { seed, recent: RefCell::default() }
    }

    /// Returns the price of "yes" at a full hour, from 0.02 to 0.98. `hour` is in hours since 1970-01-01.
    pub(super) fn price_at(&self, hour: i64) -> f64 {
        let mut recent = self.recent.borrow_mut();
        let RecentPeriods { lean, periods } = &mut *recent;
        let lean = *lean.get_or_insert_with(|| self.seed.named("lean").bell());

        let wave: f64 = (1..)
            .zip(periods)
            .zip(&*HEIGHTS)
            .map(|((octave, known), height)| {
                let length = 1_i64 << octave;
                let (number, into) = (hour.div_euclid(length), hour.rem_euclid(length));
                let period = match *known {
                    Some(period) if period.number == number => period,
                    _ => *known.insert(self.wave_period(octave, number)),
                };
                #[expect(clippy::cast_precision_loss, reason = "at most 512")]
                let share = into as f64 / length as f64;
                (period.left + (period.right - period.left) * share) * 0.06 * height
            })
            .sum();
        (1.0 / (1.0 + (-lean - wave).exp())).clamp(0.02, 0.98)
    }

    fn wave_period(&self, octave: u64, number: i64) -> WavePeriod {
        let wave = self.seed.named("wave").at(octave);
        WavePeriod {
            number,
            left: wave.at_time(number).bell(),
            right: wave.at_time(number + 1).bell(),
        }
    }
}
