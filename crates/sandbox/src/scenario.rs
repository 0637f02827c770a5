//! Scenarios of the sandbox. A scenario, such as a market crash, changes the data or the responses of the
//! sandbox.
//!
//! A scenario is parsed from text or built by a test. It affects all later requests until it ends.

use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::ParamKind;

use crypto_intel_world::timestamp::DAY;
use crypto_intel_world::{Halt, Outage, ScenarioEffects};

/// A special state of the sandbox, such as a market crash or an unavailable chain. A test can begin a scenario at any
/// time. Several scenarios can be active at once. A new scenario replaces an active scenario of the same name.
///
/// Many rare states occur without a scenario. `docs/states.md` lists all of them.
///
/// ```
/// use crypto_intel_sandbox::Scenario;
///
/// let halt: Scenario = "exchange-halt=okx".parse()?;
/// assert_eq!(halt, Scenario::exchange_halt("okx")?);
/// assert_eq!(halt.to_string(), "exchange-halt=okx");
/// # Ok::<(), crypto_intel_sandbox::UnknownScenario>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    MarketCrash,
    ExchangeHalt(&'static str),
    ChainOutage(&'static str),
    ExpiredPortfolios,
    NextRelease,
    FreeWindow(bool),
}

/// Error for a text that is not a [`Scenario`], and for an unknown exchange or chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownScenario(String);

/// All scenarios, each as text, such as `market-crash`, and with a description of its effects.
const ALL: &[(&str, &str)] = &[
    (
        "market-crash",
        "All coins except stablecoins lose half of their price within two days, and their trading \
         volume triples.",
    ),
    (
        "exchange-halt=binance",
        "Trading on the exchange stops: prices and candles end, order books are empty, and \
         markets are inactive.",
    ),
    (
        "chain-outage=ethereum",
        "The chain becomes unavailable: requests for the chain get status 502, wallet responses \
         lack its data, and its SQL tables get no new rows.",
    ),
    (
        "expired-etf-snapshot",
        "The two newest portfolios of each fund are removed: requests for their `as_of` dates get \
         status 404, and requests without `as_of` get the third newest portfolio.",
    ),
    (
        "next-release",
        "Responses have unknown fields, and every second row of a list has unknown enum values.",
    ),
    (
        "free-window=off",
        "Repeated calls within three minutes cost as much as the first call. With \
         `free-window=on`, the repeated calls are free.",
    ),
];

/// Iterates over the enum values that operations accept for the parameter with this name.
fn values_of(param: &str) -> impl Iterator<Item = &'static str> {
    let params = OPERATIONS.iter().filter_map(move |operation| operation.param(param));
    params.flat_map(|(_, param)| match param.kind {
        ParamKind::Enum(values) => values.iter().copied(),
        _ => [].iter().copied(),
    })
}

fn value_of(param: &str, text: &str) -> Result<&'static str, UnknownScenario> {
    values_of(param).find(|value| *value == text).ok_or_else(|| {
        let mut values: Vec<_> = values_of(param).collect();
        values.sort_unstable();
        values.dedup();
        UnknownScenario(format!("there is no {param} `{text}`; use one of {}", values.join(", ")))
    })
}

impl Scenario {
    /// Creates a scenario in which all coins except stablecoins lose half of their price within two days: the day
    /// before the scenario begins, and the day on which it begins.
    #[must_use]
    pub const fn market_crash() -> Self {
        Scenario(Kind::MarketCrash)
    }

    /// Creates a scenario in which trading on an exchange is halted.
    ///
    /// # Errors
    /// Returns an error if no operation accepts the exchange as an argument.
    pub fn exchange_halt(venue: &str) -> Result<Self, UnknownScenario> {
        value_of("exchange", venue).map(|venue| Scenario(Kind::ExchangeHalt(venue)))
    }

    /// Creates a scenario in which a chain is unavailable. The SQL tables of the chain contain only data from before
    /// the outage.
    ///
    /// # Errors
    /// Returns an error if no operation accepts the chain as an argument.
    pub fn chain_outage(chain: &str) -> Result<Self, UnknownScenario> {
        value_of("chain", chain).map(|chain| Scenario(Kind::ChainOutage(chain)))
    }

    /// Creates a scenario in which the two newest portfolios of each ETF are unavailable.
    #[must_use]
    pub const fn expired_etf_snapshot() -> Self {
        Scenario(Kind::ExpiredPortfolios)
    }

    /// Creates a scenario in which responses contain fields and enum values that are not in this release's catalogue.
    #[must_use]
    pub const fn next_release() -> Self {
        Scenario(Kind::NextRelease)
    }

    /// Creates a scenario that overrides [`Builder::free_repeats`](crate::Builder::free_repeats). Repeats of a paid
    /// call are free for three minutes if `on` is true, and charged if `on` is false.
    #[must_use]
    pub const fn free_window(on: bool) -> Self {
        Scenario(Kind::FreeWindow(on))
    }

    /// Iterates over all scenarios. Each entry is a scenario as text, such as `market-crash`, and a description of its
    /// effects.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        ALL.iter().copied()
    }

    /// Returns the name of the scenario. For the text form `exchange-halt=okx`, this is `exchange-halt`.
    fn name(self) -> &'static str {
        match self.0 {
            Kind::MarketCrash => "market-crash",
            Kind::ExchangeHalt(_) => "exchange-halt",
            Kind::ChainOutage(_) => "chain-outage",
            Kind::ExpiredPortfolios => "expired-etf-snapshot",
            Kind::NextRelease => "next-release",
            Kind::FreeWindow(_) => "free-window",
        }
    }
}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(text: &str) -> Result<Self, UnknownScenario> {
        let text = text.trim();
        Ok(match text.split_once('=').unwrap_or((text, "")) {
            ("market-crash", "") => Scenario::market_crash(),
            ("exchange-halt", "") => Scenario::exchange_halt("binance")?,
            ("exchange-halt", venue) => Scenario::exchange_halt(venue)?,
            ("chain-outage", "") => Scenario::chain_outage("ethereum")?,
            ("chain-outage", chain) => Scenario::chain_outage(chain)?,
            ("expired-etf-snapshot", "") => Scenario::expired_etf_snapshot(),
            ("next-release", "") => Scenario::next_release(),
            ("free-window", "on") => Scenario::free_window(true),
            ("free-window", "off") => Scenario::free_window(false),
            _ => {
                let known: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
                let message =
                    format!("`{text}` is not a scenario; the scenarios are {}", known.join(", "));
                return Err(UnknownScenario(message));
            }
        })
    }
}

impl std::fmt::Display for Scenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        match self.0 {
            Kind::ExchangeHalt(value) | Kind::ChainOutage(value) => write!(f, "={value}"),
            Kind::FreeWindow(on) => write!(f, "={}", if on { "on" } else { "off" }),
            _ => Ok(()),
        }
    }
}

/// Active scenarios, each with its start time in Unix seconds.
#[derive(Debug, Default)]
pub(crate) struct Stage(Mutex<Vec<(Scenario, i64)>>);

/// Time in which repeats of a paid call are free, if a scenario enables free repeats.
const WINDOW: Duration = Duration::from_secs(180);

impl Stage {
    fn playing<T>(&self, look: impl FnOnce(&mut Vec<(Scenario, i64)>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a scenario. `now` is the start time in Unix seconds. Replaces an active scenario of the same name.
    pub(crate) fn begin(&self, scenario: Scenario, now: i64) {
        self.playing(|playing| {
            playing.retain(|(other, _)| other.name() != scenario.name());
            playing.push((scenario, now));
        });
    }

    /// Ends the active scenario with the name of `only`, or all scenarios if `only` is `None`. The values after `=` are
    /// not compared: `exchange-halt=okx` also ends `exchange-halt=binance`.
    pub(crate) fn end(&self, only: Option<Scenario>) {
        self.playing(|playing| {
            playing.retain(|(other, _)| only.is_some_and(|only| other.name() != only.name()));
        });
    }

    /// Returns the active scenarios, each as text, such as `market-crash`, and with its start time in Unix seconds.
    pub(crate) fn to_saved(&self) -> Vec<(String, i64)> {
        self.playing(|playing| {
            playing.iter().map(|(scenario, since)| (scenario.to_string(), *since)).collect()
        })
    }

    /// Returns the active scenarios, in the order in which they began.
    pub(crate) fn now_playing(&self) -> Vec<Scenario> {
        self.playing(|playing| playing.iter().map(|(scenario, _)| *scenario).collect())
    }

    /// Returns the effects of the active scenarios on the generated data.
    pub(crate) fn scenes(&self) -> ScenarioEffects {
        let mut scenes = ScenarioEffects::default();
        self.playing(|playing| {
            for (scenario, since) in playing.iter() {
                match scenario.0 {
                    Kind::MarketCrash => scenes.crash = Some(since.div_euclid(DAY)),
                    Kind::ExchangeHalt(venue) => scenes.halt = Some(Halt { venue, since: *since }),
                    Kind::ChainOutage(chain) => {
                        scenes.outage = Some(Outage { chain, since: *since });
                    }
                    Kind::ExpiredPortfolios => scenes.expired_portfolios = true,
                    Kind::NextRelease | Kind::FreeWindow(_) => {}
                }
            }
        });
        scenes
    }

    /// Returns true if a scenario adds unknown fields and enum values to all responses.
    pub(crate) fn is_next_release(&self) -> bool {
        self.playing(|playing| playing.iter().any(|(other, _)| other.0 == Kind::NextRelease))
    }

    /// Returns the time after a paid call in which a repeated call is free. Zero means that repeated calls are charged.
    /// Returns `None` if no active scenario sets this time.
    pub(crate) fn free_window(&self) -> Option<Duration> {
        self.playing(|playing| {
            playing.iter().find_map(|(other, _)| match other.0 {
                Kind::FreeWindow(on) => Some(if on { WINDOW } else { Duration::ZERO }),
                _ => None,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_read_as_it_is_written() {
        for (text, _) in Scenario::all() {
            assert_eq!(text.parse::<Scenario>().unwrap().to_string(), text);
        }
        assert_eq!("exchange-halt".parse(), Scenario::exchange_halt("binance"));
        for (text, reason) in [
            ("", "`` is not a scenario; the scenarios are market-crash, "),
            ("market-crash=1", "is not a scenario"),
            ("free-window", "is not a scenario"),
            ("exchange-halt=nowhere", "there is no exchange `nowhere`; use one of "),
            ("chain-outage=eth", "there is no chain `eth`; use one of arbitrum, "),
        ] {
            let error = text.parse::<Scenario>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn one_of_a_name_plays_at_a_time() {
        let stage = Stage::default();
        stage.begin(Scenario::exchange_halt("okx").unwrap(), 5);
        stage.begin(Scenario::market_crash(), 6);
        stage.begin(Scenario::exchange_halt("binance").unwrap(), 7);
        assert_eq!(stage.scenes().halt, Some(Halt { venue: "binance", since: 7 }));
        assert_eq!(stage.now_playing().len(), 2);
        stage.end(Some(Scenario::exchange_halt("okx").unwrap()));
        assert_eq!(stage.now_playing(), [Scenario::market_crash()]);
        stage.end(None);
        assert!(stage.scenes().is_none());
    }
}
