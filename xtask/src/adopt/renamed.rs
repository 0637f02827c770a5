//! Finds records that the publisher renamed, and keeps their Rust names.
//!
//! In: the old and the new description. Out: pairs of names whose records have nearly the same members. Our texts, the
//! overlay and the unpublished operations follow the new name, and an `x-rename` in the overlay keeps the Rust name.

use std::collections::BTreeSet;

use serde_json::Value;

/// Smallest share of common fields of a renamed record.
const LIKENESS: f64 = 0.7;

/// Old and new name of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// Finds records of `old` that have another name in `new`.
pub(super) fn find(old: &Value, new: &Value) -> Vec<Renamed> {
    let names = |document: &Value| -> BTreeSet<String> {
        schemas(document).map(|(name, _)| name.clone()).collect()
    };
    let (before, after) = (names(old), names(new));
    let members = |document: &Value, name: &String| -> BTreeSet<String> {
        let properties = document["components"]["schemas"][name]["properties"].as_object();
        properties.into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let likeness = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
        let all = one.union(other).count().max(1);
        one.intersection(other).count() as f64 / all as f64
    };

    let mut taken = BTreeSet::new();
    let mut pairs = Vec::new();
    for gone in before.difference(&after) {
        let lost = members(old, gone);
        let candidates = after.difference(&before).filter(|name| !taken.contains(*name));
        let scored = candidates.map(|name| (likeness(&lost, &members(new, name)), name));
        let mut best: Vec<_> = scored.filter(|(score, _)| *score >= LIKENESS).collect();
        best.sort_by(|one, other| other.0.total_cmp(&one.0));
        // If two candidates are equally good, a person must decide.
        let is_clear = best.len() == 1 || best.len() > 1 && best[0].0 > best[1].0;
        if let (true, Some((_, name)), false) = (is_clear, best.first(), lost.is_empty()) {
            taken.insert((*name).clone());
            pairs.push(Renamed { old: gone.clone(), new: (*name).clone() });
        }
    }
    pairs
}

fn schemas(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    document["components"]["schemas"].as_object().into_iter().flatten()
}

/// Renames records in a document, and all references to them.
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

/// Renames records in the targets of the overlay, and adds an `x-rename` for each record without
/// one.
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
        let dotted = format!("$.components.schemas.{new}\n    update: {{x-rename:");
        if !text.contains(&dotted) {
            text.push_str(&format!(
                "\n  # The publisher renamed this record; its Rust name stays.\n  - target: {target}\n    update: \
                 {{x-rename: {old}}}\n"
            ));
        }
    }
    text
}

/// Replaces a whole word of a line.
fn with_word(line: &str, old: &str, new: &str) -> String {
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(old) {
        let (head, tail) = (&rest[..at], &rest[at + old.len()..]);
        let whole = !is_word(head.chars().next_back()) && !is_word(tail.chars().next());
        text.push_str(head);
        text.push_str(if whole { new } else { old });
        rest = tail;
    }
    text + rest
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
    }
}
