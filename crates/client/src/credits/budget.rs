//! Budgets: the limit on the credits that a client can spend.

use super::price::Credits;

/// Limit on the credits that a client can spend, by list price. A call above it is rejected before it is
/// sent ([`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget)).
///
/// The price of a call is set aside while it is under way. It is given back when the service
/// surely charged nothing, and kept when it may have: a request that broke off, or that its caller
/// dropped, may have been carried out, and so every attempt of a call counts for itself.
///
/// By default each call counts at its full price, the most that it can cost;
/// [`with_window`](Self::with_window) counts repeats as free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub(super) limit: Option<Credits>,
    pub(super) unknown: bool,
    pub(super) window: bool,
    pub(super) reported: bool,
}

impl Budget {
    /// No limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Budget { limit: None, unknown: true, window: false, reported: false }
    }

    /// At most this many credits. Calls whose price is not published
    /// ([`unpriced`](super::unpriced) lists them) are refused too, unless
    /// [`allow_unknown`](Self::allow_unknown).
    #[must_use]
    #[doc(alias = "limit")]
    pub fn credits(limit: u64) -> Self {
        Budget { limit: Some(Credits(limit)), unknown: false, window: false, reported: false }
    }

    /// Lets calls pass whose price is not published; they count as free.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }

    /// Counts as the interface text says: a repeat of an operation within its
    /// [free window](crypto_intel_core::Operation::free_window) counts as free, whatever its
    /// parameters.
    ///
    /// Live figures have been seen to differ. So what an answer reports corrects the count: a call
    /// that was charged after all counts as what was charged, and the next one in full. A budget
    /// can then be exceeded, by no more than the calls that were under way at the time.
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

    /// Counts the credits that the service reports for a call, such as 0 for a cached answer. Before it is sent, the call
    /// still needs its full price. Calls of models count at their full price.
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
