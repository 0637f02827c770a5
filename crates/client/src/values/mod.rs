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
//! use crypto_intel::{Figure, prelude::*};
//! # use crypto_intel::api::generated::equity::EquityIncomeStatementItem;
//! # let statement = |period: &str, revenue: &str| -> EquityIncomeStatementItem {
//! #     serde_json::from_str(&format!(
//! #         r#"{{"symbol": "AAPL", "report_period": "{period}", "fiscal_period": null,
//! #             "period": "annual", "currency": "USD", "revenue": {revenue}}}"#
//! #     )).unwrap()
//! # };
//! # let statements = [
//! #     statement("2025-09-27", r#"{"value": 420, "status": "available"}"#),
//! #     statement("2024-09-28", r#"{"value": 400, "status": "available"}"#),
//! #     statement("2023-09-30", r#"{"value": null, "status": "missing", "reason_code": "not_filed"}"#),
//! # ];
//! for (name, metric) in statements[0].metrics() {
//!     println!("{name:>40} {}", metric.figure());
//! }
//!
//! let [now, before, earlier] = &statements;
//! assert_eq!(now.revenue.growth(&before.revenue), Figure::Value(0.05));
//! assert_eq!(before.revenue.growth(&earlier.revenue), Figure::missing("not_filed"));
//! let sum: Figure = statements.iter().map(|statement| statement.revenue.figure()).sum();
//! assert_eq!(sum, Figure::missing("not_filed"));
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
