//! Paths of the generator's input files.

use std::path::{Path, PathBuf};

/// Path of our own OpenAPI document, which describes operations that no published document contains. The path is
/// relative to the root of the repository.
pub const UNPUBLISHED: &str = "spec/unpublished.openapi.json";
/// Paths of the OpenAPI documents, relative to the root of the repository. If two documents define the same operation
/// or schema, the definition of the earlier document in this list is used. Our own document is the last one, so
/// published definitions replace our own definitions.
pub const DESCRIPTIONS: &[&str] =
    &["spec/data.openapi.json", "spec/chat.openapi.yaml", UNPUBLISHED];
/// Path of the overlay file, relative to the root of the repository.
pub const OVERLAY: &str = "spec/overlay.yaml";

/// Returns the root of the repository that contains the current folder. If the current folder is not in a repository,
/// returns the root of the repository in which `xtask` was compiled.
pub fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let is_root = |dir: &&Path| dir.join(OVERLAY).is_file() && dir.join("xtask/src").is_dir();
    let compiled = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    here.ancestors().find(is_root).unwrap_or_else(compiled).to_owned()
}
