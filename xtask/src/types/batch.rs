//! Builds the input of typify. The input consists of batches of schemas, in the version of JSON Schema that typify
//! reads.

use std::collections::{BTreeMap, BTreeSet};

use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::passes::loosen::{EXACT, WIDE};
use crate::schemas::{METHODS, escape};

const COMPONENTS: &str = "#/components/schemas/";

/// Names and schemas of all types that the OpenAPI document defines. Each run of typify gets one batch of schemas. The
/// names are needed because a schema can reference types outside its batch.
pub(super) struct KnownTypes<'a> {
    /// Names of enums, which are generated without typify.
    pub(super) enums: &'a BTreeSet<String>,
    pub(super) runtime_types: &'a BTreeSet<String>,
    /// Names of all records. If a schema references a record outside its batch, typify gets only the record's name and
    /// a placeholder schema.
    pub(super) records: BTreeSet<String>,
    /// Schemas of unions and other types that are not records. Typify needs these schemas to decide how it represents
    /// a reference to them.
    pub(super) others: BTreeMap<String, Value>,
}

/// Input of one run of typify.
#[derive(Default)]
pub(super) struct TypifyBatch {
    /// Names and schemas of the types in the batch, and of the types that they reference. Referenced enums, runtime
    /// types, and records outside the batch have only a placeholder schema.
    pub(super) schemas: Vec<(String, Schema)>,
    /// Field names of each type in the batch, by type name. A type without fields, such as a union, has an empty list.
    /// Because typify could change the spelling of field names, its input contains the names `m0`, `m1` and so on.
    pub(super) members: BTreeMap<String, Vec<String>>,
    /// Union alternatives that are tuples. Each entry is the name of a union and the index of the alternative. This set
    /// is necessary because the type generator typify returns the same variant for a tuple with one item and for the
    /// item alone.
    pub(super) tuples: BTreeSet<(String, usize)>,
    /// Schemas of parameters, request bodies and responses, each with its JSON pointer.
    pub(super) places: Vec<(String, Schema)>,
    /// Names of the types that have only a placeholder schema in `schemas`. They are enums, hand-written types of the
    /// runtime crate, and records outside the batch. Typify does not compute these types in this run.
    pub(super) elsewhere: BTreeSet<String>,
}

impl KnownTypes<'_> {
    /// Builds the input of one run of the type generator typify. The input contains the types in `components`, the
    /// schemas in `places`, and all types that they reference. A referenced record, enum or hand-written runtime type
    /// gets a placeholder schema. Other referenced types, such as unions, keep their schema. The types in these schemas
    /// are added too.
    pub(super) fn batch(
        &self,
        components: Vec<(String, Value)>,
        places: &[(String, Value)],
    ) -> Result<TypifyBatch, String> {
        let mut asked = TypifyBatch::default();
        let mut open = Vec::new();
        for (name, schema) in components {
            let members = schema.get("properties").and_then(Value::as_object);
            let members = members.into_iter().flat_map(Map::keys).cloned().collect();
            asked.members.insert(name.clone(), members);
            let shapes = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            let tuples = shapes.enumerate().filter(|(_, shape)| shape.get("prefixItems").is_some());
            asked.tuples.extend(tuples.map(|(index, _)| (name.clone(), index)));
            asked.schemas.push((name, read(component(&schema), &mut open)?));
        }
        for (place, schema) in places {
            asked.places.push((place.clone(), read(schema.clone(), &mut open)?));
        }

        let mut seen: BTreeSet<String> = asked.members.keys().cloned().collect();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let is_name = [self.enums, self.runtime_types, &self.records]
                .iter()
                .any(|held| held.contains(&name));
            // Typify rejects a reference to a missing schema, so a type without a schema here gets a placeholder.
            let schema = match (is_name, self.others.get(&name)) {
                (true, _) => json!({"type": "string"}),
                (false, Some(schema)) => component(schema),
                (false, None) => continue,
            };
            asked.schemas.push((name.clone(), read(schema, &mut open)?));
            if is_name {
                asked.elsewhere.insert(name);
            }
        }
        Ok(asked)
    }
}

/// Returns true if typify represents a schema as a Rust struct. This is the case for an object with properties.
pub(super) fn is_record(schema: &Value) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty())
}

/// Returns the names of the types that a Rust value of this schema contains directly. Types inside lists and maps are
/// left out, because a cycle through a list or map needs no `Box`.
pub(super) fn direct_types(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    add_direct_types(schema, &mut names);
    names
}

fn add_direct_types(schema: &Value, names: &mut Vec<String>) {
    names.extend(target(schema));
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    members.for_each(|(_, member)| add_direct_types(member, names));
    for keyword in ["oneOf", "prefixItems"] {
        let inner = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        inner.for_each(|schema| add_direct_types(schema, names));
    }
}

fn target(schema: &Value) -> Option<String> {
    Some(schema.get("$ref")?.as_str()?.strip_prefix(COMPONENTS)?.to_owned())
}

/// Parses a JSON value as typify's schema type, and adds the names of referenced types to `open`.
fn read(schema: Value, open: &mut Vec<String>) -> Result<Schema, String> {
    references(&schema, open);
    serde_json::from_value(schema).map_err(|error| error.to_string())
}

/// Appends to `open` the names of all types that a schema references. The schema must not contain examples or
/// defaults, because each `$ref` in it counts as a reference.
fn references(draft: &Value, open: &mut Vec<String>) {
    open.extend(target(draft));
    match draft {
        Value::Array(items) => items.iter().for_each(|item| references(item, open)),
        Value::Object(members) => members.values().for_each(|member| references(member, open)),
        _ => {}
    }
}

/// Converts the schema of a record or union to the version of JSON Schema that typify reads.
fn component(schema: &Value) -> Value {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else {
        return draft(schema, false);
    };
    // All fields are required here, so that typify returns their types without `Option`. The model determines which
    // fields are optional.
    let numbered = members.values().enumerate();
    let properties: Map<String, Value> =
        numbered.map(|(index, schema)| (format!("m{index}"), draft(schema, false))).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// Converts a schema to the version of JSON Schema that typify reads. If `null` is true, a nullable schema becomes a
/// `oneOf` of the schema and the type `null`, unless the schema allows any JSON value. If `null` is false, the keyword
/// `nullable` of `schema` itself is ignored.
fn draft(schema: &Value, null: bool) -> Value {
    let nullable = null && schema.get("nullable").is_some_and(|flag| *flag == json!(true));
    let plain = comparable(schema);
    match nullable && plain != json!(true) {
        true => json!({"oneOf": [plain, {"type": "null"}]}),
        false => plain,
    }
}

fn comparable(schema: &Value) -> Value {
    if let Some(target) = schema.get("$ref") {
        return json!({"$ref": target});
    }
    if let Some(shapes) = schema.get("oneOf").and_then(Value::as_array) {
        return json!({"oneOf": shapes.iter().map(|shape| draft(shape, true)).collect::<Vec<_>>()});
    }

    match schema.get("type").and_then(Value::as_str) {
        Some("string") => json!({"type": "string"}),
        // Typify maps each of these formats to a builtin type. `u64` and `f32` stand for the model's types `Wide` and
        // `Exact`, which typify does not have.
        Some("integer") if is_of(schema, WIDE) => json!({"type": "integer", "format": "uint64"}),
        Some("integer") => json!({"type": "integer", "format": "int64"}),
        Some("number") if is_of(schema, EXACT) => json!({"type": "number", "format": "float"}),
        Some("number") => json!({"type": "number", "format": "double"}),
        Some("boolean") => json!({"type": "boolean"}),
        Some("array") => list(schema),
        Some("object") => {
            let more = schema.get("additionalProperties").filter(|more| more.is_object());
            let more = more.map_or(json!(true), |more| draft(more, true));
            json!({"type": "object", "additionalProperties": more})
        }
        _ => json!(true),
    }
}

fn is_of(schema: &Value, format: &str) -> bool {
    schema.get("format").is_some_and(|known| known == format)
}

/// Converts the schema of an array for typify. It becomes a tuple if it has `prefixItems`, otherwise a list.
fn list(schema: &Value) -> Value {
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<Value> = places.iter().map(|place| draft(place, true)).collect();
        let count = places.len();
        return json!({"type": "array", "items": items, "minItems": count, "maxItems": count});
    }

    let items = schema.get("items").map_or(json!(true), |items| draft(items, true));
    json!({"type": "array", "items": items})
}

/// Returns the schemas of parameters, request bodies and responses, converted for typify. The key is the JSON pointer.
pub(super) fn typify_schemas(document: &Value) -> BTreeMap<String, Value> {
    let mut places = BTreeMap::new();
    let mut put = |place: String, schema: &Value| {
        places.insert(place, draft(schema, true));
    };
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let place = format!("/paths/{}/{method}", escape(path));

            let parameters = operation.get("parameters").and_then(Value::as_array);
            for (index, parameter) in parameters.into_iter().flatten().enumerate() {
                if let Some(schema) = parameter.get("schema") {
                    put(format!("{place}/parameters/{index}/schema"), schema);
                }
            }

            let json = "content/application~1json/schema";
            let answers = operation.get("responses").and_then(Value::as_object);
            let answers = answers.into_iter().flat_map(Map::keys);
            let answers = answers.map(|status| format!("responses/{}/{json}", escape(status)));
            for inner in answers.chain([format!("requestBody/{json}")]) {
                if let Some(schema) = operation.pointer(&format!("/{inner}")) {
                    put(format!("{place}/{inner}"), schema);
                }
            }
        }
    }
    places
}

/// Returns the JSON pointer and the schema of each field of a runtime type (a type that is defined in the runtime
/// crate). The schemas use the version of JSON Schema that typify reads. Typify computes the Rust types of the fields
/// from them.
pub(super) fn members(name: &str, schema: &Value) -> Vec<(String, Value)> {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let place = |member: &str| format!("/components/schemas/{name}/properties/{}", escape(member));
    members.map(|(member, schema)| (place(member), draft(schema, false))).collect()
}
