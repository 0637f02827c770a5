//! Reads the model out of the prepared description.

mod operations;
mod records;

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::model::{Tag, Type};
use crate::names::value_name;

pub use operations::operations;
pub use records::records;

/// The tags that operations use, sorted by module.
pub fn tags(document: &Value) -> Vec<Tag> {
    let described = document.get("tags").and_then(Value::as_array);
    let doc = |name: &str| {
        let tag =
            described.into_iter().flatten().find(|tag| tag.get("name").is_some_and(|n| n == name));
        text(tag.unwrap_or(&Value::Null), "description")
    };
    let mut tags: Vec<Tag> = Vec::new();
    for item in document
        .get("paths")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|paths| paths.values())
    {
        for operation in item.as_object().into_iter().flat_map(|item| item.values()) {
            if let Some(name) = operation.pointer("/tags/0").and_then(Value::as_str)
                && !tags.iter().any(|tag| tag.name == name)
            {
                tags.push(Tag { name: name.to_owned(), module: value_name(name), doc: doc(name) });
            }
        }
    }
    tags.sort_by(|a, b| a.module.cmp(&b.module));
    tags
}

/// The price of a credit by volume.
pub fn plans(document: &Value) -> Result<Vec<(String, String, u64)>> {
    let plans = document.get("x-plans").and_then(Value::as_array);
    plans
        .into_iter()
        .flatten()
        .map(|plan| {
            let above = plan.get("above").and_then(Value::as_u64).unwrap_or_default();
            Ok((needed("/x-plans", plan, "name")?, needed("/x-plans", plan, "usd")?, above))
        })
        .collect()
}

/// The smallest purchase of credits.
pub fn top_up(document: &Value) -> Result<Option<(String, u64)>> {
    let Some(node) = document.get("x-top-up") else { return Ok(None) };
    let credits = node.get("credits").and_then(Value::as_u64).ok_or_else(|| {
        Fault::at("/x-top-up", "`credits` is not a whole number", "mend it in the overlay")
    })?;
    Ok(Some((needed("/x-top-up", node, "usd")?, credits)))
}

/// The JSON type of a schema. What has several shapes, or none, is any value.
pub(crate) fn type_of(document: &Value, schema: &Value) -> Type {
    let reference = schema.get("$ref").or_else(|| schema.pointer("/allOf/0/$ref"));
    if let Some(name) =
        reference.and_then(Value::as_str).and_then(|target| target.rsplit('/').next())
    {
        let component = &document["components"]["schemas"][name];
        return if component.get("x-is-enum").is_some() {
            Type::Enum(name.to_owned())
        } else {
            Type::Named(name.to_owned())
        };
    }
    if ["anyOf", "oneOf", "allOf"].iter().any(|keyword| schema.get(*keyword).is_some()) {
        return Type::Any;
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => Type::String,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("boolean") => Type::Boolean,
        Some("array") => Type::List(Box::new(
            schema.get("items").map_or(Type::Any, |items| type_of(document, items)),
        )),
        Some("object") => match schema.get("additionalProperties") {
            Some(entry) if entry.is_object() => Type::Map(Box::new(type_of(document, entry))),
            _ => Type::Map(Box::new(Type::Any)),
        },
        _ => Type::Any,
    }
}

pub fn text(node: &Value, member: &str) -> String {
    node.get(member).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

pub(crate) fn strings(node: &Value) -> Vec<String> {
    node.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A member of an extension that the overlay writes: missing is a fault of the overlay.
pub(crate) fn needed(place: &str, node: &Value, member: &str) -> Result<String> {
    let found = text(node, member);
    if found.is_empty() {
        return Err(Fault::at(
            place,
            format!("`{member}` is missing"),
            "complete the overlay's action for this place",
        ));
    }
    Ok(found)
}
