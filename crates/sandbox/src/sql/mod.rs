//! The SQL operations.
//!
//! The engine is a crate of its own, which knows nothing of the world. Here are the tables that it
//! reads (`tables`, `world`), the service's limits (`plan`, `settings`), jobs, and HTTP. A query has
//! a thread of its own, so that none holds up requests, and is stopped when its time is over, when
//! whoever asked is gone, or when the sandbox stops.
//!
//! All but the settings, the names and the refusals is behind the feature `sql`; without it every
//! SQL operation answers 501.

#[cfg(not(feature = "sql"))]
mod absent;
mod form;
#[cfg(feature = "sql")]
mod jobs;
#[cfg(feature = "sql")]
mod plan;
#[cfg(feature = "sql")]
mod refused;
mod rejection;
#[cfg(feature = "sql")]
mod service;
mod settings;
#[cfg(feature = "sql")]
mod structured;
#[cfg(feature = "sql")]
mod tables;
#[cfg(feature = "sql")]
mod thread;
#[cfg(feature = "sql")]
mod world;

use crypto_intel_core::Operation;

#[cfg(not(feature = "sql"))]
pub(crate) use absent::Sql;
#[cfg(all(feature = "page", not(feature = "sql")))]
pub(crate) use absent::tables_shown;
pub(crate) use form::Form;
pub(crate) use rejection::{Rejection, rejected};
#[cfg(feature = "sql")]
pub(crate) use service::Sql;
pub(crate) use settings::Settings;
#[cfg(all(feature = "page", feature = "sql"))]
pub(crate) use tables::tables_shown;

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
