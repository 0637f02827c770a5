//! Budgets: the limit on the credits that a client can spend.

use super::price::Credits;

/// Limit on the credits that a client can spend, by list price. A call above it is rejected before it is
/// sent ([`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget)).
///
/// The price of a call is reserved while it is in flight. The reservation is released if the service surely charged
/// nothing. It is kept if the service may have charged, because a request that broke off or was dropped may have been
/// executed. Each attempt of a call reserves the price again.
///
/// By default each call counts with its full price, which is the most that it can cost.
/// [`with_window`](Self::with_window) counts repeats as free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub(super) limit: Option<Credits>,
    pub(super) unknown: bool,
    pub(super) window: bool,
    pub(super) reported: bool,
}

impl Budget {
    /// Creates a budget without a limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Budget { limit: None, unknown: true, window: false, reported: false }
    }

    /// Creates a budget of this many credits. Calls without a published price ([`unpriced`](super::unpriced) lists
    /// them) are rejected too, unless [`allow_unknown`](Self::allow_unknown) is set.
    #[must_use]
    #[doc(alias = "limit")]
    pub fn credits(limit: u64) -> Self {
        Budget { limit: Some(Credits(limit)), unknown: false, window: false, reported: false }
    }

    /// Allows calls without a published price. They count as free.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }

    /// Applies the free window of the interface text: a repeat of an operation within its [free
    /// window](crypto_intel_core::Operation::free_window) counts as free, whatever its parameters.
    ///
    /// The live service has reported other costs, so the reported credits correct the count. If a call in the window
    /// was charged, the charge counts, and the next call counts with its full price. The budget can then be exceeded,
    /// but only by the calls that were in flight at that time.
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

    /// Counts the credits that the service reports for a call, such as 0 for a cached response. Before a call is sent,
    /// the budget must still allow its full price. Calls whose price depends on a model count with their full price.
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
