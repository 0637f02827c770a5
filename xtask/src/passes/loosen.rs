//! Takes out of the schemas what makes the generator's types strict or awkward.
//!
//! Bounds and defaults are not lost: the catalogue was read before this pass, and bounds are
//! checked before a call is sent.

use serde_json::{Map, Value};

use crate::report::{Change, Report};
use crate::schemas;

/// Keywords, and what it means that they are gone.
const REMOVED: &[(&str, Change, &str)] = &[
    ("minimum", Change::Loosened, "bounds of a number, which the catalogue keeps"),
    ("maximum", Change::Loosened, "bounds of a number, which the catalogue keeps"),
    ("exclusiveMinimum", Change::Loosened, "bounds of a number, which the catalogue keeps"),
    ("exclusiveMaximum", Change::Loosened, "bounds of a number, which the catalogue keeps"),
    ("multipleOf", Change::Dropped, "`multipleOf`"),
    ("minLength", Change::Loosened, "bounds on a length, which the catalogue keeps"),
    ("maxLength", Change::Loosened, "bounds on a length, which the catalogue keeps"),
    ("pattern", Change::Dropped, "`pattern`, which the service checks"),
    ("minItems", Change::Dropped, "bounds on the length of a list"),
    ("maxItems", Change::Dropped, "bounds on the length of a list"),
    ("uniqueItems", Change::Dropped, "bounds on the length of a list"),
    ("minProperties", Change::Dropped, "bounds on the size of an object"),
    ("maxProperties", Change::Dropped, "bounds on the size of an object"),
    ("default", Change::Loosened, "a default, which is documented and never sent"),
    ("discriminator", Change::Dropped, "a discriminator; alternatives are tried in order"),
    ("not", Change::Dropped, "`not`"),
];

/// Keywords that only inform, and steer the generator's naming where they are left in.
const SILENT: &[&str] =
    &["title", "example", "externalDocs", "xml", "readOnly", "writeOnly", "deprecated"];

pub fn loosen(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |place, schema| {
        if let Some(members) = schema.as_object_mut() {
            members.retain(|name, _| !name.starts_with("x-"));
            for (keyword, change, what) in REMOVED {
                // A property may be called like a keyword, but a keyword's value is no schema
                // object here: `not` and `default` are the exceptions, and both are removed.
                if members.remove(*keyword).is_some() {
                    report.note(*change, *what, place);
                }
            }
            members.retain(|name, _| !SILENT.contains(&name.as_str()));
            format(place, members, report);
            closed(place, members, report);
            alternatives(place, members, report);
            reference(members);
            null_list(place, members, report);
            null_properties(place, members, report);
        }
    });
}

fn format(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let Some(format) = members.get("format").and_then(Value::as_str) else { return };
    match format {
        "int64" | "double" => {}
        "int32" | "uint32" | "uint64" | "int16" | "uint16" | "int8" | "uint8" => {
            members.insert("format".to_owned(), "int64".into());
            report.note(Change::Loosened, "a narrow integer as 64 bits", place);
        }
        _ => {
            report.note(
                Change::Loosened,
                format!("the format `{format}`, as plain text or number"),
                place,
            );
            members.remove("format");
        }
    }
}

/// Taken literally, a closed record would break every client with the first new member. Unknown
/// members are kept by the record itself, so an open one need not collect them either.
fn closed(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let has_properties =
        members.get("properties").and_then(Value::as_object).is_some_and(|p| !p.is_empty());
    match members.get("additionalProperties") {
        Some(Value::Bool(false)) => {
            members.remove("additionalProperties");
            report.note(
                Change::Opened,
                "a closed record, which keeps members it does not know",
                place,
            );
        }
        Some(_) if has_properties => {
            members.remove("additionalProperties");
        }
        _ => {}
    }
}

/// What may have several shapes is any value: of `anyOf` the generator makes a struct that never
/// decodes, and a union decodes only until the service adds a shape.
fn alternatives(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if members.contains_key("properties") {
        // Rules about the members, mostly: which of them go together.
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if members.remove(keyword).is_some() {
                report.note(Change::Loosened, format!("`{keyword}` beside members"), place);
            }
        }
        return;
    }
    let several = ["anyOf", "oneOf"].iter().any(|keyword| members.contains_key(*keyword))
        || members.get("allOf").and_then(Value::as_array).is_some_and(|parts| parts.len() > 1);
    if several {
        members.clear();
        report.note(Change::Loosened, "a value of several shapes as any value", place);
    }
}

/// 3.0 ignores what stands beside a reference; a lone `allOf` is a reference with neighbours.
fn reference(members: &mut Map<String, Value>) {
    let lone = match members.get("allOf") {
        Some(Value::Array(parts)) if parts.len() == 1 && parts[0].get("$ref").is_some() => {
            parts[0].get("$ref").cloned()
        }
        _ => None,
    };
    if let Some(target) = lone.or_else(|| members.get("$ref").cloned()) {
        let nullable = members.get("nullable").is_some_and(|flag| flag == true);
        members.clear();
        members.insert("$ref".to_owned(), target);
        if nullable {
            // Read and removed by the record that holds this member.
            members.insert("nullable".to_owned(), true.into());
        }
    }
}

fn null_list(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let container = members.get("type").is_some_and(|ty| ty == "array")
        || (members.get("type").is_some_and(|ty| ty == "object")
            && members.contains_key("additionalProperties"));
    if container && members.remove("nullable").is_some() {
        report.note(Change::Loosened, "a list that may be null, which reads as empty", place);
    }
}

/// A nullable member may just as well be absent.
fn null_properties(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let mut optional = Vec::new();
    for (name, schema) in
        members.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        let Some(schema) = schema.as_object_mut() else { continue };
        if schema.remove("nullable").is_some_and(|flag| flag == true) {
            optional.push(name.clone());
        }
    }
    if let Some(Value::Array(required)) = members.get_mut("required") {
        let before = required.len();
        required.retain(|name| !optional.iter().any(|optional| name == optional));
        if required.len() < before {
            report.note(
                Change::Loosened,
                "required members that may be null, which may be absent too",
                place,
            );
        }
        if required.is_empty() {
            members.remove("required");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::schema_after;
    use serde_json::json;

    #[test]
    fn what_makes_types_strict_is_taken_out() {
        for (before, after) in [
            (
                json!({"type": "object", "additionalProperties": false, "title": "T"}),
                r#"{"type":"object"}"#,
            ),
            (
                json!({"type": "object", "additionalProperties": {"type": "string"}}),
                r#"{"additionalProperties":{"type":"string"},"type":"object"}"#,
            ),
            (
                json!({"properties": {"a": {}}, "additionalProperties": true}),
                r#"{"properties":{"a":{}}}"#,
            ),
            (
                json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": 100, "default": 20}),
                r#"{"format":"int64","type":"integer"}"#,
            ),
            (
                json!({"type": "integer", "format": "int32"}),
                r#"{"format":"int64","type":"integer"}"#,
            ),
            (
                json!({"type": "string", "format": "uuid", "minLength": 1, "pattern": "^a"}),
                r#"{"type":"string"}"#,
            ),
            (json!({"anyOf": [{"type": "string"}, {"type": "integer"}], "nullable": true}), "{}"),
            (
                json!({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {}]}),
                r#"{"properties":{"a":{}}}"#,
            ),
            (
                json!({"type": "array", "items": {}, "nullable": true}),
                r#"{"items":{},"type":"array"}"#,
            ),
            (
                json!({"allOf": [{"$ref": "#/components/schemas/T"}], "description": "d"}),
                r##"{"$ref":"#/components/schemas/T"}"##,
            ),
            (
                json!({"required": ["a", "b"], "properties": {
                "a": {"type": "number", "nullable": true},
                "b": {"type": "array", "items": {}, "nullable": true},
                "c": {"$ref": "#/components/schemas/T", "nullable": true}}}),
                r##"{"properties":{"a":{"type":"number"},"b":{"items":{},"type":"array"},"c":{"$ref":"#/components/schemas/T"}},"required":["b"]}"##,
            ),
        ] {
            assert_eq!(schema_after(before, loosen), after);
        }
    }
}
