//! Checks that the Python package, the changelog and `server.json` have the version of the Cargo workspace.

use std::path::Path;

use super::{notes, read};
use crate::fault::{Fault, Result};

/// Returns a message for each of the files `python/pyproject.toml`, `server.json` and `CHANGELOG.md` that does not
/// contain the version of the Cargo workspace. In `CHANGELOG.md`, a section "Unreleased" with text can replace the
/// section of the version.
pub(super) fn contradictions(root: &Path) -> Result<Vec<String>> {
    let version = workspace_version(root)?;
    let mut found = Vec::new();
    for (name, line) in [
        ("python/pyproject.toml", format!("version = \"{version}\"")),
        ("server.json", format!("\"version\": \"{version}\"")),
    ] {
        if !read(root, name)?.contains(&line) {
            found.push(format!("{name} has no line `{line}`"));
        }
    }
    if notes(root, &version).is_err() {
        found.push(format!("CHANGELOG.md has no section for version {version}"));
    }
    Ok(found)
}

/// Returns the version of the Cargo workspace from the root `Cargo.toml`.
pub(super) fn workspace_version(root: &Path) -> Result<String> {
    let manifest = read(root, "Cargo.toml")?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    line.and_then(|line| line.strip_suffix('"')).map(str::to_owned).ok_or_else(|| {
        Fault::file(
            &root.join("Cargo.toml"),
            "the workspace has no version",
            "add `version` to [workspace.package]",
        )
    })
}

/// Returns the path of the `Cargo.toml` of each crate in `crates/`, relative to the root of the repository.
pub(super) fn published_manifests(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Fault::file(&folder, error.to_string(), "a release needs this folder"))?;
    let mut manifests: Vec<String> = entries
        .flatten()
        .map(|entry| format!("crates/{}/Cargo.toml", entry.file_name().to_string_lossy()))
        .filter(|name| root.join(name).is_file())
        .collect();
    manifests.sort();
    Ok(manifests)
}
