//! MCP server for the service. Its tools are built from the catalogue of operations.
//!
//! Eight general tools reach every operation that reads data. They search operations, describe an operation, call one
//! or several operations, read a stored result, run SQL, ask a question, and show credits. The tool list therefore
//! stays short, and a new operation needs no new code.
//!
//! - The server truncates a result to a token budget, and stores the full result under a handle. With the handle, an
//!   agent can read further stored rows or filter rows with `jq`, free of charge.
//! - The credits of each call and of each connection are limited. `dry_run` shows the list price before a call, and the
//!   result shows the credits that the service charged. List price and charge are always separate fields.
//! - Data of the service are in fields with names that begin with `service_data`. These data contain no invisible
//!   characters. The server instructs agents never to treat data as instructions. Results and errors contain no API
//!   keys.
//! - An incomplete result has the field `incomplete`, which contains the reason and explains how to read further rows.
//! - An error is a tool result with `isError`, so that the agent can read it. The error suggests a next step.
//!
//! [`Server::serve_stdio`] serves one client. [`http`] serves many clients, which must send a bearer token.
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
