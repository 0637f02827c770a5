//! Refuses what no rule can settle, and holds what is about to be written to the rules of Rust.

mod names;
mod schemas;
mod shape;

pub(crate) use names::MODULES;
pub use names::names;
pub use schemas::{is_reserved, schemas};
pub use shape::{outline, shape};
