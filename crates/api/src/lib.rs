//! The generated client: a request for each operation of the service, the records in the responses, and the
//! [catalogue](generated::catalogue) of operations.
//!
//! The generator writes everything in [`generated`], but not this file. This crate cannot send requests: a
//! [`Transport`](crypto_intel_core::Transport) sends them, and the `crypto-intel` crate contains one.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
pub mod generated;

/// The description of all operations and records, published and not, as OpenAPI 3.0.3 in JSON. Prices in credits
/// (`x-credits`), paging (`x-paging`), rules over parameters (`x-identifiers`) and provenance (`x-provenance`) are
/// extensions.
#[cfg(feature = "openapi")]
pub const OPENAPI: &str = include_str!("generated/openapi.json");

use crypto_intel_core::{Call, Handle, Operation};

/// Starts requests. Every operation is a method: required parameters are its arguments, the
/// others are setters of the request it returns, and awaiting the request sends it.
#[derive(Debug, Clone)]
pub struct Api {
    handle: Handle,
}

impl Api {
    /// Creates an API whose requests are sent through `handle`.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        Api { handle }
    }

    /// Creates a call of this operation, without any parameters. The generated methods use this function.
    #[allow(dead_code, reason = "the crate can be compiled without any domain")]
    pub(crate) fn call(&self, operation: &'static Operation) -> Call {
        self.handle.call(operation)
    }
}
