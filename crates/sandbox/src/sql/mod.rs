//! The SQL operations.
//!
//! A query is parsed (`parse`), compiled to the engine's own SQL (`compile`), and run on an engine
//! that lives in memory for this one query (`run`), over tables that are made for it (`tables`).
//! It has a thread of its own, so that no query holds up requests, and is stopped when its time is
//! over, when whoever asked is gone, or when the sandbox stops.
//!
//! All but the settings, the names and the refusals is behind the feature `sql`; without it every
//! SQL operation answers 501.

#[cfg(not(feature = "sql"))]
mod absent;
#[cfg(feature = "sql")]
mod compile;
#[cfg(feature = "sql")]
mod functions;
#[cfg(feature = "sql")]
mod jobs;
#[cfg(feature = "sql")]
mod parse;
#[cfg(feature = "sql")]
mod plan;
#[cfg(feature = "sql")]
mod problem;
mod rejection;
#[cfg(feature = "sql")]
mod rows;
#[cfg(feature = "sql")]
mod run;
#[cfg(feature = "sql")]
mod service;
mod settings;
#[cfg(feature = "sql")]
mod structured;
#[cfg(feature = "sql")]
mod tables;

use crypto_intel_core::Operation;

#[cfg(not(feature = "sql"))]
pub(crate) use absent::Sql;
pub(crate) use rejection::{Rejection, rejected};
#[cfg(feature = "sql")]
pub(crate) use service::Sql;
pub(crate) use settings::Settings;

/// How the rows of a job are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Csv,
}

/// The form that the address of a job's rows asks for with `format=csv`, and the rest of the
/// query string. The description has no such parameter: it is what `csv_url` adds.
pub(crate) fn form_of<'a>(operation: &Operation, query: &'a str) -> (Form, &'a str) {
    match (operation.id, query) {
        ("onchain-sql-job-results", "format=csv") => (Form::Csv, ""),
        ("onchain-sql-job-results", "format=json") => (Form::Json, ""),
        _ => (Form::Json, query),
    }
}

/// Whether `operation` is one of SQL.
pub(crate) fn is_sql(operation: &Operation) -> bool {
    let path = operation.path.strip_prefix("/gateway/v1/onchain/").unwrap_or_default();
    matches!(path.split('/').next(), Some("sql" | "query" | "schema"))
}
