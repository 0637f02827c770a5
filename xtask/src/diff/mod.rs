//! `cargo xtask diff`: what a new version of the descriptions means for users of the Rust API.
//!
//! `versions` finds the two versions, `renames` pairs what has another name, `classes` says what a change of
//! a fact means for a caller, `fold` takes out what only follows from another change, `assumed` says which of our
//! assumptions the new description decides, and `show` writes.

mod assumed;
mod classes;
mod fold;
mod renames;
mod show;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use crate::assumptions::Met;
use crate::facts::{Aspect, Facts, Kind, Subject};

pub use show::{Format, show};
pub use versions::{between, compared, in_parallel, replaced};

/// What a change means for a Rust caller, lightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Words, and what a caller cannot notice otherwise.
    Docs,
    /// Something new; all that compiled still does.
    Additive,
    /// All still compiles, and calls act, cost or warn differently.
    Behaviour,
    /// Code that compiled may not any more.
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

    /// The part of the version that must grow.
    #[must_use]
    pub fn bump(self) -> &'static str {
        match self {
            Class::Docs => "patch",
            Class::Additive | Class::Behaviour => "minor",
            Class::Breaking => "major",
        }
    }
}

/// What happened to a thing.
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

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub class: Class,
    pub what: What,
    pub domain: String,
    /// What it is about, by its new name where it has one.
    pub subject: Subject,
    /// What of it changed; `None` for the whole of it.
    pub aspect: Option<Aspect>,
    pub old: Option<String>,
    pub new: Option<String>,
    /// What it means, as the end of a sentence that begins with the subject.
    pub says: String,
    /// What comes with it: the parameters of a new operation, the places that take a new value.
    pub with: Vec<String>,
}

/// All that changed between two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// Versions of the description.
    pub versions: (String, String),
    pub changes: Vec<Change>,
    /// Assumptions that the new description confirms or refutes.
    pub assumptions: Vec<Met>,
}

impl Diff {
    /// The heaviest class; `None` when nothing changed.
    #[must_use]
    pub fn heaviest(&self) -> Option<Class> {
        self.changes.iter().map(|change| change.class).max()
    }

    #[must_use]
    pub fn count(&self, class: Class) -> usize {
        self.changes.iter().filter(|change| change.class == class).count()
    }
}

/// Compares two versions.
#[must_use]
pub fn diff(old: &Facts, new: &Facts) -> Diff {
    let service = Subject { kind: Kind::Service, name: String::new(), part: None };
    let version = |facts: &Facts| {
        facts.things.get(&service).map_or("", |thing| thing.says(Aspect::Version)).to_owned()
    };
    let versions = (version(old), version(new));

    let renames = renames::things(old, new);
    let old = &renames.apply(old);
    let mut changes: Vec<Change> =
        renames.pairs().map(|(kind, from, to)| renamed(kind, from, to, new)).collect();
    let parts = renames::parts(old, new);
    for (subject, from) in &parts {
        changes.push(classes::part_renamed(subject, from, old, new));
    }
    let gone: BTreeSet<Subject> = parts
        .iter()
        .map(|(subject, from)| Subject { part: Some(from.clone()), ..subject.clone() })
        .collect();

    for (subject, thing) in &new.things {
        // The thing that it was before.
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

fn renamed(kind: Kind, from: &str, to: &str, new: &Facts) -> Change {
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
        says: format!("was called `{from}`; `x-rename` keeps the old name"),
        with: Vec::new(),
    }
}

/// The parts of each thing, by the thing.
fn parts_of(facts: &Facts) -> BTreeMap<Subject, Vec<&str>> {
    let mut parts: BTreeMap<Subject, Vec<&str>> = BTreeMap::new();
    for subject in facts.things.keys() {
        if let Some(part) = &subject.part {
            parts.entry(Subject { part: None, ..subject.clone() }).or_default().push(part);
        }
    }
    parts
}
