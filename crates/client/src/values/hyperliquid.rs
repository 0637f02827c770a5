//! Account values and funding results in Hyperliquid records.
//!
//! These records have fields that qualify a number, for example a status. The extension traits of this module combine
//! the number and its status into one enum. The value of the enum is a complete number, an incomplete number such as a
//! lower bound, or unknown.

use crypto_intel_api::generated::hyperliquid::{
    FundingStatus, HyperliquidAccount, HyperliquidEpisode, HyperliquidTradeContext,
    HyperliquidTradeGroup,
};
use crypto_intel_core::Figure;

use super::optional;

/// Total value of a Hyperliquid account in USD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TotalValue {
    /// The total value in USD.
    Complete(f64),
    /// A lower bound of the account's total value. Some tokens in the account have no price and are not included.
    AtLeast {
        /// Value of the account in USD, without the tokens that have no price.
        usd: f64,
        /// Number of tokens in the account that have no price.
        unpriced_tokens: i64,
    },
    /// The total value is unknown. The service could not read a part of the account, or the account holds HYPE and HYPE
    /// has no price.
    Unknown,
}

impl TotalValue {
    /// Returns the account's total value in USD. Returns `None` if only a lower bound is known, or if the total value
    /// is unknown.
    #[must_use]
    pub fn complete(self) -> Option<f64> {
        match self {
            TotalValue::Complete(usd) => Some(usd),
            TotalValue::AtLeast { .. } | TotalValue::Unknown => None,
        }
    }

    /// Returns a lower bound of the account's value in USD. Returns `None` if the value is unknown.
    #[must_use]
    pub fn lower_bound(self) -> Option<f64> {
        match self {
            TotalValue::Complete(usd) | TotalValue::AtLeast { usd, .. } => Some(usd),
            TotalValue::Unknown => None,
        }
    }
}

/// Extension trait that adds the method `total_value` to Hyperliquid accounts.
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
    /// Returns the total value of the account in USD. The variant of [`TotalValue`] shows whether the value is
    /// complete, unknown, or only a lower bound because some tokens in the account have no price.
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

/// Sum of the funding payments of a trade in USD. Each variant states which payments the sum includes. A positive sum
/// was received, and a negative sum was paid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Funding {
    /// Sum in USD of all funding payments of the trade.
    Complete(f64),
    /// Sum in USD that may be incomplete: some funding payments of the trade may be missing. `None` if the service sent
    /// no sum. This variant is also used if the status is missing or unknown to this release.
    Partial(Option<f64>),
    /// The funding payments of the trade are unknown.
    Unavailable,
}

impl Funding {
    fn new<'a>(status: impl Into<Option<&'a FundingStatus>>, pnl: impl Into<Option<f64>>) -> Self {
        match (status.into(), pnl.into()) {
            (Some(FundingStatus::Complete), Some(pnl)) => Funding::Complete(pnl),
            (Some(FundingStatus::Unavailable | FundingStatus::Complete), _) => Funding::Unavailable,
            // Only the status `complete` counts as complete. A missing status and a status that this release does not
            // know count as partial.
            (_, pnl) => Funding::Partial(pnl),
        }
    }

    /// Converts the funding result to a [`Figure`]. A complete sum becomes a number. A partial or unavailable result
    /// becomes [`Figure::Missing`] with a reason.
    #[must_use]
    pub fn figure(self) -> Figure<f64> {
        match self {
            Funding::Complete(pnl) => Figure::Value(pnl),
            Funding::Partial(_) => Figure::missing("funding_partial"),
            Funding::Unavailable => Figure::missing("funding_unavailable"),
        }
    }
}

/// Extension trait that adds the method `funding` to Hyperliquid trades.
pub trait FundingExt {
    /// Returns the sum of the trade's funding payments in USD. The variant of [`Funding`] shows whether the sum is
    /// complete, partial or unavailable.
    fn funding(&self) -> Funding;
}

impl FundingExt for HyperliquidEpisode {
    fn funding(&self) -> Funding {
        Funding::new(&self.funding_status, self.funding_pnl)
    }
}

impl FundingExt for HyperliquidTradeGroup {
    fn funding(&self) -> Funding {
        Funding::new(&self.funding_status, self.funding_pnl)
    }
}

impl FundingExt for HyperliquidTradeContext {
    fn funding(&self) -> Funding {
        Funding::new(&self.funding_status, self.funding_pnl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_is_complete_only_with_every_price() {
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
    fn funding_has_a_value_only_when_complete() {
        let funding = |status: &str, pnl| Funding::new(&FundingStatus::from(status), pnl);
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
