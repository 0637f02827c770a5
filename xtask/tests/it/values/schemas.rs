//! Converts the schemas of OpenAPI documents to JSON Schema 2020-12, so that a JSON Schema validator can use them.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use xtask::{origin, schemas};

/// OpenAPI documents merged to one document, whose schemas are JSON Schema 2020-12.
pub(crate) struct Schemas {
    document: Value,
}

impl Schemas {
    /// Merges OpenAPI documents, and replaces keywords of OpenAPI 3.0 that JSON Schema does not have. If several
    /// documents define the same field differently, the first definition is used.
    pub(crate) fn new(documents: Vec<Value>) -> Self {
        let mut all = json!({"paths": {}, "components": {}});
        for mut document in documents {
            let version = document["openapi"].as_str().unwrap_or_default();
            let is_old = version.starts_with("3.0");
            schemas::each_mut(&mut document, &mut |_, schema| {
                plain_words(schema);
                if is_old {
                    from_3_0(schema);
                }
            });
            add(&mut all, document);
        }
        Schemas { document: all }
    }

    /// Returns the schema at a JSON pointer of the OpenAPI documents. Returns `None` if no document has the
    /// pointer.
    pub(crate) fn at(&self, place: &str) -> Option<&Value> {
        let mut found = self.document.pointer(origin::pointer(place))?;
        // The schema may be only a `$ref`, which is followed up to eight times.
        for _ in 0..8 {
            let Some(target) = found.get("$ref").and_then(Value::as_str) else { break };
            if found.as_object().is_some_and(|members| members.len() > 1) {
                break;
            }
            found = self.target(target)?;
        }
        Some(found)
    }

    /// Returns the schema to which a `$ref` points, or `None` if it does not exist.
    pub(crate) fn target(&self, reference: &str) -> Option<&Value> {
        let pointer = percent_encoding::percent_decode_str(reference.strip_prefix('#')?);
        self.document.pointer(&pointer.decode_utf8().ok()?)
    }

    /// Creates a validator for a schema. Returns `None` if the schema is not valid JSON Schema.
    pub(crate) fn validator(&self, schema: &Value) -> Option<Validator> {
        let mut root = json!({"allOf": [schema]});
        let (mut open, mut seen) = (vec![schema], BTreeSet::new());
        while let Some(next) = open.pop() {
            let mut found = Vec::new();
            references(next, &mut found);
            for reference in found {
                if let Some(target) = self.target(reference).filter(|_| seen.insert(reference)) {
                    put(&mut root, reference, target.clone());
                    open.push(target);
                }
            }
        }
        jsonschema::draft202012::new(&root).ok()
    }
}

/// Copies fields from the JSON object `more` to the JSON object `all`. Does not replace existing fields of `all`. If a
/// field is an object in both `all` and `more`, these two objects are merged by the same rules.
fn add(all: &mut Value, more: Value) {
    let (Value::Object(all), Value::Object(more)) = (all, more) else { return };
    for (name, value) in more {
        match all.get_mut(&name) {
            Some(known) => add(known, value),
            None => drop(all.insert(name, value)),
        }
    }
}

/// Inserts a schema into `root` at the JSON pointer of a `$ref`.
fn put(root: &mut Value, reference: &str, schema: Value) {
    let mut place = root;
    for token in reference.trim_start_matches("#/").split('/').map(schemas::unescape) {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[token];
    }
    // Another reference may already have inserted a part of this schema.
    if let (Value::Object(before), Value::Object(mut all)) = (place.take(), schema.clone()) {
        all.extend(before);
        *place = Value::Object(all);
    } else {
        *place = schema;
    }
}

fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        _ => {}
    }
}

/// Removes fields that do not restrict values, such as `example` and `default`, and removes `required` if its value is
/// not a list.
fn plain_words(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("required").is_some_and(|names| !names.is_array()) {
        members.remove("required");
    }
    let gone = [
        "example",
        "examples",
        "default",
        "discriminator",
        "xml",
        "externalDocs",
        "$id",
        "$schema",
    ];
    members.retain(|name, _| !gone.contains(&name.as_str()));
}

fn from_3_0(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        match members.get(exclusive) {
            Some(Value::Bool(true)) => {
                let bound = members.remove(bound);
                members.remove(exclusive);
                members.extend(bound.map(|bound| (exclusive.to_owned(), bound)));
            }
            Some(Value::Bool(false)) => drop(members.remove(exclusive)),
            _ => {}
        }
    }

    let nullable = members.remove("nullable").is_some_and(|flag| flag == true);
    if let Some(reference) = members.get("$ref").cloned() {
        members.clear();
        members.insert("$ref".to_owned(), reference);
    }
    if nullable {
        let others = std::mem::take(members);
        let is_null = !others.keys().any(|name| !["description", "title"].contains(&name.as_str()));
        let mut shapes = vec![json!({"type": "null"})];
        shapes.extend((!is_null).then_some(Value::Object(others)));
        members.insert("anyOf".to_owned(), shapes.into());
    }
}
