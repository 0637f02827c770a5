//! MCP server for the service. Its tools are built from the catalogue of operations.
//!
//! Eight general tools reach every operation: search, describe, call (one or several), read a stored result, SQL, ask
//! and credits. The tool list stays short, and a new operation needs no new code.
//!
//! - Results are truncated to a token budget and stored under a handle. Reading further rows and filtering rows with
//!   `jq` is free.
//! - Each call and each connection has a credit cap. `dry_run` shows the list price before a call, and the result shows
//!   the credits that the service charged. List price and charge are always separate fields.
//! - Data of the service are in fields whose names begin with `service_data`, and have no invisible characters. The
//!   server instructs agents never to treat data as instructions. Results and errors contain no keys.
//! - A result that lacks rows has the field `incomplete`, with the reason and the way to read further rows.
//! - An error is a result with `isError` that an agent can read. It suggests a next step.
//!
//! [`Server::serve_stdio`] serves one client. [`http`] serves many clients, which need a token.
//!
//! # Numbers
//! The text of a result contains every digit that the service sent. `structuredContent` contains the same JSON, but its
//! numbers are 64-bit integers and floats.
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
