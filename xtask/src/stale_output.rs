//! Compares the generated files with the committed files, and explains why they differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use crate::lock::{self, LOCK, Lock, Source, slashes};
use crate::regen::stale;

/// Maximum number of diff lines that are shown. The remaining lines are only counted.
const SHOWN: usize = 40;
/// Maximum number of manual edits that are listed for one file. The remaining edits are only counted.
const NAMED: usize = 5;

const COMMAND: &str = "Run `cargo xtask regen` and commit the written files.";

/// A committed file that differs from its generated content.
struct Changed<'a> {
    path: &'a Path,
    known: String,
    made: &'a str,
}

/// Explains why the committed files differ from the generated ones. The cause can be an OpenAPI document, the overlay,
/// the generator or a manual edit. Returns `None` if no file differs and the lock file is up to date.
pub fn explain(base: &Path, files: &BTreeMap<PathBuf, String>) -> Option<String> {
    let lock_path = Path::new(LOCK);
    let known = Lock::read(base);
    let now = files.get(lock_path).and_then(|text| Lock::from_text(text));
    let changed: Vec<_> = files
        .iter()
        .filter(|(path, _)| *path != lock_path)
        .filter_map(|(path, made)| {
            let known = fs::read_to_string(base.join(path)).unwrap_or_default();
            (known != *made).then_some(Changed { path, known, made })
        })
        .collect();
    let stale = stale(base, files);
    if changed.is_empty() && stale.is_empty() && known == now {
        return None;
    }

    let mut text = match changed.is_empty() && stale.is_empty() {
        true => format!("The generated files are up to date, but {LOCK} is not.\n"),
        false => "The generated code does not match the OpenAPI documents in spec/.\n".to_owned(),
    };
    let edited = edited(known.as_ref(), &changed);
    text.push_str(&causes(known.as_ref(), now.as_ref(), &changed, &edited));
    text.push_str(&differences(&changed, &edited));
    for path in stale {
        text.push_str(&format!("no longer generated: {}\n", path.display()));
    }
    text.push_str(COMMAND);
    Some(text)
}

/// Returns the files of `changed` that were edited by hand after the last generator run: their hashes differ from the
/// hashes in the lock file `known`. Without a lock file, returns no files.
fn edited(known: Option<&Lock>, changed: &[Changed]) -> BTreeSet<PathBuf> {
    let Some(known) = known else { return BTreeSet::new() };
    let by_hand = changed.iter().filter(|file| {
        let then = known.files.get(&slashes(file.path));
        then.is_some_and(|then| *then != lock::hash(file.path, &file.known))
    });
    by_hand.map(|file| file.path.to_owned()).collect()
}

fn causes(
    known: Option<&Lock>,
    now: Option<&Lock>,
    changed: &[Changed],
    edited: &BTreeSet<PathBuf>,
) -> String {
    let Some((known, now)) = known.zip(now) else {
        return format!("- {LOCK} is missing or unreadable, so the changed input is unknown\n");
    };
    let has_effect = !changed.is_empty();
    let mut causes = Vec::new();
    for new in &now.descriptions {
        let old = known.descriptions.iter().find(|old| old.source == new.source);
        causes.extend(source("OpenAPI document", old, new, has_effect));
    }
    for old in &known.descriptions {
        if !now.descriptions.iter().any(|new| new.source == old.source) {
            causes.push(format!("the OpenAPI document {} was removed", old.source));
        }
    }
    causes.extend(source("overlay", Some(&known.overlay), &now.overlay, has_effect));
    if changed.iter().any(|file| !edited.contains(file.path)) {
        causes.extend(generator(known, now));
    }

    let mut text = String::new();
    for cause in &causes {
        text.push_str(&format!("- {cause}\n"));
    }
    for file in changed.iter().filter(|file| edited.contains(file.path)) {
        text.push_str(&by_hand(file));
    }
    if text.is_empty() && !changed.is_empty() {
        text.push_str(
            "- the OpenAPI documents, the overlay and the generator did not change; check Cargo.lock\n",
        );
    }
    text
}

/// Explains how an input file differs from its entry in the lock file. If `has_effect` is false, no generated file
/// differs: the change had no effect, or the lock file was edited.
fn source(what: &str, old: Option<&Source>, new: &Source, has_effect: bool) -> Option<String> {
    let Some(old) = old else { return Some(format!("the {what} {} is new", new.source)) };
    if old.sha256 == new.sha256 {
        return None;
    }
    if !has_effect {
        return Some(format!(
            "the hash of the {what} {} differs from {LOCK}: the {what} changed without an \
             effect on generated files, or {LOCK} was edited",
            new.source
        ));
    }
    let versions = if old.version == new.version {
        String::new()
    } else {
        format!(", from version {} to {}", old.version, new.version)
    };
    Some(format!("the {what} {} changed{versions}", new.source))
}

fn generator(known: &Lock, now: &Lock) -> Vec<String> {
    let mut causes = Vec::new();
    for (name, new) in &now.generator {
        match known.generator.get(name) {
            Some(old) if old == new => {}
            _ if name == "xtask" => {
                causes.push("the generator changed: its sources in xtask/src differ".to_owned());
            }
            old => {
                let old = old.map_or("is new".to_owned(), |old| format!("replaces {old}"));
                causes.push(format!("the generator changed: the crate {name} {new} {old}"));
            }
        }
    }
    causes
}

/// Describes the manual edits of a generated file, with their line numbers.
fn by_hand(file: &Changed) -> String {
    let path = file.path.display();
    let diff = TextDiff::from_lines(file.known.as_str(), file.made);
    let lines = |change: ChangeTag, range: std::ops::Range<usize>| {
        let text = if change == ChangeTag::Delete { file.known.as_str() } else { file.made };
        let lines: Vec<&str> = text.lines().skip(range.start).take(range.len()).collect();
        lines.join(" ⏎ ").split_whitespace().collect::<Vec<_>>().join(" ")
    };

    let edits = diff.ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    let edits: Vec<String> = edits
        .map(|op| {
            let (old, new) = (op.old_range(), op.new_range());
            let (line, length) = (old.start + 1, old.len().max(new.len()));
            let (has, made) = (lines(ChangeTag::Delete, old), lines(ChangeTag::Insert, new));
            let what = match (has.is_empty(), made.is_empty()) {
                _ if has == made => format!("changed the white space of {length} line(s)"),
                (false, true) => format!("added `{has}`"),
                (true, false) => format!("removed `{made}`"),
                _ => format!("wrote `{has}` instead of `{made}`"),
            };
            let what: String = what.chars().take(200).collect();
            format!("- {path}:{line}: somebody {what}\n")
        })
        .collect();

    let mut text: String = edits.iter().take(NAMED).map(String::as_str).collect();
    if edits.len() > NAMED {
        text.push_str(&format!("  … and {} more edits in {path}\n", edits.len() - NAMED));
    }
    text
}

/// Formats a short diff of the first changed file, and the paths of the other changed files. Files that were edited by
/// hand are left out, because their edits are reported separately.
fn differences(changed: &[Changed], edited: &BTreeSet<PathBuf>) -> String {
    let mut rest = changed.iter().filter(|file| !edited.contains(file.path));
    let mut text = rest.next().map(short_diff).unwrap_or_default();
    for file in rest {
        text.push_str(&format!("also differs: {}\n", file.path.display()));
    }
    if !edited.is_empty() {
        text.push_str("Do not edit generated files: change spec/ or xtask/ instead.\n");
    }
    text
}

fn short_diff(file: &Changed) -> String {
    let diff = TextDiff::from_lines(file.known.as_str(), file.made);
    let mut text = format!("--- {0} (committed)\n+++ {0} (generated now)\n", file.path.display());
    let lines: Vec<String> = diff
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal)
        .map(|change| {
            let number = change.new_index().or(change.old_index()).map_or(0, |index| index + 1);
            format!("{number:>6} {}{}", change.tag(), change.value().trim_end())
        })
        .collect();
    for line in lines.iter().take(SHOWN) {
        text.push_str(line);
        text.push('\n');
    }
    if lines.len() > SHOWN {
        text.push_str(&format!("       … and {} more lines\n", lines.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// Returns the files of a simulated generator run: one source file and the lock file. In the lock file, the first
    /// three arguments are used as the hashes of the OpenAPI document, the overlay and the generator's source code.
    fn made(
        description: &str,
        overlay: &str,
        xtask: &str,
        code: &str,
    ) -> BTreeMap<PathBuf, String> {
        let source = |source: &str, text: &str, version: &str| Source {
            source: source.to_owned(),
            version: version.to_owned(),
            sha256: text.to_owned(),
        };

        let path = PathBuf::from("generated/a.rs");
        let files = BTreeMap::from([(path.clone(), code.to_owned())]);
        let lock = Lock {
            descriptions: vec![source("spec/a.json", description, description)],
            overlay: source("spec/overlay.yaml", overlay, ""),
            generator: BTreeMap::from([("xtask".to_owned(), xtask.to_owned())]),
            files: files
                .iter()
                .map(|(path, text)| (slashes(path), lock::hash(path, text)))
                .collect(),
        };

        let mut files = files;
        files.insert(LOCK.into(), lock.to_text());
        files
    }

    const CODE: &str = "//! Generated by `cargo xtask regen`\nfn a() {}\nfn b() {}\n";

    /// Writes the files of a simulated generator run, but replaces the text of the source file by `file`. `now`
    /// contains the files of a later simulated run. Returns a message about the differences between the written files
    /// and `now`, or `None` if the files are equal.
    #[track_caller]
    fn message_of(file: &str, now: &BTreeMap<PathBuf, String>) -> Option<String> {
        let dir = TempDir::new().unwrap();
        let mut committed = made("1", "o", "x", CODE);
        committed.insert("generated/a.rs".into(), file.to_owned());
        crate::regen::write(dir.path(), &committed).unwrap();
        explain(dir.path(), now)
    }

    #[test]
    fn nothing_differs() {
        assert_eq!(message_of(CODE, &made("1", "o", "x", CODE)), None);
    }

    #[test]
    fn each_cause_is_named() {
        let newer = CODE.replace("fn b", "fn c");
        insta::assert_snapshot!(message_of(CODE, &made("2", "o", "x", &newer)).unwrap(), @"
        The generated code does not match the OpenAPI documents in spec/.
        - the OpenAPI document spec/a.json changed, from version 1 to 2
        --- generated/a.rs (committed)
        +++ generated/a.rs (generated now)
             3 -fn b() {}
             3 +fn c() {}
        Run `cargo xtask regen` and commit the written files.
        ");

        let told_of = |now| message_of(CODE, &now).unwrap();
        assert!(
            told_of(made("1", "p", "x", &newer))
                .contains("- the overlay spec/overlay.yaml changed\n")
        );
        let generator = told_of(made("1", "o", "y", &newer));
        assert!(
            generator.contains("- the generator changed: its sources in xtask/src differ\n"),
            "{generator}"
        );
        assert!(
            !generator.contains("overlay") && !generator.contains("spec/a.json"),
            "{generator}"
        );
    }

    #[test]
    fn changed_ends_of_lines_are_named_as_such() {
        let file = Changed {
            path: Path::new("generated/a.rs"),
            known: "fn a() {}\r\nfn b() {}\r\n".to_owned(),
            made: "fn a() {}\nfn b() {}\n",
        };
        let told = by_hand(&file);
        assert!(told.contains("a.rs:1: somebody changed the white space of 2 line(s)"), "{told}");
    }

    #[test]
    fn an_edit_by_hand_is_named_by_file_and_line() {
        let edited = CODE.replace("fn b() {}", "fn b() { todo() }");
        insta::assert_snapshot!(message_of(&edited, &made("1", "o", "x", CODE)).unwrap(), @"
        The generated code does not match the OpenAPI documents in spec/.
        - generated/a.rs:3: somebody wrote `fn b() { todo() }` instead of `fn b() {}`
        Do not edit generated files: change spec/ or xtask/ instead.
        Run `cargo xtask regen` and commit the written files.
        ");

        // Tests a manual edit together with a new OpenAPI document that changes another line.
        let newer = CODE.replace("fn a", "fn c");
        let both = message_of(&edited, &made("2", "o", "x", &newer)).unwrap();
        assert!(both.contains("- the OpenAPI document spec/a.json changed"), "{both}");
        assert!(both.contains("generated/a.rs:2: somebody"), "{both}");
    }

    #[test]
    fn a_lock_of_another_run_is_told() {
        insta::assert_snapshot!(message_of(CODE, &made("1", "p", "x", CODE)).unwrap(), @"
        The generated files are up to date, but spec/spec.lock is not.
        - the hash of the overlay spec/overlay.yaml differs from spec/spec.lock: the overlay changed without an effect on generated files, or spec/spec.lock was edited
        Run `cargo xtask regen` and commit the written files.
        ");
        let dir = TempDir::new().unwrap();
        let now = made("1", "o", "x", CODE);
        crate::regen::write(dir.path(), &now).unwrap();
        fs::remove_file(dir.path().join(LOCK)).unwrap();
        assert!(explain(dir.path(), &now).unwrap().contains("spec/spec.lock is missing"));
    }
}
