//! Normalizes schemas, so that each object and each union is a named schema in `components.schemas`.
//!
//! `allOf` is merged, the alternatives of unions are made distinct, plain values are inlined, and inline objects and
//! unions get names.

mod aliases;
mod alternatives;
mod hoist;
mod kinds;
mod nullable;
mod parts;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::report::Report;
use crate::schemas;

/// Maximum number of rounds. Each round inlines aliases and then simplifies unions. Both steps can produce new
/// aliases or unions for the next round.
const ROUNDS: usize = 8;

pub fn compose(document: &mut Value, report: &mut Report) {
    kinds::kinds(document, report);
    nullable::nullable(document, report);
    parts::write_out(document, report);
    for _ in 0..ROUNDS {
        let wrote = aliases::aliases(document, report);
        if wrote {
            parts::write_out(document, report);
        }
        let chose = alternatives::alternatives(document, report);
        if !wrote && !chose {
            break;
        }
    }
    alternatives::circles(document, report);
    hoist::hoist(document, report);
}

/// Keywords that define the type of a schema. All other keywords are documentation or only restrict values.
const STRUCTURE: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "items",
    "oneOf",
    "prefixItems",
    "properties",
    "type",
    "x-native",
    "x-is-native",
];

/// Returns true if a schema contains at least one keyword of [`STRUCTURE`], such as `type` or `properties`.
fn has_structure(schema: &Value) -> bool {
    STRUCTURE.iter().any(|keyword| schema.get(*keyword).is_some())
}

/// Returns true if a schema is a union: a `oneOf` with several alternatives and without `properties`.
fn is_union(schema: &Value) -> bool {
    let several = |keyword: &str| {
        schema.get(keyword).and_then(Value::as_array).is_some_and(|shapes| shapes.len() > 1)
    };
    several("oneOf") && schema.get("properties").is_none()
}

/// Returns the name of the schema to which a `$ref` such as `#/components/schemas/NAME` refers.
fn name_of(target: &str) -> Option<&str> {
    target.strip_prefix("#/components/schemas/")
}

/// Returns the schema in `components.schemas` to which a `$ref` refers.
fn component<'a>(document: &'a Value, target: &str) -> Option<&'a Value> {
    let name = name_of(target)?;
    document.get("components")?.get("schemas")?.get(name)
}

/// Returns the `$ref` of a schema, from the schema itself or from its only `allOf` part. Returns `None` for a schema
/// with `properties`.
fn target(schema: &Value) -> Option<&str> {
    if schema.get("properties").is_some() {
        return None;
    }
    let lone = schema.get("allOf").and_then(Value::as_array).filter(|parts| parts.len() == 1);
    let target = schema.get("$ref").or_else(|| lone.and_then(|parts| parts[0].get("$ref")))?;
    target.as_str()
}

/// Returns true if the JSON pointer refers directly to a schema in `components.schemas`. Returns false for a schema
/// inside another schema.
fn is_component(place: &str) -> bool {
    place.strip_prefix("/components/schemas/").is_some_and(|rest| !rest.contains('/'))
}

/// Calls `visit` for every schema of the document. The first argument of `visit` contains copies of referenced schemas
/// (see [`looked_up`]). The second argument is the JSON pointer of the schema, and the third is the schema. The copies
/// are made before the first call of `visit`, so they do not contain the changes that `visit` makes.
fn visit_schemas(document: &mut Value, visit: &mut dyn FnMut(&Value, &str, &mut Value)) {
    let before = looked_up(document);
    schemas::each_mut(document, &mut |place, schema| visit(&before, place, schema));
}

/// Returns copies of the schemas in `components.schemas` that are referenced as `allOf` parts, as union alternatives or
/// by aliases. A pass reads the copies while it changes the document.
fn looked_up(document: &mut Value) -> Value {
    let names = looked_up_names(document);
    let all = document.pointer("/components/schemas").and_then(Value::as_object);
    let held: Map<String, Value> = all
        .into_iter()
        .flatten()
        .filter(|(name, _)| names.contains(*name))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    json!({"components": {"schemas": held}})
}

fn looked_up_names(document: &mut Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    schemas::each_mut(document, &mut |place, schema| {
        let mut note = |schema: &Value| {
            let target = schema.get("$ref").and_then(Value::as_str);
            names.extend(target.and_then(name_of).map(str::to_owned));
        };
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let parts = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
            parts.for_each(&mut note);
        }
        if is_component(place) {
            note(schema);
        }
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alias_that_contains_itself_in_a_union_keeps_its_type() {
        let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let mut document = json!({"components": {"schemas": {
            "S": {"properties": {"map": to("Map"), "list": to("List"), "nested": to("Nested")}},
            "Map": {"type": "object", "additionalProperties": {"oneOf": [to("Map"), {"type": "string"}]}},
            "List": {"type": "array", "items": {"anyOf": [to("List"), {"type": "string"}]}},
            // `Nested` contains itself without a union, so no inner schema gets a name.
            "Nested": {"type": "array", "items": to("Nested")}}}});
        compose(&mut document, &mut Report::default());
        let fields = &document["components"]["schemas"]["S"]["properties"];
        assert_eq!(fields["map"]["additionalProperties"], to("MapEntry"));
        assert_eq!(fields["list"]["items"], to("ListItem"));
        assert_eq!(fields["nested"], json!({}));
    }

    #[test]
    fn every_object_gets_a_name() {
        let mut document = json!({
            "paths": {"/a": {"get": {"operationId": "a-list", "responses": {"200": {"content": {"application/json": {
                "schema": {"properties": {"rows": {"type": "array", "items": {"properties": {"n": {}}}}}}}}}}}}},
            "components": {"schemas": {"S": {"properties": {
                "inner": {"properties": {"x": {}}, "description": "d", "nullable": true},
                "free": {"type": "object"}}}}}
        });
        let mut report = Report::default();
        compose(&mut document, &mut report);
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
    }

    fn composed(schemas: Value) -> Value {
        let mut document = json!({"components": {"schemas": schemas}});
        compose(&mut document, &mut Report::default());
        document["components"]["schemas"].take()
    }

    #[test]
    fn all_of_is_written_out_through_references() {
        let after = composed(json!({
            "A": {"type": "object", "properties": {"a": {}}, "required": ["a"]},
            "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"properties": {"b": {}}, "required": ["b"]}], "description": "d"},
            "C": {"allOf": [{"$ref": "#/components/schemas/B"}], "properties": {"c": {}}},
            "D": {"allOf": [{"$ref": "#/components/schemas/A"}]},
            "F": {"properties": {
                "d": {"$ref": "#/components/schemas/D", "description": "d"},
                "s": {"allOf": [{"type": "string"}, {"description": "words"}]},
                "l": {"allOf": [{"$ref": "#/components/schemas/L"}], "nullable": true}}},
            "L": {"type": "array", "items": {"type": "integer"}}}));

        for (name, members) in [("A", "a"), ("B", "ab"), ("C", "abc")] {
            let all: String =
                after[name]["properties"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(all, members);
        }
        assert_eq!(after["C"]["required"], json!(["a", "b"]));

        assert!(after.get("D").is_none() && after.get("L").is_none());
        assert_eq!(
            after["F"]["properties"],
            json!({
                "d": {"allOf": [{"$ref": "#/components/schemas/A"}], "description": "d"},
                "s": {"type": "string", "description": "words"},
                "l": {"type": "array", "items": {"type": "integer"}, "nullable": true}})
        );
    }

    #[test]
    fn text_and_object_at_once_is_any_value() {
        let after = composed(json!({
            "Both": {"allOf": [{"$ref": "#/components/schemas/Alias"}, {"properties": {"a": {}}}]},
            "Alias": {"$ref": "#/components/schemas/Text"},
            "Text": {"type": "string"},
            "R": {"properties": {"both": {"$ref": "#/components/schemas/Both"}}}}));
        assert_eq!(after, json!({"R": {"properties": {"both": {}}, "type": "object"}}));
    }

    /// Checks how the generator normalizes schemas. Each case contains the schema of a property before and after
    /// normalization.
    fn check<const N: usize>(cases: [(Value, Value); N]) {
        let record = json!({"properties": {"a": {"type": "string"}}});
        for (choice, after) in cases {
            let all = composed(json!({
                "S": {"properties": {"m": choice}}, "R": record, "E": {"type": "string", "enum": ["e"]}}));
            assert_eq!(all["S"]["properties"]["m"], after);
        }
    }

    #[test]
    fn a_choice_keeps_only_the_shapes_that_differ() {
        check([
            (
                json!({"anyOf": [{"type": "string"}, {"type": "string", "format": "uuid"}]}),
                json!({"type": "string"}),
            ),
            (
                json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
                json!({"type": "number", "format": "x-exact"}),
            ),
            (
                json!({"oneOf": [{"$ref": "#/components/schemas/R"}]}),
                json!({"$ref": "#/components/schemas/R"}),
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/R"}]}),
                json!({"$ref": "#/components/schemas/Sm"}),
            ),
        ]);
    }

    #[test]
    fn an_enum_absorbs_text_and_other_enums() {
        check([
            (
                json!({"anyOf": [{"$ref": "#/components/schemas/E"}, {"type": "string"}]}),
                json!({"$ref": "#/components/schemas/E"}),
            ),
            (
                json!({"anyOf": [{"type": "string", "enum": ["x"]}, {"$ref": "#/components/schemas/E"}]}),
                json!({"type": "string", "enum": ["x", "e"]}),
            ),
        ]);
    }

    #[test]
    fn alternatives_without_a_type_are_rules_or_any_value() {
        check([
            (json!({"anyOf": [{"required": ["a"]}, {"not": {}}]}), json!({})),
            (json!({"anyOf": [{"type": "string"}, {}]}), json!({})),
            (
                json!({"type": "string", "oneOf": [{"minLength": 2}, {"pattern": "^a"}]}),
                json!({"type": "string"}),
            ),
            (
                json!({"type": "array", "items": {"type": "integer"}, "anyOf": [{"minItems": 2}, {"not": {}}]}),
                json!({"type": "array", "items": {"type": "integer"}}),
            ),
        ]);
    }

    #[test]
    fn alternatives_beside_members_become_members() {
        let after = composed(json!({
            "P": {"properties": {"p": {"type": "string"}}, "required": ["p"],
                "oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]},
            "A": {"properties": {"x": {"type": "string"}, "y": {"type": "string"}}, "required": ["x"]},
            "B": {"properties": {"x": {"type": "integer"}, "z": {"type": "string"}}}}));
        assert_eq!(
            after["P"]["properties"],
            json!({"p": {"type": "string"}, "x": {"$ref": "#/components/schemas/Px"}, "y": {"type": "string"}, "z": {"type": "string"}})
        );
        assert_eq!(after["P"]["required"], json!(["p"]));
        assert_eq!(after["Px"]["oneOf"], json!([{"type": "integer"}, {"type": "string"}]));
    }
}
