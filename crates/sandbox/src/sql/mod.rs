//! The SQL operations.
//!
//! The engine is a separate crate without knowledge of the world. This module contains its tables (`tables`,
//! `world`), the limits of the service (`plan`, `settings`), jobs, and HTTP. Each query has its own thread, so that
//! it does not delay other requests. It stops at its time limit, when its caller disconnects, or when the sandbox
//! stops.
//!
//! Everything except settings, names and errors is behind the feature `sql`. Without it every SQL
//! operation returns 501.

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

/// Reads the format of a job's rows from `format=csv`, and returns also the rest of the query string. The description
/// has no such parameter; it is part of `csv_url`.
pub(crate) fn form_of<'a>(operation: &Operation, query: &'a str) -> (Form, &'a str) {
    match (operation.id, query) {
        ("onchain-sql-job-results", "format=csv") => (Form::Csv, ""),
        ("onchain-sql-job-results", "format=json") => (Form::Json, ""),
        _ => (Form::Json, query),
    }
}

/// Returns true for a SQL operation.
pub(crate) fn is_sql(operation: &Operation) -> bool {
    let path = operation.path.strip_prefix("/gateway/v1/onchain/").unwrap_or_default();
    matches!(path.split('/').next(), Some("sql" | "query" | "schema"))
}
