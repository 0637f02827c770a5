//! Arrow tables for all operations of [`crypto_intel`], and exports to files.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! use crypto_intel::prelude::*;
//! use crypto_intel_frames::{FramesExt, PagerFramesExt};
//!
//! // A typed request. Requests by operation name have the same method.
//! let prices = client.market_price("BTC").time_range("7d").frames()?.collect().await?;
//!
//! // At most 12 posts, in pages of 5. One batch contains the rows of all three pages.
//! let mut posts = client.social_user_posts("eth_daily").limit(5).max_items(12).frames()?;
//! assert_eq!(posts.try_next().await?.expect("a batch").num_rows(), 12);
//! # Ok(())
//! # }
//! ```
//!
//! The columns of an operation are generated from the OpenAPI document. [`schema_of`] returns the columns without
//! sending a request.
//!
//! | in the response | in the table |
//! |---|---|
//! | a string, a boolean | `Utf8`, `Boolean` |
//! | a whole number | `Int64` |
//! | another number | `Float64`, or an exact type with [`Options::numbers`] |
//! | an exact decimal in quotes | `Utf8`, as received |
//! | a timestamp | `Timestamp(s or ms, "UTC")`; null if the service sends 0 for an unknown time |
//! | a string of the format `date` or `date-time` | `Date32`, `Timestamp(µs, "UTC")` |
//! | a value of an open enum | a dictionary of strings, including unknown values |
//! | a record | a struct, or one column per field; see [`Options::nested`] |
//! | a metric of a financial statement | a struct with value, status and reason; see [`Options::figures`] |
//! | a list, an object with arbitrary field names | `List`, `Map` |
//! | a value that can have several types | `Utf8` with JSON text |
//! | an unknown field, or a value of another type | the column `_extra`; see [`Unknown`] |
//! | a row that is not a record | the column `value` |
//! | a row with arbitrary fields, such as a row of a SQL result | one column per field; see [`Columns`] |
//!
//! Every column may contain nulls. A column contains null for a missing value, for a `null` in the response, and for a
//! value that is stored in `_extra`. So a missing value and a `null` look the same in a table. With the default
//! options, a table contains all values of a row with two exceptions: `null`, and a 0 that means an unknown value. No
//! response causes a panic.
//!
#![cfg_attr(feature = "export", doc = "[`export`] writes tables to files and object stores.\n")]
//! # Versions
//!
//! Batches have the types of `arrow` 59. DataFusion 55 and pyo3-arrow 0.20 use the same version, so batches can be
//! passed to them without a copy.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod careful;
mod column;
mod decoder;
mod error;
mod exact;
#[cfg(feature = "export")]
pub mod export;
mod fast;
mod frames;
mod options;
mod page;
mod plan;
mod preflight;
mod provenance;
mod reader;
mod untyped;
mod whole;

pub use decoder::{read_answer, read_rows, read_sql};
pub use error::Error;
pub use frames::{Frames, FramesExt, PagerFramesExt};
pub use options::{Columns, Enums, Figures, Nested, Numbers, Options, Times, Unknown};
pub use plan::{row_type, schema_of};
pub use preflight::preflight_columns;
// Crates whose types appear in signatures of this crate.
pub use {arrow_array, arrow_schema};
