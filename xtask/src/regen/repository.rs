//! Generates the files of this repository: source code, reference pages, Cargo features and the lock file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::manifest::with_features;
use super::paths::root;
use crate::emit::{self, reference};
use crate::fault::{Fault, Faults, Result};
use crate::lock::{LOCK, Lock, Source};
use crate::overlay_findings::Finding;

/// All generated files of the repository, in memory.
pub struct Made {
    /// Contents of the generated files. The key is the path relative to the root of the repository.
    pub files: BTreeMap<PathBuf, String>,
    /// Problems with overlay actions, such as a target that matches nothing. A maintainer must review these actions.
    pub findings: Vec<Finding>,
}

/// Generates all files of the repository in memory.
pub fn made() -> Result<Made, Faults> {
    let root = root();
    made_at(&root, &root)
}

/// Generates all generated files of the repository at `root` in memory, from its OpenAPI documents, overlay, lock file
/// and `Cargo.toml` files. `generator` is the root of the repository with the generator's source code. The new lock
/// file contains a hash of this source code. If neither the input files nor the generated files have changed, the lock
/// file stays unchanged.
pub fn made_at(root: &Path, generator: &Path) -> Result<Made, Faults> {
    let inputs = Inputs::from_repository(root)?;
    let output = inputs.output()?;
    let mut files = BTreeMap::new();
    for (name, text) in output.sources {
        files.insert(Path::new("crates/api/src/generated").join(name), text);
    }
    files.insert("crates/api/src/generated/REPORT.md".into(), output.report);
    files.insert("crates/api/src/generated/openapi.json".into(), output.openapi);
    files.extend(reference::files(&output.model));
    for (manifest, forward) in
        [("crates/api/Cargo.toml", None), ("crates/client/Cargo.toml", Some("crypto-intel-api"))]
    {
        let path = root.join(manifest);
        let text = fs::read_to_string(&path)
            .map_err(|error| Fault::file(&path, error.to_string(), "the crate needs a manifest"))?;
        let features = emit::features(&output.model, forward);
        files.insert(manifest.into(), with_features(&path, &text, &features)?);
    }

    let lock = lock(&inputs, &output.versions, generator, &files)?.after(Lock::read(root));
    files.insert(LOCK.into(), lock.to_text());
    Ok(Made { files, findings: output.findings })
}

fn lock(
    inputs: &Inputs,
    versions: &[String],
    generator: &Path,
    files: &BTreeMap<PathBuf, String>,
) -> Result<Lock> {
    let descriptions = inputs.descriptions.iter().zip(versions);
    let descriptions =
        descriptions.map(|((path, text), version)| Source::new(path, version, text)).collect();
    let overlay = inputs.overlay.as_ref();
    let overlay = overlay.map(|(path, text)| Source::new(path, "", text)).unwrap_or_default();
    Lock::new(descriptions, overlay, generator, files)
}
