//! `cargo xtask release`: checks and builds a release on a machine without secrets.
//!
//! The command checks `release.toml` and other files for missing values and contradictions. With options, it prints
//! release notes, copies the data of `release.toml` into other files, or runs the builds. Publishing and other steps
//! with secrets are in `.github/workflows/release.yml`.

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

/// Builds of a release that need no secrets. Each entry is a title and a command.
const BUILDS: &[(&str, &[&str])] = &[
    ("Each crate builds from its package", &[".ci/packages"]),
    ("Archive of the command line program for this machine", &[".ci/archive"]),
    ("Wheel and source distribution install in clean environments", &[".ci/wheels"]),
];

/// Result of the release checks.
pub struct Findings {
    /// Values in `release.toml` that the owner must fill in before a release. Each string contains the name and the
    /// comment of a value.
    pub missing: Vec<String>,
    /// GitHub Actions that the workflows pin by a tag or branch instead of a commit.
    pub tagged: Vec<String>,
    /// Contradictions between files of the repository, such as different version numbers. Also contains relative links
    /// in READMEs, because a package registry cannot show their targets. A release must not start before this list is
    /// empty.
    pub wrong: Vec<String>,
}

/// Checks the repository at `root` for a release. Builds nothing.
pub fn check(root: &Path) -> Result<Findings> {
    let mut wrong = versions::contradictions(root)?;
    wrong.extend(readmes::relative_links(root)?);
    Ok(Findings { missing: facts::missing(root)?, tagged: workflows::tagged_actions(root)?, wrong })
}

/// Runs the builds of a release one by one. Returns an error at the first failure.
pub fn build(root: &Path) -> Result<()> {
    for (name, command) in BUILDS {
        println!("\n== {name}");
        let status =
            Command::new(root.join(command[0])).args(&command[1..]).current_dir(root).status();
        let succeeded = status.is_ok_and(|status| status.success());
        if !succeeded {
            return Err(Fault::usage(
                command[0],
                format!("the build failed: {name}"),
                "see the output above",
            ));
        }
    }
    Ok(())
}

impl Findings {
    /// Formats the result of the release checks for a terminal.
    pub fn report(&self) -> String {
        let sections = [
            ("Missing values, which must be added to release.toml", &self.missing),
            ("GitHub Actions that must be pinned to a commit, not a tag or branch", &self.tagged),
            ("Contradictions and relative links", &self.wrong),
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

/// Reads a text file of the repository.
fn read(root: &Path, name: &str) -> Result<String> {
    let path = root.join(name);
    std::fs::read_to_string(&path)
        .map_err(|error| Fault::file(&path, error.to_string(), "a release needs this file"))
}
