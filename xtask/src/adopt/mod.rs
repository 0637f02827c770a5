//! `cargo xtask adopt FILE`: replaces one of the repository's OpenAPI documents by a new version.
//!
//! The result is an [`Adoption`] with the files to write and a report for the maintainer. The steps are:
//!
//! 1. `form` gives the new document the structure of the repository's document. `renamed` and `renamed_operations` find
//!    renamed records and operations. `texts` keeps the repository's documentation texts.
//! 2. `layers` moves operations between the published document and the unpublished document.
//! 3. `overlay_repair` comments out overlay actions that match nothing in the new document. If an `x-` field of the
//!    overlay is invalid in the new document, `overlay_repair` appends an action that removes this field.
//! 4. The generator runs in a scratch folder. A fault ends the command before anything is written.
//! 5. `uses` and `trial` find hand-written code that must change.
//!
//! The module `tree` writes either all files or none. A run that fails leaves the repository unchanged. After a run
//! that was killed, the next `cargo xtask` command restores the old files.

mod form;
mod layers;
mod overlay_repair;
mod renamed;
mod renamed_operations;
mod report;
mod texts;
mod trial;
mod uses;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::decisions::{self, Decision};
use crate::diff::{self, Diff};
use crate::facts::{self, Facts, SNAPSHOTS};
use crate::fault::{Fault, Faults, Result};
use crate::load;
use crate::overlay_findings::Finding;
use crate::regen::{self, Inputs, UNPUBLISHED};
use crate::tree::{self, Files};

pub use layers::Moves;
pub use renamed::Renamed;
pub use texts::{PLACEHOLDER, Texts};
pub use trial::{CompileError, Compiled};
pub use uses::{LostUse, lost, retyped};

/// Folder in which the generator runs with the new document, relative to the repository root. The module `tree` removes
/// this folder at the end of the command.
const SCRATCH: &str = ".adopt/scratch";
/// `Cargo.toml` files that the generator reads and updates.
const MANIFESTS: &[&str] = &["crates/api/Cargo.toml", "crates/client/Cargo.toml"];

/// Source of the documentation texts in the adopted OpenAPI document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Words {
    /// The repository's documentation texts are kept. New operations and fields get placeholder texts.
    #[default]
    Ours,
    /// The publisher's documentation texts replace the repository's texts.
    Theirs,
}

/// Options of `cargo xtask adopt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub words: Words,
    /// True if a copy of the workspace is compiled with the new files before they are written to the repository.
    pub compile: bool,
}

/// Prepared replacement of one of the repository's OpenAPI documents. [`Adoption::write`] writes the changed files.
pub struct Adoption {
    /// Path of the repository's OpenAPI document that the new document replaces.
    pub place: PathBuf,
    pub diff: Diff,
    pub decisions: Vec<Decision>,
    /// Operations that moved from the published OpenAPI document to the unpublished one, or in the opposite direction.
    pub moves: Moves,
    /// Records that have another name in the new document. The overlay keeps their Rust names.
    pub renamed: Vec<Renamed>,
    /// Operations whose `operationId` differs between the old and the new document. An `x-rename` action in the overlay
    /// keeps the old identifier, because the repository already uses it, for example in the name of a Rust method.
    pub renamed_operations: Vec<Renamed>,
    /// Names of records that are in `components` of the old document, but inline in the publisher's new document. The
    /// document that is written to the repository still defines these records in `components`.
    pub written_in_place: Vec<String>,
    /// New and changed documentation texts of the publisher.
    pub texts: Texts,
    /// Changes to the overlay, one sentence each.
    pub repairs: Vec<String>,
    /// Overlay actions that `regen --check` rejects. The maintainer must decide how to correct each of them.
    pub findings: Vec<Finding>,
    /// Hand-written code that still compiles, but uses removed records, removed fields, or fields whose JSON type
    /// changed.
    pub lost: Vec<LostUse>,
    /// Result of compiling the workspace. `None` if the workspace was not compiled.
    pub compiled: Option<Compiled>,
    /// Sentences that are only in the new report of the generator, and sentences that are only in the old report.
    pub report: (Vec<String>, Vec<String>),
    /// Files to write or to remove, by path. Files that do not change are left out.
    pub files: Files,
}

/// Prepares the replacement of an OpenAPI document of the repository by `file`. Returns the files to write. The
/// preparation works on copies in the folder `.adopt`, so the repository's own files do not change.
pub fn adopt(root: &Path, file: &Path, options: Options) -> Result<Adoption, Faults> {
    tree::begin(root)?;
    let outcome = prepare_adoption(root, file, options);
    // Removes the scratch folder, also after a fault.
    tree::restore(root)?;
    outcome
}

fn prepare_adoption(root: &Path, file: &Path, options: Options) -> Result<Adoption, Faults> {
    let old = Inputs::from_repository(root)?;
    let (mut new, index) = diff::replaced(old.clone(), file)?;
    let place = new.descriptions[index].0.clone();
    let lock_path = root.join(texts::LOCK);
    let mut hashes =
        fs::read_to_string(&lock_path).map(|text| texts::read(&text)).unwrap_or_default();

    let rewritten = rewrite(&old, &mut new, index, file, options.words, &mut hashes)?;

    // Messages about faults in the new document contain the path on the command line.
    let mut repairs = rewritten.repairs;
    repairs.extend(repair(&mut new, index, file)?);
    let (diff, after) = diff::compared(&old, &named(new.clone(), index, file))?;
    let decisions = decisions::decisions(&diff, &after);
    if let Some((_, overlay)) = &mut new.overlay {
        overlay.push_str(&decisions::skeleton(&decisions));
    }

    let made = generate(root, &new, &after)?;
    let mut files = made.files;
    if !hashes.is_empty() {
        files.insert(texts::LOCK.into(), Some(texts::hash_lines(&hashes)));
    }
    let report = report(root, &files);
    let files = tree::differing(root, files);

    let model = new.model()?.0;
    let mut lost = uses::lost(root, &model);
    lost.extend(uses::retyped(root, &old.model()?.0, &model));
    let compiled = match options.compile {
        true if !files.is_empty() => Some(trial::compile(root, &files)?),
        _ => None,
    };

    Ok(Adoption {
        place,
        diff,
        decisions,
        moves: rewritten.moves,
        renamed: rewritten.renamed,
        renamed_operations: rewritten.renamed_operations,
        written_in_place: rewritten.written_in_place,
        texts: rewritten.texts,
        repairs,
        findings: made.findings,
        lost,
        compiled,
        report,
        files,
    })
}

/// Result of `rewrite`: the operations that moved, the records and operations that were renamed, the documentation
/// texts, and the changes to the overlay.
struct Rewritten {
    moves: Moves,
    renamed: Vec<Renamed>,
    renamed_operations: Vec<Renamed>,
    written_in_place: Vec<String>,
    texts: Texts,
    /// Changes to the overlay, one sentence each.
    repairs: Vec<String>,
}

/// Adapts the new OpenAPI document to the repository. Keeps the repository's documentation texts, unless `words` is
/// [`Words::Theirs`]. Adds overlay actions that keep the Rust names of renamed records and operations. Moves operations
/// between the published and the unpublished document.
fn rewrite(
    old: &Inputs,
    new: &mut Inputs,
    index: usize,
    file: &Path,
    words: Words,
    hashes: &mut texts::Hashes,
) -> Result<Rewritten> {
    let parse = |(path, text): &(PathBuf, String)| load::described(path, text);
    let (path, theirs) = &new.descriptions[index];
    let mut document = load::described(file, theirs)?;
    let known = parse(&old.descriptions[index])?;
    let unpublished_at =
        old.descriptions.iter().position(|(path, _)| path == Path::new(UNPUBLISHED));
    let mut unpublished = match unpublished_at {
        Some(at) => parse(&old.descriptions[at])?,
        None => Value::Null,
    };

    form::fill_operations(&known, &mut document);
    let mut ours = known.clone();
    let moved = renamed_operations::moved(&ours, &document);
    renamed_operations::follow(&mut ours, &moved);
    let mut repairs = Vec::new();
    if let Some((_, overlay)) = &mut new.overlay {
        repairs = renamed_operations::follow_in_overlay(overlay, &moved);
    }

    let mut written_in_place = form::name_records(&ours, &mut document);
    let renamed = renamed::find(&ours, &document);
    renamed::follow(&mut ours, &renamed);
    // A renamed record can contain further inline records.
    written_in_place.extend(form::name_records(&ours, &mut document));
    renamed::follow(&mut unpublished, &renamed);
    if let Some((_, overlay)) = new.overlay.as_mut().filter(|_| !renamed.is_empty()) {
        *overlay = renamed::follow_in_overlay(overlay, &renamed);
    }

    let operations = renamed_operations::find(&[&known, &unpublished], &document);
    if let Some((_, overlay)) = new.overlay.as_mut().filter(|_| !operations.is_empty()) {
        *overlay = renamed_operations::keep_in_overlay(overlay, &operations);
    }

    let texts = match words {
        Words::Ours => texts::keep_ours(&[&ours, &unpublished], &mut document, hashes),
        Words::Theirs => Texts::default(),
    };
    let moves = match unpublished_at {
        Some(_) => layers::reconcile(&ours, &document, &mut unpublished),
        None => Moves::default(),
    };

    let text = match document == known {
        true => old.descriptions[index].1.clone(),
        false => document_text(path, &document)?,
    };
    new.descriptions[index].1 = text;
    if let Some(at) = unpublished_at
        && unpublished != parse(&old.descriptions[at])?
    {
        new.descriptions[at].1 = document_text(Path::new(UNPUBLISHED), &unpublished)?;
    }
    let renamed_operations = operations.into_iter().map(|operation| operation.ids).collect();
    Ok(Rewritten { moves, renamed, renamed_operations, written_in_place, texts, repairs })
}

/// Formats an OpenAPI document as JSON or YAML. The extension of the file decides the format.
fn document_text(path: &Path, document: &Value) -> Result<String> {
    let fault = |error: String| {
        Fault::file(path, error, "report this error, and attach the OpenAPI document")
    };
    if path.extension().is_some_and(|extension| extension == "json") {
        let text =
            serde_json::to_string_pretty(document).map_err(|error| fault(error.to_string()))?;
        return Ok(text + "\n");
    }
    serde_saphyr::to_string(document).map_err(|error| fault(error.to_string()))
}

/// Random seed for the price changes that all assets of one market have in common. All assets of a market, such as
/// crypto, use this seed.
const ROUNDS: usize = 3;

/// Comments out overlay actions that match nothing in the new document. Also appends actions that remove `x-` fields if
/// these fields are invalid for the new document. Returns one sentence per change.
fn repair(new: &mut Inputs, index: usize, file: &Path) -> Result<Vec<String>, Faults> {
    let findings = named(new.clone(), index, file).findings()?;
    let Some((_, overlay)) = &mut new.overlay else { return Ok(Vec::new()) };
    let (repaired, mut notes) = overlay_repair::repair(overlay, &findings);
    if !notes.is_empty() {
        *overlay = repaired;
    }

    for _ in 0..ROUNDS {
        let Err(faults) = named(new.clone(), index, file).model() else { break };
        let lost = faults.lost_facts();
        let (Some((_, overlay)), false) = (&mut new.overlay, lost.is_empty()) else { break };
        notes.extend(overlay_repair::remove_facts(overlay, &lost));
    }
    Ok(notes)
}

/// Replaces the path of the OpenAPI document with the number `index` by `file`, the path on the command line. Error
/// messages then show this path.
fn named(mut inputs: Inputs, index: usize, file: &Path) -> Inputs {
    inputs.descriptions[index].0 = file.to_owned();
    inputs
}

/// Result of one run of the generator: the files to write or to remove, and the overlay actions that `regen --check`
/// rejects.
struct Run {
    files: Files,
    findings: Vec<Finding>,
}

/// Runs the generator with the new document. Returns the new texts of the OpenAPI documents, the overlay, the generated
/// files and the snapshots. A generated file or snapshot that the new run does not create has the text `None`, and is
/// removed later.
fn generate(root: &Path, new: &Inputs, facts: &Facts) -> Result<Run, Faults> {
    let scratch = root.join(SCRATCH);
    let inputs = new.descriptions.iter().chain(&new.overlay);
    let inputs: BTreeMap<PathBuf, String> = inputs.cloned().collect();
    copy_in(root, &scratch, &inputs)?;

    let regen::Made { files: made, findings } = regen::made_at(&scratch, root)?;
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
    let findings = findings.into_iter().filter(|finding| finding.fate.fails()).collect();
    Ok(Run { files, findings })
}

/// Copies all files that the generator reads to a scratch folder. `inputs` contains texts by path, which replace the
/// repository's files at these paths.
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

/// Compares the old and the new report of the generator. Returns the sentences that are only in the new report, and
/// the sentences that are only in the old report. Each sentence is followed by the JSON pointers to which it applies.
fn report(root: &Path, files: &Files) -> (Vec<String>, Vec<String>) {
    let path = Path::new("crates/api/src/generated/REPORT.md");
    let sentences = |text: &str| -> BTreeMap<String, Vec<String>> {
        let mut sentence = String::new();
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("- ") {
                // The line ends with the number of JSON pointers, which is not part of the sentence.
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
        new.map(|(sentence, places)| {
            format!("{}: {}", sentence.trim_end_matches('.'), places.join(", "))
        })
        .collect()
    };
    (only(&after, &before), only(&before, &after))
}
