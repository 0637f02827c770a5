//! Finds records that the publisher renamed, and keeps their Rust names.
//!
//! A removed record is only in the old document, and a new record is only in the new document. A removed and a new
//! record are paired if they have nearly the same fields. If the same operations and fields refer to both records, a
//! few common fields are sufficient. Afterwards, the repository's documents and the overlay use the new name. An
//! `x-rename` action in the overlay keeps the Rust name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::schemas::{METHODS, escape};

/// Minimum share of common fields, from 0 to 1, for which a removed and a new record are paired.
const LIKENESS: f64 = 0.7;
/// Minimum share of common fields, from 0 to 1, at which a removed record and a new record are paired. The same
/// operations and fields must refer to both records.
const LIKENESS_IN_PLACE: f64 = 0.2;

/// Old and new name of a record, or old and new identifier of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// Returns the records of `old` that have another name in `new`.
pub(super) fn find(old: &Value, new: &Value) -> Vec<Renamed> {
    let (before, after) = (Records::new(old), Records::new(new));
    let mut pairs = BTreeMap::new();
    by_fields(&before, &after, &mut pairs);
    by_use(&before, &after, &mut pairs);
    pairs.into_iter().map(|(old, new)| Renamed { old: old.clone(), new: new.clone() }).collect()
}

/// New names of renamed records, by their old names.
type Pairs<'a> = BTreeMap<&'a String, &'a String>;

/// Records of one OpenAPI document, and the references to them.
struct Records<'a> {
    /// Field names of each record, by record name.
    fields: BTreeMap<&'a String, BTreeSet<&'a String>>,
    /// Name of the referenced record, by the location of the reference.
    uses: BTreeMap<ReferenceLocation, &'a String>,
}

/// Location of a reference to a record. The location consists of the operation or record that contains the reference,
/// and of a JSON pointer relative to this operation or record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ReferenceLocation {
    owner: Owner,
    pointer: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// Method and path of an operation, such as `get /a`.
    Operation(String),
    Record(String),
}

impl<'a> Records<'a> {
    fn new(document: &'a Value) -> Self {
        let names: BTreeMap<&str, &String> =
            schemas(document).map(|(name, _)| (name.as_str(), name)).collect();
        let fields = schemas(document).map(|(name, schema)| {
            let properties = schema["properties"].as_object().into_iter().flatten();
            (name, properties.map(|(name, _)| name).collect())
        });
        let fields = fields.collect();

        let mut uses = BTreeMap::new();
        let mut note = |owner: &Owner, pointer: &str, target: &str| {
            if let Some(name) = names.get(target) {
                let place = ReferenceLocation { owner: owner.clone(), pointer: pointer.to_owned() };
                uses.insert(place, *name);
            }
        };
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for method in METHODS {
                let owner = Owner::Operation(format!("{method} {path}"));
                references(&item[*method], &mut String::new(), &mut |pointer, target| {
                    note(&owner, pointer, target);
                });
            }
        }
        for (name, schema) in schemas(document) {
            let owner = Owner::Record(name.clone());
            references(schema, &mut String::new(), &mut |pointer, target| {
                note(&owner, pointer, target);
            });
        }
        Records { fields, uses }
    }

    fn has(&self, name: &String) -> bool {
        self.fields.contains_key(name)
    }

    /// Compares the record `name` of this document with the record `other` of the document `others`. Returns the share
    /// of common fields, from 0 to 1. For example, if one record has the fields `a` and `b`, and the other record has
    /// the fields `b` and `c`, one of three fields is common. The share is then 1/3.
    fn common_share(&self, name: &String, others: &Self, other: &String) -> f64 {
        let (one, other) = (&self.fields[name], &others.fields[other]);
        let all = one.union(other).count().max(1);
        one.intersection(other).count() as f64 / all as f64
    }
}

/// Calls `found` for each reference to a record. The arguments are the JSON pointer of the reference and the name of
/// the record.
fn references(node: &Value, pointer: &mut String, found: &mut impl FnMut(&str, &str)) {
    let length = pointer.len();
    match node {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(Value::as_str)
                && let Some(name) = name.strip_prefix("#/components/schemas/")
            {
                found(pointer, name);
            }
            for (name, member) in members {
                pointer.push('/');
                pointer.push_str(&escape(name));
                references(member, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push_str(&format!("/{index}"));
                references(item, pointer, found);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// Pairs each removed record with the most similar new record that is not yet paired. The share of their common fields
/// must be at least [`LIKENESS`]. If the two most similar new records are equally similar, this function does not pair
/// the removed record.
fn by_fields<'a>(before: &Records<'a>, after: &Records<'a>, pairs: &mut Pairs<'a>) {
    let mut taken: BTreeSet<&String> = BTreeSet::new();
    for (gone, fields) in before.fields.iter().filter(|(name, _)| !after.has(name)) {
        let is_free = |name: &&&String| !before.has(name) && !taken.contains(**name);
        let candidates = after.fields.keys().filter(is_free);
        let scored = candidates.map(|name| (before.common_share(gone, after, name), *name));
        let mut best: Vec<_> = scored.filter(|(score, _)| *score >= LIKENESS).collect();
        best.sort_by(|one, other| other.0.total_cmp(&one.0));
        // If two candidates are equally similar, `by_use` may still pair one. Otherwise a person decides.
        let is_clear = best.len() == 1 || best.len() > 1 && best[0].0 > best[1].0;
        if let (true, Some((_, name)), false) = (is_clear, best.first(), fields.is_empty()) {
            taken.insert(name);
            pairs.insert(gone, name);
        }
    }
}

/// Pairs a removed record and a new record if the same operations and fields refer to both. The two records must also
/// have a few fields in common: at least the share [`LIKENESS_IN_PLACE`]. The search is repeated until it finds no new
/// pair, because the fields of paired records can refer to further renamed records.
fn by_use<'a>(before: &Records<'a>, after: &Records<'a>, pairs: &mut Pairs<'a>) {
    loop {
        let known = pairs.len();
        for gone in before.fields.keys().filter(|name| !after.has(name)) {
            if !pairs.contains_key(gone)
                && let Some(name) = in_same_places(gone, before, after, pairs)
                && before.common_share(gone, after, name) >= LIKENESS_IN_PLACE
            {
                pairs.insert(gone, name);
            }
        }
        if pairs.len() == known {
            return;
        }
    }
}

/// Finds the record that replaces the removed record `gone` at all its locations in the new document. For example, all
/// fields of the type `gone` now have the type `Price`. Locations that no longer refer to a record are ignored.
///
/// Returns `None` in these cases:
/// - The remaining locations refer to different records, or no location remains.
/// - The found record is not new, or it is already paired with a removed record.
/// - At another location, the found record replaces a different record.
fn in_same_places<'a>(
    gone: &String,
    before: &Records<'a>,
    after: &Records<'a>,
    pairs: &Pairs<'a>,
) -> Option<&'a String> {
    let now = |place: &ReferenceLocation| match &place.owner {
        Owner::Operation(_) => place.clone(),
        Owner::Record(name) => {
            let name = pairs.get(name).map_or(name, |new| *new).clone();
            ReferenceLocation { owner: Owner::Record(name), ..place.clone() }
        }
    };
    let places: BTreeMap<ReferenceLocation, &String> =
        before.uses.iter().map(|(place, name)| (now(place), *name)).collect();

    let of_gone = places.iter().filter(|(_, name)| **name == gone);
    let mut found = of_gone.filter_map(|(place, _)| after.uses.get(place));
    let candidate = *found.next()?;
    let is_only = found.all(|name| *name == candidate);
    let is_new = !before.has(candidate) && !pairs.values().any(|name| *name == candidate);
    let mut of_candidate = after.uses.iter().filter(|(_, name)| **name == candidate);
    let had_no_other =
        of_candidate.all(|(place, _)| places.get(place).is_none_or(|name| *name == gone));
    (is_only && is_new && had_no_other).then_some(candidate)
}

fn schemas(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    document["components"]["schemas"].as_object().into_iter().flatten()
}

/// Renames records in an OpenAPI document, and updates all references to them.
pub(super) fn follow(document: &mut Value, renamed: &[Renamed]) {
    for Renamed { old, new } in renamed {
        if let Some(schemas) =
            document.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
            && let Some(schema) = schemas.remove(old)
        {
            schemas.insert(new.clone(), schema);
        }
        let pointer = |name: &str| format!("#/components/schemas/{name}");
        refer(document, &pointer(old), &pointer(new));
    }
}

fn refer(node: &mut Value, old: &str, new: &str) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, old, new)),
        Value::Object(members) => {
            for (name, member) in members {
                if name == "$ref" && *member == old {
                    *member = new.into();
                } else {
                    refer(member, old, new);
                }
            }
        }
        _ => {}
    }
}

/// Replaces old record names in the targets of the overlay. Appends an `x-rename` action for each renamed record that
/// does not have such an action.
pub(super) fn follow_in_overlay(overlay: &str, renamed: &[Renamed]) -> String {
    let mut text = String::new();
    for line in overlay.lines() {
        let mut line = line.to_owned();
        if line.contains("components.schemas") {
            for Renamed { old, new } in renamed {
                line = with_word(&line, old, new);
            }
        }
        text.push_str(&line);
        text.push('\n');
    }

    for Renamed { old, new } in renamed {
        let target = format!("$.components.schemas['{new}']");
        let has_name = |target: &str| text.contains(&format!("{target}\n    update: {{x-rename:"));
        if !has_name(&target) && !has_name(&format!("$.components.schemas.{new}")) {
            text.push_str(&format!(
                "\n  # The publisher renamed this record; its Rust name stays.\n  - target: {target}\n    update: \
                 {{x-rename: {old}}}\n"
            ));
        }
    }
    text
}

/// Replaces the name `old` by `new`, but only whole words. For example, `Row` is replaced, but `Rows` is not.
fn with_word(line: &str, old: &str, new: &str) -> String {
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let (mut text, mut copied) = (String::new(), 0);
    for (at, _) in line.match_indices(old) {
        let end = at + old.len();
        let is_whole =
            !is_word(line[..at].chars().next_back()) && !is_word(line[end..].chars().next());
        text.push_str(&line[copied..at]);
        text.push_str(if is_whole { new } else { old });
        copied = end;
    }
    text + &line[copied..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(schemas: Value) -> Value {
        json!({"paths": {"/a": {"get": {"answer": {"$ref": "#/components/schemas/Old"}}}}, "components": {"schemas": schemas}})
    }

    fn record(members: &[&str]) -> Value {
        let members: serde_json::Map<_, _> =
            members.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        json!({"properties": members})
    }

    #[test]
    fn record_with_nearly_the_same_members_is_renamed() {
        let old = document(json!({"Old": record(&["a", "b", "c", "d"]), "Stays": record(&["a"])}));
        let new = document(
            json!({"New": record(&["a", "b", "c", "d", "e"]), "Other": record(&["x"]), "Stays": record(&["a"])}),
        );
        assert_eq!(find(&old, &new), [Renamed { old: "Old".to_owned(), new: "New".to_owned() }]);
        let twins = document(
            json!({"New": record(&["a", "b", "c", "d"]), "Twin": record(&["a", "b", "c", "d"])}),
        );
        assert_eq!(find(&old, &twins), []);
    }

    #[test]
    fn record_that_changed_much_is_paired_by_its_use() {
        let version = |envelope: &str, row: &str, row_fields: &[&str], other: &str| {
            let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
            json!({
                "paths": {"/a": {"get": {"answer": reference(envelope)}}, "/b": {"get": {"answer": reference(other)}}},
                "components": {"schemas": {
                    envelope: {"properties": {"data": {"items": reference(row)}, "meta": {}}},
                    row: record(row_fields),
                    other: record(&["t", "u"])}}})
        };
        let old = version("Answer", "Row", &["a", "b", "c"], "Other");
        // The pair of envelopes leads to the pair of rows, which share one field of five.
        let new = version("Reply", "Line", &["a", "d", "e"], "Other");
        let names = |pairs: Vec<Renamed>| -> Vec<_> {
            pairs.into_iter().map(|pair| (pair.old, pair.new)).collect()
        };
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(names(find(&old, &new)), [pair("Answer", "Reply"), pair("Row", "Line")]);
        // Without a common field, the new record is another record.
        let new = version("Reply", "Line", &["x", "y", "z"], "Other");
        assert_eq!(names(find(&old, &new)), [pair("Answer", "Reply")]);
        // Two candidates have equal fields, so the operations that refer to them decide.
        let old = version("Answer", "Row", &["t", "u"], "Other");
        let new = version("Answer", "Line", &["t", "u"], "Else");
        assert_eq!(names(find(&old, &new)), [pair("Other", "Else"), pair("Row", "Line")]);
    }

    #[test]
    fn only_whole_words_are_replaced() {
        assert_eq!(with_word("Row RowRow Rows 'Row'", "Row", "Line"), "Line RowRow Rows 'Line'");
    }

    #[test]
    fn references_and_overlay_follow_the_new_name() {
        let renamed = [Renamed { old: "Old".to_owned(), new: "New".to_owned() }];
        let mut followed = document(json!({"Old": {}}));
        follow(&mut followed, &renamed);
        assert_eq!(followed["components"]["schemas"], json!({"New": {}}));
        assert_eq!(followed["paths"]["/a"]["get"]["answer"]["$ref"], "#/components/schemas/New");

        let overlay = "  - target: $.components.schemas['Old','Older'].properties.Old\n    update: {x-native: Old}\n";
        let followed = follow_in_overlay(overlay, &renamed);
        assert!(followed.contains("['New','Older']"), "{followed}");
        assert!(followed.contains("update: {x-native: Old}"), "{followed}");
        assert!(
            followed
                .ends_with("- target: $.components.schemas['New']\n    update: {x-rename: Old}\n")
        );

        // If the publisher renames the record again, the Rust name is still the first one.
        let again = [Renamed { old: "New".to_owned(), new: "Newer".to_owned() }];
        let followed = follow_in_overlay(&followed, &again);
        assert!(followed.contains("schemas['Newer']\n    update: {x-rename: Old}"), "{followed}");
        assert_eq!(followed.matches("x-rename").count(), 1, "{followed}");
    }
}
