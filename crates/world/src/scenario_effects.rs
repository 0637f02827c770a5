//! Effects of scenarios: rare states that a test can switch on, such as a crash. Without active scenarios there are
//! no effects.

/// Effects of all active scenarios. Each begins at a time and stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ScenarioEffects {
    /// Second day of a market crash, counted from 1970. Prices of all coins fall on that day and the day
    /// before.
    pub crash: Option<i64>,
    /// A venue on which trading is halted.
    pub halt: Option<Halt>,
    /// A chain without data.
    pub outage: Option<Outage>,
    /// True if the newest fund portfolios have expired.
    pub expired_portfolios: bool,
}

/// A trading halt on a venue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Halt {
    /// Name of the venue or chain, as in arguments.
    pub venue: &'static str,
    /// Unix time of the last trade.
    pub since: i64,
}

/// A data outage of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outage {
    /// Name of the chain, as in parameters.
    pub chain: &'static str,
    /// Unix time of the newest data.
    pub since: i64,
}

impl ScenarioEffects {
    /// Returns true if no scenario has an effect.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == ScenarioEffects::default()
    }

    /// Returns the Unix time of the start of a chain's outage.
    #[must_use]
    pub fn lost(&self, chain: &str) -> Option<i64> {
        self.outage.filter(|outage| outage.chain == chain).map(|outage| outage.since)
    }

    /// Returns the Unix time of the start of a venue's halt.
    pub(crate) fn halted(&self, venue: &str) -> Option<i64> {
        self.halt.filter(|halt| halt.venue == venue).map(|halt| halt.since)
    }
}
