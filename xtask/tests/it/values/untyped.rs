//! Counts record fields whose Rust type is any JSON value. The counts are grouped by the reason, which is derived
//! from the field's schema.

use std::collections::BTreeMap;

use serde_json::Value;
use xtask::model::{Model, Type};
use xtask::schemas::escape;

use super::schemas::Schemas;

/// Number of fields without a specific Rust type, by reason. `unexplained` has a message for each field without a
/// reason.
#[derive(Debug, Default)]
pub(crate) struct Untyped {
    pub(crate) reasons: BTreeMap<&'static str, usize>,
    pub(crate) unexplained: Vec<String>,
}

pub(crate) fn untyped(model: &Model, schemas: &Schemas) -> Untyped {
    let mut found = Untyped::default();
    for record in model.records.values().filter(|record| !record.native) {
        for field in record.fields.iter().filter(|field| holds_any(&field.ty)) {
            let place = format!("{}/properties/{}", record.at, escape(&field.name));
            let schema = schemas.at(&place).or_else(|| inherited(schemas, &record.at, &field.name));
            match schema.and_then(|schema| reason(schemas, schema, 0)) {
                Some(reason) => *found.reasons.entry(reason).or_default() += 1,
                None => found.unexplained.push(format!(
                    "{}.{} ({place}): {}",
                    record.name,
                    field.name,
                    schema.unwrap_or(&Value::Null)
                )),
            }
        }
    }
    found
}

/// Returns true if a type is any JSON value, or a list of such values. A map of any JSON values counts as a
/// specific type.
fn holds_any(ty: &Type) -> bool {
    match ty {
        Type::Any => true,
        Type::List(inner) | Type::Option(inner) | Type::Boxed(inner) => holds_any(inner),
        _ => false,
    }
}

/// Finds the schema of a record's field. Searches the record's own `properties` first, and then the record's `allOf`,
/// `oneOf` and `anyOf` schemas.
fn inherited<'a>(schemas: &'a Schemas, at: &str, field: &str) -> Option<&'a Value> {
    let mut open = vec![schemas.at(at)?];
    for _ in 0..500 {
        let schema = open.pop()?;
        if let Some(found) = schema.get("properties").and_then(|fields| fields.get(field)) {
            return Some(found);
        }
        open.extend(
            schema.get("$ref").and_then(Value::as_str).and_then(|target| schemas.target(target)),
        );
        for keyword in ["allOf", "anyOf", "oneOf"] {
            open.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
    }
    None
}

/// Returns the reason why a schema cannot have a specific Rust type. Returns `None` if the schema could have a specific
/// Rust type.
fn reason(schemas: &Schemas, schema: &Value, depth: usize) -> Option<&'static str> {
    if depth > 20 {
        return Some("a value that holds itself");
    }
    let Some(members) = schema.as_object() else { return Some("a boolean schema") };
    let inner = |schema: &Value| reason(schemas, schema, depth + 1);

    if let Some(target) = members.get("$ref").and_then(Value::as_str) {
        return inner(schemas.target(target)?);
    }
    if let Some(items) = members.get("items") {
        return inner(items);
    }
    if members.get("type").is_some_and(|ty| ty == "array") {
        return Some("a list of which the items have no type");
    }

    for keyword in ["anyOf", "oneOf"] {
        let shapes = members.get(keyword).and_then(Value::as_array);
        let mut open = shapes
            .into_iter()
            .flatten()
            .filter(|shape| shape.get("type").is_none_or(|ty| ty != "null"));
        if let Some(found) = open.clone().find_map(inner) {
            return Some(found);
        }
        if members.contains_key(keyword) && open.next().is_none() {
            return Some("the description states no type");
        }
    }

    if let Some(Value::Array(parts)) = members.get("allOf") {
        return parts.iter().all(|part| inner(part).is_some()).then_some("parts without a type");
    }
    let values = members.get("enum").and_then(Value::as_array);
    if values.is_some_and(|values| {
        values.iter().any(|value| !value.is_null()) && !members.contains_key("type")
    }) {
        return Some("constants of several types");
    }

    let said = ["type", "enum", "properties", "additionalProperties", "anyOf", "oneOf", "const"];
    if !said.iter().any(|keyword| members.contains_key(*keyword)) {
        return Some("the description states no type");
    }
    (members.get("type").is_some_and(|ty| ty == "null")).then_some("only `null`")
}
