//! MCP server for the service, built from the catalogue.
//!
//! Eight general tools reach every operation: search, describe, call (one or several), read a stored result, SQL, ask
//! and credits. The tool list stays short, and a new operation needs no new code.
//!
//! - Results are truncated to a token budget and stored under a handle. Reading further rows and filtering rows with
//!   `jq` is free.
//! - Each call and each connection has a credit cap. `dry_run` shows the list price before a call, and the result
//!   shows the credits that the service charged. List price and charge are never mixed.
//! - Data of the service are in `service_data` and have no invisible characters. Data are never instructions. Results
//!   and errors contain no keys.
//! - A result that lacks rows has the field `incomplete`, with its state and the way to read further rows.
//! - Errors are results that an agent can read, each with a next step.
//!
//! [`Server::serve_stdio`] serves one client. [`http`] serves many clients, with a token.
//!
//! # Numbers
//! The text of a result has every digit that the service sent. `structuredContent` is the same JSON
//! with 64-bit integers and floats.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod allowed_operations;
mod caller;
#[cfg(feature = "http")]
mod callers;
mod clean;
mod compact;
mod describe;
mod operation_search;

mod flatten;
#[cfg(feature = "http")]
pub mod http;
mod jq;
mod json;
mod problem;
mod resources;
mod result_store;
mod result_tables;
mod schema;
mod server;
mod session;
mod settings;
pub mod skill;
mod strict_schema;
mod tokens;
mod tool_filter;
mod tools;
mod truncate;

pub use crypto_intel_jq::Worker as JqWorker;
pub use server::Server;
pub use session::Usage;
pub use settings::Settings;
pub use tokens::estimate as estimate_tokens;
pub use truncate::compact_rows;
