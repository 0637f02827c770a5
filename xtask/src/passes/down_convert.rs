//! OpenAPI 3.1 to 3.0: the same meaning in the older vocabulary, which is the one the generator
//! reads. A 3.0 document passes through, except for 3.1 habits that crept in.

use serde_json::{Map, Value, json};

use crate::report::{Change, Report};
use crate::schemas;

/// JSON Schema keywords without a counterpart in 3.0. They only narrow what a value may be, so a
/// client can do without them.
const DROPPED: &[&str] = &[
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$comment",
    "$defs",
    "$schema",
    "$vocabulary",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxContains",
    "minContains",
    "patternProperties",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

pub fn down_convert(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |place, schema| convert(place, schema, report));
    let Some(members) = document.as_object_mut() else { return };
    if members.get("openapi").and_then(Value::as_str).is_some_and(|v| v.starts_with("3.1")) {
        report.note(Change::Rewritten, "OpenAPI 3.1 as 3.0.3", "/openapi");
    }
    members.insert("openapi".to_owned(), "3.0.3".into());
    for name in ["webhooks", "jsonSchemaDialect"] {
        if members.remove(name).is_some() {
            report.note(
                Change::Dropped,
                format!("`{name}`, which 3.0 does not have"),
                format!("/{name}"),
            );
        }
    }
    for (holder, member) in
        [("/components", "pathItems"), ("/info", "summary"), ("/info/license", "identifier")]
    {
        let removed = document
            .pointer_mut(holder)
            .and_then(Value::as_object_mut)
            .and_then(|members| members.remove(member));
        if removed.is_some() {
            report.note(
                Change::Dropped,
                format!("`{member}`, which 3.0 does not have"),
                format!("{holder}/{member}"),
            );
        }
    }
}

fn convert(place: &str, schema: &mut Value, report: &mut Report) {
    if let Value::Bool(accepts) = *schema {
        // `additionalProperties` takes a bool in 3.0 too.
        if !place.ends_with("/additionalProperties") {
            *schema = if accepts { json!({}) } else { json!({"not": {}}) };
            report.note(Change::Rewritten, "a boolean schema as an object", place);
        }
        return;
    }
    let Some(members) = schema.as_object_mut() else { return };
    for keyword in DROPPED {
        if members.remove(*keyword).is_some() {
            report.note(Change::Dropped, format!("the keyword `{keyword}`"), place);
        }
    }
    examples(place, members, report);
    constant(place, members, report);
    tuple(place, members, report);
    bounds(place, members, report);
    null_type(place, members, report);
    null_alternative(place, members, report);
    null_value(members);
}

fn examples(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if let Some(Value::Array(examples)) = members.remove("examples") {
        report.note(
            Change::Rewritten,
            "`examples`, of which 3.0 takes the first as `example`",
            place,
        );
        if let Some(first) = examples.into_iter().next() {
            members.entry("example").or_insert(first);
        }
    }
}

fn constant(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if let Some(value) = members.remove("const") {
        report.note(Change::Rewritten, "`const` as an enum of one", place);
        members.insert("enum".to_owned(), Value::Array(vec![value]));
    }
}

fn tuple(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if members.remove("prefixItems").is_some() {
        report.note(Change::Loosened, "a tuple as a list of anything", place);
        members.insert("items".to_owned(), json!({}));
    }
}

/// In 3.1 an exclusive bound is a number, in 3.0 a flag beside the bound.
fn bounds(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    for (exclusive, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
    {
        if members.get(exclusive).is_some_and(Value::is_number) {
            let bound = members.insert(exclusive.to_owned(), true.into());
            members.insert(inclusive.to_owned(), bound.unwrap_or_default());
            report.note(Change::Rewritten, "a numeric exclusive bound as a flag", place);
        }
    }
}

fn null_type(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let Some(Value::Array(types)) = members.get("type") else { return };
    let nullable = types.iter().any(|ty| ty == "null");
    let rest: Vec<Value> = types.iter().filter(|ty| *ty != "null").cloned().collect();
    if nullable {
        members.insert("nullable".to_owned(), true.into());
        report.note(Change::Rewritten, "a type with null as `nullable`", place);
    }
    match <[Value; 1]>::try_from(rest) {
        Ok([only]) => {
            members.insert("type".to_owned(), only);
        }
        Err(rest) => {
            members.remove("type");
            if !rest.is_empty() {
                report.note(Change::Loosened, "several types at once as any value", place);
            }
        }
    }
}

fn null_alternative(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let is_null = |schema: &Value| {
        schema.get("type").is_some_and(|ty| ty == "null")
            || (schema.get("nullable").is_some_and(|n| n == true)
                && schema.as_object().is_some_and(|members| members.len() == 1))
    };
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(alternatives)) = members.get_mut(keyword) else { continue };
        let before = alternatives.len();
        alternatives.retain(|schema| !is_null(schema));
        if alternatives.len() == before {
            continue;
        }
        let only = (alternatives.len() == 1).then(|| alternatives.remove(0));
        members.insert("nullable".to_owned(), true.into());
        report.note(Change::Rewritten, "an alternative with null as `nullable`", place);
        if let Some(only) = only {
            members.remove(keyword);
            if only.get("$ref").is_some() {
                members.insert("allOf".to_owned(), Value::Array(vec![only]));
            } else if let Value::Object(inner) = only {
                for (name, value) in inner {
                    members.entry(name).or_insert(value);
                }
            }
        }
    }
}

fn null_value(members: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        let before = values.len();
        values.retain(|value| !value.is_null());
        if values.len() < before {
            members.insert("nullable".to_owned(), true.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::schema_after;

    #[test]
    fn schemas_of_3_1_become_schemas_of_3_0() {
        for (before, after) in [
            (
                json!({"type": ["array", "null"], "items": {"type": "string"}}),
                r#"{"items":{"type":"string"},"nullable":true,"type":"array"}"#,
            ),
            (json!({"type": ["string", "integer"]}), "{}"),
            (json!({"type": ["null"]}), r#"{"nullable":true}"#),
            (
                json!({"type": "number", "exclusiveMinimum": 0}),
                r#"{"exclusiveMinimum":true,"minimum":0,"type":"number"}"#,
            ),
            (
                json!({"type": "number", "exclusiveMinimum": true, "minimum": 0}),
                r#"{"exclusiveMinimum":true,"minimum":0,"type":"number"}"#,
            ),
            (json!({"const": "function"}), r#"{"enum":["function"]}"#),
            (
                json!({"type": "string", "examples": ["BTC", "ETH"]}),
                r#"{"example":"BTC","type":"string"}"#,
            ),
            (
                json!({"anyOf": [{"$ref": "#/components/schemas/T"}, {"type": "null"}]}),
                r##"{"allOf":[{"$ref":"#/components/schemas/T"}],"nullable":true}"##,
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "null"}], "description": "d"}),
                r#"{"description":"d","nullable":true,"type":"string"}"#,
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "array"}, {"type": "null"}]}),
                r#"{"nullable":true,"oneOf":[{"type":"string"},{"type":"array"}]}"#,
            ),
            (
                json!({"type": ["string", "null"], "enum": ["a", null]}),
                r#"{"enum":["a"],"nullable":true,"type":"string"}"#,
            ),
            (
                json!({"properties": {"a": true, "b": false}}),
                r#"{"properties":{"a":{},"b":{"not":{}}}}"#,
            ),
            (
                json!({"type": "object", "additionalProperties": false}),
                r#"{"additionalProperties":false,"type":"object"}"#,
            ),
            (
                json!({"prefixItems": [{"type": "string"}], "type": "array"}),
                r#"{"items":{},"type":"array"}"#,
            ),
            (
                json!({"type": "object", "if": {}, "then": {}, "patternProperties": {"^x": {}}}),
                r#"{"type":"object"}"#,
            ),
        ] {
            assert_eq!(schema_after(before, down_convert), after);
        }
    }

    #[test]
    fn the_document_says_that_it_is_3_0() {
        let mut report = Report::default();
        let mut document = json!({"openapi": "3.1.0", "webhooks": {}, "info": {"summary": "s"},
            "paths": {}, "jsonSchemaDialect": "x"});
        down_convert(&mut document, &mut report);
        assert_eq!(document, json!({"openapi": "3.0.3", "info": {}, "paths": {}}));
        insta::assert_snapshot!(report.to_markdown("---"));
    }
}
