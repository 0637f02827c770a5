//! The service for agents: an MCP server built from the catalogue.
//!
//! A few tools reach every operation, so that the list of tools is small and a new operation needs
//! no new code: find, describe, call (one or several side by side), read on, SQL, ask, credits.
//!
//! - Results are cut to a budget of tokens and kept under a handle; reading on and filtering with `jq` on the server's
//!   side cost nothing.
//! - Credits have a cap for a call and one for a connection. What a call costs by the list is told before
//!   (`dry_run`), what the service charged after it; the two are never mixed.
//! - Whatever comes from the service stands under `service_data`, is data and never an instruction, and has no
//!   invisible characters. Keys never appear: results do not hold them, and errors passed the client's
//!   mask.
//! - Errors are results that an agent can read, each with the next step.
//!
//! [`Server::serve_stdio`] serves one client; [`http`] serves many, with a token.
//!
//! # Numbers
//! The text of a result has every digit that the service sent. `structuredContent` is the same as
//! plain JSON, whose numbers are 64-bit integers and floats.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod clean;
mod describe;
mod operation_search;

#[cfg(feature = "http")]
pub mod http;
mod jq;
mod problem;
mod progress;
mod resources;
mod result_store;
mod schema;
mod server;
mod session;
mod settings;
pub mod skill;
mod tokens;
mod tools;
mod truncate;

pub use crypto_intel_jq::Worker as JqWorker;
pub use operation_search::search;
pub use server::Server;
pub use session::Usage;
pub use settings::Settings;
pub use tokens::estimate as estimate_tokens;
