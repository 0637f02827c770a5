//! The generated client: a request for each operation of the service, the records they answer
//! with, and the [catalogue](generated::catalogue) of operations.
//!
//! Everything in [`generated`] is written by the generator, this file is not. What it can not do
//! is send: a [`Transport`](crypto_intel_core::Transport) does that, and the `crypto-intel` crate
//! has one.
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
    /// An API whose requests go through `handle`.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        Api { handle }
    }

    /// A call of this operation, without any parameters. The generated methods use it.
    #[allow(dead_code, reason = "the crate can be compiled without any domain")]
    pub(crate) fn call(&self, operation: &'static Operation) -> Call {
        self.handle.call(operation)
    }
}
