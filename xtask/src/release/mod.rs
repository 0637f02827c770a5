//! Checks and builds a release without secrets: `cargo xtask release`.
//!
//! Input: the files of the repository. Output: a list of missing values in `release.toml` and of faults, the release
//! notes of a version, or manifests with the owner's data filled in. `.github/workflows/release.yml` runs the same
//! scripts with secrets.

mod facts;
mod notes;
mod readmes;
mod versions;
mod workflows;

use std::path::Path;
use std::process::Command;

pub use facts::fill;
pub use notes::notes;

use crate::fault::{Fault, Result};

/// Builds that a machine without secrets can run, each with the script that runs it.
const BUILDS: &[(&str, &[&str])] = &[
    ("Each crate builds from its package", &[".ci/packages"]),
    ("Archive of the command line for this machine", &[".ci/archive"]),
    ("Wheel and source distribution install in clean environments", &[".ci/wheels"]),
];

/// Result of the checks.
pub struct Findings {
    /// Names of the values in `release.toml` that the owner must fill in before a release.
    pub missing: Vec<String>,
    /// Actions that are pinned by a tag because their commit was not confirmed.
    pub tagged: Vec<String>,
    /// Contradictions in the repository. A release must not start with one of them.
    pub wrong: Vec<String>,
}

/// Checks the repository at `root` without building anything.
pub fn check(root: &Path) -> Result<Findings> {
    let mut wrong = versions::contradictions(root)?;
    wrong.extend(readmes::relative_links(root)?);
    Ok(Findings { missing: facts::missing(root)?, tagged: workflows::tagged_actions(root)?, wrong })
}

/// Runs the builds of a release and stops at the first failure.
pub fn build(root: &Path) -> Result<()> {
    for (name, command) in BUILDS {
        println!("\n== {name}");
        let status =
            Command::new(root.join(command[0])).args(&command[1..]).current_dir(root).status();
        let succeeded = status.is_ok_and(|status| status.success());
        if !succeeded {
            return Err(Fault::usage(
                command[0],
                format!("failed: {name}"),
                "see its output above",
            ));
        }
    }
    Ok(())
}

impl Findings {
    /// Formats the findings as text for a terminal.
    pub fn report(&self) -> String {
        let sections = [
            ("Missing values: write them into release.toml", &self.missing),
            ("Actions pinned by a tag: confirm their commits", &self.tagged),
            ("Contradictions", &self.wrong),
        ];
        let mut text = String::new();
        for (title, lines) in sections {
            text += &format!("{title}: {}\n", lines.len());
            for line in lines {
                text += &format!("  - {line}\n");
            }
        }
        text
    }
}

/// Reads a file of the repository.
fn read(root: &Path, name: &str) -> Result<String> {
    let path = root.join(name);
    std::fs::read_to_string(&path)
        .map_err(|error| Fault::file(&path, error.to_string(), "a release needs this file"))
}
