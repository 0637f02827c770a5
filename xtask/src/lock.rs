//! `spec/spec.lock`: hashes of the generator's inputs and outputs. `cargo xtask regen --check` uses these hashes to
//! report why generated files are out of date.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fault::{Fault, Result};
use crate::read::text;
use crate::{emit, load};

/// Path of the lock file, relative to the root of the repository.
pub const LOCK: &str = "spec/spec.lock";

/// Crates whose versions affect the generated code.
const LIBRARIES: &[&str] = &["heck", "prettyplease", "typify-impl"];

const HEAD: &str = "\
# Written by `cargo xtask regen`: hashes of the OpenAPI documents, the overlay, the generator and the generated files.
# `cargo xtask regen --check` uses them to explain differences. Do not edit.
";

/// Contents of the lock file: versions and hashes of one run of the generator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    pub descriptions: Vec<Source>,
    pub overlay: Source,
    /// Versions of the crates that affect the generated code, by crate name. The key `xtask` has the hash of the Rust
    /// files in `xtask/src` instead of a version.
    pub generator: BTreeMap<String, String>,
    /// Hash of each generated file. The hash of a `Cargo.toml` covers only its generated lines.
    pub files: BTreeMap<String, String>,
}

/// An input file of the generator: an OpenAPI document or the overlay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Path of the input file, relative to the root of the repository.
    pub source: String,
    /// Version in the OpenAPI document. The text is empty for the overlay.
    pub version: String,
    pub sha256: String,
}

impl Lock {
    /// Creates the lock of a run of the generator. `generator_root` is the repository that contains the generator's
    /// source code.
    pub fn new(
        descriptions: Vec<Source>,
        overlay: Source,
        generator_root: &Path,
        made: &BTreeMap<PathBuf, String>,
    ) -> Result<Self> {
        let files = made.iter().map(|(path, text)| (slashes(path), hash(path, text))).collect();
        Ok(Lock { descriptions, overlay, generator: generator(generator_root)?, files })
    }

    /// Reads the lock file below the folder `base`. Returns `None` if the file is missing or invalid.
    #[must_use]
    pub fn read(base: &Path) -> Option<Self> {
        Self::parse(&load::document(&base.join(LOCK)).ok()?)
    }

    /// Parses the text of a lock file. Returns `None` if it is invalid.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::parse(&load::parse(text).ok()?)
    }

    fn parse(document: &Value) -> Option<Self> {
        let source = |node: &Value| Source {
            source: text(node, "source"),
            version: text(node, "version"),
            sha256: text(node, "sha256"),
        };
        let texts = |member: &str| -> Option<BTreeMap<String, String>> {
            let members = document.get(member)?.as_object()?.iter();
            members.map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
        };
        Some(Lock {
            descriptions: document.get("descriptions")?.as_array()?.iter().map(source).collect(),
            overlay: source(document.get("overlay")?),
            generator: texts("generator")?,
            files: texts("files")?,
        })
    }

    /// Returns the lock to write. `known` is the existing lock. If `self` and `known` list equal input files and equal
    /// output files, the generator's versions and hash are copied from `known`. So the lock file stays unchanged if a
    /// changed generator still generates the same files.
    #[must_use]
    pub fn after(mut self, known: Option<Lock>) -> Self {
        if let Some(known) = known {
            let same = self.descriptions == known.descriptions
                && self.overlay == known.overlay
                && self.files == known.files;
            if same {
                self.generator = known.generator;
            }
        }
        self
    }

    /// Formats the text of the lock file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let mut lines = vec![format!("{HEAD}descriptions:")];
        for description in &self.descriptions {
            lines.push(format!("  - source: {}", quoted(&description.source)));
            lines.push(format!("    version: {}", quoted(&description.version)));
            lines.push(format!("    sha256: {}", quoted(&description.sha256)));
        }
        lines.push("overlay:".to_owned());
        lines.push(format!("  source: {}", quoted(&self.overlay.source)));
        lines.push(format!("  sha256: {}", quoted(&self.overlay.sha256)));
        for (name, members) in [("generator", &self.generator), ("files", &self.files)] {
            lines.push(format!("{name}:"));
            let members = members.iter();
            lines.extend(
                members.map(|(name, value)| format!("  {}: {}", quoted(name), quoted(value))),
            );
        }
        lines.join("\n") + "\n"
    }
}

impl Source {
    /// Creates the entry of an input file: its path, its version and the SHA-256 hash of its text.
    #[must_use]
    pub fn new(path: &Path, version: &str, text: &str) -> Self {
        Source {
            source: slashes(path),
            version: version.to_owned(),
            sha256: hex(&Sha256::digest(text)),
        }
    }
}

/// Returns the SHA-256 hash of a generated file. The hash of a `Cargo.toml` covers only its generated lines.
#[must_use]
pub fn hash(path: &Path, text: &str) -> String {
    let part = if path.ends_with("Cargo.toml") { generated_lines(text) } else { text };
    hex(&Sha256::digest(part.as_bytes()))
}

/// Returns the lines of a `Cargo.toml` between the markers of the generated part.
fn generated_lines(manifest: &str) -> &str {
    let rest = manifest.split_once(emit::FEATURES_BEGIN).map_or(manifest, |(_, rest)| rest);
    rest.split_once(emit::FEATURES_END).map_or(rest, |(lines, _)| lines)
}

fn generator(root: &Path) -> Result<BTreeMap<String, String>> {
    let lock = root.join("Cargo.lock");
    let text = fs::read_to_string(&lock).map_err(|error| unreadable(&lock, &error))?;
    let version = |name: &str| {
        let (_, rest) = text.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let mut generator: BTreeMap<String, String> =
        LIBRARIES.iter().filter_map(|name| Some(((*name).to_owned(), version(name)?))).collect();

    let folder = root.join("xtask/src");
    let mut sources = BTreeMap::new();
    collect(&folder, &mut sources).map_err(|error| unreadable(&folder, &error))?;
    let mut sum = Sha256::new();
    for (path, bytes) in &sources {
        sum.update(slashes(path.strip_prefix(root).unwrap_or(path)));
        sum.update([0]);
        sum.update(Sha256::digest(bytes));
    }
    generator.insert("xtask".to_owned(), hex(&sum.finalize()));
    Ok(generator)
}

/// Adds all Rust source files below a folder to `sources`. The key is the path, and the value the content.
fn collect(folder: &Path, sources: &mut BTreeMap<PathBuf, Vec<u8>>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(path.clone(), fs::read(&path)?);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::file(path, error.to_string(), "run the command inside the repository")
}

/// Formats a path with `/` as separator, also on Windows.
pub(crate) fn slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        let source = |source: &str, version: &str| Source {
            source: source.to_owned(),
            version: version.to_owned(),
            sha256: "00ff".to_owned(),
        };
        let texts = |name: &str| BTreeMap::from([(name.to_owned(), "1.0".to_owned())]);
        Lock {
            descriptions: vec![source("spec/a.json", "1: \"2\" # 3"), source("b.yaml", "")],
            overlay: source("spec/o.yaml", ""),
            generator: texts("xtask"),
            files: texts("a: b/c.rs"),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(Lock::from_text(&lock().to_text()), Some(lock()));
        assert_eq!(Lock::from_text("descriptions: []"), None);
        assert_eq!(Lock::from_text("<<<<<<< HEAD"), None);
    }

    #[test]
    fn a_generator_that_changes_nothing_is_not_noted() {
        let newer = Lock { generator: BTreeMap::new(), ..lock() };
        assert_eq!(newer.clone().after(Some(lock())), lock());
        assert_eq!(newer.clone().after(None), newer);
        let other = Lock { files: BTreeMap::new(), ..newer };
        assert_eq!(other.clone().after(Some(lock())), other);
    }

    #[test]
    fn of_a_manifest_only_the_generated_lines_count() {
        let manifest = |name: &str, feature: &str| {
            format!("{name}\n{}\n{feature}\n{}\nend", emit::FEATURES_BEGIN, emit::FEATURES_END)
        };
        let of = |text: String| hash(Path::new("a/Cargo.toml"), &text);
        assert_eq!(of(manifest("a", "f")), of(manifest("b", "f")));
        assert_ne!(of(manifest("a", "f")), of(manifest("a", "g")));
        assert_ne!(hash(Path::new("a.rs"), "a"), hash(Path::new("a.rs"), "b"));
    }
}
