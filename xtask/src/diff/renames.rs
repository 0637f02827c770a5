//! Finds renamed API items: pairs of a removed and an added item that are similar.
//!
//! The inputs are the API properties of the old and the new version. The output is pairs of an old and a new name.

use std::collections::{BTreeMap, BTreeSet};

use strsim::normalized_levenshtein;

use super::parts_of;
use crate::facts::{Aspect, Facts, ItemKind, Subject, Thing};

/// Minimum similarity, from 0 to 1, of an API item and its renamed version. The similarity is the number of common
/// parts, divided by the number of all parts. For example, two records have 10 different fields in total, and 7 of
/// these fields are in both records. The similarity is 0.7.
const ALIKE: f64 = 0.7;
/// Maximum number of added API items that may contain the same part, so that this part is rare. A part is, for example,
/// the field `id: String` of a record. A removed and an added item are compared only if they have at least one rare
/// part in common.
const COMMON: usize = 50;
/// Minimum similarity, from 0 to 1, between the old and the new name of a renamed parameter or field. Less similar
/// names are accepted if the documentation text is unchanged.
const SPELLED_ALIKE: f64 = 0.6;

/// Names of renamed API items. `names` maps the kind and the new name to the old name.
#[derive(Debug, Default)]
pub(super) struct Renames {
    names: BTreeMap<(ItemKind, String), String>,
    /// New names of renamed types. The key is the old name.
    types: BTreeMap<String, String>,
}

/// Finds renamed API items: pairs of a removed and an added item with similar contents.
pub(super) fn find_items(old: &Facts, new: &Facts) -> Renames {
    let mut renames = Renames::default();
    let (old_parts, new_parts) = (parts_of(old), parts_of(new));
    for kind in
        [ItemKind::Domain, ItemKind::Enum, ItemKind::Record, ItemKind::Choice, ItemKind::Operation]
    {
        let only =
            |these: &Facts, those: &Facts, parts: &SubjectParts| -> Vec<(Subject, Contents)> {
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

type SubjectParts<'a> = BTreeMap<Subject, Vec<&'a str>>;
type Contents = BTreeSet<String>;

/// Returns the contents of an API item, which identify the item after a rename. The contents are the method and path of
/// an operation, the operations of a module, the fields of a record, the variants of a union, or the values of an enum.
fn contents(subject: &Subject, facts: &Facts, parts: &SubjectParts, renames: &Renames) -> Contents {
    let thing = &facts.things[subject];
    match subject.kind {
        ItemKind::Operation => {
            let twin = !thing.says(Aspect::TwinOf).is_empty();
            Contents::from([format!("{} {twin}", thing.says(Aspect::Is))])
        }
        ItemKind::Domain => {
            let all = facts.things.iter().filter(|(other, thing)| {
                other.kind == ItemKind::Operation
                    && other.part.is_none()
                    && thing.domain == subject.name
            });
            all.map(|(other, _)| other.name.clone()).collect()
        }
        _ => {
            let parts = parts.get(subject).map(Vec::as_slice).unwrap_or_default();
            let lines = parts.iter().map(|part| {
                let part = Subject { part: Some((*part).to_owned()), ..subject.clone() };
                let ty = renames.with_new_names(facts.things[&part].says(Aspect::Type));
                format!("{}: {ty}", part.part.unwrap_or_default())
            });
            lines.collect()
        }
    }
}

/// Pairs removed API items with added items that have similar contents, beginning with the most similar pair. Each item
/// is in at most one pair.
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
        // A part that many API items contain does not identify any of them.
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
    fn add(&mut self, kind: ItemKind, from: &str, to: &str) {
        self.names.insert((kind, to.to_owned()), from.to_owned());
        if matches!(kind, ItemKind::Record | ItemKind::Choice | ItemKind::Enum) {
            self.types.insert(from.to_owned(), to.to_owned());
        }
    }

    /// Iterates over all renamed API items. Each entry is a kind, an old name and a new name.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (ItemKind, &str, &str)> {
        self.names.iter().map(|((kind, to), from)| (*kind, from.as_str(), to.as_str()))
    }

    /// Returns the API properties of the old version, with the new names of all renamed API items and types. A
    /// comparison of the result with the new version then does not report a renamed item as removed and added, or a
    /// renamed type as a type change.
    pub(super) fn apply(&self, old: &Facts) -> Facts {
        let new_names: BTreeMap<(ItemKind, &str), &str> =
            self.pairs().map(|(kind, from, to)| ((kind, from), to)).collect();
        let name = |kind: ItemKind, name: &str| {
            new_names.get(&(kind, name)).map_or(name, |to| to).to_owned()
        };
        let types = [Aspect::Type, Aspect::Answers];
        let things = old.things.iter().map(|(subject, thing)| {
            let subject = Subject { name: name(subject.kind, &subject.name), ..subject.clone() };
            let aspects = thing.aspects.iter().map(|(aspect, value)| {
                let value = match aspect {
                    aspect if types.contains(aspect) => self.with_new_names(value),
                    Aspect::TwinOf => name(ItemKind::Operation, value),
                    _ => value.clone(),
                };
                (*aspect, value)
            });
            let domain = name(ItemKind::Domain, &thing.domain);
            (subject, Thing { domain, aspects: aspects.collect() })
        });
        let reach = old.reach.iter().map(|(operation, names)| {
            let names = names.iter().map(|name| self.with_new_names(name));
            (name(ItemKind::Operation, operation), names.collect())
        });
        Facts { things: things.collect(), reach: reach.collect() }
    }

    /// Returns the Rust type `ty` with the new names of renamed types.
    fn with_new_names(&self, ty: &str) -> String {
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

/// Finds renamed parts of API items, such as parameters and fields. The key is the part with its new name, and the
/// value is its old name.
pub(super) fn find_parts(old: &Facts, new: &Facts) -> BTreeMap<Subject, String> {
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

fn is_renamed(kind: ItemKind, from: &str, old: &Thing, to: &str, new: &Thing) -> bool {
    let same = |aspect| old.says(aspect) == new.says(aspect);
    match kind {
        // The Rust variant is the same, but its JSON value differs.
        ItemKind::Enum => same(Aspect::Is),
        ItemKind::Choice => same(Aspect::Type),
        ItemKind::Service | ItemKind::Domain => false,
        ItemKind::Operation | ItemKind::Record => {
            let words = !old.says(Aspect::Docs).is_empty() && same(Aspect::Docs);
            let place = old.says(Aspect::Place).starts_with("arg")
                == new.says(Aspect::Place).starts_with("arg");
            let names = normalized_levenshtein(from, to) >= SPELLED_ALIKE;
            same(Aspect::Type) && place && (words || names)
        }
    }
}
