//! Approximate prices of an asset, for code that needs many prices, such as a long list of transfers. They are faster
//! to compute than exact prices.

use crate::price::Walk;
use crate::timestamp::DAY;

/// Approximate prices of one asset, interpolated linearly between the exact prices at midnight. An approximate price
/// lies between the low and the high of the day, and is faster to compute than the exact price.
#[derive(Debug)]
pub(super) struct Daily {
    walk: Walk,
    /// Day of the last computed price, the price at the start of this day, and the price at its end. The day is in days
    /// since 1970-01-01.
    known: Option<(i64, f64, f64)>,
}

impl Daily {
    pub(super) fn new(walk: Walk) -> Self {
        Daily { walk, known: None }
    }

    /// Returns the approximate price in USD at a Unix time.
    pub(super) fn price_at(&mut self, time: i64) -> f64 {
        let day = time.div_euclid(DAY);
        let (_, open, close) = match self.known {
            Some(known) if known.0 == day => known,
            _ => {
                let open = match self.known {
                    Some((before, _, close)) if before + 1 == day => close,
                    _ => self.walk.at(day * DAY),
                };
                *self.known.insert((day, open, self.walk.at((day + 1) * DAY)))
            }
        };
        open + (close - open) * time.rem_euclid(DAY) as f64 / DAY as f64
    }
}
