//! What has another name and is the same otherwise.

use std::collections::{BTreeMap, BTreeSet};

use strsim::normalized_levenshtein;

use super::parts_of;
use crate::facts::{Aspect, Facts, Kind, Subject, Thing};

/// How much of two things must be alike, from 0 to 1.
const ALIKE: f64 = 0.7;
/// How much of two names of parts must be.
const SPELLED_ALIKE: f64 = 0.6;

/// Old names by new ones.
#[derive(Debug, Default)]
pub(super) struct Renames(BTreeMap<(Kind, String), String>);

/// Pairs the things that are gone with those that are new.
pub(super) fn things(old: &Facts, new: &Facts) -> Renames {
    let mut renames = Renames::default();
    let (old_parts, new_parts) = (parts_of(old), parts_of(new));
    for kind in [Kind::Domain, Kind::Enum, Kind::Record, Kind::Choice, Kind::Operation] {
        let only = |these: &'_ Facts, those: &Facts| -> Vec<Subject> {
            let whole = these
                .things
                .keys()
                .filter(|subject| subject.kind == kind && subject.part.is_none());
            whole.filter(|subject| !those.things.contains_key(subject)).cloned().collect()
        };
        let (gone, came) = (only(old, new), only(new, old));
        let mut pairs: Vec<(f64, &Subject, &Subject)> = Vec::new();
        for from in &gone {
            for to in &came {
                let likeness = match kind {
                    Kind::Domain => domains(from, to, old, new),
                    Kind::Operation => operations(from, to, old, new),
                    _ => {
                        let lines = |subject, parts: &BTreeMap<_, Vec<&str>>, facts: &Facts| {
                            contents(subject, parts, facts, &renames)
                        };
                        alike(&lines(from, &old_parts, old), &lines(to, &new_parts, new))
                    }
                };
                if likeness >= ALIKE {
                    pairs.push((likeness, from, to));
                }
            }
        }
        // The most alike first; each is paired once.
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken: BTreeSet<&Subject> = BTreeSet::new();
        for (_, from, to) in pairs {
            if !taken.contains(from) && !taken.contains(to) {
                taken.extend([from, to]);
                renames.0.insert((kind, to.name.clone()), from.name.clone());
            }
        }
    }
    renames
}

/// A module is another one where it has the operations of it.
fn domains(from: &Subject, to: &Subject, old: &Facts, new: &Facts) -> f64 {
    let operations = |facts: &Facts, domain: &str| -> BTreeSet<String> {
        let all = facts.things.iter().filter(|(subject, thing)| {
            subject.kind == Kind::Operation && subject.part.is_none() && thing.domain == domain
        });
        all.map(|(subject, _)| subject.name.clone()).collect()
    };
    alike(&operations(old, &from.name), &operations(new, &to.name))
}

/// An operation is the one with the same method and path.
fn operations(from: &Subject, to: &Subject, old: &Facts, new: &Facts) -> f64 {
    let (from, to) = (&old.things[from], &new.things[to]);
    let same = |aspect| from.says(aspect) == to.says(aspect);
    if same(Aspect::Is)
        && from.says(Aspect::TwinOf).is_empty() == to.says(Aspect::TwinOf).is_empty()
    {
        1.0
    } else {
        0.0
    }
}

/// What a record, choice or enum consists of.
fn contents(
    subject: &Subject,
    parts: &BTreeMap<Subject, Vec<&str>>,
    facts: &Facts,
    renames: &Renames,
) -> BTreeSet<String> {
    let parts = parts.get(subject).map(Vec::as_slice).unwrap_or_default();
    let lines = parts.iter().map(|part| {
        let thing = &facts.things[&Subject { part: Some((*part).to_owned()), ..subject.clone() }];
        format!("{part}: {}", renames.spelled(thing.says(Aspect::Type)))
    });
    lines.collect()
}

/// Common parts among all.
fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let all = a.union(b).count();
    if all == 0 { 0.0 } else { a.intersection(b).count() as f64 / all as f64 }
}

impl Renames {
    /// Kind, old name and new name.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Kind, &str, &str)> {
        self.0.iter().map(|((kind, to), from)| (*kind, from.as_str(), to.as_str()))
    }

    /// The old version with the new names, so that only what else changed differs.
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

    /// A type with the new names.
    fn spelled(&self, ty: &str) -> String {
        let new: BTreeMap<&str, &str> = self
            .pairs()
            .filter(|(kind, ..)| matches!(kind, Kind::Record | Kind::Choice | Kind::Enum))
            .map(|(_, from, to)| (from, to))
            .collect();
        if new.is_empty() {
            return ty.to_owned();
        }
        let mut text = String::new();
        let mut word = String::new();
        for c in ty.chars().chain(['\0']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            text.push_str(new.get(word.as_str()).unwrap_or(&word.as_str()));
            word.clear();
            if c != '\0' {
                text.push(c);
            }
        }
        text
    }
}

/// Parts that have another name, with the old one.
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
            if let Some(index) = gone.iter().position(|from| same(from)) {
                renames.insert(subject, gone.remove(index).to_owned());
            }
        }
    }
    renames
}

fn is_renamed(kind: Kind, from: &str, old: &Thing, to: &str, new: &Thing) -> bool {
    let same = |aspect| old.says(aspect) == new.says(aspect);
    match kind {
        // The variant is the same; the text on the wire is not.
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
