//! Budgets: limits on the credits that a client can spend.

use super::price::Credits;

/// Limit on the credits that a client can spend, by list price. If a call would exceed the limit, the client does not
/// send it. The call then fails with [`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget).
///
/// While a call is in flight, the budget reserves its price. It releases the reservation if the service cannot have
/// charged the call. It keeps the reservation if the service may have charged the call, for example after the
/// connection broke or the future was dropped. Each attempt of a call reserves the price again.
///
/// By default the budget counts the full list price of each call, which is its maximum cost. With
/// [`with_window`](Self::with_window), it counts repeated calls as free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub(super) limit: Option<Credits>,
    pub(super) unknown: bool,
    pub(super) window: bool,
    pub(super) reported: bool,
}

impl Budget {
    /// Creates a budget without a limit. Calls without a published price are allowed.
    #[must_use]
    pub fn unlimited() -> Self {
        Budget { limit: None, unknown: true, window: false, reported: false }
    }

    /// Creates a budget of this many credits. It also rejects calls without a published price, unless
    /// [`allow_unknown`](Self::allow_unknown) is set. The function [`unpriced`](super::unpriced) lists the operations
    /// without a published price.
    #[must_use]
    #[doc(alias = "limit")]
    pub fn credits(limit: u64) -> Self {
        Budget { limit: Some(Credits(limit)), unknown: false, window: false, reported: false }
    }

    /// Allows calls without a published price. By default the budget counts these calls as free. If
    /// [`as_reported`](Self::as_reported) is set, the budget counts the credits that the service reports for these
    /// calls. A chat call with an AI model without a published price always counts as free.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }

    /// Applies the free window that the service's OpenAPI document describes. A repeated call of an operation within
    /// its [free window](crypto_intel_core::Operation::free_window) counts as free, even if its arguments differ.
    ///
    /// The live service has charged repeated calls contrary to this rule, so the budget also uses the credits that the
    /// service reports. If the service charged a call in the window, the budget counts this charge, and the next call
    /// counts with its full price. Other calls that were in flight at that time count as free. If the service charges
    /// these calls too, the credits used can exceed the budget.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let builder = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    /// use crypto_intel::credits::{Budget, Credits};
    ///
    /// let client = builder.budget(Budget::credits(2).with_window()).build()?;
    /// client.market_price("BTC").await?;
    /// client.market_price("ETH").await?; // within three minutes
    /// assert_eq!(client.ledger().remaining(), Some(Credits(0)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_window(mut self) -> Self {
        self.window = true;
        self
    }

    /// Counts the credits that the service reports for a call, instead of its list price. For example, the service may
    /// report 0 credits for a repeated call. The remaining budget must still cover the full list price before each
    /// call. A call whose price depends on a model always counts with its full list price.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let builder = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    /// use crypto_intel::credits::{Budget, Credits};
    ///
    /// let client = builder.budget(Budget::credits(5).as_reported()).build()?;
    /// client.market_price("BTC").await?;
    /// let repeat = client.market_price("BTC").await?;
    /// assert_eq!(repeat.credits_used(), Some(0));
    /// assert_eq!(client.ledger().remaining(), Some(Credits(3)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn as_reported(mut self) -> Self {
        self.reported = true;
        self
    }
}
