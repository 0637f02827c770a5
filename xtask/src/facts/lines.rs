//! Formats the facts (all properties of the public API) as text lines: one snapshot file per API domain.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Aspect, Facts, Subject, Thing};

/// Folder of the snapshot files, relative to the root of the repository.
pub const SNAPSHOTS: &str = "tests/it/snapshots";

impl Facts {
    /// Formats the API properties as lines. The key of the map is the API domain. Each parameter, field, variant and
    /// enum value is one line, so most changes affect one line. Its documentation is a separate line.
    #[must_use]
    pub fn lines(&self) -> BTreeMap<String, Vec<String>> {
        let mut domains: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (subject, thing) in &self.things {
            let lines = domains.entry(thing.domain.clone()).or_default();
            match subject.part {
                Some(_) => part_lines(subject, thing, lines),
                None => item_lines(subject, thing, lines),
            }
        }
        domains
    }
}

fn item_lines(subject: &Subject, thing: &Thing, lines: &mut Vec<String>) {
    for (aspect, value) in &thing.aspects {
        let word = aspect.word();
        let blank = if word.is_empty() { "" } else { " " };
        lines.push(format!("{subject}{blank}{word}: {value}"));
    }
}

fn part_lines(subject: &Subject, thing: &Thing, lines: &mut Vec<String>) {
    let said = thing.aspects.iter().filter(|(aspect, _)| **aspect != Aspect::Docs);
    let said: Vec<String> = said
        .map(|(aspect, value)| match (aspect, aspect.word()) {
            (_, "") => value.clone(),
            // The values of these properties are sentences.
            (Aspect::Deprecated | Aspect::Refused, word) => format!("{word}: {value}"),
            (_, word) => format!("{word} {value}"),
        })
        .collect();
    lines.push(format!("{subject}: {}", said.join("; ")));
    if let Some(docs) = thing.aspects.get(&Aspect::Docs) {
        lines.push(format!("{subject} docs: {docs}"));
    }
}

/// Returns the texts of the API snapshot files, one file per API domain. The key is the path relative to the root of
/// the repository.
#[must_use]
pub fn snapshots(facts: &Facts) -> BTreeMap<PathBuf, String> {
    let files = facts.lines().into_iter().map(|(domain, lines)| {
        let path = Path::new(SNAPSHOTS).join(format!("it__surface__{domain}.snap"));
        let text = format!("---\nsource: tests/it/surface.rs\n---\n{}\n", lines.join("\n"));
        (path, text)
    });
    files.collect()
}
