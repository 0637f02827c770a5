//! Replaces schemas for which `crypto-intel-core` contains a hand-written Rust type.
//!
//! The overlay marks such a schema with `x-native: NAME`. The schema NAME in `components.schemas` and each marked enum
//! stay in the document, because the generated tables of record fields need them. Any other marked schema, such as a
//! property, becomes a `$ref` to the schema NAME. If a marked schema has another JSON type than NAME, the mark is
//! ignored. A schema with `x-native: Any` becomes a schema that accepts any JSON value.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

/// Names of types of `crypto-intel-core`, each with its JSON type.
pub const KNOWN: &[(&str, &str)] = &[
    ("MetricStatus", "string"),
    ("MetricValue", "object"),
    ("UnixMillis", "integer"),
    ("UnixSeconds", "integer"),
    ("ValueOrigin", "string"),
];

/// Replaces most schemas that are marked with `x-native: NAME` by a `$ref` to the schema NAME. The module documentation
/// lists the exceptions. Returns the names of the types of `crypto-intel-core` that the document uses.
pub fn runtime_types(document: &mut Value, report: &mut Report) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    schemas::each_mut(document, &mut |place, schema| {
        let at = origin::location(schema, place);
        let Some(members) = schema.as_object_mut() else { return };
        let Some(Value::String(name)) = members.remove("x-native") else { return };
        if name == "Any" {
            members.retain(|name, _| {
                ["description", "deprecated", "x-deprecated", origin::AT].contains(&name.as_str())
            });
            report.note(
                Change::Loosened,
                "a value with `x-native: Any` is read as any JSON value",
                at,
            );
            return;
        }

        let Some((_, json_type)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            report.refuse(unknown(&format!("{at}/x-native"), &name));
            return;
        };
        if members.get("type").is_some_and(|ty| ty != json_type) {
            report.note(
                Change::Dropped,
                format!("`x-native: {name}` is ignored on a field that is not of type {json_type}"),
                at,
            );
            return;
        }

        used.insert(name.clone());
        if place == format!("/components/schemas/{name}") || members.contains_key("enum") {
            members.insert("x-is-native".to_owned(), true.into());
        } else {
            replace(members, &name, json_type, at, report);
        }
    });

    for name in &used {
        let json_type =
            KNOWN.iter().find(|(known, _)| known == name).map_or("object", |(_, ty)| ty);
        let components = &mut document["components"]["schemas"];
        if components.get(name).is_none() {
            components[name] = json!({"type": json_type, "x-is-native": true});
        }
    }
    used
}

/// Replaces a schema, whose keywords are `members`, by a `$ref` to the schema `name`.
fn replace(
    members: &mut Map<String, Value>,
    name: &str,
    json_type: &str,
    at: String,
    report: &mut Report,
) {
    let is_assumed = !schemas::has_type(members);
    let kept = ["description", "nullable", "deprecated", "x-deprecated", "x-zero", origin::AT];
    members.retain(|name, _| kept.contains(&name.as_str()));
    members.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());

    if is_assumed {
        members.insert("x-assumed".to_owned(), true.into());
        let what = format!(
            "a schema without a type becomes `{name}`; a JSON value that does not fit is kept in \
             `extra`"
        );
        report.note(Change::Assumed, what, at);
    } else {
        let article = if json_type == "string" { "a" } else { "an" };
        report.note(Change::Rewritten, format!("{article} {json_type} becomes `{name}`"), at);
    }
}

fn unknown(place: &str, name: &str) -> Fault {
    let known: Vec<_> = KNOWN.iter().map(|(known, _)| *known).collect();
    Fault::at(
        place,
        format!("the native type `{name}` does not exist"),
        format!("use Any or one of the types {}", known.join(", ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_members_refer_to_the_runtime() {
        let mut document = json!({"components": {"schemas": {
            "P": {"properties": {
                "t": {"type": "integer", "x-native": "UnixSeconds", "description": "d", "nullable": true},
                "x": {"oneOf": [{"type": "string"}], "x-native": "Any"}}},
            "MetricValue": {"type": "object", "x-native": "MetricValue", "properties": {}}}}});
        let used = runtime_types(&mut document, &mut Report::default());
        assert_eq!(used.into_iter().collect::<Vec<_>>(), ["MetricValue", "UnixSeconds"]);
        assert_eq!(
            document["components"]["schemas"],
            json!({
                "P": {"properties": {
                    "t": {"$ref": "#/components/schemas/UnixSeconds", "description": "d", "nullable": true},
                    "x": {}}},
                "MetricValue": {"type": "object", "x-is-native": true, "properties": {}},
                "UnixSeconds": {"type": "integer", "x-is-native": true}})
        );
    }

    #[test]
    fn an_unknown_native_is_a_fault() {
        let mut document = json!({"components": {"schemas": {"P": {"x-native": "Money"}}}});
        let mut report = Report::default();
        runtime_types(&mut document, &mut report);
        insta::assert_snapshot!(report.faults().unwrap(), @"
        error: the native type `Money` does not exist
           at: #/components/schemas/P/x-native
         hint: use Any or one of the types MetricStatus, MetricValue, UnixMillis, UnixSeconds, ValueOrigin
        ");
    }
}
