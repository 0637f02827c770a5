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
//! Each operation that only reads and whose answer is a table is one, called by its identifier in snake case
//! (`market_price`). Its columns are those of [`crypto_intel_frames::schema_of`], with enums as text,
//! and after them one for each parameter that the rows do not hold; it shows what was asked for.
//!
//! | in the query | at the service |
//! |---|---|
//! | `column = value` of a parameter | the parameter |
//! | `IN (…)`, several of them with OR | a call for each value, one after the other |
//! | bounds on the one time of a row, where there are parameters for the window | `from` and `to`, which leave no row out |
//! | `LIMIT` over nothing but such comparisons | no page beyond it is asked for, and a small one is asked for small |
//! | anything else | rows are compared after they came |
//!
//! A parameter that rows hold as well is compared again, because the row decides; tickers and addresses
//! are not, as the service spells them its own way. A required parameter that the query does not give
//! is an error before anything is sent, and so is a value that the catalogue rejects.
//!
//! # Cost
//! `EXPLAIN` shows the calls of each table and their credits at most by the list. A query has a cache of
//! its own: the same call within it is made once. [`QueryBuilder::max_credits`] is enforced while it runs.
#![warn(missing_docs)]

mod calls;
#[cfg(feature = "cluster")]
mod cluster;
mod exports;
mod layout;
mod output;
mod query;
mod scan;
mod table;

#[cfg(feature = "cluster")]
pub use cluster::Cluster;
pub use output::{Format, write};
pub use query::{Engine, Query, QueryBuilder};
