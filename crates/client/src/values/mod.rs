//! What records mean beyond their members: totals that may be lower bounds, coverage that may be
//! partial, states that have an order.
//!
//! The helpers are extension traits, all in the [`prelude`](crate::prelude); those of a domain
//! are there when its feature is on.
//!
//! Figures of companies need no helper here: a [`MetricValue`](crate::MetricValue) says why it has
//! no value, a [`Figure`](crate::Figure) computes without losing that, and
//! [`Metrics`](crate::Metrics) makes a table of any statement a loop:
//!
#![cfg_attr(feature = "equity", doc = "```")]
#![cfg_attr(not(feature = "equity"), doc = "```ignore")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! use crypto_intel::{Figure, prelude::*};
//!
//! let statements = client.equity_income_statement("AAPL").period("annual").limit(2).await?.into_inner();
//! let [now, before] = &statements.data[..] else { panic!("two years") };
//!
//! // A table of any statement is a loop. A figure that is missing, or cannot be, says why.
//! for ((name, now), (_, before)) in now.metrics().into_iter().zip(before.metrics()) {
//!     println!("{name:>40} {:>20} {:>20} {:>8.3}", now.figure(), before.figure(), now.growth(before));
//! }
//!
//! // One that must be there is a number or an error.
//! let revenue: f64 = now.revenue.require()?;
//! assert!(revenue > 0.0);
//!
//! // Sums and differences are as whole as what they are made of.
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
#[cfg(feature = "equity")]
pub use etf::EtfHoldingsExt;
#[cfg(feature = "search")]
pub use fundraising::{FundraisingExt, Importance};
#[cfg(feature = "hyperliquid")]
pub use hyperliquid::{AccountExt, Funding, FundingExt, TotalValue};
