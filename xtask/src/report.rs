//! Report of the changes that passes made. It is committed beside the generated code, so that
//! nothing is dropped silently.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::{Fault, Faults};
use crate::origin;

/// Kind of a change.
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
                "Choices that the description leaves open; the overlay can make others.",
            ),
            Change::Renamed => ("Renamed", "Names that Rust or this project spells differently."),
            Change::Opened => ("Opened", "Closed sets that accept values added later."),
            Change::Loosened => {
                ("Loosened", "Promises of the description that the client does not rely on.")
            }
            Change::Rewritten => ("Rewritten", "The same meaning in a form the generator takes."),
            Change::Dropped => {
                ("Dropped", "Parts of the description that the client does without.")
            }
            Change::Assumed => ("Assumed", "Parts that no source confirms; decoded leniently."),
        }
    }
}

/// Changes by kind and sentence, each with its places, and the faults.
#[derive(Debug, Default)]
pub struct Report {
    changes: BTreeMap<Change, BTreeMap<String, BTreeSet<String>>>,
    faults: Vec<Fault>,
}

impl Report {
    /// Records a change. Changes with equal sentences are one entry with several places.
    pub fn note(&mut self, change: Change, what: impl Into<String>, place: impl Into<String>) {
        let place = origin::pointer(&place.into()).to_owned();
        self.changes.entry(change).or_default().entry(what.into()).or_default().insert(place);
    }

    /// Records a fault. The pass continues without the faulty part, so that one run reports all
    /// faults.
    pub fn refuse(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Drops the faults of which the part at the JSONPath `target` is the cause. False if there are none.
    pub fn settle(&mut self, target: &str) -> bool {
        let count = self.faults.len();
        self.faults.retain(|fault| fault.target().as_deref() != Some(target));
        self.faults.len() < count
    }

    /// The faults so far. `None` if there are none.
    #[must_use]
    pub fn faults(&mut self) -> Option<Faults> {
        Faults::of(std::mem::take(&mut self.faults))
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

        Parts of the description that the client does without.

        - b (2)
          - `/1`
          - `/2`
        ");
    }
}
