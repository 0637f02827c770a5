//! The context of a call: seed, time and active scenarios.

use crate::random::Seed;
use crate::scenario_effects::ScenarioEffects;

/// The state on which every response depends, in addition to its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Random seed of the world.
    pub seed: Seed,
    /// Current time in Unix seconds.
    pub now: i64,
    /// Effects of the active scenarios.
    pub scenario: ScenarioEffects,
}

impl Context {
    /// Returns a world without scenarios, at a time in Unix seconds.
    #[must_use]
    pub fn new(seed: Seed, now: i64) -> Self {
        Context { seed, now, scenario: ScenarioEffects::default() }
    }

    /// Returns the context of a venue: while trading is halted, its time is the start of the halt.
    pub(crate) fn at_venue(&self, venue: &str) -> Self {
        let now = self.scenario.halted(venue).map_or(self.now, |since| since.min(self.now));
        Context { now, ..*self }
    }

    /// Returns the start of the current minute. Prices are those of the last whole minute, so that a ticker agrees
    /// with the candle in progress.
    #[must_use]
    pub fn minute(&self) -> i64 {
        self.now - self.now.rem_euclid(60)
    }
}
