//! Removes schema keywords that would make the generated Rust types hard to use, or make them reject values.
//!
//! Only typify and progenitor read the changed schemas. The catalogue of operations is built from the unchanged
//! schemas, so it contains the bounds and defaults of parameters. The client checks the bounds at run time.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{self, METHODS, escape};

/// Schema keywords that are removed. Each entry also has the kind of the change, and the words with which the report
/// names the removed keyword.
const REMOVED: &[(&str, Change, &str)] = &[
    ("minimum", Change::Loosened, "`minimum` is not checked"),
    ("maximum", Change::Loosened, "`maximum` is not checked"),
    ("exclusiveMinimum", Change::Loosened, "`exclusiveMinimum` is not checked"),
    ("exclusiveMaximum", Change::Loosened, "`exclusiveMaximum` is not checked"),
    ("multipleOf", Change::Dropped, "`multipleOf` is not checked"),
    ("minLength", Change::Loosened, "`minLength` is not checked"),
    ("maxLength", Change::Loosened, "`maxLength` is not checked"),
    ("pattern", Change::Dropped, "`pattern` is not checked"),
    ("minItems", Change::Dropped, "`minItems` is not checked"),
    ("maxItems", Change::Dropped, "`maxItems` is not checked"),
    ("uniqueItems", Change::Dropped, "`uniqueItems` is not checked"),
    ("minProperties", Change::Dropped, "`minProperties` is not checked"),
    ("maxProperties", Change::Dropped, "`maxProperties` is not checked"),
    ("default", Change::Loosened, "a default value is documented, but the client never sends it"),
    ("discriminator", Change::Rewritten, "constant fields select the record of a union"),
    ("not", Change::Dropped, "`not` is not checked"),
    ("title", Change::Dropped, "a title is ignored"),
    ("example", Change::Dropped, "an example is ignored"),
    ("externalDocs", Change::Dropped, "a link to documentation is ignored"),
    ("xml", Change::Dropped, "the XML form of a value is ignored"),
    ("readOnly", Change::Dropped, "`readOnly` is ignored"),
    ("writeOnly", Change::Dropped, "`writeOnly` is ignored"),
];

/// Keywords that limit a value. They are removed from schemas. For a parameter, the catalogue of operations still
/// contains the limits, so that the client can check them.
const BOUNDS: &[&str] =
    &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"];

/// Schema keywords that this pass keeps. It removes all other keywords.
const KEPT: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "description",
    "enum",
    "format",
    "items",
    "nullable",
    "oneOf",
    "prefixItems",
    "properties",
    "required",
    "type",
];

/// `format` of an integer that can exceed an `i64`. Only the generator uses this format.
pub const WIDE: &str = "x-wide";
/// `format` of a number whose digits must all be kept. Only the generator uses this format.
pub const EXACT: &str = "x-exact";

/// Removes schema keywords from a whole document if the generated Rust types would otherwise reject values. For
/// example, removes bounds such as `maximum`.
pub fn loosen(document: &mut Value, report: &mut Report) {
    Loosen::new(document).part(document, report);
}

/// Pass that removes schema keywords, such as `maximum`. With these keywords, the generated Rust types would reject
/// values. A caller can pass the whole OpenAPI document, or single parts of a large one.
pub struct Loosen {
    /// JSON pointers of the schemas of request body fields. These fields are parameters in the client.
    asked: BTreeSet<String>,
}

impl Loosen {
    /// Creates the pass for a complete OpenAPI document. Collects the JSON pointers of its request body fields.
    #[must_use]
    pub fn new(document: &Value) -> Self {
        Loosen { asked: request_schemas(document) }
    }

    /// Removes schema keywords, such as `maximum`, from some schemas of the OpenAPI document. `part` is a copy
    /// of the document with only these schemas. Each schema has the same JSON pointer as in the document.
    pub fn part(&self, part: &mut Value, report: &mut Report) {
        schemas::each_mut(part, &mut |place, schema| schema_of(&self.asked, place, schema, report));
    }
}

fn schema_of(asked: &BTreeSet<String>, place: &str, schema: &mut Value, report: &mut Report) {
    let at = origin::location(schema, place);
    let kept = asked.contains(place) || is_parameter(place);
    let Some(members) = schema.as_object_mut() else { return };
    let wide = is_wide(members);

    note_removed(&at, members, kept, report);
    if members.contains_key("required") && !members.contains_key("properties") {
        report.note(
            Change::Loosened,
            "`required` is ignored for fields that `properties` does not define",
            at.as_str(),
        );
    }
    members.retain(|name, _| KEPT.contains(&name.as_str()));

    if wide {
        if !kept {
            let what = "an integer without a 64-bit format becomes a 128-bit integer";
            report.note(Change::Decided, what, at.as_str());
        }
        members.insert("format".to_owned(), WIDE.into());
    }
    format(&at, members, report);
    closed(&at, members, report);
    reference(members);
    null_properties(&at, members, report);
}

/// Reports the keywords that are removed from a schema. For a bound, such as `maxLength`, the report also contains the
/// effect. If `kept` is true, the catalogue of operations still contains the bound. Otherwise, the client does not
/// check the bound.
pub(super) fn note_removed(
    at: &str,
    members: &Map<String, Value>,
    kept: bool,
    report: &mut Report,
) {
    for (keyword, change, what) in
        REMOVED.iter().filter(|(keyword, ..)| members.contains_key(*keyword))
    {
        let what = match (BOUNDS.contains(keyword), kept) {
            (true, true) => format!("{what}, which the catalogue contains"),
            (true, false) => format!("{what}, which the client does not check"),
            _ => (*what).to_owned(),
        };
        report.note(*change, what, at);
    }

    let is_known = |name: &str| {
        KEPT.contains(&name)
            || name == "deprecated"
            || name.starts_with("x-")
            || REMOVED.iter().any(|(known, ..)| *known == name)
    };
    for unknown in members.keys().filter(|name| !is_known(name)) {
        report.note(Change::Dropped, format!("the unknown keyword `{unknown}` is ignored"), at);
    }
}

/// Returns true if the JSON pointer refers to the schema of a request parameter.
fn is_parameter(place: &str) -> bool {
    let Some((_, rest)) = place.rsplit_once("/parameters/") else { return false };
    rest.strip_suffix("/schema").is_some_and(|index| index.bytes().all(|b| b.is_ascii_digit()))
}

fn request_schemas(document: &Value) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    for operation in
        items.flat_map(|(_, item)| METHODS.iter().filter_map(|method| item.get(*method)))
    {
        let target = operation.pointer("/requestBody/content/application~1json/schema/$ref");
        let Some(target) = target.and_then(Value::as_str) else { continue };
        let pointer = target.trim_start_matches('#');
        let members = document.pointer(&format!("{pointer}/properties")).and_then(Value::as_object);
        for name in members.into_iter().flat_map(Map::keys) {
            places.insert(format!("{pointer}/properties/{}", escape(name)));
        }
    }
    places
}

/// Returns true if a schema is an integer whose values can exceed an `i64` according to its `format` and bounds.
fn is_wide(members: &Map<String, Value>) -> bool {
    let bounded = ["minimum", "maximum"].iter().all(|bound| {
        // An integer outside the range of `i64` was parsed as a `u64` or `f64`.
        members.get(*bound).is_some_and(Value::is_i64)
    });
    let format = members.get("format").and_then(Value::as_str);
    members.get("type").is_some_and(|ty| ty == "integer")
        && format.is_none_or(|format| format == "uint64")
        && !members.contains_key("x-is-native")
        && !bounded
}

fn format(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let Some(format) = members.get("format").and_then(Value::as_str) else { return };
    match format {
        "int64" | "double" | WIDE | EXACT => {}
        "int32" | "uint32" | "uint64" | "int16" | "uint16" | "int8" | "uint8" => {
            members.insert("format".to_owned(), "int64".into());
            report.note(
                Change::Loosened,
                "an integer of a format other than `int64` becomes a 64-bit integer",
                place,
            );
        }
        _ => {
            report.note(
                Change::Loosened,
                format!("a value of the format `{format}` becomes a plain string or number"),
                place,
            );
            members.remove("format");
        }
    }
}

/// Removes `additionalProperties` from objects with fixed properties, and `additionalProperties: false` from all
/// objects. The generated records then accept and keep unknown fields, so that the service can add fields.
fn closed(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let has_properties =
        members.get("properties").and_then(Value::as_object).is_some_and(|p| !p.is_empty());

    match members.get("additionalProperties") {
        Some(Value::Bool(false)) => {
            members.remove("additionalProperties");
            report.note(
                Change::Opened,
                "`additionalProperties: false` is ignored, so that records keep unknown fields",
                place,
            );
        }
        Some(more) if has_properties => {
            // Generated records accept additional fields even without `additionalProperties`.
            if *more != Value::Bool(true) {
                report.note(
                    Change::Loosened,
                    "the type of additional fields is ignored; the client keeps these fields \
                     unchanged",
                    place,
                );
            }
            members.remove("additionalProperties");
        }
        _ => {}
    }
}

/// Removes all fields of a schema except its `$ref` and `nullable: true`. A `$ref` that is the only part of the
/// schema's `allOf` becomes the schema's own `$ref`. This function does not change a schema without a `$ref`.
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
            // The record that contains this property reads `nullable` and then removes it.
            members.insert("nullable".to_owned(), true.into());
        }
    }
}

/// Removes the keyword `nullable` from the properties of a schema. A nullable property is also removed from the list
/// `required`, so that it can be absent. However, a nullable array stays in `required`, and `null` is read as an empty
/// array.
fn null_properties(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let mut optional = Vec::new();
    for (name, schema) in
        members.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        let Some(schema) = schema.as_object_mut() else { continue };
        if schema.remove("nullable").is_none_or(|flag| flag != true) {
            continue;
        }
        if schema.get("type").is_none_or(|ty| ty != "array") {
            optional.push(name.clone());
        } else {
            report.note(
                Change::Loosened,
                "a list that is `null` is read as an empty list",
                format!("{place}/properties/{}", escape(name)),
            );
        }
    }

    if let Some(Value::Array(required)) = members.get_mut("required") {
        let before = required.len();
        required.retain(|name| !optional.iter().any(|optional| name == optional));
        if required.len() < before {
            report.note(
                Change::Loosened,
                "required fields that can be `null` become optional",
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

    fn check<const N: usize>(cases: [(Value, &str); N]) {
        for (before, after) in cases {
            assert_eq!(schema_after(before, loosen), after);
        }
    }

    #[test]
    fn objects_are_open() {
        check([
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
        ]);
    }

    #[test]
    fn bounds_formats_and_words_are_taken_out() {
        check([
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
            (
                json!({"oneOf": [{"type": "string"}, {"type": "boolean"}], "nullable": true, "title": "T"}),
                r#"{"nullable":true,"oneOf":[{"type":"string"},{"type":"boolean"}]}"#,
            ),
            (
                json!({"allOf": [{"$ref": "#/components/schemas/T"}], "description": "d"}),
                r##"{"$ref":"#/components/schemas/T"}"##,
            ),
        ]);
    }

    #[test]
    fn only_a_property_that_can_be_null_becomes_optional() {
        check([
            (
                json!({"type": "array", "items": {"type": "array", "nullable": true}}),
                r#"{"items":{"nullable":true,"type":"array"},"type":"array"}"#,
            ),
            (
                json!({"required": ["a", "b"], "properties": {
                "a": {"type": "number", "nullable": true},
                "b": {"type": "array", "items": {}, "nullable": true},
                "c": {"$ref": "#/components/schemas/T", "nullable": true}}}),
                r##"{"properties":{"a":{"type":"number"},"b":{"items":{},"type":"array"},"c":{"$ref":"#/components/schemas/T"}},"required":["b"]}"##,
            ),
        ]);
    }
}
