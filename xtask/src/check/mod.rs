//! Rejects OpenAPI documents with contradictions that the generator cannot resolve, and checks that all generated names
//! are valid in Rust.

mod names;
mod schemas;
mod shape;

pub use names::names;
pub(crate) use names::{CLIENT_MODULES, MODULES};
pub use schemas::{is_reserved, schemas};
pub use shape::{outline, shape};
