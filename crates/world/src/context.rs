//! What every answer depends on besides its arguments.

use crate::random::Seed;

/// The world at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// From which everything is invented.
    pub seed: Seed,
    /// The time, in Unix seconds.
    pub now: i64,
}

impl Context {
    /// The beginning of the minute: prices are those of the last whole minute, so that a ticker and
    /// the candle in progress agree.
    #[must_use]
    pub fn minute(&self) -> i64 {
        self.now - self.now.rem_euclid(60)
    }
}
