//! What the generated requests start from. Every crate that the generator writes has a copy.

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

    /// A call of any operation of the catalogue, for programs that choose it at run time.
    pub fn call(&self, operation: &'static Operation) -> Call {
        self.handle.call(operation)
    }
}
