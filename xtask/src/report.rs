//! Collects the changes that the generator's passes make to the OpenAPI document. The changes are written to the file
//! `REPORT.md`, which is committed next to the generated code. A new version of the file shows reviewers which changes
//! are new.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::fault::{Fault, Faults};
use crate::load::action_lines;
use crate::origin;

/// Kind of a change that the generator makes to the OpenAPI document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Decided,
    Renamed,
    Opened,
    Loosened,
    Rewritten,
    Dropped,
    Assumed,
}

impl Change {
    fn title(self) -> (&'static str, &'static str) {
        match self {
            Change::Decided => (
                "Decided",
                "Decisions of the generator about points that the OpenAPI document does not define. The overlay can change each decision.",
            ),
            Change::Renamed => ("Renamed", "Names that Rust or this project spells differently."),
            Change::Opened => {
                ("Opened", "Enums and objects that now also accept unknown values or fields.")
            }
            Change::Loosened => {
                ("Loosened", "Rules of the OpenAPI document that the client does not check.")
            }
            Change::Rewritten => ("Rewritten", "Different notations with the same meaning."),
            Change::Dropped => {
                ("Dropped", "Parts of the OpenAPI document that the client does not use.")
            }
            Change::Assumed => (
                "Assumed",
                "Operations and fields that no documentation confirms. The client decodes them \
                 leniently.",
            ),
        }
    }
}

/// Changes that the generator made to the OpenAPI document, and the faults that it found. A change has a kind, such as
/// `Dropped`, and a sentence, such as `a title is ignored`. Changes with the same kind and sentence are one
/// entry, which contains the JSON pointers of all changed parts.
#[derive(Debug, Default)]
pub struct Report {
    changes: BTreeMap<Change, BTreeMap<String, BTreeSet<String>>>,
    faults: Vec<Fault>,
    overlay: OverlayValues,
}

/// Values that the overlay set. If one of these values is invalid, the error message names the overlay action that set
/// it.
#[derive(Debug, Default)]
struct OverlayValues {
    /// Index of the overlay action that set a value. The key is the JSON pointer of the value.
    actions: BTreeMap<String, usize>,
    /// Path and text of the overlay file. `None` if the overlay is not from a file.
    file: Option<(String, String)>,
}

impl OverlayValues {
    /// Finds the overlay action that set the value at the JSON pointer `place`, or that set an object or array around
    /// the value. For an `x-` field, also finds an action that set a part of the value. Returns the location of the action,
    /// or `None` if no action is found.
    fn setter(&self, place: &str) -> Option<String> {
        let ends = place.match_indices('/').map(|(end, _)| end).chain([place.len()]);
        let containing = ends.rev().find_map(|end| self.actions.get(&place[..end]));
        let is_extension = place.rsplit('/').next().is_some_and(|name| name.starts_with("x-"));
        let below = format!("{place}/");
        let inside = || {
            let mut parts = self.actions.range(below.clone()..).filter(|_| is_extension);
            parts.next().filter(|(part, _)| part.starts_with(&below)).map(|(_, action)| action)
        };
        let action = *containing.or_else(inside)?;
        Some(match &self.file {
            Some((file, text)) => match action_lines(text).get(action) {
                Some(line) => format!("{file}, line {line}"),
                None => format!("{file}, action {action}"),
            },
            None => format!("action {action} of the overlay"),
        })
    }
}

impl Report {
    /// Adds a change to the report. `what` describes the change, for example `a title is ignored`. Changes with
    /// equal kind and description become one entry with several JSON pointers.
    pub fn note(&mut self, change: Change, what: impl Into<String>, place: impl Into<String>) {
        let place = origin::pointer(&place.into()).to_owned();
        self.changes.entry(change).or_default().entry(what.into()).or_default().insert(place);
    }

    /// Adds a fault to the report. The generator then continues without the invalid part, so that one run reports all
    /// faults.
    pub fn refuse(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Records that the overlay action with index `action` set the value at the JSON pointer `place`.
    pub fn overlay_sets(&mut self, place: impl Into<String>, action: usize) {
        self.overlay.actions.insert(place.into(), action);
    }

    /// Sets the path and text of the overlay file, so that errors in values of the overlay contain a line number.
    pub fn name_overlay(&mut self, file: &Path, text: &str) {
        self.overlay.file = Some((file.display().to_string(), text.to_owned()));
    }

    /// Removes the faults of the value at the JSONPath `target`, because the overlay removes this value. Returns false
    /// if the value has no faults.
    pub fn settle(&mut self, target: &str) -> bool {
        let count = self.faults.len();
        self.faults.retain(|fault| fault.target().as_deref() != Some(target));
        self.faults.len() < count
    }

    /// Removes all faults from the report and returns them. Returns `None` if the report has no faults.
    #[must_use]
    pub fn faults(&mut self) -> Option<Faults> {
        Faults::from_list(std::mem::take(&mut self.faults)).map(|faults| self.attributed(faults))
    }

    /// Adds the location of an overlay action to each fault whose invalid value this action set. Does not change the
    /// other faults.
    #[must_use]
    pub fn attributed(&self, faults: Faults) -> Faults {
        faults.attributed(|place| self.overlay.setter(place))
    }

    /// Formats the report as Markdown.
    #[must_use]
    pub fn to_markdown(&self, header: &str) -> String {
        let mut text = format!("{header}\n");
        for (change, sentences) in &self.changes {
            let (title, meaning) = change.title();
            let places: usize = sentences.values().map(BTreeSet::len).sum();
            text.push_str(&format!("\n## {title}: {places}\n\n{meaning}\n\n"));
            for (what, places) in sentences {
                text.push_str(&format!("- {what} ({})\n", places.len()));
                for place in places {
                    text.push_str(&format!("  - `{place}`\n"));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_grouped_and_sorted_and_counted_once() {
        let mut report = Report::default();
        report.note(Change::Dropped, "b", "/2");
        report.note(Change::Renamed, "a", "/1");
        report.note(Change::Dropped, "b", "/1");
        report.note(Change::Dropped, "b", "/1");
        insta::assert_snapshot!(report.to_markdown("# Report"), @r"
        # Report

        ## Renamed: 1

        Names that Rust or this project spells differently.

        - a (1)
          - `/1`

        ## Dropped: 2

        Parts of the OpenAPI document that the client does not use.

        - b (2)
          - `/1`
          - `/2`
        ");
    }
}
