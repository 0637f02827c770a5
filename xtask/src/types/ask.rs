//! Builds the input of typify: schemas in its draft of JSON Schema.
//!
//! The input is the components, and the JSON pointers with a schema, and the output is batches of schemas for typify.

use std::collections::{BTreeMap, BTreeSet};

use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::passes::loosen::{EXACT, WIDE};
use crate::schemas::{METHODS, escape};

const COMPONENTS: &str = "#/components/schemas/";

/// Data that all batches need: the possible targets of references.
pub(super) struct Known<'a> {
    /// Components that are generated elsewhere.
    pub(super) enums: &'a BTreeSet<String>,
    pub(super) runtime_types: &'a BTreeSet<String>,
    /// Records. A reference to one is represented by its name.
    pub(super) records: BTreeSet<String>,
    /// Schemas of unions and other components. typify needs them to decide about references.
    pub(super) others: BTreeMap<String, Value>,
}

/// Input for one run of typify.
#[derive(Default)]
pub(super) struct Asked {
    /// Schemas of the components, and of the components to which they refer.
    pub(super) schemas: Vec<(String, Schema)>,
    /// Fields of the requested components, in order.
    pub(super) members: BTreeMap<String, Vec<String>>,
    /// Union shapes that are tuples, by union and index. typify would drop a tuple with a single item.
    pub(super) tuples: BTreeSet<(String, usize)>,
    /// Schemas of parameters, bodies and responses, by JSON pointer.
    pub(super) places: Vec<(String, Schema)>,
    /// Components that are represented only by their names.
    pub(super) elsewhere: BTreeSet<String>,
}

impl Known<'_> {
    /// Builds the input for some components and JSON pointers. The input also contains the components that they refer
    /// to: records as names, others completely.
    pub(super) fn asked(
        &self,
        components: Vec<(String, Value)>,
        places: &[(String, Value)],
    ) -> Result<Asked, String> {
        let mut asked = Asked::default();
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
            // typify rejects a reference to a missing component.
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

/// Returns true if typify treats a component as a record: an object with properties.
pub(super) fn is_record(schema: &Value) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty())
}

/// Lists components whose values are directly inside values of this schema. Lists and maps are allocated separately,
/// so a cycle through one of them needs no box.
pub(super) fn held(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    within(schema, &mut names);
    names
}

fn within(schema: &Value, names: &mut Vec<String>) {
    names.extend(target(schema));
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    members.for_each(|(_, member)| within(member, names));
    for keyword in ["oneOf", "prefixItems"] {
        let inner = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        inner.for_each(|schema| within(schema, names));
    }
}

fn target(schema: &Value) -> Option<String> {
    Some(schema.get("$ref")?.as_str()?.strip_prefix(COMPONENTS)?.to_owned())
}

/// Converts a schema for typify, and adds referenced components to `open`.
fn read(schema: Value, open: &mut Vec<String>) -> Result<Schema, String> {
    references(&schema, open);
    serde_json::from_value(schema).map_err(|error| error.to_string())
}

/// Collects the references in a schema of typify's draft, where each `$ref` is a reference.
fn references(draft: &Value, open: &mut Vec<String>) {
    open.extend(target(draft));
    match draft {
        Value::Array(items) => items.iter().for_each(|item| references(item, open)),
        Value::Object(members) => members.values().for_each(|member| references(member, open)),
        _ => {}
    }
}

/// Converts a record or union for typify.
fn component(schema: &Value) -> Value {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else {
        return draft(schema, false);
    };
    // All fields are required here, so that typify returns their plain types. The model decides whether they are
    // optional.
    let numbered = members.values().enumerate();
    let properties: Map<String, Value> =
        numbered.map(|(index, schema)| (format!("m{index}"), draft(schema, false))).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// Converts a schema to typify's draft of JSON Schema.
fn draft(schema: &Value, null: bool) -> Value {
    let nullable = null && schema.get("nullable").is_some_and(|flag| *flag == json!(true));
    let plain = bare(schema);
    match nullable && plain != json!(true) {
        true => json!({"oneOf": [plain, {"type": "null"}]}),
        false => plain,
    }
}

fn bare(schema: &Value) -> Value {
    if let Some(target) = schema.get("$ref") {
        return json!({"$ref": target});
    }
    if let Some(shapes) = schema.get("oneOf").and_then(Value::as_array) {
        return json!({"oneOf": shapes.iter().map(|shape| draft(shape, true)).collect::<Vec<_>>()});
    }

    match schema.get("type").and_then(Value::as_str) {
        Some("string") => json!({"type": "string"}),
        // typify has a builtin type for each of these formats. `u64` and `f32` represent two types
        // that it lacks.
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

/// Converts a list: to a tuple if each position has a schema, otherwise to a list.
fn list(schema: &Value) -> Value {
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<Value> = places.iter().map(|place| draft(place, true)).collect();
        let count = places.len();
        return json!({"type": "array", "items": items, "minItems": count, "maxItems": count});
    }

    let items = schema.get("items").map_or(json!(true), |items| draft(items, true));
    json!({"type": "array", "items": items})
}

/// Lists the schemas of parameters, bodies and responses, by JSON pointer.
pub(super) fn places(document: &Value) -> BTreeMap<String, Value> {
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

/// Lists the fields of a runtime type, by JSON pointer, for the record tables.
pub(super) fn members(name: &str, schema: &Value) -> Vec<(String, Value)> {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let place = |member: &str| format!("/components/schemas/{name}/properties/{}", escape(member));
    members.map(|(member, schema)| (place(member), draft(schema, false))).collect()
}
