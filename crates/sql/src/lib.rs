//! An in-memory SQL engine with the dialect of ClickHouse. The user of the crate supplies the tables by implementing
//! the traits [`Database`] and [`Table`].
//!
//! A query has three steps. [`Parsed`] parses the text. [`Prepared`] resolves table and column names in a [`Database`].
//! [`Prepared::run`] runs the query within [`Limits`]. A [`Control`] reports the progress of the query and can stop it.
//! The engine either returns the same result as ClickHouse, or rejects the query. Where ClickHouse only estimates a
//! result, as in `uniq`, the engine computes the exact result or rejects the query.
//!
//! A query can have 1,000 operators, and recursive functions process them. Run untrusted queries on a thread with a
//! stack of 32 MiB: a smaller stack can overflow, which ends the program.
//!
//! ```
//! use std::sync::Arc;
//! use crypto_intel_sql::{Control, Empty, Limits, Parsed, Prepared};
//!
//! let query = Parsed::read("SELECT number % 2 AS odd, count() FROM numbers(5) GROUP BY odd ORDER BY odd")?;
//! let prepared = Prepared::new(&query, Arc::new(Empty), 1_780_000_000)?;
//! let outcome = prepared.run(&Limits::default(), &Control::default())?;
//! assert_eq!(outcome.json(), r#"[{"odd":0,"count()":3},{"odd":1,"count()":2}]"#);
//! # Ok::<(), crypto_intel_sql::Problem>(())
//! ```
#![warn(missing_docs)]

mod aggregates;
mod ast;
mod basic_time;
mod best_effort;
mod demand;
mod eval;
mod functions;
mod json_table;
mod lex;
mod names;
mod node;
mod outcome;
mod parse;
mod problem;
mod quote;
mod resolve;
mod run;
mod running;
mod table;
mod text;
mod time;
mod types;
mod value;

pub use json_table::JsonTable;
pub use outcome::Outcome;
pub use parse::Parsed;
pub use problem::Problem;
pub use quote::{identifier, literal};
pub use resolve::prepared::{Breach, Prepared, Use};
pub use running::{Control, Limits};
pub use table::{Column, Database, Empty, Sink, Span, Table, Window};
pub use types::{Partial, Type, Unit, Zone};
pub use value::{List, Value};
