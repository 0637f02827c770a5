//! Converts input schemas to the form that strict modes of model providers accept.
//!
//! The input is a JSON Schema. The output is the strict form of the schema. In the strict form, each property is
//! required, and objects allow no further properties. An optional property of the input becomes a required property
//! that may be null. Keywords that strict modes reject are removed. An object with arbitrary properties becomes a
//! string with JSON text.

use serde_json::{Map, Value, json};

/// Keywords of JSON Schema that strict modes accept.
const KEYWORDS: &[&str] = &["type", "description", "enum", "items", "anyOf"];
/// Text that is added to the description of a property if the property accepts an object with arbitrary fields.
const JSON_TEXT: &str = "a JSON object as text";

/// Converts the input schema of a tool so that the strict modes of model providers accept it.
pub(crate) fn strict(schema: &Map<String, Value>) -> Map<String, Value> {
    object(schema)
}

/// Converts the schema of an object to its strict form. All properties become required. A property that was optional
/// before may be null.
fn object(schema: &Map<String, Value>) -> Map<String, Value> {
    let required: Vec<_> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let properties: Map<String, Value> = properties
        .map(|(name, property)| {
            let is_required = required.iter().any(|known| *known == name);
            let property = value(property);
            (name.clone(), if is_required { property } else { or_null(property) })
        })
        .collect();

    let mut strict = Map::new();
    if let Some(text) = schema.get("description") {
        strict.insert("description".to_owned(), text.clone());
    }
    strict.insert("type".to_owned(), "object".into());
    strict.insert("required".to_owned(), properties.keys().cloned().collect::<Vec<_>>().into());
    strict.insert("properties".to_owned(), properties.into());
    strict.insert("additionalProperties".to_owned(), false.into());
    strict
}

fn value(schema: &Value) -> Value {
    let Some(members) = schema.as_object() else { return json!({"type": "string"}) };
    if members.contains_key("properties") {
        return object(members).into();
    }
    let kinds: Vec<&str> = match members.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec!["string"],
    };

    let of_kind = |kind: &str| {
        let mut one: Map<String, Value> = members
            .iter()
            .filter(|(name, _)| KEYWORDS.contains(&name.as_str()) && *name != "items")
            .map(|(name, member)| (name.clone(), member.clone()))
            .collect();
        one.insert("type".to_owned(), kind.into());

        match kind {
            "array" => {
                let items = members.get("items").map_or_else(|| json!({"type": "string"}), value);
                one.insert("items".to_owned(), items);
            }
            "object" => {
                one.insert("type".to_owned(), "string".into());
                describe(&mut one, JSON_TEXT);
            }
            _ => {}
        }

        if let Some(known) = members.get("examples").and_then(Value::as_array) {
            let known: Vec<_> = known.iter().filter_map(Value::as_str).collect();
            describe(&mut one, &format!("one of {}", known.join(", ")));
        }
        if let Some(default) = members.get("default") {
            describe(&mut one, &format!("default {default}"));
        }
        Value::from(one)
    };
    match kinds.as_slice() {
        [only] => of_kind(only),
        kinds => json!({"anyOf": kinds.iter().map(|kind| of_kind(kind)).collect::<Vec<_>>()}),
    }
}

/// Appends a text in parentheses to the description of a schema.
fn describe(schema: &mut Map<String, Value>, text: &str) {
    let before = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let whole = before.map_or_else(|| text.to_owned(), |before| format!("{before} ({text})"));
    schema.insert("description".to_owned(), whole.into());
}

fn or_null(schema: Value) -> Value {
    let mut kinds = match schema.get("anyOf").and_then(Value::as_array) {
        Some(kinds) => kinds.clone(),
        None => vec![schema],
    };
    kinds.push(json!({"type": "null"}));
    json!({"anyOf": kinds})
}
