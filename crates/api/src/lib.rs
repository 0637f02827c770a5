//! Generated client code: request types for each operation of the service, record types for the responses, and the
//! [catalogue](generated::catalogue) of operations.
//!
//! The generator writes everything in [`generated`], but not this file. This crate cannot send requests: a
//! [`Transport`](crypto_intel_core::Transport) sends them, and the `crypto-intel` crate contains one.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
pub mod generated;

/// OpenAPI 3.0.3 document, as JSON, of all operations and records, including unpublished ones. Extensions contain the
/// prices in credits (`x-credits`), the paging (`x-paging`), the rules for combinations of parameters (`x-identifiers`)
/// and the provenance (`x-provenance`).
#[cfg(feature = "openapi")]
pub const OPENAPI: &str = include_str!("generated/openapi.json");

use crypto_intel_core::{Call, Handle, Operation};

/// Entry point for requests. Each operation has a method, whose arguments are the required parameters. The method
/// returns a request with a setter for each optional parameter. Awaiting the request sends it.
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

    /// Creates a call of `operation` without arguments. The generated methods then set the arguments.
    #[allow(dead_code, reason = "the crate can be compiled without any domain")]
    pub(crate) fn call(&self, operation: &'static Operation) -> Call {
        self.handle.call(operation)
    }
}
