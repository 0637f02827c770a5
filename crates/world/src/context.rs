//! What every answer depends on besides its arguments.

use crate::random::Seed;
use crate::scenario_effects::ScenarioEffects;

/// The world at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// From which everything is invented.
    pub seed: Seed,
    /// The time, in Unix seconds.
    pub now: i64,
    /// What befalls the world.
    pub scenario: ScenarioEffects,
}

impl Context {
    /// The world of a seed at a moment, in Unix seconds, in its usual course.
    #[must_use]
    pub fn new(seed: Seed, now: i64) -> Self {
        Context { seed, now, scenario: ScenarioEffects::default() }
    }

    /// The same as a venue shows it: as it was when trading rested, where it does.
    pub(crate) fn at_venue(&self, venue: &str) -> Self {
        let now = self.scenario.halted(venue).map_or(self.now, |since| since.min(self.now));
        Context { now, ..*self }
    }

    /// The beginning of the minute: prices are those of the last whole minute, so that a ticker and
    /// the candle in progress agree.
    #[must_use]
    pub fn minute(&self) -> i64 {
        self.now - self.now.rem_euclid(60)
    }
}
