//! Development commands of this repository: the code generator, its benchmarks, and the checks of a release.
//!
//! The generator works in steps: `load` → `passes` → `types` (typify) → `read` (builds the `model`) → `check` → `emit`
//! → `regen` (writes or compares files). All steps except the first and the last are pure functions. An invalid OpenAPI
//! document never causes a panic. Each error is a [`fault::Fault`] with a JSON pointer and a hint, and one run reports
//! all errors.

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
