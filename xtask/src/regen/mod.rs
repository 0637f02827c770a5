//! `cargo xtask regen`: generates the client's code from OpenAPI documents.
//!
//! The modules work in this order: `paths` → `inputs` (reads files) → `pipeline` (all steps, in memory) → `repository`
//! or `scratch_crate` (assigns file names) → `write` (writes files). `manifest` updates the Cargo features of two
//! crates.

mod inputs;
mod manifest;
mod paths;
mod pipeline;
mod repository;
mod scratch_crate;
mod write;

pub use inputs::{Inputs, model_in_memory, plain, published, run, run_in_memory};
pub use paths::{DESCRIPTIONS, OVERLAY, UNPUBLISHED, root};
pub use pipeline::Output;
pub use repository::{Made, made, made_at};
pub use scratch_crate::{check_folder, crate_files};
pub use write::{stale, write};
