//! Rejects descriptions with contradictions that no rule can resolve, and checks that the generated code is valid
//! Rust.

mod names;
mod schemas;
mod shape;

pub use names::names;
pub(crate) use names::{CLIENT_MODULES, MODULES};
pub use schemas::{is_reserved, schemas};
pub use shape::{outline, shape};
