//! Converts an OpenAPI 3.1 document to OpenAPI 3.0, because the later passes read only 3.0. Keywords of 3.1 in a 3.0
//! document are converted too. In documents of both versions, `x-nullable: true` becomes `nullable: true`. The schema
//! in `not` becomes empty, because the client ignores `not`.

use serde_json::{Map, Value, json};

use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

/// JSON Schema keywords that OpenAPI 3.0 does not have. They only restrict or describe values, so the client does not
/// need them.
const DROPPED: &[&str] = &[
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$comment",
    "$defs",
    "definitions",
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
    schemas::each_mut(document, &mut |place, schema| {
        let at = origin::location(schema, place);
        convert(&at, place, schema, report);
    });

    let Some(members) = document.as_object_mut() else { return };
    if members.get("openapi").and_then(Value::as_str).is_some_and(|v| v.starts_with("3.1")) {
        report.note(Change::Rewritten, "OpenAPI 3.1 is converted to 3.0.3", "/openapi");
    }
    members.insert("openapi".to_owned(), "3.0.3".into());

    for name in ["webhooks", "jsonSchemaDialect"] {
        if members.remove(name).is_some() {
            report.note(
                Change::Dropped,
                format!("`{name}` is ignored, because OpenAPI 3.0 has no field of this name"),
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
                format!("`{member}` is ignored, because OpenAPI 3.0 has no field of this name"),
                format!("{holder}/{member}"),
            );
        }
    }
}

fn convert(place: &str, path: &str, schema: &mut Value, report: &mut Report) {
    if let Value::Bool(accepts) = *schema {
        // In OpenAPI 3.0, `additionalProperties` may also be a boolean.
        if !path.ends_with("/additionalProperties")
            || path.ends_with("/properties/additionalProperties")
        {
            *schema = if accepts { json!({}) } else { json!({"not": {}}) };
            report.note(Change::Rewritten, "a boolean schema becomes an object", place);
        }
        return;
    }

    let Some(members) = schema.as_object_mut() else { return };
    patterns(place, members, report);

    // OpenAPI 3.0 describes a file by the format `binary`.
    if members.get("type").is_some_and(|ty| ty == "string")
        && members.contains_key("contentMediaType")
    {
        members.entry("format").or_insert_with(|| "binary".into());
    }

    for keyword in DROPPED {
        if members.remove(*keyword).is_some() {
            report.note(Change::Dropped, format!("the keyword `{keyword}` is ignored"), place);
        }
    }

    // The client ignores `not`. If its schema stayed, types would be generated that nothing uses.
    if let Some(negated) = members.get_mut("not") {
        *negated = json!({});
    }

    examples(place, members, report);
    constant(place, members, report);
    bounds(place, members, report);
    null_type(place, members, report);
    null_alternative(place, members, report);
    null_value(members);
}

/// Converts a `patternProperties` that has a single pattern to `additionalProperties`, which allows any field name.
fn patterns(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let only =
        members.get("patternProperties").and_then(Value::as_object).filter(|all| all.len() == 1);
    let Some(entry) = only.and_then(|all| all.values().next()).cloned() else { return };
    let open = !members.contains_key("properties")
        && members.get("additionalProperties").is_none_or(Value::is_boolean);
    if open {
        report.note(Change::Loosened, "`patternProperties` becomes `additionalProperties`", place);
        members.insert("additionalProperties".to_owned(), entry);
        members.remove("patternProperties");
    }
}

fn examples(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if let Some(Value::Array(examples)) = members.remove("examples") {
        report.note(Change::Rewritten, "the first value of `examples` becomes `example`", place);
        if let Some(first) = examples.into_iter().next() {
            members.entry("example").or_insert(first);
        }
    }
}

fn constant(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if let Some(value) = members.remove("const") {
        report.note(Change::Rewritten, "`const` becomes an enum of one value", place);
        members.insert("enum".to_owned(), Value::Array(vec![value]));
    }
}

/// Converts exclusive bounds. In OpenAPI 3.1, `exclusiveMinimum` is a number. In OpenAPI 3.0, it is a flag next to
/// `minimum`.
fn bounds(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    for (exclusive, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
    {
        if members.get(exclusive).is_some_and(Value::is_number) {
            let bound = members.insert(exclusive.to_owned(), true.into());
            members.insert(inclusive.to_owned(), bound.unwrap_or_default());
            report.note(Change::Rewritten, "a numeric exclusive bound becomes a flag", place);
        }
    }
}

/// Converts `x-nullable: true`, the type `null` and a list of types with `null` to `nullable: true`. Any other list of
/// types becomes an `anyOf`.
fn null_type(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    for word in ["nullable", "x-nullable"] {
        let said = members.remove(word);
        if said.is_some_and(|said| said == true || said == "true") {
            members.insert("nullable".to_owned(), true.into());
        }
    }
    if members.get("type").is_some_and(|ty| ty == "null") {
        members.remove("type");
        members.insert("nullable".to_owned(), true.into());
    }

    let Some(Value::Array(types)) = members.get("type") else { return };
    let nullable = types.iter().any(|ty| ty == "null" || ty.is_null());
    let rest: Vec<Value> =
        types.iter().filter(|ty| *ty != "null" && !ty.is_null()).cloned().collect();
    if nullable {
        members.insert("nullable".to_owned(), true.into());
        report.note(Change::Rewritten, "a type with null becomes `nullable`", place);
    }

    match <[Value; 1]>::try_from(rest) {
        Ok([only]) => {
            members.insert("type".to_owned(), only);
        }
        Err(rest) => {
            members.remove("type");
            if !rest.is_empty() {
                type_list(place, members, rest, report);
            }
        }
    }
}

/// Converts a list of types, such as `type: [string, array]`, to an `anyOf` with one schema per type. Moves keywords
/// such as `items` to the schema of type `array`, and keywords such as `properties` to the schema of type `object`.
/// Each value of `enum` moves to the schemas that have the type of this value. If an `anyOf`, `oneOf` or `allOf`
/// already exists, the list of types is dropped.
fn type_list(at: &str, members: &mut Map<String, Value>, types: Vec<Value>, report: &mut Report) {
    if ["anyOf", "oneOf", "allOf"].iter().any(|keyword| members.contains_key(*keyword)) {
        let what = "a list of types beside `anyOf`, `oneOf` or `allOf` is dropped";
        report.note(Change::Loosened, what, at);
        return;
    }
    report.note(Change::Rewritten, "a list of types becomes an `anyOf`", at);

    let of_objects = ["properties", "required", "additionalProperties"];
    let of_lists = ["items", "prefixItems"];
    let about = |keywords: &[&str], members: &mut Map<String, Value>| -> Map<String, Value> {
        let taken =
            keywords.iter().filter_map(|key| Some(((*key).to_owned(), members.remove(*key)?)));
        taken.collect()
    };
    let (objects, lists) = (about(&of_objects, members), about(&of_lists, members));

    let values = members.remove("enum");
    let fits = |ty: &Value, value: &Value| match ty.as_str() {
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("boolean") => value.is_boolean(),
        _ => false,
    };

    let listed = || values.as_ref().and_then(Value::as_array).into_iter().flatten();
    if listed().any(|value| !value.is_null() && !types.iter().any(|ty| fits(ty, value))) {
        let what = "values of an enum that have none of the listed types are dropped";
        report.note(Change::Loosened, what, at);
    }

    let shapes: Vec<Value> = types
        .into_iter()
        .map(|ty| {
            let mut shape = match ty.as_str() {
                Some("object") => objects.clone(),
                Some("array") => lists.clone(),
                _ => Map::new(),
            };
            let values: Vec<Value> = listed().filter(|value| fits(&ty, value)).cloned().collect();
            if !values.is_empty() {
                shape.insert("enum".to_owned(), Value::Array(values));
            }
            shape.insert("type".to_owned(), ty);
            Value::Object(shape)
        })
        .collect();
    members.insert("anyOf".to_owned(), Value::Array(shapes));
}

fn null_alternative(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    // Inner schemas are converted first, so an alternative of type `null` is already `nullable: true` here.
    let is_null = |schema: &Value| {
        schema.get("nullable").is_some_and(|n| n == true)
            && schema.as_object().is_some_and(|members| {
                let words = ["nullable", "description", "title", origin::AT];
                members.keys().all(|name| words.contains(&name.as_str()))
            })
    };

    for keyword in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(alternatives)) = members.get_mut(keyword) else { continue };
        let before = alternatives.len();
        alternatives.retain(|schema| !is_null(schema));
        if alternatives.len() == before {
            continue;
        }

        let only = (alternatives.len() == 1).then(|| alternatives.remove(0));
        let none = only.is_none() && alternatives.is_empty();
        members.insert("nullable".to_owned(), true.into());
        report.note(Change::Rewritten, "an alternative with null becomes `nullable`", place);
        if none {
            members.remove(keyword);
        }
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

    fn check<const N: usize>(cases: [(Value, &str); N]) {
        for (before, after) in cases {
            assert_eq!(schema_after(before, down_convert), after);
        }
    }

    #[test]
    fn lists_of_types_become_unions() {
        check([
            (
                json!({"type": ["array", "null"], "items": {"type": "string"}}),
                r#"{"items":{"type":"string"},"nullable":true,"type":"array"}"#,
            ),
            (
                json!({"type": ["string", "integer"]}),
                r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#,
            ),
            (
                json!({"type": ["integer", "string"], "enum": [1, 1.5, "a", [2]]}),
                r#"{"anyOf":[{"enum":[1],"type":"integer"},{"enum":["a"],"type":"string"}]}"#,
            ),
            (
                json!({"type": ["string", "integer"], "anyOf": [{"type": "string"}]}),
                r#"{"anyOf":[{"type":"string"}]}"#,
            ),
            (json!({"type": ["null"]}), r#"{"nullable":true}"#),
            (
                json!({"type": ["string", "null"], "enum": ["a", null]}),
                r#"{"enum":["a"],"nullable":true,"type":"string"}"#,
            ),
        ]);
    }

    #[test]
    fn null_becomes_nullable() {
        check([
            (json!({"type": "null"}), r#"{"nullable":true}"#),
            (json!({"type": "string", "nullable": "true"}), r#"{"nullable":true,"type":"string"}"#),
            (json!({"type": "string", "x-nullable": true}), r#"{"nullable":true,"type":"string"}"#),
            (
                json!({"allOf": [{"$ref": "#/components/schemas/T"}, {"nullable": true}]}),
                r##"{"allOf":[{"$ref":"#/components/schemas/T"}],"nullable":true}"##,
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
        ]);
    }

    #[test]
    fn bounds_and_values_are_written_as_in_3_0() {
        check([
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
        ]);
    }

    #[test]
    fn keywords_that_3_0_lacks_are_replaced() {
        check([
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
                r#"{"prefixItems":[{"type":"string"}],"type":"array"}"#,
            ),
            (
                json!({"type": "object", "if": {}, "then": {}, "patternProperties": {"^x": {}}}),
                r#"{"additionalProperties":{},"type":"object"}"#,
            ),
        ]);
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
