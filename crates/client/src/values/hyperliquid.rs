//! Totals and coverage of Hyperliquid records.
//!
//! The extension traits turn fields with a status into a complete value, a lower bound, or a reason for a missing
//! value.

use crypto_intel_api::generated::hyperliquid::{
    FundingStatus, HyperliquidAccount, HyperliquidEpisode, HyperliquidTradeContext,
    HyperliquidTradeGroup,
};
use crypto_intel_core::Figure;

use super::optional;

/// The value of a whole account in USD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TotalValue {
    /// The whole value, in USD.
    Complete(f64),
    /// A lower bound, because some tokens have no price.
    AtLeast {
        /// The value of the tokens that have a price.
        usd: f64,
        /// The number of tokens without a price.
        unpriced_tokens: i64,
    },
    /// Unknown: a part of the account could not be read, or HYPE is held without a price.
    Unknown,
}

impl TotalValue {
    /// Returns the total in USD, if it is complete.
    #[must_use]
    pub fn complete(self) -> Option<f64> {
        match self {
            TotalValue::Complete(usd) => Some(usd),
            TotalValue::AtLeast { .. } | TotalValue::Unknown => None,
        }
    }

    /// Returns the minimum value of the account in USD.
    #[must_use]
    pub fn lower_bound(self) -> Option<f64> {
        match self {
            TotalValue::Complete(usd) | TotalValue::AtLeast { usd, .. } => Some(usd),
            TotalValue::Unknown => None,
        }
    }
}

/// The total value of an account: complete, a lower bound, or unknown.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel::{prelude::*, values::TotalValue};
///
/// let account = client.hyperliquid_account("vitalik.eth").await?;
/// match account.data.total_value() {
///     TotalValue::Complete(usd) => println!("{usd:.2} USD"),
///     TotalValue::AtLeast { usd, unpriced_tokens } => {
///         println!("at least {usd:.2} USD: {unpriced_tokens} tokens have no price");
///     }
///     TotalValue::Unknown => println!("not known: {:?}", account.partial_failures()),
/// }
/// # assert!(account.data.total_value().lower_bound().is_some());
/// # Ok(())
/// # }
/// ```
pub trait AccountExt {
    /// Returns the value of the account: complete, a lower bound, or unknown.
    fn total_value(&self) -> TotalValue;
}

impl AccountExt for HyperliquidAccount {
    fn total_value(&self) -> TotalValue {
        match (optional(self.total_value_usd), optional(self.unpriced_token_count)) {
            (Some(usd), Some(0)) => TotalValue::Complete(usd),
            (Some(usd), Some(unpriced_tokens)) => TotalValue::AtLeast { usd, unpriced_tokens },
            _ => TotalValue::Unknown,
        }
    }
}

/// The funding that a trade received (positive) or paid (negative) in USD, with the coverage of its payments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Funding {
    /// The result covers every payment.
    Complete(f64),
    /// The result covers only some payments, so the number, if there is one, is not reliable.
    Partial(Option<f64>),
    /// The result covers no payment.
    Unavailable,
}

impl Funding {
    fn of<'a>(status: impl Into<Option<&'a FundingStatus>>, pnl: impl Into<Option<f64>>) -> Self {
        match (status.into(), pnl.into()) {
            (Some(FundingStatus::Complete), Some(pnl)) => Funding::Complete(pnl),
            (Some(FundingStatus::Unavailable | FundingStatus::Complete), _) => Funding::Unavailable,
            // A status that is missing, or that this release does not know, does not count as complete.
            (_, pnl) => Funding::Partial(pnl),
        }
    }

    /// Converts the result to a figure. The figure is missing unless the result is complete.
    #[must_use]
    pub fn figure(self) -> Figure<f64> {
        match self {
            Funding::Complete(pnl) => Figure::Value(pnl),
            Funding::Partial(_) => Figure::missing("funding_partial"),
            Funding::Unavailable => Figure::missing("funding_unavailable"),
        }
    }
}

/// The funding of a trade, with the coverage of its payments.
pub trait FundingExt {
    /// Returns the funding result, with the coverage of its payments.
    fn funding(&self) -> Funding;
}

impl FundingExt for HyperliquidEpisode {
    fn funding(&self) -> Funding {
        Funding::of(&self.funding_status, self.funding_pnl)
    }
}

impl FundingExt for HyperliquidTradeGroup {
    fn funding(&self) -> Funding {
        Funding::of(&self.funding_status, self.funding_pnl)
    }
}

impl FundingExt for HyperliquidTradeContext {
    fn funding(&self) -> Funding {
        Funding::of(&self.funding_status, self.funding_pnl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_complete_only_when_every_token_has_a_price() {
        let total = |usd: Option<f64>, unpriced: i64| {
            let mut account = serde_json::to_value(HyperliquidAccount::default()).unwrap();
            account["total_value_usd"] = usd.into();
            account["unpriced_token_count"] = unpriced.into();
            let account: HyperliquidAccount = serde_json::from_value(account).unwrap();
            let total = account.total_value();
            (total.complete(), total.lower_bound())
        };
        assert_eq!(total(Some(5.0), 0), (Some(5.0), Some(5.0)));
        assert_eq!(total(Some(5.0), 2), (None, Some(5.0)));
        assert_eq!(total(None, 0), (None, None));
        assert_eq!(total(None, 2), (None, None));
    }

    #[test]
    fn funding_counts_only_when_it_is_complete() {
        let funding = |status: &str, pnl| Funding::of(&FundingStatus::from(status), pnl);
        for (status, pnl, expected) in [
            ("complete", Some(1.0), Funding::Complete(1.0)),
            ("complete", None, Funding::Unavailable),
            ("partial", Some(1.0), Funding::Partial(Some(1.0))),
            ("partial", None, Funding::Partial(None)),
            ("unavailable", Some(0.0), Funding::Unavailable),
            ("estimated", Some(1.0), Funding::Partial(Some(1.0))),
        ] {
            assert_eq!(funding(status, pnl), expected, "{status}");
            let counts = matches!(expected, Funding::Complete(_));
            assert_eq!(expected.figure().value().is_some(), counts);
        }
    }
}
