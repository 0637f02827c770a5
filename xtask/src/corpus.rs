//! `cargo xtask corpus`: shows how a change of the generator affects users of other OpenAPI documents.
//!
//! The input is a folder of OpenAPI documents. Without a flag, the command prints a manifest with one line of hashes
//! and counts per document. `--check FILE` compares a stored manifest with the current one. `--facts DIR` stores all
//! properties of the public API that the generator creates for each document. After a change of the generator,
//! `--since DIR` compares the stored properties with the current ones, and reports the differences in the form of
//! `cargo xtask diff`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::diff::{Diff, diff};
use crate::facts::{Facts, Subject, Thing};
use crate::fault::{Fault, Result};
use crate::model::{Model, Type};
use crate::{load, regen};

/// Result of the generator for one OpenAPI document.
pub struct Entry {
    /// File name of the OpenAPI document.
    pub name: String,
    /// Line of this OpenAPI document in the manifest. It contains hashes and counts (or the word `rejected`), and the
    /// file name.
    pub line: String,
    /// Properties of the generated crate's API. `None` if the generator rejects the OpenAPI document.
    pub facts: Option<Facts>,
}

/// First line of the manifest that `cargo xtask corpus` prints: the column headings.
pub const HEADING: &str =
    "description   facts         operations  records  unions  enums  fields  untyped  file";

/// Runs the generator for all OpenAPI documents of a folder. The results are sorted by file name.
pub fn read(folder: &Path) -> Result<Vec<Entry>> {
    let mut files: Vec<PathBuf> = list(folder)?
        .into_iter()
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| ["json", "yaml", "yml"].contains(&extension))
        })
        .collect();
    files.sort();
    let documents = files.iter().map(|file| Ok((file_name(file), load::description(file)?)));
    let documents: Vec<(String, Value)> = documents.collect::<Result<_>>()?;
    Ok(side_by_side(&documents))
}

/// Runs the generator for several OpenAPI documents in parallel. Each thread has a large stack, because the generator
/// walks schemas by recursion.
fn side_by_side(documents: &[(String, Value)]) -> Vec<Entry> {
    const STACK: usize = 256 << 20;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((name, document)) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(entry(name, document.clone()));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut entries: Vec<Entry> = std::thread::scope(|scope| {
        let spawn = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..threads).filter_map(|_| spawn().ok()).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

/// Runs the generator in memory for one OpenAPI document.
#[must_use]
pub fn entry(name: &str, document: Value) -> Entry {
    let input = hash(document.to_string().as_bytes());
    match regen::model_in_memory(vec![document], None) {
        Ok(model) => {
            let facts = Facts::from_model(&model);
            let line = format!("{input}  {}  {name}", counts(&model, &facts));
            Entry { name: name.to_owned(), line, facts: Some(facts) }
        }
        Err(faults) => {
            let faults = hash(faults.to_string().as_bytes());
            let line = format!("{input}  {faults}  {:>49}  {name}", "rejected");
            Entry { name: name.to_owned(), line, facts: None }
        }
    }
}

fn counts(model: &Model, facts: &Facts) -> String {
    let text: String =
        facts.things.iter().map(|(subject, thing)| format!("{subject}: {thing:?}\n")).collect();
    let fields = || model.records.values().flat_map(|record| &record.fields);
    format!(
        "{}  {:>10}  {:>7}  {:>6}  {:>5}  {:>6}  {:>7}",
        hash(text.as_bytes()),
        model.operations.len(),
        model.records.len(),
        model.unions.len(),
        model.enums.len(),
        fields().count(),
        fields().filter(|field| *field.ty.bare() == Type::Any).count(),
    )
}

fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Formats the manifest. It has a heading, and one line of hashes and counts per OpenAPI document.
#[must_use]
pub fn manifest(entries: &[Entry]) -> String {
    let lines = entries.iter().map(|entry| format!("{}\n", entry.line));
    format!("{HEADING}\n{}", lines.collect::<String>())
}

/// Compares the manifest in the file `stored` with the current results. Returns the lines that differ. Lines of the
/// file begin with `-`, and lines of the current results begin with `+`.
pub fn differences(stored: &Path, entries: &[Entry]) -> Result<String> {
    let stored = load::text(stored)?;
    let old: BTreeSet<&str> = stored.lines().skip(1).collect();
    let new: BTreeSet<&str> = entries.iter().map(|entry| entry.line.as_str()).collect();
    let gone = old.difference(&new).map(|line| format!("-{line}\n"));
    let added = new.difference(&old).map(|line| format!("+{line}\n"));
    Ok(gone.chain(added).collect())
}

/// Format of a file with the API properties of one generated crate. `things` is a list of pairs: an API item and its
/// properties. It is not a map from API item to properties, because the keys of JSON objects must be strings.
#[derive(Serialize, Deserialize)]
struct Stored {
    things: Vec<(Subject, Thing)>,
    reach: BTreeMap<String, BTreeSet<String>>,
}

/// Writes the API properties of each generated crate to a file `NAME.facts` in `folder`. `NAME` is the file name of the
/// OpenAPI document. Skips documents that the generator rejects. Returns the number of files.
pub fn store(folder: &Path, entries: Vec<Entry>) -> Result<usize> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut count = 0;
    for Entry { name, facts, .. } in entries {
        let Some(Facts { things, reach }) = facts else { continue };
        let stored = Stored { things: things.into_iter().collect(), reach };
        let path = stored_path(folder, &name);
        let text = serde_json::to_string(&stored).map_err(|error| failed(&path, &error))?;
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        count += 1;
    }
    Ok(count)
}

/// Compares the API properties of each entry with the API properties that are stored in `folder`. Returns the
/// differences, each with the file name of the entry's OpenAPI document. Entries without differences or without stored
/// properties are left out.
pub fn since(folder: &Path, entries: &[Entry]) -> Result<Vec<(String, Diff)>> {
    let mut changed = Vec::new();
    for entry in entries {
        let path = stored_path(folder, &entry.name);
        if !path.exists() {
            continue;
        }
        let stored: Stored =
            serde_json::from_str(&load::text(&path)?).map_err(|error| failed(&path, &error))?;
        let old = Facts { things: stored.things.into_iter().collect(), reach: stored.reach };
        let none = Facts::default();
        let difference = diff(&old, entry.facts.as_ref().unwrap_or(&none));
        if difference.heaviest().is_some() {
            changed.push((entry.name.clone(), difference));
        }
    }
    Ok(changed)
}

fn stored_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.facts"))
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(|error| failed(folder, &error)))
        .collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Fault {
    Fault::at(path.display().to_string(), error.to_string(), "check the path and its permissions")
}
