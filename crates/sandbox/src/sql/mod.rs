//! The SQL operations of the sandbox.
//!
//! The SQL engine is a separate crate that is independent of the sandbox's data. This module contains the tables
//! (`tables`, `world`), the limits of the service (`plan`, `settings`), the SQL jobs (`jobs`) and the HTTP responses.
//!
//! Each query runs on its own thread, so that it does not delay other requests. A query stops at its time limit or when
//! the sandbox stops. A synchronous query also stops when its caller disconnects.
//!
//! Without the feature `sql`, only settings, formats and errors are compiled, and every SQL operation returns status
//! 501.

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
mod saved;
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
pub(crate) use saved::SavedJobs;
#[cfg(feature = "sql")]
pub(crate) use service::Sql;
pub(crate) use settings::Settings;
#[cfg(all(feature = "page", feature = "sql"))]
pub(crate) use tables::tables_shown;

/// Reads the parameter `format` of a request for a job's rows, such as `format=csv`. Returns the format and the
/// remaining query string. The API description does not have this parameter, but the URL in the field `csv_url` of a
/// job contains the parameter.
pub(crate) fn form_of<'a>(operation: &Operation, query: &'a str) -> (Form, &'a str) {
    match (operation.id, query) {
        ("onchain-sql-job-results", "format=csv") => (Form::Csv, ""),
        ("onchain-sql-job-results", "format=json") => (Form::Json, ""),
        _ => (Form::Json, query),
    }
}

/// Returns true if an operation is a SQL operation.
pub(crate) fn is_sql(operation: &Operation) -> bool {
    let path = operation.path.strip_prefix("/gateway/v1/onchain/").unwrap_or_default();
    matches!(path.split('/').next(), Some("sql" | "query" | "schema"))
}
