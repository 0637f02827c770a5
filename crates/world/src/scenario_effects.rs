//! Effects of scenarios. A scenario is a rare state that a test can activate, for example a market crash. A sandbox
//! without active scenarios has no effects.

/// Effects of all active scenarios.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ScenarioEffects {
    /// Second day of a market crash, in days since 1970-01-01. The prices of all coins except stablecoins fall on this
    /// day and on the day before.
    pub crash: Option<i64>,
    /// Trading halt on one venue, if a scenario halts trading.
    pub halt: Option<Halt>,
    /// Outage of one chain. `None` if no active scenario causes an outage.
    pub outage: Option<Outage>,
    /// True if a scenario makes the two newest portfolios of each ETF unavailable.
    pub expired_portfolios: bool,
}

/// A trading halt on an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Halt {
    /// Name of the exchange, as in request arguments.
    pub venue: &'static str,
    /// Unix time of the last trade before the halt.
    pub since: i64,
}

/// An outage: the data of a chain are unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outage {
    /// Name of the chain, as in request arguments.
    pub chain: &'static str,
    /// Unix time of the newest data before the outage.
    pub since: i64,
}

impl ScenarioEffects {
    /// Returns true if no scenario has an effect.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == ScenarioEffects::default()
    }

    /// Returns the Unix time at which the outage of a chain started. `None` if the chain has no outage.
    #[must_use]
    pub fn lost(&self, chain: &str) -> Option<i64> {
        self.outage.filter(|outage| outage.chain == chain).map(|outage| outage.since)
    }

    /// Returns the Unix time at which trading on a venue was halted. `None` if trading is not halted.
    pub(crate) fn halt_start(&self, venue: &str) -> Option<i64> {
        self.halt.filter(|halt| halt.venue == venue).map(|halt| halt.since)
    }
}
