//! What befalls the world besides its usual course: states that a test wants to meet and that would
//! otherwise be waited for. Without any, the world is as ever.

/// What befalls the world. Each begins at a moment and stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ScenarioEffects {
    /// The day since 1970 in which the prices of all coins have been falling since the day before.
    pub crash: Option<i64>,
    /// A venue on which nothing has been traded since a moment.
    pub halt: Option<Halt>,
    /// A chain of which nothing can be read.
    pub outage: Option<Outage>,
    /// Whether the newest portfolios of funds are no longer to be had.
    pub expired_portfolios: bool,
}

/// A venue that rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Halt {
    /// Its name as in parameters.
    pub venue: &'static str,
    /// The last moment of trading, in Unix seconds.
    pub since: i64,
}

/// A chain that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outage {
    /// Its name as in parameters.
    pub chain: &'static str,
    /// The last moment that is known of it, in Unix seconds.
    pub since: i64,
}

impl ScenarioEffects {
    /// Whether nothing befalls the world.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == ScenarioEffects::default()
    }

    /// Since when a chain cannot be read.
    #[must_use]
    pub fn lost(&self, chain: &str) -> Option<i64> {
        self.outage.filter(|outage| outage.chain == chain).map(|outage| outage.since)
    }

    /// Since when a venue rests.
    pub(crate) fn halted(&self, venue: &str) -> Option<i64> {
        self.halt.filter(|halt| halt.venue == venue).map(|halt| halt.since)
    }
}
