//! Finds API items that were renamed and are otherwise equal.
//!
//! The inputs are the properties of the old and the new API, and the output is pairs of names.

use std::collections::{BTreeMap, BTreeSet};

use strsim::normalized_levenshtein;

use super::parts_of;
use crate::facts::{Aspect, Facts, Kind, Subject, Thing};

/// Smallest similarity of a renamed API item, from 0 to 1.
const ALIKE: f64 = 0.7;
/// If more API items than this share a part, the part does not identify them.
const COMMON: usize = 50;
/// Smallest similarity of the names of renamed parts.
const SPELLED_ALIKE: f64 = 0.6;

/// Renames: old names by new names.
#[derive(Debug, Default)]
pub(super) struct Renames {
    names: BTreeMap<(Kind, String), String>,
    /// New names of types by old names.
    types: BTreeMap<String, String>,
}

/// Pairs removed API items with added ones.
pub(super) fn things(old: &Facts, new: &Facts) -> Renames {
    let mut renames = Renames::default();
    let (old_parts, new_parts) = (parts_of(old), parts_of(new));
    for kind in [Kind::Domain, Kind::Enum, Kind::Record, Kind::Choice, Kind::Operation] {
        let only = |these: &Facts, those: &Facts, parts: &Parts| -> Vec<(Subject, Contents)> {
            let whole = these
                .things
                .keys()
                .filter(|subject| subject.kind == kind && subject.part.is_none())
                .filter(|subject| !those.things.contains_key(subject));
            whole
                .map(|subject| (subject.clone(), contents(subject, these, parts, &renames)))
                .collect()
        };
        let (gone, came) = (only(old, new, &old_parts), only(new, old, &new_parts));
        for (from, to) in most_alike(&gone, &came) {
            renames.add(kind, from, to);
        }
    }
    renames
}

type Parts<'a> = BTreeMap<Subject, Vec<&'a str>>;
type Contents = BTreeSet<String>;

/// Returns the identifying parts of an API item: method and path of an operation, operations of a module, fields of a
/// record, values of an enum.
fn contents(subject: &Subject, facts: &Facts, parts: &Parts, renames: &Renames) -> Contents {
    let thing = &facts.things[subject];
    match subject.kind {
        Kind::Operation => {
            let twin = !thing.says(Aspect::TwinOf).is_empty();
            Contents::from([format!("{} {twin}", thing.says(Aspect::Is))])
        }
        Kind::Domain => {
            let all = facts.things.iter().filter(|(other, thing)| {
                other.kind == Kind::Operation
                    && other.part.is_none()
                    && thing.domain == subject.name
            });
            all.map(|(other, _)| other.name.clone()).collect()
        }
        _ => {
            let parts = parts.get(subject).map(Vec::as_slice).unwrap_or_default();
            let lines = parts.iter().map(|part| {
                let part = Subject { part: Some((*part).to_owned()), ..subject.clone() };
                let ty = renames.spelled(facts.things[&part].says(Aspect::Type));
                format!("{}: {ty}", part.part.unwrap_or_default())
            });
            lines.collect()
        }
    }
}

/// Pairs API items by common parts, the most similar first. Each item is paired once.
fn most_alike<'a>(
    gone: &'a [(Subject, Contents)],
    came: &'a [(Subject, Contents)],
) -> Vec<(&'a str, &'a str)> {
    let mut by_line: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, (_, lines)) in came.iter().enumerate() {
        for line in lines {
            by_line.entry(line).or_default().push(index);
        }
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (from, (_, lines)) in gone.iter().enumerate() {
        // A part that many things share identifies none of them.
        let telling = lines.iter().filter_map(|line| by_line.get(line.as_str()));
        let near: BTreeSet<usize> =
            telling.filter(|list| list.len() <= COMMON).flatten().copied().collect();
        for to in near {
            let common = lines.intersection(&came[to].1).count();
            let all = lines.len() + came[to].1.len() - common;
            let likeness = common as f64 / all as f64;
            if likeness >= ALIKE {
                pairs.push((likeness, from, to));
            }
        }
    }

    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let (mut froms, mut tos) = (BTreeSet::new(), BTreeSet::new());
    let mut chosen = Vec::new();
    for (_, from, to) in pairs {
        if !froms.contains(&from) && !tos.contains(&to) {
            froms.insert(from);
            tos.insert(to);
            chosen.push((gone[from].0.name.as_str(), came[to].0.name.as_str()));
        }
    }
    chosen
}

impl Renames {
    fn add(&mut self, kind: Kind, from: &str, to: &str) {
        self.names.insert((kind, to.to_owned()), from.to_owned());
        if matches!(kind, Kind::Record | Kind::Choice | Kind::Enum) {
            self.types.insert(from.to_owned(), to.to_owned());
        }
    }

    /// Iterates over kind, old name and new name.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Kind, &str, &str)> {
        self.names.iter().map(|((kind, to), from)| (*kind, from.as_str(), to.as_str()))
    }

    /// Returns the old version with the new names, so that only other changes remain.
    pub(super) fn apply(&self, old: &Facts) -> Facts {
        let new_names: BTreeMap<(Kind, &str), &str> =
            self.pairs().map(|(kind, from, to)| ((kind, from), to)).collect();
        let name =
            |kind: Kind, name: &str| new_names.get(&(kind, name)).map_or(name, |to| to).to_owned();
        let types = [Aspect::Type, Aspect::Answers];
        let things = old.things.iter().map(|(subject, thing)| {
            let subject = Subject { name: name(subject.kind, &subject.name), ..subject.clone() };
            let aspects = thing.aspects.iter().map(|(aspect, value)| {
                let value = match aspect {
                    aspect if types.contains(aspect) => self.spelled(value),
                    Aspect::TwinOf => name(Kind::Operation, value),
                    _ => value.clone(),
                };
                (*aspect, value)
            });
            let domain = name(Kind::Domain, &thing.domain);
            (subject, Thing { domain, aspects: aspects.collect() })
        });
        let reach = old.reach.iter().map(|(operation, names)| {
            let names = names.iter().map(|name| self.spelled(name));
            (name(Kind::Operation, operation), names.collect())
        });
        Facts { things: things.collect(), reach: reach.collect() }
    }

    /// Replaces old names in a type.
    fn spelled(&self, ty: &str) -> String {
        if self.types.is_empty() {
            return ty.to_owned();
        }
        let mut text = String::new();
        let mut word = String::new();
        for c in ty.chars().chain(['\0']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            text.push_str(self.types.get(&word).unwrap_or(&word));
            word.clear();
            if c != '\0' {
                text.push(c);
            }
        }
        text
    }
}

/// Finds renamed parts, each with its old name.
pub(super) fn parts(old: &Facts, new: &Facts) -> BTreeMap<Subject, String> {
    let mut renames = BTreeMap::new();
    let (old_parts, new_parts) = (parts_of(old), parts_of(new));
    for (whole, now) in &new_parts {
        let before = old_parts.get(whole).map(Vec::as_slice).unwrap_or_default();
        let came = now.iter().filter(|part| !before.contains(part));
        let mut gone: Vec<&str> =
            before.iter().filter(|part| !now.contains(part)).copied().collect();
        for part in came {
            let subject = Subject { part: Some((*part).to_owned()), ..whole.clone() };
            let thing = &new.things[&subject];
            let same = |from: &&str| {
                let from_subject = Subject { part: Some((*from).to_owned()), ..whole.clone() };
                is_renamed(whole.kind, from, &old.things[&from_subject], part, thing)
            };
            if let Some(index) = gone.iter().position(same) {
                renames.insert(subject, gone.remove(index).to_owned());
            }
        }
    }
    renames
}

fn is_renamed(kind: Kind, from: &str, old: &Thing, to: &str, new: &Thing) -> bool {
    let same = |aspect| old.says(aspect) == new.says(aspect);
    match kind {
        // The variant is equal, but the value on the wire differs.
        Kind::Enum => same(Aspect::Is),
        Kind::Choice => same(Aspect::Type),
        Kind::Service | Kind::Domain => false,
        Kind::Operation | Kind::Record => {
            let words = !old.says(Aspect::Docs).is_empty() && same(Aspect::Docs);
            let place = old.says(Aspect::Place).starts_with("arg")
                == new.says(Aspect::Place).starts_with("arg");
            let names = normalized_levenshtein(from, to) >= SPELLED_ALIKE;
            same(Aspect::Type) && place && (words || names)
        }
    }
}
