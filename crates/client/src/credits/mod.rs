//! Credits: list prices of calls, credits that the service reports, and budgets.
//!
//! List prices and reported credits are separate numbers. The list price of a call is known before the call,
//! so a [`Budget`] counts it. The service reports credits in the response to the call, and they can differ from the
//! list price. A budget counts reported credits only with [`as_reported`](Budget::as_reported) or
//! [`with_window`](Budget::with_window).
//!
//! The service's OpenAPI document describes a free window: a repeated call of an operation within three minutes costs
//! nothing, even with other arguments. One measurement of the live service contradicts this rule. Therefore estimates
//! have a minimum and a maximum, and the ledger has a sum with the free window and a sum without it. A budget counts
//! the maximum unless [`with_window`](Budget::with_window) is set.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! use crypto_intel::credits::{Budget, Credits, Estimate, Plan};
//! use crypto_intel::{Client, ErrorKind, prelude::*};
//!
//! let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
//! let client = builder.budget(Budget::credits(7)).build()?;
//!
//! // Estimates: of a call, of a list, of a question.
//! let statement = client.equity_income_statement("AAPL");
//! assert_eq!(client.estimate(&statement), Estimate::Exactly(Credits(6)));
//! let holders = client.token_holders("vitalik.eth", "ethereum").limit(100).max_items(250);
//! assert_eq!(holders.estimate(), Some(Estimate::Between(Credits(2), Credits(6))));
//! let question = client.responses("svc-2.0", "What moved ETH today?").effort("medium");
//! assert_eq!(client.estimate(&question).to_string(), "120 credits");
//!
//! // The budget rejects what it does not allow, before anything is sent.
//! statement.await?;
//! let error = client.equity_income_statement("MSFT").await.unwrap_err();
//! assert_eq!((error.kind(), error.attempts()), (ErrorKind::OverBudget, 0));
//!
//! // The ledger: in all, by operation, by tag, by model.
//! let ledger = client.ledger();
//! assert_eq!((ledger.total().calls, ledger.remaining()), (1, Some(Credits(1))));
//! for (tag, spent) in ledger.by_tag() {
//!     println!("{tag}: list price {}, {} as reported", spent.list_price, spent.reported);
//! }
//!
//! // In USD, exactly.
//! let plan = Plan::of_purchase(Credits(200_000)).expect("a plan for every purchase");
//! assert_eq!((plan.name, plan.cost(ledger.total().list_price).to_string()), ("Starter", "0.03".into()));
//! # Ok(())
//! # }
//! ```

mod budget;
mod ledger;
#[cfg(feature = "machine-ledger")]
mod machine;
mod price;
mod usd;
mod window;

pub use budget::Budget;
pub use crypto_intel_core::ModelUse;
pub use ledger::{Ledger, Spending, Unsettled};
#[cfg(feature = "machine-ledger")]
pub use machine::{DaySpending, MachineLedger};
pub(crate) use price::list_price;
pub use price::{Credits, Estimate, unpriced};
pub use usd::{Plan, TopUp, Usd};
