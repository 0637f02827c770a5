//! `cargo xtask adopt FILE`: takes in a new version of a description.
//!
//! The new version is tried beside the repository: a fault ends the command before anything is written. What
//! it changes is written as one (`tree`), so that a run that ends early leaves the tree as it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::decisions::{self, Decision};
use crate::diff::{self, Diff, Format};
use crate::facts::{self, Facts, SNAPSHOTS};
use crate::fault::{Fault, Faults, Result};
use crate::regen::{self, Inputs, OVERLAY};
use crate::tree::{self, Files};

/// Where the new version is tried, below the root. `tree` takes it away.
const SCRATCH: &str = ".adopt/scratch";
/// What a run reads besides descriptions and overlay.
const MANIFESTS: &[&str] = &["crates/api/Cargo.toml", "crates/client/Cargo.toml"];

/// Everything that taking in a description means.
pub struct Adoption {
    /// The description of the repository that the file is a version of.
    pub place: PathBuf,
    pub diff: Diff,
    pub decisions: Vec<Decision>,
    /// Sentences of the generator's report that came and went.
    pub report: (Vec<String>, Vec<String>),
    /// What is to be written.
    pub files: Files,
}

/// Tries the new version of a description. Nothing of the repository changes.
pub fn adopt(root: &Path, file: &Path) -> Result<Adoption, Faults> {
    tree::begin(root)?;
    let outcome = tried(root, file);
    // The scratch tree is rubbish now, whether there was a fault or not.
    tree::restore(root)?;
    outcome
}

fn tried(root: &Path, file: &Path) -> Result<Adoption, Faults> {
    let old = Inputs::of(root)?;
    let (mut new, index) = diff::replaced(old.clone(), file)?;
    let place = new.descriptions[index].0.clone();
    new.descriptions[index].1 = written(&place, &new.descriptions[index].1, file)?;

    // A fault of the new version is one of the file that was named.
    let (diff, after) = diff::compared(&old, &named(new.clone(), index, file))?;
    let decisions = decisions::decisions(&diff, &after);
    if let Some((_, overlay)) = &mut new.overlay {
        overlay.push_str(&decisions::skeleton(&decisions));
    }

    let files = files(root, &new, &after)?;
    let report = report(root, &files);
    let files = tree::differing(root, files);
    Ok(Adoption { place, diff, decisions, report, files })
}

/// The inputs with one description under the name that the maintainer gave.
fn named(mut inputs: Inputs, index: usize, file: &Path) -> Inputs {
    inputs.descriptions[index].0 = file.to_owned();
    inputs
}

/// The description in the format of the file that it replaces: JSON is YAML too, but not the other way.
fn written(place: &Path, text: &str, file: &Path) -> Result<String> {
    let is_json = text.trim_start().starts_with('{');
    if place.extension().is_none_or(|extension| extension != "json") || is_json {
        return Ok(text.to_owned());
    }
    let document = crate::load::described(file, text)?;
    serde_json::to_string_pretty(&document)
        .map(|text| text + "\n")
        .map_err(|error| Fault::file(file, error.to_string(), "save the description as JSON"))
}

/// All files that the new version makes, and those that it makes no more.
fn files(root: &Path, new: &Inputs, facts: &Facts) -> Result<Files, Faults> {
    let scratch = root.join(SCRATCH);
    let inputs = new.descriptions.iter().chain(&new.overlay);
    let inputs: BTreeMap<PathBuf, String> = inputs.cloned().collect();
    copy_in(root, &scratch, &inputs)?;

    let made = regen::made_at(&scratch, root)?.files;
    let mut files: Files = inputs.into_iter().map(|(path, text)| (path, Some(text))).collect();
    for path in regen::stale(root, &made) {
        files.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), None);
    }
    files.extend(made.into_iter().map(|(path, text)| (path, Some(text))));

    let snapshots = facts::snapshots(facts);
    for entry in fs::read_dir(root.join(SNAPSHOTS)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("it__surface__") {
            files.insert(Path::new(SNAPSHOTS).join(name), None);
        }
    }
    files.extend(snapshots.into_iter().map(|(path, text)| (path, Some(text))));
    Ok(files)
}

/// Puts what a run reads into a folder of its own.
fn copy_in(root: &Path, scratch: &Path, inputs: &BTreeMap<PathBuf, String>) -> Result<()> {
    let mut copies: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in MANIFESTS {
        copies.insert((*path).into(), crate::load::text(&root.join(path))?);
    }
    for entry in fs::read_dir(root.join("spec")).into_iter().flatten().flatten() {
        if let Ok(text) = fs::read_to_string(entry.path()) {
            copies.insert(Path::new("spec").join(entry.file_name()), text);
        }
    }
    copies.extend(inputs.clone());
    for (path, text) in copies {
        let path = scratch.join(path);
        let written =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| {
            Fault::file(&path, error.to_string(), "check the permissions of the folder")
        })?;
    }
    Ok(())
}

/// What the generator's report says for the first time, with its places, and what it no longer says.
fn report(root: &Path, files: &Files) -> (Vec<String>, Vec<String>) {
    let path = Path::new("crates/api/src/generated/REPORT.md");
    let sentences = |text: &str| -> BTreeMap<String, Vec<String>> {
        let mut sentence = String::new();
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("- ") {
                // Without the count of places.
                sentence = words.rsplit_once(" (").map_or(words, |(words, _)| words).to_owned();
            } else if let Some(place) = line.strip_prefix("  - ") {
                places.entry(sentence.clone()).or_default().push(place.to_owned());
            }
        }
        places
    };
    let before = sentences(&fs::read_to_string(root.join(path)).unwrap_or_default());
    let after = sentences(files.get(path).and_then(Option::as_deref).unwrap_or_default());
    let only = |these: &BTreeMap<String, Vec<String>>, those: &BTreeMap<String, Vec<String>>| {
        let new = these.iter().filter(|(sentence, _)| !those.contains_key(*sentence));
        new.map(|(sentence, places)| format!("{sentence}: {}", places.join(", "))).collect()
    };
    (only(&after, &before), only(&before, &after))
}

/// Lines of a list that people are shown; the rest is counted.
const SHOWN: usize = 30;

impl Adoption {
    /// What it means, for people.
    #[must_use]
    pub fn told(&self, current: &str) -> String {
        let mut text = format!("A new version of {}.\n\n", self.place.display());
        text.push_str(&diff::show(&self.diff, Format::Text, current));
        text.push_str(&decisions::told(&self.decisions));
        for (title, lines) in [
            ("New in the generator's report", &self.report.0),
            ("No longer in the generator's report", &self.report.1),
        ] {
            if !lines.is_empty() {
                text.push_str(&format!("\n{title}:\n"));
            }
            for line in lines.iter().take(SHOWN) {
                text.push_str(&format!("  {line}\n"));
            }
            if lines.len() > SHOWN {
                text.push_str(&format!("  and {} more\n", lines.len() - SHOWN));
            }
        }
        text
    }

    /// Writes everything, or nothing.
    pub fn write(&self, root: &Path) -> Result<()> {
        tree::write(root, &self.files)
    }

    /// What is left to do for people.
    #[must_use]
    pub fn next_steps(&self) -> String {
        let mut text = format!("{} files written.", self.files.len());
        if !self.decisions.is_empty() {
            text.push_str(&format!(
                "\nThe end of {OVERLAY} has a commented skeleton for {} new operations: fill it in, and run \
                 `cargo xtask regen`.",
                self.decisions.len()
            ));
        }
        text.push_str(
            "\nTexts of the publisher are said in our own words before they are committed.\n\
             `git diff tests/it/snapshots` shows each change as a line; `cargo test -p crypto-intel-tests` \
             checks it.\n`cargo xtask diff --format markdown` is for the pull request.",
        );
        text
    }
}
