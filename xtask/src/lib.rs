//! Development commands: the generator, its measurements, and the checks of a release.
//!
//! Data flows in one direction: `load` → `passes` → `types` (typify) → `read` (into the `model`) → `check` → `emit` →
//! `regen` (write or compare). Every step except the first and the last is a pure function. No description causes a
//! panic: an invalid part is a [`fault::Fault`] with its JSON pointer and a hint, and one run reports all of them.

pub mod adopt;
pub mod arguments;
pub mod assumptions;
pub mod bench;
pub mod check;
mod closest;
pub mod corpus;
pub mod decisions;
pub mod diff;
pub mod emit;
pub mod facts;
pub mod fault;
mod graph;
pub mod load;
pub mod lock;
pub mod model;
pub mod names;
pub mod origin;
pub mod overlay_findings;
pub mod passes;
pub mod progenitor;
pub mod read;
pub mod regen;
pub mod release;
pub mod report;
pub mod schemas;
pub mod stale_output;
pub mod tree;
pub mod types;
mod unique_names;
mod yaml;
