//! Compiles the workspace with the files of an adoption, in a copy, before the tree changes.
//!
//! In: the root and the files to write. Out: compile errors by file and line. The copy has its own target folder:
//! Cargo names artifacts by the path below the workspace's root, and would otherwise mix artifacts of the copy and of
//! the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::tree::Files;

/// Folder of the copy, below the root.
const COPY: &str = ".adopt/trial";

/// Target folder of the copy, below the target folder.
const TARGET: &str = "adopt";

/// One error of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompileError {
    /// File and line, such as `crates/client/src/a.rs:12`.
    pub place: String,
    pub message: String,
}

/// Compiles all targets of the workspace with `files` in place. The result is empty if all of them compile.
pub(super) fn compile(root: &Path, files: &Files) -> Result<Vec<CompileError>> {
    let copy = root.join(COPY);
    lay_out(root, &copy, files).map_err(|error| {
        Fault::file(&copy, error.to_string(), "check the space on the disk, or use `--no-check`")
    })?;

    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = if target.is_absolute() { target } else { root.join(target) };
    let done = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "check",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--quiet",
            "--message-format",
            "json",
        ])
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", target.join(TARGET))
        .output()
        .map_err(|error| {
            Fault::file(&copy, format!("cargo does not run: {error}"), "use `--no-check`")
        })?;

    let errors = errors(&String::from_utf8_lossy(&done.stdout), &copy);
    if errors.is_empty() && !done.status.success() {
        let reason = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(Fault::file(
            &copy,
            format!("cargo check failed: {reason}"),
            "use `--no-check` to go on without it",
        ));
    }
    Ok(errors)
}

/// Copies the files that git tracks or would track, and adds the new ones.
fn lay_out(root: &Path, copy: &Path, files: &Files) -> std::io::Result<()> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()?;
    if !listed.status.success() {
        return Err(std::io::Error::other(String::from_utf8_lossy(&listed.stderr).into_owned()));
    }

    for path in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|path| !path.is_empty())
    {
        let from = root.join(path);
        if from.is_file() {
            let to = copy.join(path);
            fs::create_dir_all(to.parent().unwrap_or(copy))?;
            fs::copy(from, to)?;
        }
    }
    for (path, text) in files {
        let to = copy.join(path);
        match text {
            Some(text) => {
                fs::create_dir_all(to.parent().unwrap_or(copy))?;
                fs::write(to, text)?;
            }
            None if to.exists() => fs::remove_file(to)?,
            None => {}
        }
    }
    Ok(())
}

/// Compile errors in the messages of cargo, without repetitions.
fn errors(messages: &str, copy: &Path) -> Vec<CompileError> {
    let mut errors = BTreeSet::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let message = &message["message"];
        let spans = message["spans"].as_array().into_iter().flatten();
        let Some(span) = spans.into_iter().find(|span| span["is_primary"] == true) else {
            continue;
        };
        if message["level"] == "error" {
            let file = span["file_name"].as_str().unwrap_or_default();
            let file = file.strip_prefix(&format!("{}/", copy.display())).unwrap_or(file);
            errors.insert(CompileError {
                place: format!("{file}:{}", span["line_start"]),
                message: message["message"].as_str().unwrap_or_default().to_owned(),
            });
        }
    }
    errors.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_once_with_file_and_line() {
        let error = r#"{"reason":"compiler-message","message":{"level":"error","message":"no field `a`","spans":[{"is_primary":false,"file_name":"x","line_start":1},{"is_primary":true,"file_name":"crates/client/src/a.rs","line_start":7}]}}"#;
        let warning = error.replace("\"level\":\"error\"", "\"level\":\"warning\"");
        let summary = r#"{"reason":"compiler-message","message":{"level":"error","message":"aborting","spans":[]}}"#;
        let messages = [error, error, &warning, summary, "no JSON"].join("\n");
        let found = errors(&messages, Path::new("/copy"));
        let expected = CompileError {
            place: "crates/client/src/a.rs:7".to_owned(),
            message: "no field `a`".to_owned(),
        };
        assert_eq!(found, [expected]);
    }
}
