//! Moves operations between the published OpenAPI document and `spec/unpublished.openapi.json`.
//!
//! An operation of the new published document is removed from the unpublished document. An operation that the publisher
//! removed is added to the unpublished document, so that no operation is deleted without a person's decision. Finally,
//! the components of the unpublished document are updated, and unused components are removed.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::schemas::{METHODS, unescape};

/// Identifiers of the operations that were added to or removed from `spec/unpublished.openapi.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moves {
    /// Operations that were removed from the unpublished document, because the new published document contains them.
    pub published: Vec<String>,
    /// Operations that were added to the unpublished document, because they are missing in the new published document.
    /// The old published document contains them.
    pub withdrawn: Vec<String>,
}

/// Updates `unpublished` when the published document `old` is replaced by `new`. `unpublished` is the repository's own
/// OpenAPI document for operations that no published document contains. Operations of `new` are removed from
/// `unpublished`. Operations of `old` that `new` does not contain are added to `unpublished`.
pub(super) fn reconcile(old: &Value, new: &Value, unpublished: &mut Value) -> Moves {
    let mut moves = Moves::default();
    let reached_before = reached(unpublished);

    for (path, method, operation) in operations(unpublished) {
        if has(new, &path, method, &operation) {
            remove_operation(unpublished, &path, method);
            moves.published.push(name(&operation));
        }
    }

    for (path, method, mut operation) in operations(old) {
        if !has(new, &path, method, &operation) {
            if operation.get("x-provenance").is_none() {
                operation["x-provenance"] = json!("assumed");
            }
            let last = version(old);
            operation["x-assumed"] = json!(format!(
                "version {last} is the last version of the OpenAPI document with this operation."
            ));
            moves.withdrawn.push(name(&operation));
            insert_operation(unpublished, old, &path, method, operation);
        }
    }

    components(old, new, unpublished, &reached_before);
    moves
}

fn version(document: &Value) -> &str {
    document["info"]["version"].as_str().unwrap_or("unknown")
}

fn name(operation: &Value) -> String {
    operation["operationId"].as_str().unwrap_or("an operation without an identifier").to_owned()
}

/// Returns the path, the method and the JSON object of each operation in an OpenAPI document.
pub(super) fn operations(document: &Value) -> Vec<(String, &'static str, Value)> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            METHODS
                .iter()
                .filter_map(|method| Some((path.clone(), *method, item.get(method)?.clone())))
        })
        .collect()
}

/// Returns true if the document has an operation with the same path and method, or an operation with the same
/// identifier.
fn has(document: &Value, path: &str, method: &str, operation: &Value) -> bool {
    let at_path = document["paths"].get(path).is_some_and(|item| item.get(method).is_some());
    at_path || {
        let id = operation.get("operationId");
        id.is_some()
            && operations(document).iter().any(|(_, _, other)| other.get("operationId") == id)
    }
}

fn remove_operation(document: &mut Value, path: &str, method: &str) {
    let Some(paths) = document["paths"].as_object_mut() else { return };
    let Some(item) = paths.get_mut(path).and_then(Value::as_object_mut) else { return };
    item.remove(method);
    if !item.keys().any(|key| METHODS.contains(&key.as_str())) {
        paths.remove(path);
    }
}

/// Inserts an operation into the unpublished document. Copies missing descriptions of the operation's tags from the
/// document `old`. Also copies the fields that apply to all operations of the path, such as `parameters`.
fn insert_operation(
    unpublished: &mut Value,
    old: &Value,
    path: &str,
    method: &str,
    operation: Value,
) {
    let shared = old["paths"][path].as_object().into_iter().flatten();
    let shared: Map<String, Value> = shared
        .filter(|(key, _)| !METHODS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();

    for tag in operation["tags"].as_array().into_iter().flatten() {
        let has = |document: &Value| {
            let tags = document["tags"].as_array().into_iter().flatten();
            tags.into_iter().find(|known| known.get("name") == Some(tag)).cloned()
        };
        if let (None, Some(described)) = (has(unpublished), has(old))
            && let Some(tags) = unpublished["tags"].as_array_mut()
        {
            tags.push(described);
        }
    }
    let item = object(object(members(unpublished), "paths"), path);
    item.extend(shared);
    item.insert(method.to_owned(), operation);
}

/// Updates the components that the operations of the unpublished document use. A component of `new` replaces the
/// component of the same name in the unpublished document. A component that is in neither document is copied from
/// `old`. Then removes the components that are no longer used. `reached_before` contains the components that were used
/// before the change.
fn components(
    old: &Value,
    new: &Value,
    unpublished: &mut Value,
    reached_before: &BTreeSet<String>,
) {
    let known = unpublished.clone();
    loop {
        let reached = reached(unpublished);
        let missing: Vec<&String> =
            reached.iter().filter(|pointer| unpublished.pointer(pointer).is_none()).collect();
        let stale = reached.iter().filter(|pointer| {
            new.pointer(pointer).is_some_and(|newer| unpublished.pointer(pointer) != Some(newer))
        });
        let wanted: BTreeSet<&String> = stale.chain(missing).collect();

        let mut found = false;
        for pointer in wanted {
            let component =
                [new, &known, old].into_iter().find_map(|document| document.pointer(pointer));
            let (Some(component), Some((kind, name))) =
                (component.cloned(), kind_and_name(pointer))
            else {
                continue;
            };
            component_kind(unpublished, &kind).insert(name, component);
            found = true;
        }
        if !found {
            break;
        }
    }

    let reached = reached(unpublished);
    for pointer in reached_before.difference(&reached) {
        let Some((kind, name)) = kind_and_name(pointer) else { continue };
        component_kind(unpublished, &kind).remove(&name);
    }
}

/// Splits the JSON pointer of a component into the component's kind and name. For `/components/schemas/Row`, returns
/// `schemas` and `Row`.
fn kind_and_name(pointer: &str) -> Option<(String, String)> {
    let (kind, name) = pointer.strip_prefix("/components/")?.split_once('/')?;
    (!name.contains('/')).then(|| (kind.to_owned(), unescape(name)))
}

/// Returns the JSON pointers of all components that the operations of a document use, directly or through other
/// components. The result includes components that do not exist.
fn reached(document: &Value) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![&document["paths"]];
    while let Some(node) = open.pop() {
        match node {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
                if let Some(pointer) = target.strip_prefix('#').map(decoded)
                    && kind_and_name(&pointer).is_some()
                    && reached.insert(pointer.clone())
                {
                    open.extend(document.pointer(&pointer));
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    reached
}

/// Decodes the percent escapes in the JSON pointer of a `$ref`.
fn decoded(pointer: &str) -> String {
    percent_encoding::percent_decode_str(pointer).decode_utf8_lossy().into_owned()
}

/// Returns the fields of a JSON object. A value of another type is first replaced by an empty object.
fn members(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = json!({});
    }
    value.as_object_mut().expect("it was created as an object above")
}

/// Returns the JSON object in the field `name`. Creates an empty object if the field does not exist.
fn object<'a>(holder: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    members(holder.entry(name).or_insert(Value::Null))
}

fn component_kind<'a>(document: &'a mut Value, kind: &str) -> &'a mut Map<String, Value> {
    object(object(members(document), "components"), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(version: &str, paths: Value, schemas: Value) -> Value {
        json!({"openapi": "3.1.0", "info": {"title": "T", "version": version}, "tags": [{"name": "A"}],
            "paths": paths, "components": {"schemas": schemas}})
    }

    fn answering(id: &str, schema: &str) -> Value {
        let answer = json!({"$ref": format!("#/components/schemas/{schema}")});
        json!({"get": {"operationId": id, "tags": ["A"], "responses":
            {"200": {"content": {"application/json": {"schema": answer}}}}}})
    }

    #[test]
    fn withdrawn_operation_moves_with_its_components() {
        let schemas = json!({"One": {"properties": {"two": {"$ref": "#/components/schemas/Two"}}}, "Two": {"type": "string"}});
        let old = document(
            "1",
            json!({"/a": answering("a", "One"), "/b": answering("b", "Two")}),
            schemas,
        );
        let new = document(
            "2",
            json!({"/b": answering("b", "Two")}),
            json!({"Two": {"type": "integer"}}),
        );
        let mut unpublished = document("1", json!({}), json!({}));

        let moves = reconcile(&old, &new, &mut unpublished);

        assert_eq!(moves, Moves { published: vec![], withdrawn: vec!["a".to_owned()] });
        let moved = &unpublished["paths"]["/a"]["get"];
        assert_eq!(moved["x-provenance"], "assumed");
        assert!(moved["x-assumed"].as_str().unwrap().contains("version 1"));
        let schemas = &unpublished["components"]["schemas"];
        assert!(schemas["One"].is_object());
        assert_eq!(schemas["Two"], json!({"type": "integer"}), "the new document counts");
    }

    #[test]
    fn published_operation_leaves_with_components_that_nothing_else_reaches() {
        let old = document("1", json!({}), json!({}));
        let new = document("2", json!({"/a": answering("a", "One")}), json!({"One": {}}));
        let schemas = json!({"One": {}, "Two": {}, "Kept": {}});
        let paths = json!({"/a": answering("a", "One"), "/b": answering("b", "Two")});
        let mut unpublished = document("1", paths, schemas);

        let moves = reconcile(&old, &new, &mut unpublished);

        assert_eq!(moves, Moves { published: vec!["a".to_owned()], withdrawn: vec![] });
        assert_eq!(unpublished["paths"], json!({"/b": answering("b", "Two")}));
        assert_eq!(unpublished["components"]["schemas"], json!({"Two": {}, "Kept": {}}));
    }

    #[test]
    fn moved_path_is_no_withdrawal() {
        let old = document("1", json!({"/a": answering("a", "One")}), json!({"One": {}}));
        let new = document("2", json!({"/v2/a": answering("a", "One")}), json!({"One": {}}));
        let mut unpublished = document("1", json!({}), json!({}));
        assert_eq!(reconcile(&old, &new, &mut unpublished), Moves::default());
        assert_eq!(unpublished, document("1", json!({}), json!({})));
    }
}
