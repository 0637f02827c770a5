//! Runs SQL queries over the operations of [`crypto_intel`], and over exports of their rows.
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
//! Each operation that only reads and returns rows is an SQL table. The table's name is the identifier of the operation
//! in snake case (`market_price`). Its columns are the columns of [`crypto_intel_frames::schema_of`], with enums as
//! strings, and one column for each request parameter that the rows do not contain. Such a column contains the argument
//! of the call.
//!
//! | in the query | in the call |
//! |---|---|
//! | `column = value` for a request parameter | sets the parameter |
//! | `IN (…)`, or several comparisons with OR | one call for each value, one after the other |
//! | a time range for the only time column | sets `from` and `to`, or `start_time` and `end_time`, if they exist |
//! | `LIMIT`, if the rows need not be filtered after the response | limits the number of pages and the page size |
//! | any other condition | rows are filtered after the response |
//!
//! The requested time range may be wider than the time range in the query, but it excludes no matching row. The rows
//! are filtered again by the time range. If a request parameter is also a field of the rows, the rows are filtered
//! again by the comparison with this field. Tickers and addresses are an exception, because the service may spell them
//! differently than the query. If a required parameter is missing, or the catalogue rejects a value, the query fails
//! before a request is sent. A join whose key is a required parameter is an exception: the query reads the other table
//! before it checks the values from that table. The query can therefore fail after requests for the other table were
//! sent.
//!
//! # Cost
//! `EXPLAIN` shows the calls of each table and their maximum list price. Each query has its own cache, so equal calls
//! of a query are sent only once. [`QueryBuilder::max_credits`] is enforced while the query runs.
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
