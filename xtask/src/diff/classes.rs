//! Assigns a class to each change of the API. The class is the effect of the change on Rust callers.
//!
//! The inputs are the old and the new properties of one API item (an operation, record, field or the like). The output
//! is a list of changes, each with a class and a text.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, Class, What};
use crate::facts::{Aspect, Facts, ItemKind, Subject, Thing};

/// Returns true if callers create values of the record with a constructor. The constructor has one argument per
/// required field, so a new required field breaks the callers' code.
fn is_built(subject: &Subject, facts: &Facts) -> bool {
    let whole = Subject { part: None, ..subject.clone() };
    facts.things.get(&whole).is_some_and(|thing| thing.says(Aspect::Is) == "built by callers")
}

fn is_required(thing: &Thing) -> bool {
    thing.says(Aspect::Presence).starts_with("required")
}

fn is_argument(thing: &Thing) -> bool {
    thing.says(Aspect::Place).starts_with("argument")
}

pub(super) fn added(subject: &Subject, thing: &Thing, new: &Facts) -> Change {
    let (class, says) = match (subject.kind, &subject.part) {
        (ItemKind::Operation, Some(_)) if is_argument(thing) => {
            (Class::Breaking, "is a new required argument".to_owned())
        }
        (ItemKind::Operation, Some(_)) => (Class::Additive, "is new".to_owned()),
        (ItemKind::Record, Some(_)) if is_built(subject, new) && is_required(thing) => {
            (Class::Breaking, "is a new required argument of `new`".to_owned())
        }
        (ItemKind::Enum, Some(_)) => {
            (Class::Additive, format!("is new, as `{}`", thing.says(Aspect::Is)))
        }
        (ItemKind::Service, _) => (Class::Behaviour, "is new".to_owned()),
        _ => (Class::Additive, "is new".to_owned()),
    };
    whole_item(class, What::Added, subject, thing, says)
}

pub(super) fn removed(subject: &Subject, thing: &Thing, _old: &Facts) -> Change {
    let class = match subject.kind {
        ItemKind::Service => Class::Behaviour,
        _ => Class::Breaking,
    };
    whole_item(class, What::Removed, subject, thing, "was removed".to_owned())
}

fn whole_item(class: Class, what: What, subject: &Subject, thing: &Thing, says: String) -> Change {
    let told = [Aspect::Is, Aspect::Type].map(|aspect| thing.says(aspect));
    let told = told.into_iter().find(|told| !told.is_empty()).map(str::to_owned);
    let (old, new) = if what == What::Removed { (told, None) } else { (None, told) };
    Change {
        class,
        what,
        domain: thing.domain.clone(),
        subject: subject.clone(),
        aspect: None,
        old,
        new,
        says,
        with: Vec::new(),
    }
}

pub(super) fn part_renamed(subject: &Subject, from: &str, old: &Facts, new: &Facts) -> Change {
    let thing = &new.things[subject];
    let before = &old.things[&Subject { part: Some(from.to_owned()), ..subject.clone() }];
    let (class, says) = match subject.kind {
        ItemKind::Enum => (
            Class::Behaviour,
            format!(
                "has a new JSON value (before: {from:?}); the variant name `{}` is unchanged",
                before.says(Aspect::Is)
            ),
        ),
        // Rust arguments have no names at the call, so a renamed argument does not break existing code.
        ItemKind::Operation if is_argument(thing) => {
            (Class::Behaviour, format!("was called `{from}`; Rust callers pass it by position"))
        }
        _ => (Class::Breaking, format!("was called `{from}`")),
    };

    Change {
        class,
        what: What::Renamed,
        domain: thing.domain.clone(),
        subject: subject.clone(),
        aspect: None,
        old: Some(from.to_owned()),
        new: subject.part.clone(),
        says,
        with: Vec::new(),
    }
}

/// Compares the old and the new properties of one API item (an operation, record, field or the like), and appends the
/// differences to `changes`.
pub(super) fn changed(
    subject: &Subject,
    old: &Thing,
    new: &Thing,
    facts: &Facts,
    changes: &mut Vec<Change>,
) {
    let mut aspects: BTreeSet<Aspect> = old.aspects.keys().copied().collect();
    aspects.extend(new.aspects.keys().copied());
    let differs = |aspect: Aspect| old.says(aspect) != new.says(aspect);
    let retyped = differs(Aspect::Type);

    for aspect in aspects.into_iter().filter(|aspect| differs(*aspect)) {
        // These properties follow from the type, so they are not reported if the type changed.
        let follows =
            [Aspect::Convention, Aspect::Values, Aspect::Unit, Aspect::Travels, Aspect::Presence];
        // A new type can have no range, so a removed range follows from the changed type. Any other change of a range
        // is reported.
        let has_followed = follows.contains(&aspect) && !is_moved(aspect, old, new)
            || aspect == Aspect::Bounds && new.says(aspect).is_empty();
        if retyped && has_followed {
            continue;
        }

        let (was, is) = (old.says(aspect), new.says(aspect));
        for (class, says) in meaning(subject, aspect, old, new, facts) {
            changes.push(Change {
                class,
                what: What::Changed,
                domain: new.domain.clone(),
                subject: subject.clone(),
                aspect: Some(aspect),
                old: Some(was.to_owned()).filter(|text| !text.is_empty()),
                new: Some(is.to_owned()).filter(|text| !text.is_empty()),
                says,
                with: Vec::new(),
            });
        }
    }

    let has_a_path = matches!(
        subject.kind,
        ItemKind::Operation | ItemKind::Record | ItemKind::Choice | ItemKind::Enum
    );
    if old.domain != new.domain && subject.part.is_none() && has_a_path {
        changes.push(Change {
            class: Class::Breaking,
            what: What::Changed,
            domain: new.domain.clone(),
            subject: subject.clone(),
            aspect: None,
            old: Some(old.domain.clone()),
            new: Some(new.domain.clone()),
            says: format!("moved from the module `{}` to `{}`", old.domain, new.domain),
            with: Vec::new(),
        });
    }
}

/// Returns true if a parameter moves to another part of the request, such as from the query to the body.
fn is_moved(aspect: Aspect, old: &Thing, new: &Thing) -> bool {
    let place = |thing: &Thing| thing.says(Aspect::Travels).split(',').next().map(str::to_owned);
    aspect == Aspect::Travels && place(old) != place(new)
}

/// Returns the effects of a change of the property `aspect`. Each effect is a class, such as [`Class::Breaking`], and a
/// text, such as `is now a required argument`. The list is empty if the change has no effect, or if another function
/// reports the change.
fn meaning(
    subject: &Subject,
    aspect: Aspect,
    old: &Thing,
    new: &Thing,
    facts: &Facts,
) -> Vec<(Class, String)> {
    let (was, is) = (old.says(aspect), new.says(aspect));
    let plain = |text: &str| text.replace('`', "'");
    let instead = |what: &str| match (plain(was).as_str(), plain(is).as_str()) {
        ("", is) => format!("now {what} `{is}`"),
        (was, "") => format!("no longer {what} `{was}`"),
        (was, is) => format!("{what} `{is}` instead of `{was}`"),
    };
    let one = |class: Class, says: String| vec![(class, says)];

    match aspect {
        Aspect::Place => match (is_argument(old), is_argument(new)) {
            (false, true) => one(Class::Breaking, "is now a required argument".to_owned()),
            // The new place is `optional`, or a constant such as `always true`.
            (true, false) => {
                one(Class::Breaking, format!("is now {is} instead of a required argument"))
            }
            // The position of an argument changed. The function `arguments` reports a changed order.
            (true, true) => Vec::new(),
            (false, false) => one(Class::Breaking, instead("is")),
        },

        Aspect::Type => one(Class::Breaking, instead("has the type")),
        Aspect::Presence if is_built(subject, facts) && is_required(old) != is_required(new) => {
            one(Class::Breaking, instead("is"))
        }
        // The setter that sends `null` was added or removed.
        Aspect::Presence if subject.kind == ItemKind::Operation => match is.is_empty() {
            true => one(Class::Breaking, "can no longer be sent as `null`".to_owned()),
            false => one(Class::Additive, "can now be sent as `null`".to_owned()),
        },
        Aspect::Presence => one(Class::Behaviour, instead("is")),

        Aspect::Ident => one(Class::Breaking, instead("has the Rust name")),
        Aspect::Is if (subject.kind, was, is) == (ItemKind::Record, "read", "built by callers") => {
            one(Class::Additive, "can now be built by callers".to_owned())
        }
        Aspect::Is => {
            let (class, what) = identity(subject);
            one(class, instead(what))
        }
        Aspect::Values => values(was, is),
        Aspect::Answers => one(Class::Breaking, instead("returns")),
        Aspect::TwinOf => one(Class::Breaking, instead("is the streaming variant of")),

        Aspect::Pages if was.is_empty() => one(Class::Additive, instead("is paged")),
        Aspect::Pages if is.is_empty() => one(Class::Breaking, instead("is paged")),
        Aspect::Pages => one(Class::Behaviour, instead("is paged")),
        Aspect::Rules if subject.kind == ItemKind::Choice => {
            one(Class::Behaviour, instead("is recognized by"))
        }
        Aspect::Rules => one(Class::Behaviour, instead("requires")),

        Aspect::Refused if is.is_empty() => {
            one(Class::Behaviour, "is no longer rejected".to_owned())
        }
        Aspect::Refused => {
            one(Class::Behaviour, format!("is rejected by the service, because the parameter {is}"))
        }
        Aspect::Deprecated if was.is_empty() => {
            one(Class::Behaviour, format!("is deprecated: {is}"))
        }
        Aspect::Deprecated if is.is_empty() => {
            one(Class::Behaviour, "is no longer deprecated".to_owned())
        }
        Aspect::Deprecated => one(Class::Docs, instead("is deprecated because")),

        Aspect::Source => one(Class::Docs, instead("has the source")),
        Aspect::SeenLive if was.is_empty() => {
            one(Class::Docs, format!("was seen live on `{}`", plain(is)))
        }
        Aspect::SeenLive => one(Class::Docs, instead("was seen live on")),
        Aspect::Assumed => one(Class::Docs, instead("assumes")),
        // The report shows the version number once, above all changes.
        Aspect::Version => Vec::new(),
        Aspect::Summary => one(Class::Docs, "has another summary".to_owned()),
        Aspect::Docs => one(Class::Docs, "is described differently".to_owned()),

        Aspect::Costs => one(Class::Behaviour, instead("costs")),
        Aspect::Tier => one(Class::Docs, instead("belongs to the price tier")),
        Aspect::Finds => one(Class::Behaviour, instead("finds")),
        Aspect::Accepts => one(Class::Behaviour, instead("accepts")),
        Aspect::Default => one(Class::Behaviour, instead("has the default")),
        Aspect::Bounds => one(Class::Behaviour, instead("has the range")),
        Aspect::Travels => one(Class::Behaviour, instead("is sent in the")),
        Aspect::Convention => one(Class::Behaviour, instead("has the format")),
        Aspect::Unit => one(Class::Behaviour, instead("has the unit")),
        Aspect::Status => one(Class::Behaviour, instead("succeeds with status")),
        Aspect::Body => one(Class::Behaviour, instead("has the body")),
        Aspect::RowOrder => one(Class::Behaviour, instead("has rows")),
        Aspect::FreeWindow => one(Class::Behaviour, instead("has free repeats within")),
        Aspect::TopUp => one(Class::Behaviour, instead("has the smallest purchase")),
        Aspect::Misplaced => one(Class::Behaviour, instead("rejects the parameter")),
        Aspect::Patience => one(Class::Behaviour, instead("can send no data for")),
        Aspect::Prefix => one(Class::Behaviour, instead("has the uncertain path prefix")),
    }
}

/// Returns the class of a change of [`Aspect::Is`], such as another path of an operation. Also returns the words that
/// the report writes between the name of the item and its old or new value, such as `is sent as`.
fn identity(subject: &Subject) -> (Class, &'static str) {
    match subject.kind {
        ItemKind::Operation => (Class::Behaviour, "is sent as"),
        ItemKind::Enum if subject.part.is_some() => (Class::Breaking, "is the variant"),
        ItemKind::Service if subject.part.is_none() => (Class::Docs, "has the title"),
        ItemKind::Service => (Class::Behaviour, "is"),
        ItemKind::Domain => (Class::Docs, "is"),
        _ => (Class::Breaking, "is"),
    }
}

/// Compares the values that a parameter or field accepts in two API versions. Generated enums also accept unknown
/// values, so a new value is an additive change.
fn values(was: &str, is: &str) -> Vec<(Class, String)> {
    let list = |text: &str| -> Vec<String> {
        text.split(", ").filter(|value| !value.is_empty()).map(str::to_owned).collect()
    };
    let (was, is) = (list(was), list(is));
    if was.is_empty() || is.is_empty() {
        // Only one of the two versions lists values. Changes of the enum itself are reported separately.
        return Vec::new();
    }

    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|value| !those.contains(value)).map(|v| format!("`{v}`")).collect()
    };
    let (came, gone) = (only(&is, &was), only(&was, &is));

    let mut told = Vec::new();
    if !came.is_empty() {
        told.push((Class::Additive, format!("also accepts {}", came.join(", "))));
    }
    if !gone.is_empty() {
        let says = format!(
            "no longer accepts {}; the client rejects calls with the removed values",
            gone.join(", ")
        );
        told.push((Class::Behaviour, says));
    }
    if told.is_empty() {
        told.push((Class::Docs, "lists its values in another order".to_owned()));
    }
    told
}

/// Reports operations whose required arguments have another order in the new API version.
pub(super) fn arguments(
    old: &Facts,
    new: &Facts,
    renames: &BTreeMap<Subject, String>,
    changes: &mut Vec<Change>,
) {
    let order = |facts: &Facts| -> BTreeMap<String, Vec<(usize, String)>> {
        let mut all: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
        for (subject, thing) in &facts.things {
            let number = thing.says(Aspect::Place).strip_prefix("argument ");
            let number = number.and_then(|number| number.parse().ok());
            if let (ItemKind::Operation, Some(part), Some(number)) =
                (subject.kind, &subject.part, number)
            {
                all.entry(subject.name.clone()).or_default().push((number, part.clone()));
            }
        }
        all.values_mut().for_each(|list| list.sort());
        all
    };

    let before = order(old);
    for (name, now) in order(new) {
        let whole = Subject { kind: ItemKind::Operation, name: name.clone(), part: None };
        let was_called = |part: &String| {
            let subject = Subject { part: Some(part.clone()), ..whole.clone() };
            renames.get(&subject).unwrap_or(part).clone()
        };
        let was: Vec<&String> = before.get(&name).into_iter().flatten().map(|(_, n)| n).collect();
        let is: Vec<String> = now.iter().map(|(_, part)| was_called(part)).collect();
        let stayed: Vec<&String> = was.iter().copied().filter(|name| is.contains(name)).collect();
        let stays: Vec<&String> = is.iter().filter(|name| was.contains(name)).collect();
        if stayed == stays {
            continue;
        }

        let list = |names: &[&String]| {
            names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        changes.push(Change {
            class: Class::Breaking,
            what: What::Changed,
            domain: new.things[&whole].domain.clone(),
            subject: whole,
            aspect: Some(Aspect::Place),
            old: Some(list(&stayed)),
            new: Some(list(&stays)),
            says: format!(
                "takes its arguments in the order {} instead of {}",
                list(&stays),
                list(&stayed)
            ),
            with: Vec::new(),
        });
    }
}
