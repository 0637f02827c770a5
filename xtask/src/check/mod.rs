//! Refuses what no rule can settle, and holds what is about to be written to the rules of Rust.

mod names;
mod schemas;
mod shape;

pub use names::names;
pub(crate) use names::{CLIENT_MODULES, MODULES};
pub use schemas::{is_reserved, schemas};
pub use shape::{outline, shape};
