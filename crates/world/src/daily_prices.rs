//! Prices of many moments at once.

use crate::price::Walk;
use crate::timestamp::DAY;

/// Prices of many moments, straight from midnight to midnight: within what the day's candle shows,
/// and cheap.
#[derive(Debug)]
pub(super) struct Daily {
    walk: Walk,
    /// A day, and the prices at which it begins and ends.
    known: Option<(i64, f64, f64)>,
}

impl Daily {
    pub(super) fn new(walk: Walk) -> Self {
        Daily { walk, known: None }
    }

    /// The price at a moment, in USD.
    pub(super) fn at(&mut self, time: i64) -> f64 {
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
