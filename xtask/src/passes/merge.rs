//! Joins several descriptions into one.

use serde_json::{Map, Value};

use crate::fault::{Fault, Result};
use crate::schemas::escape;

/// The first description with the paths, components and tags of the others added. What two of
/// them define must be the same in both.
pub fn merge(documents: Vec<Value>) -> Result<Value> {
    let mut documents = documents.into_iter();
    let mut merged = documents.next().unwrap_or_else(|| Value::Object(Map::new()));
    for document in documents {
        if let Some(paths) = document.get("paths").and_then(Value::as_object) {
            join(&mut merged, "/paths", paths)?;
        }
        for (kind, members) in
            document.get("components").and_then(Value::as_object).into_iter().flatten()
        {
            let Some(members) = members.as_object() else { continue };
            join(&mut merged, &format!("/components/{kind}"), members)?;
        }
        let tags = document.get("tags").and_then(Value::as_array).cloned().unwrap_or_default();
        let known =
            object(&mut merged, "")?.entry("tags").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(known) = known.as_array_mut() {
            known.extend(tags.into_iter().filter(|tag| !known.contains(tag)).collect::<Vec<_>>());
        }
    }
    Ok(merged)
}

fn join(merged: &mut Value, pointer: &str, members: &Map<String, Value>) -> Result<()> {
    let target = object(merged, pointer)?;
    for (name, value) in members {
        match target.get(name) {
            None => {
                target.insert(name.clone(), value.clone());
            }
            Some(known) if known == value => {}
            Some(_) => {
                return Err(Fault::at(
                    format!("{pointer}/{}", escape(name)),
                    "two descriptions define this differently",
                    "rename it in one of them",
                ));
            }
        }
    }
    Ok(())
}

/// The object at `pointer`, made where it is missing.
fn object<'a>(document: &'a mut Value, pointer: &str) -> Result<&'a mut Map<String, Value>> {
    let fault =
        || Fault::at(pointer, "this is not an object", "compare with the OpenAPI specification");
    let mut place = document;
    for token in pointer.split('/').skip(1) {
        place = place
            .as_object_mut()
            .ok_or_else(fault)?
            .entry(token)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    place.as_object_mut().ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_joined_and_equal_ones_are_taken_once() {
        let merged = merge(vec![
            json!({"openapi": "3.1.0", "paths": {"/a": {}}, "tags": [{"name": "A"}],
                "components": {"schemas": {"E": {"type": "string"}}}}),
            json!({"openapi": "3.0.3", "paths": {"/b": {}}, "tags": [{"name": "A"}, {"name": "B"}],
                "components": {"schemas": {"E": {"type": "string"}, "F": {}}}}),
        ])
        .unwrap();
        assert_eq!(
            merged,
            json!({"openapi": "3.1.0", "paths": {"/a": {}, "/b": {}},
                "tags": [{"name": "A"}, {"name": "B"}],
                "components": {"schemas": {"E": {"type": "string"}, "F": {}}}})
        );
    }

    #[test]
    fn a_conflict_is_a_fault_with_its_place() {
        let one = json!({"paths": {"/a/{b}": {"get": {}}}});
        let other = json!({"paths": {"/a/{b}": {"post": {}}}});
        insta::assert_snapshot!(merge(vec![one, other]).unwrap_err(), @"
        error: two descriptions define this differently
           at: #/paths/~1a~1{b}
         hint: rename it in one of them
        ");
    }
}
