//! Compiles a copy of the workspace with the files that `cargo xtask adopt` prepared, before the repository changes.
//!
//! The result contains the compile errors with file and line. It also contains the targets that depend on a crate with
//! errors and were therefore not compiled. The copy has its own target folder, so that the copy and the repository do
//! not overwrite each other's build artifacts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::tree::Files;

/// Folder of the copied workspace, relative to the repository root.
const COPY: &str = ".adopt/trial";

/// Folder for the build artifacts of the copied workspace, relative to the repository's target folder.
const TARGET: &str = "adopt";

/// One compile error.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompileError {
    /// File and line of the error, such as `crates/client/src/a.rs:12`.
    pub place: String,
    /// The compiler's message, the label of the error's primary span, and the first help text.
    pub message: String,
}

/// Result of compiling all targets of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    pub errors: Vec<CompileError>,
    /// Targets that were not compiled, because they depend on a crate with errors. These targets may contain errors
    /// too. An entry has the package, the kind and the name of the target.
    pub unreached: Vec<String>,
}

/// Copies the workspace, applies the changes of `files` to the copy, and compiles all targets of the copy.
pub(super) fn compile(root: &Path, files: &Files) -> Result<Compiled> {
    let copy = root.join(COPY);
    lay_out(root, &copy, files).map_err(|error| {
        Fault::file(&copy, error.to_string(), "free up space on the disk, or use `--no-check`")
    })?;

    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = if target.is_absolute() { target } else { root.join(target) };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = |command: &mut Command| {
        command.current_dir(&copy).output().map_err(|error| {
            Fault::file(&copy, format!("cargo could not be started: {error}"), "use `--no-check`")
        })
    };

    let done = run(Command::new(&cargo)
        .args([
            "check",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--quiet",
            "--message-format",
            "json",
        ])
        .env("CARGO_TARGET_DIR", target.join(TARGET)))?;
    let messages = String::from_utf8_lossy(&done.stdout);

    let errors = errors(&messages, &copy);
    if errors.is_empty() && !done.status.success() {
        let reason = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(Fault::file(
            &copy,
            format!("cargo check failed: {reason}"),
            "use `--no-check` to continue without compiling",
        ));
    }
    if errors.is_empty() {
        return Ok(Compiled::default());
    }

    let metadata =
        run(Command::new(&cargo).args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let unreached = unreached(&String::from_utf8_lossy(&metadata.stdout), &messages);
    Ok(Compiled { errors, unreached })
}

/// Copies all files of the repository that git does not ignore. Then writes or removes each file of `files` in the
/// copy.
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

/// Parses the JSON messages of `cargo check` and returns each compile error once.
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
                message: advice(message, span),
            });
        }
    }
    errors.into_iter().collect()
}

/// Joins the compiler's message, the label of the error's primary span, and the first help text.
fn advice(message: &Value, span: &Value) -> String {
    let mut text = message["message"].as_str().unwrap_or_default().to_owned();
    let label = span["label"].as_str().filter(|label| !text.contains(*label));
    let children = message["children"].as_array().into_iter().flatten();
    let help = children
        .filter(|child| child["level"] == "help")
        .find_map(|child| child["message"].as_str());
    for part in label.into_iter().chain(help) {
        text.push_str("; ");
        text.push_str(&part.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    text
}

/// Returns the cargo targets of the workspace that were not compiled, but have no errors of their own. For example, an
/// integration test is not compiled if its library has an error. Build scripts, benchmarks, and targets that require
/// features are left out. `metadata` is the output of `cargo metadata`, and `messages` is the JSON output of
/// `cargo check`.
fn unreached(metadata: &str, messages: &str) -> Vec<String> {
    let key = |package: &Value, target: &Value| {
        (package.to_string(), target["kind"][0].to_string(), target["name"].to_string())
    };
    let (mut built, mut tested, mut failed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let target = key(&message["package_id"], &message["target"]);
        if message["reason"] == "compiler-artifact" {
            let tests = message["profile"]["test"] == true;
            if tests { &mut tested } else { &mut built }.insert(target);
        } else if message["message"]["level"] == "error" {
            failed.insert(target);
        }
    }

    let metadata: Value = serde_json::from_str(metadata).unwrap_or_default();
    let mut unreached = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        for target in package["targets"].as_array().into_iter().flatten() {
            let this = key(&package["id"], target);
            let has_library = matches!(target["kind"][0].as_str(), Some("lib" | "bin" | "example"));
            let lacks = |wanted: bool, done: &BTreeSet<_>| wanted && !done.contains(&this);
            // Cargo writes no message for a target whose required features are not enabled.
            let optional = !target["required-features"].is_null();
            if optional || failed.contains(&this) || target["kind"][0] == "custom-build" {
                continue;
            }
            let what = match (lacks(has_library, &built), lacks(target["test"] == true, &tested)) {
                (false, false) => continue,
                (false, true) if has_library => "tests of ",
                _ => "",
            };
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (kind, name) = (text(&target["kind"][0]), text(&target["name"]));
            unreached.push(format!("{}: {what}{kind} `{name}`", text(&package["name"])));
        }
    }
    unreached
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

    #[test]
    fn errors_carry_the_label_and_the_advice_of_the_compiler() {
        let message = serde_json::json!({"message": "no field `a` on type `B`", "children": [
            {"level": "note", "message": "elsewhere"}, {"level": "help", "message": "available field\n is: `c`"}]});
        let span = serde_json::json!({"label": "unknown field"});
        let told = "no field `a` on type `B`; unknown field; available field is: `c`";
        assert_eq!(advice(&message, &span), told);
    }

    #[test]
    fn targets_behind_a_crate_with_errors_are_listed() {
        let target = |kind: &str, name: &str, test: bool| serde_json::json!({"kind": [kind], "name": name, "test": test});
        let package = |name: &str, targets: &[Value]| serde_json::json!({"id": name, "name": name, "targets": targets});
        let artifact = |name: &str, target: &Value, test: bool| serde_json::json!({"reason": "compiler-artifact", "package_id": name, "target": target, "profile": {"test": test}});
        let (lib, tests) = (target("lib", "l", true), target("test", "t", true));
        let mut optional = target("example", "e", false);
        optional["required-features"] = serde_json::json!(["f"]);
        let metadata = serde_json::json!({"packages": [
            package("base", &[lib.clone(), tests.clone()]), package("faulty", std::slice::from_ref(&lib)),
            package("above", &[lib.clone(), tests.clone(), optional])]});
        let messages = [
            artifact("base", &lib, false),
            artifact("base", &tests, true),
            serde_json::json!({"reason": "compiler-message", "package_id": "faulty", "target": lib, "message": {"level": "error"}}),
        ];
        let messages = messages.map(|message| message.to_string()).join("\n");
        let expected = ["base: tests of lib `l`", "above: lib `l`", "above: test `t`"];
        assert_eq!(unreached(&metadata.to_string(), &messages), expected);
    }
}
