//! What typify is asked: schemas in the draft of JSON Schema that it reads.

use std::collections::{BTreeMap, BTreeSet};

use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::passes::loosen::{EXACT, WIDE};
use crate::schemas::{METHODS, escape};

const COMPONENTS: &str = "#/components/schemas/";

/// What a part of the document may refer to, however few parts typify is asked about at once.
pub(super) struct Known<'a> {
    /// The components that are written elsewhere.
    pub(super) enums: &'a BTreeSet<String>,
    pub(super) runtime_types: &'a BTreeSet<String>,
    /// Records: a reference to one is its name, whatever it holds.
    pub(super) records: BTreeSet<String>,
    /// Choices, and what else is no record: what a reference to one is, typify sees by its schema.
    pub(super) others: BTreeMap<String, Value>,
}

/// What typify is asked in one go.
#[derive(Default)]
pub(super) struct Asked {
    /// Components, and those that they refer to.
    pub(super) schemas: Vec<(String, Schema)>,
    /// The members of the components that are asked about, in their order.
    pub(super) members: BTreeMap<String, Vec<String>>,
    /// The shapes of choices that are tuples, by the choice and their number: typify takes their parentheses off.
    pub(super) tuples: BTreeSet<(String, usize)>,
    /// The schemas of parameters, bodies and answers by their places.
    pub(super) places: Vec<(String, Schema)>,
    /// The components that are names only.
    pub(super) elsewhere: BTreeSet<String>,
}

impl Known<'_> {
    /// The question for some components and places. What they refer to beyond themselves is asked along: records
    /// as names, the rest as it is.
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
            // A reference that leads nowhere is left for typify to refuse.
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

/// Whether a component is a record to typify: an object with members.
pub(super) fn is_record(schema: &Value) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty())
}

/// The components that a value of this one holds within itself. Lists and maps keep theirs apart, so that a circle
/// through one of them is none.
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

/// A schema as typify takes it; the components that it refers to go to `open`.
fn read(schema: Value, open: &mut Vec<String>) -> Result<Schema, String> {
    references(&schema, open);
    serde_json::from_value(schema).map_err(|error| error.to_string())
}

/// A draft holds nothing that only looks like a reference.
fn references(draft: &Value, open: &mut Vec<String>) {
    open.extend(target(draft));
    match draft {
        Value::Array(items) => items.iter().for_each(|item| references(item, open)),
        Value::Object(members) => members.values().for_each(|member| references(member, open)),
        _ => {}
    }
}

/// A record or a choice, as typify reads it.
fn component(schema: &Value) -> Value {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else {
        return draft(schema, false);
    };
    // All are required, so that typify says what a member is; whether it is there is ours.
    let numbered = members.values().enumerate();
    let properties: Map<String, Value> =
        numbered.map(|(index, schema)| (format!("m{index}"), draft(schema, false))).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// A schema of the plain document in the draft of JSON Schema that typify reads.
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
        // typify names a builtin for each of these formats. `u64` and `f32` stand for two types that it does not have.
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

/// A tuple where each place has a schema, else a list.
fn list(schema: &Value) -> Value {
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<Value> = places.iter().map(|place| draft(place, true)).collect();
        let count = places.len();
        return json!({"type": "array", "items": items, "minItems": count, "maxItems": count});
    }

    let items = schema.get("items").map_or(json!(true), |items| draft(items, true));
    json!({"type": "array", "items": items})
}

/// The schemas of parameters, bodies and answers by their places.
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

/// The members of a type that the runtime has, by their places: its table wants to know them.
pub(super) fn members(name: &str, schema: &Value) -> Vec<(String, Value)> {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let place = |member: &str| format!("/components/schemas/{name}/properties/{}", escape(member));
    members.map(|(member, schema)| (place(member), draft(schema, false))).collect()
}
