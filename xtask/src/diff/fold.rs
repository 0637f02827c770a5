//! Removes API changes that are consequences of other changes. For example, a new operation has new parameters. The
//! result contains one change for the operation, which lists the names of the new parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, Class, What};
use crate::facts::{Aspect, Facts, ItemKind, Subject};
use crate::names::type_name;

pub(super) fn fold(changes: &mut Vec<Change>, old: &Facts, new: &Facts) {
    parts_of_wholes(changes);
    names(changes);
    remove_twins(changes, old, new);
    values(changes, new);
    held_by_operations(changes, What::Added, new);
    held_by_operations(changes, What::Removed, old);
    held_by_types(changes);
    counts(changes);
    domains(changes, old, new);
}

/// If an API item is new, merges the changes of its parts into the change of the item. For example, a new operation and
/// its new parameters become one change, which contains the names of the parameters. The removed parts of a removed
/// item are merged in the same way.
fn parts_of_wholes(changes: &mut Vec<Change>) {
    let wholes: BTreeMap<(Subject, What), usize> = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| change.subject.part.is_none() && change.aspect.is_none())
        .map(|(index, change)| ((change.subject.clone(), change.what), index))
        .collect();
    let mut with: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut out = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        let whole = (Subject { part: None, ..change.subject.clone() }, change.what);
        if let (Some(part), Some(of), What::Added | What::Removed) =
            (&change.subject.part, wholes.get(&whole), change.what)
        {
            with.entry(*of).or_default().push(part.clone());
            out.insert(index);
        }
    }
    for (index, parts) in with {
        changes[index].with = parts;
    }
    keep(changes, &out);
}

/// Merges the rename of a type into the rename of another API item, if the type is named after this item. For
/// example, the rename of `PriceRow` to `QuoteRow` follows from the rename of `Price` to `Quote`.
fn names(changes: &mut Vec<Change>) {
    let renamed: Vec<(usize, String, String)> = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| change.what == What::Renamed && change.subject.part.is_none())
        .map(|(index, change)| {
            let name = |name: &Option<String>| type_name(name.as_deref().unwrap_or_default());
            (index, name(&change.old), name(&change.new))
        })
        .collect();
    let by_name: BTreeMap<&str, (usize, &str)> =
        renamed.iter().map(|(index, old, new)| (old.as_str(), (*index, new.as_str()))).collect();

    let mut with: Vec<(usize, String)> = Vec::new();
    let mut out = BTreeSet::new();
    for (index, old, new) in &renamed {
        // The rename of an operation or a module is always reported separately, because callers write its name.
        if matches!(changes[*index].subject.kind, ItemKind::Operation | ItemKind::Domain) {
            continue;
        }
        // Compares whole words, so `Price10` is not named after `Price1`. If several names are prefixes, the shortest
        // one counts.
        let ends = old.char_indices().filter(|(end, c)| *end > 0 && c.is_uppercase());
        let mut of = ends.filter_map(|(end, _)| {
            let (of, to) = by_name.get(&old[..end])?;
            (new.strip_prefix(to)? == &old[end..]).then_some(*of)
        });
        if let Some(of) = of.next() {
            out.insert(*index);
            with.push((of, format!("{old} as {new}")));
        }
    }

    for (index, told) in with {
        changes[index].with.push(told);
    }
    keep(changes, &out);
}

/// Removes a change of a streaming variant if the operation without streaming has the same change, for example the same
/// new parameter.
fn remove_twins(changes: &mut Vec<Change>, old: &Facts, new: &Facts) {
    let main = |subject: &Subject| -> Option<Subject> {
        let whole = Subject { part: None, ..subject.clone() };
        let thing = new.things.get(&whole).or_else(|| old.things.get(&whole))?;
        let name = thing.says(Aspect::TwinOf);
        (subject.kind == ItemKind::Operation && !name.is_empty())
            .then(|| Subject { name: name.to_owned(), ..subject.clone() })
    };
    let known: BTreeSet<(Subject, What, Option<Aspect>, Class)> = changes
        .iter()
        .map(|change| (change.subject.clone(), change.what, change.aspect, change.class))
        .collect();
    changes.retain(|change| {
        let main = main(&change.subject);
        !main.is_some_and(|main| known.contains(&(main, change.what, change.aspect, change.class)))
    });
}

/// Removes changes of the values that a parameter or field accepts, if the reason is a changed enum. For example, if
/// the enum `Interval` has the new value `hour`, each parameter or field of the type `Interval` accepts `hour` too.
/// Only the change of the enum is reported, with the names of these parameters and fields.
fn values(changes: &mut Vec<Change>, new: &Facts) {
    let mut of_enums: BTreeMap<(What, &String), Vec<&Change>> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.subject.kind == ItemKind::Enum) {
        if let Some(value) = &change.subject.part {
            of_enums.entry((change.what, value)).or_default().push(change);
        }
    }

    let mut places: BTreeMap<(What, String, String), Vec<String>> = BTreeMap::new();
    let mut out = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        if change.aspect != Some(Aspect::Values) {
            continue;
        }

        let ty = new.things.get(&change.subject).map_or("", |thing| thing.says(Aspect::Type));
        let list = |text: &Option<String>| -> Vec<String> {
            let text = text.as_deref().unwrap_or_default();
            text.split(", ").map(str::to_owned).collect()
        };
        let (was, is) = (list(&change.old), list(&change.new));
        let (what, moved): (What, Vec<&String>) = match change.class {
            Class::Additive => {
                (What::Added, is.iter().filter(|value| !was.contains(value)).collect())
            }
            _ => (What::Removed, was.iter().filter(|value| !is.contains(value)).collect()),
        };

        let of_enum = |value: &String| {
            let known = of_enums.get(&(what, value)).into_iter().flatten();
            known.copied().find(|change| mentions(ty, &change.subject.name))
        };
        let told: Vec<&Change> = moved.iter().filter_map(|value| of_enum(value)).collect();

        if !moved.is_empty() && told.len() == moved.len() {
            out.insert(index);
            for of in told {
                let key =
                    (what, of.subject.name.clone(), of.subject.part.clone().unwrap_or_default());
                let place = &change.subject;
                let part = place.part.clone().unwrap_or_default();
                places.entry(key).or_default().push(format!("{}.{part}", place.name));
            }
        }
    }

    for change in changes.iter_mut().filter(|change| change.subject.kind == ItemKind::Enum) {
        let part = change.subject.part.clone().unwrap_or_default();
        let key = (change.what, change.subject.name.clone(), part);
        change.with.extend(places.remove(&key).unwrap_or_default());
    }
    keep(changes, &out);
}

/// Returns true if the Rust type `ty` mentions the type `name`.
fn mentions(ty: &str, name: &str) -> bool {
    words(ty).any(|word| word == name)
}

fn words(ty: &str) -> impl Iterator<Item = &str> {
    ty.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Merges the change of a new type, such as a record, into the change of a new operation that uses the type. This
/// happens only if all operations that use the type are new. If several new operations use the type, the first one in
/// alphabetical order gets the change. A removed type is merged into a removed operation by the same rules.
fn held_by_operations(changes: &mut Vec<Change>, what: What, facts: &Facts) {
    let operations: BTreeMap<String, usize> = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| {
            let subject = &change.subject;
            change.what == what && subject.kind == ItemKind::Operation && subject.part.is_none()
        })
        .map(|(index, change)| (change.subject.name.clone(), index))
        .collect();

    let mut holders: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
    for (operation, names) in &facts.reach {
        for name in names {
            holders.entry(name).or_default().push(operation);
        }
    }

    let mut with: Vec<(usize, String)> = Vec::new();
    let mut out = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        let kind =
            matches!(change.subject.kind, ItemKind::Record | ItemKind::Choice | ItemKind::Enum);
        if change.what != what || !kind || change.subject.part.is_some() {
            continue;
        }

        let holders = holders.get(&change.subject.name).map(Vec::as_slice).unwrap_or_default();
        // The change of a streaming variant was already merged into the change of its operation.
        let told: Vec<usize> =
            holders.iter().filter_map(|name| operations.get(*name).copied()).collect();
        let twins = holders.iter().all(|name| {
            operations.contains_key(*name) || {
                let subject =
                    Subject { kind: ItemKind::Operation, name: (*name).clone(), part: None };
                facts
                    .things
                    .get(&subject)
                    .is_some_and(|thing| operations.contains_key(thing.says(Aspect::TwinOf)))
            }
        });

        if let (Some(first), true) = (told.first(), twins) {
            out.insert(index);
            with.push((*first, change.subject.to_string()));
        }
    }

    for (index, told) in with {
        changes[index].with.push(told);
    }
    keep(changes, &out);
}

/// Merges the addition of a type into the change of the parameter, field, union variant or response that now has this
/// type. For example, if the type of a field changes from `f64` to the new record `Price`, only the change of the field
/// stays. This change then lists the name `record Price`. The removal of a type is merged in the same way into the
/// change of an item that had this type.
fn held_by_types(changes: &mut Vec<Change>) {
    let mut typed: BTreeMap<(What, &str), usize> = BTreeMap::new();
    for (index, change) in changes.iter().enumerate() {
        if matches!(change.aspect, Some(Aspect::Type | Aspect::Answers)) {
            for (what, ty) in [(What::Added, &change.new), (What::Removed, &change.old)] {
                for word in words(ty.as_deref().unwrap_or_default()) {
                    typed.entry((what, word)).or_insert(index);
                }
            }
        }
    }

    let mut with: Vec<(usize, String)> = Vec::new();
    let mut out = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        let kind =
            matches!(change.subject.kind, ItemKind::Record | ItemKind::Choice | ItemKind::Enum);
        if !kind || change.subject.part.is_some() {
            continue;
        }
        if let Some(of) = typed.get(&(change.what, change.subject.name.as_str())) {
            out.insert(index);
            with.push((*of, change.subject.to_string()));
        }
    }

    for (index, told) in with {
        changes[index].with.push(told);
    }
    keep(changes, &out);
}

/// Merges the type change of a paging parameter into the change of the operation's paging, if both exist. For example,
/// if the parameter `offset` has a new type, the change of the paging gets the text `another type of offset`.
fn counts(changes: &mut Vec<Change>) {
    let mut with: Vec<(usize, String)> = Vec::new();
    let mut out = BTreeSet::new();

    let pages: Vec<(usize, String, String)> = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| change.aspect == Some(Aspect::Pages))
        .map(|(index, change)| {
            let texts = [&change.old, &change.new].map(|text| text.as_deref().unwrap_or_default());
            (index, change.subject.name.clone(), texts.join(" "))
        })
        .collect();

    for (index, change) in changes.iter().enumerate() {
        let Some(part) = &change.subject.part else { continue };
        let typed =
            change.aspect == Some(Aspect::Type) && change.subject.kind == ItemKind::Operation;
        let of = pages
            .iter()
            .find(|(_, name, text)| typed && *name == change.subject.name && mentions(text, part));
        if let Some((of, ..)) = of {
            out.insert(index);
            with.push((*of, format!("another type of {part}")));
        }
    }

    for (index, told) in with {
        changes[index].with.push(told);
    }
    keep(changes, &out);
}

/// Merges the change "new domain" into the change "new operation" of the first new operation in this domain. The change
/// of the operation then lists the domain, such as `domain market`. Also merges the removal of a domain into the
/// removal of its first removed operation.
fn domains(changes: &mut Vec<Change>, old: &Facts, new: &Facts) {
    let mut out = BTreeSet::new();
    let mut with: Vec<(usize, String)> = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        let facts = match change.what {
            What::Added => new,
            What::Removed => old,
            _ => continue,
        };
        if change.subject.kind != ItemKind::Domain {
            continue;
        }

        let domain = &change.subject.name;
        let own = facts.things.iter().filter(|(subject, thing)| {
            subject.kind == ItemKind::Operation && subject.part.is_none() && thing.domain == *domain
        });
        let own: Vec<&Subject> = own.map(|(subject, _)| subject).collect();
        let first = changes.iter().position(|other| {
            other.what == change.what && own.contains(&&other.subject) && other.aspect.is_none()
        });
        if let Some(first) = first {
            out.insert(index);
            with.push((first, change.subject.to_string()));
        }
    }

    for (index, told) in with {
        changes[index].with.push(told);
    }
    keep(changes, &out);
}

fn keep(changes: &mut Vec<Change>, out: &BTreeSet<usize>) {
    let mut index = 0;
    changes.retain(|_| {
        index += 1;
        !out.contains(&(index - 1))
    });
}
