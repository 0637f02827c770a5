//! Normalizes the keyword `type` of schemas. Adds a missing `type` that other keywords imply: `properties` implies
//! `object`. Removes keywords that contradict the `type`.

use serde_json::{Map, Value, json};

use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

pub(super) fn kinds(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |place, schema| {
        let at = origin::location(schema, place);
        let Some(members) = schema.as_object_mut() else { return };
        add_implied_type(members);
        remove_foreign_keywords(&at, members, report);
        values(&at, members, report);
        object(&at, members, report);
        tuple(&at, members, report);
    });
}

/// Adds a missing `type` if a keyword of the schema implies the type. For example, a schema with `items` gets the type
/// `array`. Does not change a schema with `$ref`, `allOf`, `anyOf`, `oneOf` or `x-native`.
fn add_implied_type(members: &mut Map<String, Value>) {
    let says = ["type", "$ref", "allOf", "anyOf", "oneOf", "x-native"];
    if says.iter().any(|keyword| members.contains_key(*keyword)) {
        return;
    }
    let ty = [
        ("properties", "object"),
        ("additionalProperties", "object"),
        ("items", "array"),
        ("prefixItems", "array"),
    ];
    let found = ty.iter().find(|(keyword, _)| members.contains_key(*keyword));
    if let Some((_, ty)) = found {
        members.insert("type".to_owned(), (*ty).into());
    }
}

/// Removes keywords that the schema's type does not define. For example, `properties` has no meaning for a string.
fn remove_foreign_keywords(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let of_objects: &[&str] = &["properties", "additionalProperties", "required"];
    let of_lists: &[&str] = &["items", "prefixItems"];
    let gone = match members.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "number" | "boolean") => [of_objects, of_lists].concat(),
        Some("array") => of_objects.to_vec(),
        Some("object") => of_lists.to_vec(),
        _ => return,
    };
    for keyword in gone {
        if members.remove(keyword).is_some() {
            report.note(
                Change::Dropped,
                format!("`{keyword}` is ignored, because the type of the schema does not use it"),
                at,
            );
        }
    }
}

/// Normalizes the values of an `enum`. If the schema's `type` is `string`, all values become strings. If the `type` is
/// missing, it is set to the type of the values.
fn values(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let Some(Value::Array(values)) = members.get_mut("enum") else { return };
    let before = values.len();
    values.retain(|value| !value.is_null());
    let (had_null, empty) = (values.len() < before, values.is_empty());
    let all = |test: fn(&Value) -> bool| !empty && values.iter().all(test);
    let ty = if all(Value::is_string) {
        Some("string")
    } else if all(|value| value.is_i64() || value.is_u64()) {
        Some("integer")
    } else if all(Value::is_number) {
        Some("number")
    } else if all(Value::is_boolean) {
        Some("boolean")
    } else {
        None
    };

    if members.get("type").is_some_and(|ty| ty == "string") {
        let Some(Value::Array(values)) = members.get_mut("enum") else { return };
        for value in values.iter_mut().filter(|value| !value.is_string()) {
            report.note(
                Change::Decided,
                "in an enum of type `string`, all values become strings",
                at,
            );
            *value = value.to_string().into();
        }
    } else if !members.contains_key("type") {
        match ty {
            Some(ty) => drop(members.insert("type".to_owned(), ty.into())),
            None => report.note(
                Change::Loosened,
                "an enum with values of several types is read as any JSON value",
                at,
            ),
        }
    }

    if had_null {
        members.insert("nullable".to_owned(), true.into());
    }
    if empty {
        members.remove("enum");
    }
}

fn object(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    if members.get("type").is_none_or(|ty| ty != "object") {
        return;
    }
    let empty = members.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    if !empty {
        return;
    }
    members.remove("properties");
    let composed = ["allOf", "anyOf", "oneOf"].iter().any(|keyword| members.contains_key(*keyword));
    if !composed && members.remove("required").is_some() {
        report.note(
            Change::Loosened,
            "`required` is ignored for fields that `properties` does not define",
            at,
        );
    }
    if members.get("additionalProperties").is_some_and(|more| *more == json!(false)) && !composed {
        members.remove("additionalProperties");
        report.note(
            Change::Opened,
            "an object that allows no fields is read as an object that allows any fields",
            at,
        );
    }
}

/// Normalizes an array with one schema per index (`prefixItems`). One to 12 items become a Rust tuple. Longer arrays
/// and an empty `prefixItems` become lists of any JSON values.
fn tuple(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let places = members.get("prefixItems").and_then(Value::as_array).map(Vec::len);
    let Some(places) = places else { return };
    if (1..=12).contains(&places) {
        report.note(
            Change::Decided,
            "a list with one schema per item becomes a tuple with exactly as many items",
            at,
        );
        members.remove("items");
    } else {
        report.note(
            Change::Loosened,
            "a list with too many item schemas is read as a list of any JSON values",
            at,
        );
        members.remove("prefixItems");
        members.insert("items".to_owned(), json!({}));
    }
}
