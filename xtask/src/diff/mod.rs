//! `cargo xtask diff`: shows how a new version of the OpenAPI documents affects users of the Rust API.
//!
//! The module `versions` finds the two versions, `renames` pairs renamed API items, and `classes` classifies each
//! change. The module `fold` removes changes that follow from other changes, `assumed` finds confirmed and refuted
//! assumptions, and `show` formats the result.

mod assumed;
mod classes;
mod fold;
mod renames;
mod show;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use crate::assumptions::Met;
use crate::facts::{Aspect, Facts, ItemKind, Subject};

pub use show::{Format, View, show};
pub use versions::{between, compared, in_parallel, replaced};

/// Effect of an API change on Rust callers, from the smallest to the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Callers cannot notice the change, or only a documentation text changed.
    Docs,
    /// The API has a new item. Existing code still compiles.
    Additive,
    /// Existing code still compiles, but calls behave differently, cost differently, or cause new warnings.
    Behaviour,
    /// Existing code may no longer compile.
    Breaking,
}

impl Class {
    pub const ALL: [Class; 4] = [Class::Breaking, Class::Behaviour, Class::Additive, Class::Docs];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Class::Docs => "docs",
            Class::Additive => "additive",
            Class::Behaviour => "behaviour",
            Class::Breaking => "breaking",
        }
    }

    /// Returns the part of the version number that must increase after a change of this class: `major`, `minor` or
    /// `patch`. For versions below 1.0, the report proposes a smaller step.
    #[must_use]
    pub fn bump(self) -> &'static str {
        match self {
            Class::Docs => "patch",
            Class::Additive | Class::Behaviour => "minor",
            Class::Breaking => "major",
        }
    }
}

/// Kind of an API change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Added,
    Removed,
    Renamed,
    Changed,
}

impl What {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            What::Added => "added",
            What::Removed => "removed",
            What::Renamed => "renamed",
            What::Changed => "changed",
        }
    }
}

/// One change of the Rust API between two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub class: Class,
    pub what: What,
    pub domain: String,
    /// The changed API item. A renamed item has its new name here.
    pub subject: Subject,
    /// The changed property of the API item. `None` if the whole item was added, removed, renamed or moved.
    pub aspect: Option<Aspect>,
    pub old: Option<String>,
    pub new: Option<String>,
    /// Description of the change, without the name of the API item: `is a new required argument`.
    pub says: String,
    /// Names of API items that also change because of this change. Their changes are not reported separately. Examples
    /// are the parameters of a new operation, and the fields that accept a new enum value.
    pub with: Vec<String>,
}

impl Change {
    /// Returns true if the change only affects a documentation text.
    #[must_use]
    pub fn is_of_text(&self) -> bool {
        matches!(self.aspect, Some(Aspect::Summary | Aspect::Docs))
    }
}

/// All changes of the Rust API between two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// Old and new version number from the OpenAPI document.
    pub versions: (String, String),
    pub changes: Vec<Change>,
    /// Undocumented operations for which the new OpenAPI documents confirm or refute the repository's assumptions. For
    /// example, an assumption can be the type of a parameter.
    pub assumptions: Vec<Met>,
}

impl Diff {
    /// Returns the class of the most severe change, such as breaking or additive. Returns `None` if nothing changed.
    #[must_use]
    pub fn heaviest(&self) -> Option<Class> {
        self.changes.iter().map(|change| change.class).max()
    }

    #[must_use]
    pub fn count(&self, class: Class) -> usize {
        self.changes.iter().filter(|change| change.class == class).count()
    }
}

/// Compares the API properties of two versions and returns all changes.
#[must_use]
pub fn diff(old: &Facts, new: &Facts) -> Diff {
    let service = Subject { kind: ItemKind::Service, name: String::new(), part: None };
    let version = |facts: &Facts| {
        facts.things.get(&service).map_or("", |thing| thing.says(Aspect::Version)).to_owned()
    };
    let versions = (version(old), version(new));

    let renames = renames::find_items(old, new);
    let old = &renames.apply(old);
    let mut changes: Vec<Change> =
        renames.pairs().map(|(kind, from, to)| renamed(kind, from, to, new)).collect();
    let parts = renames::find_parts(old, new);
    for (subject, from) in &parts {
        changes.push(classes::part_renamed(subject, from, old, new));
    }
    let gone: BTreeSet<Subject> = parts
        .iter()
        .map(|(subject, from)| Subject { part: Some(from.clone()), ..subject.clone() })
        .collect();

    for (subject, thing) in &new.things {
        // Name of this API item in the old version.
        let before = match parts.get(subject) {
            Some(from) => Subject { part: Some(from.clone()), ..subject.clone() },
            None => subject.clone(),
        };
        match old.things.get(&before) {
            Some(known) => classes::changed(subject, known, thing, new, &mut changes),
            None => changes.push(classes::added(subject, thing, new)),
        }
    }
    for (subject, thing) in &old.things {
        if !new.things.contains_key(subject) && !gone.contains(subject) {
            changes.push(classes::removed(subject, thing, old));
        }
    }
    classes::arguments(old, new, &parts, &mut changes);

    fold::fold(&mut changes, old, new);
    changes.sort_by(|a, b| {
        let key = |change: &Change| (std::cmp::Reverse(change.class), change.domain.clone());
        key(a)
            .cmp(&key(b))
            .then_with(|| (&a.subject, a.what, a.aspect).cmp(&(&b.subject, b.what, b.aspect)))
    });
    Diff { versions, changes, assumptions: Vec::new() }
}

fn renamed(kind: ItemKind, from: &str, to: &str, new: &Facts) -> Change {
    let subject = Subject { kind, name: to.to_owned(), part: None };
    let domain = new.things.get(&subject).map_or(String::new(), |thing| thing.domain.clone());
    Change {
        class: Class::Breaking,
        what: What::Renamed,
        domain,
        subject,
        aspect: None,
        old: Some(from.to_owned()),
        new: Some(to.to_owned()),
        says: format!("was called `{from}`; `x-rename` in the overlay can keep the old name"),
        with: Vec::new(),
    }
}

/// Returns the names of the parts of each API item, such as the fields of a record.
fn parts_of(facts: &Facts) -> BTreeMap<Subject, Vec<&str>> {
    let mut parts: BTreeMap<Subject, Vec<&str>> = BTreeMap::new();
    for subject in facts.things.keys() {
        if let Some(part) = &subject.part {
            parts.entry(Subject { part: None, ..subject.clone() }).or_default().push(part);
        }
    }
    parts
}
