//! SQL over the operations of [`crypto_intel`], and over exports of them.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use crypto_intel::Client;
//! use crypto_intel_engines::Engine;
//!
//! let engine = Engine::new(Client::builder().from_env());
//! let query = engine.query().max_credits(20).start().await?;
//! let prices = query
//!     .sql("SELECT symbol, max(value) FROM market_price WHERE symbol IN ('BTC', 'ETH') GROUP BY symbol")
//!     .await?
//!     .collect()
//!     .await?;
//! println!("{}", query.spending());
//! # Ok(())
//! # }
//! ```
//!
//! # Tables
//! Each operation that only reads and returns a table is a table, named by its identifier in snake case
//! (`market_price`). Its columns are those of [`crypto_intel_frames::schema_of`], with enums as strings. They are
//! followed by one column for each parameter that the rows do not contain; its value is the argument of the call.
//!
//! | in the query | in the call |
//! |---|---|
//! | `column = value` of a parameter | sets the parameter |
//! | `IN (…)`, or several comparisons with OR | one call for each value, one after the other |
//! | bounds on the only time of a row, if the operation has time parameters | sets `from` and `to`, without excluding
//! matching rows |
//! | `LIMIT`, if all comparisons are of these kinds | limits the number of pages and the page size |
//! | anything else | rows are filtered after the response |
//!
//! If rows contain a parameter too, the comparison is applied again to the rows. Tickers and addresses are an
//! exception, because the service spells them in its own way. A missing required parameter, or a value that the
//! catalogue rejects, is an error before anything is sent.
//!
//! # Cost
//! `EXPLAIN` shows the calls of each table and their maximum list price. Each query has its own cache, so equal calls
//! within it are made once. [`QueryBuilder::max_credits`] is enforced while the query runs.
#![warn(missing_docs)]

mod calls;
#[cfg(feature = "cluster")]
mod cluster;
mod exports;
mod joins;
mod layout;
mod output;
mod query;
mod reading;
mod requests;
mod scan;
mod table;

#[cfg(feature = "cluster")]
pub use cluster::Cluster;
pub use output::{Format, write};
pub use query::{Engine, Query, QueryBuilder};
