//! The context of a request: random seed, current time and active scenarios.

use crate::random::Seed;
use crate::scenario_effects::ScenarioEffects;

/// Random seed, current time and scenarios for a request. The response is computed from these inputs and from the
/// arguments of the request.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Random seed of all invented data.
    pub seed: Seed,
    /// Current time in Unix seconds.
    pub now: i64,
    /// Effects of the active scenarios.
    pub scenario: ScenarioEffects,
}

impl Context {
    /// Creates a context without active scenarios. `now` is the current time in Unix seconds.
    #[must_use]
    pub fn new(seed: Seed, now: i64) -> Self {
        Context { seed, now, scenario: ScenarioEffects::default() }
    }

    /// Returns a copy of this context for requests about a venue. If trading on the venue is halted, the current time
    /// of the copy is the start of the halt.
    pub(crate) fn at_venue(&self, venue: &str) -> Self {
        let now = self.scenario.halt_start(venue).map_or(self.now, |since| since.min(self.now));
        Context { now, ..*self }
    }

    /// Returns the start of the current minute in Unix seconds. The price at this time is the current price in all
    /// responses. An unfinished candle also uses this price as its last price.
    #[must_use]
    pub fn minute(&self) -> i64 {
        self.now - self.now.rem_euclid(60)
    }
}
