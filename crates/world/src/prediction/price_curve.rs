//! The price of a question, hour by hour: a sum of waves of 2 to 512 hours.

use std::cell::RefCell;
use std::sync::LazyLock;

use crate::random::Seed;

/// Waves of a curve.
const WAVES: usize = 9;

/// A curve, and what it was last read for: neighbouring hours lie on the same stretches of nearly
/// all waves.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    seed: Seed,
    lately: RefCell<Lately>,
}

#[derive(Debug, Clone, Default)]
struct Lately {
    lean: Option<f64>,
    stretches: [Option<Stretch>; WAVES],
}

/// How high the waves are, beside the first: longer ones are higher.
static HEIGHTS: LazyLock<[f64; WAVES]> = LazyLock::new(|| {
    std::array::from_fn(|wave| 1.3_f64.powi(i32::try_from(wave + 1).unwrap_or(0)))
});

/// A straight part of a wave.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    number: i64,
    left: f64,
    right: f64,
}

impl Curve {
    /// The curve of a market with this seed.
    pub(super) fn new(seed: Seed) -> Self {
        Curve { seed, lately: RefCell::default() }
    }

    /// The price of yes at a full hour.
    pub(super) fn at(&self, hour: i64) -> f64 {
        let mut lately = self.lately.borrow_mut();
        let Lately { lean, stretches } = &mut *lately;
        let lean = *lean.get_or_insert_with(|| self.seed.named("lean").bell());

        let wave: f64 = (1..)
            .zip(stretches)
            .zip(&*HEIGHTS)
            .map(|((octave, known), height)| {
                let period = 1_i64 << octave;
                let (number, into) = (hour.div_euclid(period), hour.rem_euclid(period));
                let stretch = match *known {
                    Some(stretch) if stretch.number == number => stretch,
                    _ => *known.insert(self.stretch(octave, number)),
                };
                #[expect(clippy::cast_precision_loss, reason = "at most 512")]
                let share = into as f64 / period as f64;
                (stretch.left + (stretch.right - stretch.left) * share) * 0.06 * height
            })
            .sum();
        (1.0 / (1.0 + (-lean - wave).exp())).clamp(0.02, 0.98)
    }

    fn stretch(&self, octave: u64, number: i64) -> Stretch {
        let wave = self.seed.named("wave").at(octave);
        Stretch {
            number,
            left: wave.at_time(number).bell(),
            right: wave.at_time(number + 1).bell(),
        }
    }
}
