//! Paths of the files that a run reads.

use std::path::{Path, PathBuf};

/// Path of the description of operations that no published description contains.
pub const UNPUBLISHED: &str = "spec/unpublished.openapi.json";
/// Paths of the descriptions of the repository, relative to its root. If two of them describe the same operation or
/// record, the first one counts, so a published description outranks the unpublished operations.
pub const DESCRIPTIONS: &[&str] =
    &["spec/data.openapi.json", "spec/chat.openapi.yaml", UNPUBLISHED];
/// Path of the overlay of the repository, relative to its root.
pub const OVERLAY: &str = "spec/overlay.yaml";

/// Returns the root of the repository that contains the current folder. Outside of a repository, returns the
/// repository in which this program was compiled.
pub fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let is_root = |dir: &&Path| dir.join(OVERLAY).is_file() && dir.join("xtask/src").is_dir();
    let compiled = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    here.ancestors().find(is_root).unwrap_or_else(compiled).to_owned()
}
