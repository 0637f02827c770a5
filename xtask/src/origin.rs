//! Records the JSON pointer that each part of an OpenAPI document had in the input. Passes move, copy and rename
//! schemas and operations, but an error message must contain a pointer that users can find in the input.

use serde_json::Value;

use crate::schemas::{METHODS, each_mut, escape};

/// Name of a field that [`mark`] adds to objects of an OpenAPI document. The field contains the JSON pointer that the
/// object had in the input. No written file contains this field.
pub const AT: &str = "x-at";

/// Adds the field [`AT`] to each schema, operation and other object that a pass may move. The field contains the JSON
/// pointer of this object. If `file` is set, the pointer is written as `FILE#POINTER`.
pub fn mark(document: &mut Value, file: Option<&str>) {
    let named = |place: &str| match file {
        Some(file) => format!("{file}#{place}"),
        None => place.to_owned(),
    };
    let mut put = |place: &str, node: &mut Value| {
        if let Some(members) = node.as_object_mut()
            && !members.contains_key("$ref")
        {
            members.insert(AT.to_owned(), named(place).into());
        }
    };

    each_mut(document, &mut |place, schema| {
        if let Some(members) = schema.as_object_mut() {
            members.insert(AT.to_owned(), named(place).into());
        }
    });

    for kind in ["parameters", "requestBodies", "responses", "headers", "pathItems"] {
        let place = format!("/components/{kind}");
        let held = document.pointer_mut(&place).and_then(Value::as_object_mut);
        for (name, node) in held.into_iter().flatten() {
            put(&format!("{place}/{}", escape(name)), node);
        }
    }

    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        let place = format!("/paths/{}", escape(path));
        parameters(&place, item, &mut put);
        for method in METHODS {
            let Some(operation) = item.get_mut(*method) else { continue };
            let place = format!("{place}/{method}");
            parameters(&place, operation, &mut put);
            if let Some(body) = operation.get_mut("requestBody") {
                put(&format!("{place}/requestBody"), body);
            }
            let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
            for (status, answer) in answers.into_iter().flatten() {
                put(&format!("{place}/responses/{}", escape(status)), answer);
            }
            put(&place, operation);
        }
        put(&place, item);
    }
}

fn parameters(place: &str, holder: &mut Value, put: &mut impl FnMut(&str, &mut Value)) {
    let list = holder.get_mut("parameters").and_then(Value::as_array_mut);
    for (index, parameter) in list.into_iter().flatten().enumerate() {
        put(&format!("{place}/parameters/{index}"), parameter);
    }
}

/// Returns the JSON pointer that an object had in the input. If no such pointer is recorded, for example because a pass
/// created the object, returns the argument `place`.
#[must_use]
pub fn location(node: &Value, place: &str) -> String {
    node.get(AT).and_then(Value::as_str).unwrap_or(place).to_owned()
}

/// Returns the JSON pointer that the value at `place` had in the input. The result is computed from the nearest
/// enclosing object with a recorded pointer. For example, if the object `/a` had the pointer `/b`, the result for
/// `/a/c` is `/b/c`.
#[must_use]
pub fn at(document: &Value, place: &str) -> String {
    let mut end = place.len();
    loop {
        let node = document.pointer(&place[..end]);
        if let Some(known) = node.and_then(|node| node.get(AT)?.as_str()) {
            return format!("{known}{}", &place[end..]);
        }
        match place[..end].rfind('/') {
            Some(cut) => end = cut,
            None => return place.to_owned(),
        }
    }
}

/// Adjusts the recorded JSON pointers in a value that was copied from the location `from` to the location `to`. For
/// example, after a copy of `/paths/~1a` to `/paths/~1b`, the pointer `/paths/~1a/get` becomes `/paths/~1b/get`. Error
/// messages suggest overlay actions with these pointers, and the actions must change the copy.
pub fn copied(node: &mut Value, from: &str, to: &str) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| copied(item, from, to)),
        Value::Object(members) => {
            if let Some(Value::String(place)) = members.get_mut(AT) {
                let at = place.len() - pointer(place).len();
                if let Some(rest) = place[at..].strip_prefix(from) {
                    *place = format!("{}{to}{rest}", &place[..at]);
                }
            }
            members.values_mut().for_each(|member| copied(member, from, to));
        }
        _ => {}
    }
}

/// Returns the JSON pointer of a location such as `FILE#POINTER`, without the file.
#[must_use]
pub fn pointer(place: &str) -> &str {
    match place.split_once('#') {
        Some((file, pointer)) if !file.starts_with('/') => pointer,
        _ => place,
    }
}

/// Removes the field [`AT`], which contains the recorded JSON pointer, from all objects in a JSON value.
pub fn unmark(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(unmark),
        Value::Object(members) => {
            members.remove(AT);
            members.values_mut().for_each(unmark);
        }
        _ => {}
    }
}

/// Returns true if two JSON values are equal apart from their recorded JSON pointers.
#[must_use]
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let ours = one.iter().filter(|(name, _)| *name != AT);
            let theirs = other.iter().filter(|(name, _)| *name != AT);
            ours.clone().count() == theirs.clone().count()
                && ours.zip(theirs).all(|(a, b)| a.0 == b.0 && same(a.1, b.1))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_part_keeps_its_place_wherever_it_goes() {
        let mut document = json!({
            "paths": {"/a": {"get": {"parameters": [{"name": "p", "schema": {"type": "string"}}]}}},
            "components": {"schemas": {"S": {"properties": {"m": {"items": {}}}}}}});
        let before = document.clone();
        mark(&mut document, Some("a.json"));
        let moved = document["components"]["schemas"]["S"]["properties"]["m"].take();
        document["components"]["schemas"]["T"] = moved;

        assert_eq!(
            at(&document, "/components/schemas/T/items/type"),
            "a.json#/components/schemas/S/properties/m/items/type"
        );
        assert_eq!(
            at(&document, "/paths/~1a/get/parameters/0/schema"),
            "a.json#/paths/~1a/get/parameters/0/schema"
        );
        assert_eq!(at(&document, "/tags"), "/tags");
        assert_eq!(pointer("a.json#/tags"), "/tags");
        assert_eq!(pointer("/paths/~1a#stream/get"), "/paths/~1a#stream/get");

        let mut again = before.clone();
        mark(&mut again, None);
        assert!(same(&again, &before));
        unmark(&mut again);
        assert_eq!(again, before);
    }
}
