//! Numbers in records, and values that this module computes from the fields of records. Examples of computed values are
//! the total value of an account, the sum of a trade's funding payments, and the stage of an airdrop.
//!
//! The computed values are methods of extension traits in the [`prelude`](crate::prelude). Each trait belongs to a tag
//! of the OpenAPI document and exists if the feature of this tag is enabled.
//!
//! Financial metrics of companies use two types and a trait:
//!
//! - A [`MetricValue`] contains a number, or the reason why the number is missing.
//! - A [`Figure`] also contains a number or a reason, and supports arithmetic. If an operand has no number, the result
//!   contains the reason of this operand.
//! - The trait [`Metrics`] returns all metrics of a financial statement with their names.
//!
#![cfg_attr(feature = "equity", doc = "```")]
#![cfg_attr(not(feature = "equity"), doc = "```ignore")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! use crypto_intel::{prelude::*, values::Figure};
//!
//! let statements = client.equity_income_statement("AAPL").period("annual").limit(2).await?.into_inner();
//! let [now, before] = &statements.data[..] else { panic!("two years") };
//!
//! // Prints each metric with its name, both values and the growth. For a metric without a number, this prints
//! // `missing` or `not applicable`, and the reason if it is known.
//! for ((name, now), (_, before)) in now.metrics().into_iter().zip(before.metrics()) {
//!     println!("{name:>40} {:>20} {:>20} {:>8.3}", now.figure(), before.figure(), now.growth(before));
//! }
//!
//! // A metric that the program needs: `require` returns the number, or an error with the reason.
//! let revenue: f64 = now.revenue.require()?;
//! assert!(revenue > 0.0);
//!
//! // A sum with a missing part is missing.
//! let costs = [&now.cost_of_revenue, &now.operating_expense];
//! let costs: Figure = costs.into_iter().map(|metric| metric.figure()).sum();
//! let left = now.revenue.figure() - costs;
//! assert_eq!((left + Figure::missing("not_filed")).to_string(), "missing (not_filed)");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "search")]
mod airdrop;
#[cfg(feature = "equity")]
mod etf;
#[cfg(feature = "search")]
mod fundraising;
#[cfg(feature = "hyperliquid")]
mod hyperliquid;

#[cfg(feature = "search")]
pub use airdrop::{AirdropExt, AirdropStage};
pub use crypto_intel_core::{
    Amount, Figure, Gap, MetricStatus, MetricValue, Metrics, Number, ValueOrigin, WholeNumber,
};
#[cfg(feature = "equity")]
pub use etf::EtfHoldingsExt;
#[cfg(feature = "search")]
pub use fundraising::{FundraisingExt, Importance};
#[cfg(feature = "hyperliquid")]
pub use hyperliquid::{AccountExt, Funding, FundingExt, TotalValue};

/// Converts the value of a record field to an `Option`. The same field can be required in one version of the OpenAPI
/// document and optional in another version. This function lets the same code compile for both versions.
#[cfg(any(feature = "equity", feature = "hyperliquid", feature = "search"))]
fn optional<T>(field: impl Into<Option<T>>) -> Option<T> {
    field.into()
}
