//! Generated client code. It contains a request type for each operation of the service, record types for the responses,
//! and the [catalogue](generated::catalogue) of all operations.
//!
//! Only this source file, `lib.rs`, is written by hand. Sending a request needs a
//! [`Transport`](crypto_intel_core::Transport), such as the one in the `crypto-intel` crate.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
pub mod generated;

/// OpenAPI 3.0.3 document as JSON. It describes all operations and records, including those that the service's own
/// OpenAPI document does not contain. Extension fields of an operation contain further properties:
/// - `x-credits`: the price in credits.
/// - `x-paging`: the kind of paging.
/// - `x-identifiers`: the allowed combinations of parameters.
/// - `x-provenance`: the source of the operation's description, such as `published description`.
#[cfg(feature = "openapi")]
pub const OPENAPI: &str = include_str!("generated/openapi.json");

use crypto_intel_core::{Call, Handle, Operation};

/// Entry point for requests. It has one method per operation. The arguments of the method are the required parameters
/// of the operation. The method returns a request with a setter for each optional parameter. Awaiting the request sends
/// it.
#[derive(Debug, Clone)]
pub struct Api {
    handle: Handle,
}

impl Api {
    /// Creates an `Api` that sends all requests through `handle`.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        Api { handle }
    }

    /// Creates a call of `operation` without arguments. The generated methods then set the arguments.
    #[allow(dead_code, reason = "the function is unused if all domain features are off")]
    pub(crate) fn call(&self, operation: &'static Operation) -> Call {
        self.handle.call(operation)
    }
}
