//! Finds operations that the publisher renamed or moved to another path.
//!
//! Rust methods, the generated table of operations, commands and the sandbox use the identifier of an operation. If the
//! identifier changes, an `x-rename` action in the overlay keeps the old identifier. Overlay actions find operations by
//! path. If the path of an operation changes, this module writes the new path into the overlay.

use std::collections::BTreeSet;

use serde_json::Value;

use super::layers::operations;
use super::renamed::Renamed;
use crate::schemas::METHODS;

/// An operation that has another identifier in the new OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RenamedOperation {
    path: String,
    method: &'static str,
    pub(super) ids: Renamed,
}

/// Returns the operations whose path and method exist in `new` with another identifier. An operation is skipped if
/// `new` still contains its old identifier at another path or method. Such an operation was moved and not renamed.
pub(super) fn find(ours: &[&Value], new: &Value) -> Vec<RenamedOperation> {
    let all = operations(new);
    let taken: BTreeSet<&str> =
        all.iter().filter_map(|(_, _, operation)| operation["operationId"].as_str()).collect();
    let ours = ours.iter().flat_map(|document| operations(document));
    let renamed = ours.filter_map(|(path, method, operation)| {
        let old = operation["operationId"].as_str()?;
        let new = new["paths"][&path][method]["operationId"].as_str()?;
        let ids = Renamed { old: old.to_owned(), new: new.to_owned() };
        (old != new && !taken.contains(old)).then_some(RenamedOperation { path, method, ids })
    });
    renamed.collect()
}

/// Appends an `x-rename` action to the overlay for each renamed operation. Skips an operation if the overlay already
/// contains an `x-rename` action for it. The action must have the spaces and line breaks that this function writes.
pub(super) fn keep_in_overlay(overlay: &str, renamed: &[RenamedOperation]) -> String {
    let mut text = overlay.to_owned();
    for RenamedOperation { path, method, ids } in renamed {
        let path = path.replace('\\', "\\\\").replace('\'', "\\'");
        let target = format!("- target: $.paths['{path}'].{method}\n    update: {{x-rename:");
        if !text.contains(&target) {
            text.push_str(&format!(
                "\n  # The publisher renamed this operation; its Rust name stays.\n  {target} {}}}\n",
                ids.old
            ));
        }
    }
    text
}

/// An operation that has another path in the new OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moved {
    method: &'static str,
    old: String,
    new: String,
}

/// Returns the operations of the repository's document that have the same identifier and method, but another path in
/// `new`. An operation whose old path still exists in `new` is skipped.
pub(super) fn moved(ours: &Value, new: &Value) -> Vec<Moved> {
    let all = operations(new);
    let moved = operations(ours).into_iter().filter_map(|(old, method, operation)| {
        let id = operation.get("operationId")?;
        let is_same = |other: &(String, &str, Value)| {
            other.1 == method && other.2.get("operationId") == Some(id)
        };
        let (new_path, ..) = all.iter().find(|other| is_same(other))?;
        let is_gone = new["paths"].get(&old).is_none();
        is_gone.then(|| Moved { method, old, new: new_path.clone() })
    });
    moved.collect()
}

/// Moves the operations to their new paths in `document`, a copy of the repository's document. A later step finds the
/// documentation of an operation in this copy by the new path.
pub(super) fn follow(document: &mut Value, moved: &[Moved]) {
    for Moved { method, old, new } in moved {
        let Some(item) = document["paths"][old].as_object_mut() else { continue };
        let operation = item.remove(*method);
        let is_empty = !METHODS.iter().any(|method| item.contains_key(*method));
        if is_empty && let Some(paths) = document["paths"].as_object_mut() {
            paths.remove(old);
        }
        document["paths"][new][method] = operation.unwrap_or_default();
    }
}

/// Replaces the old paths in the overlay by the new paths, for example in the target of an action. Returns one sentence
/// per changed path.
pub(super) fn follow_in_overlay(overlay: &mut String, moved: &[Moved]) -> Vec<String> {
    let mut notes = Vec::new();
    for Moved { old, new, .. } in moved {
        let quoted = |path: &str| format!("'{}'", path.replace('\\', "\\\\").replace('\'', "\\'"));
        let (old, new) = (quoted(old), quoted(new));
        if overlay.contains(&old) {
            *overlay = overlay.replace(&old, &new);
            notes.push(format!("the path {old} is now {new}; the overlay uses the new path"));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn operation_with_another_identifier_keeps_ours() {
        let get = |id: &str| json!({"get": {"operationId": id}});
        let ours = json!({"paths": {"/a": get("a"), "/b/{id}": get("b"), "/c": get("c")}});
        // One operation is renamed, one moved to another path, and one is unchanged.
        let new = json!({"paths": {"/a": get("get-a"), "/b/{id}": get("other"), "/d": get("b"), "/c": get("c")}});
        let found = find(&[&ours], &new);
        let ids: Vec<_> = found.iter().map(|one| (&*one.ids.old, &*one.ids.new)).collect();
        assert_eq!(ids, [("a", "get-a")]);

        let overlay = keep_in_overlay("actions:\n", &found);
        assert!(
            overlay.ends_with("  - target: $.paths['/a'].get\n    update: {x-rename: a}\n"),
            "{overlay}"
        );
        assert_eq!(keep_in_overlay(&overlay, &found), overlay);
    }

    #[test]
    fn texts_and_actions_follow_an_operation_to_its_new_path() {
        let get = |id: &str| json!({"get": {"operationId": id}});
        let mut ours = json!({"paths": {"/v1/a/{id}": get("a"), "/v1/b": get("b")}});
        let new = json!({"paths": {"/v2/a/{key}": get("a"), "/v1/b": get("b"), "/v2/b": get("b")}});
        let moved = moved(&ours, &new);
        assert_eq!(
            moved,
            [Moved { method: "get", old: "/v1/a/{id}".into(), new: "/v2/a/{key}".into() }]
        );

        // Another operation of an old path is not deleted.
        let mut with_post = ours.clone();
        with_post["paths"]["/v1/a/{id}"]["post"] = json!({"operationId": "c"});
        follow(&mut with_post, &moved);
        assert_eq!(with_post["paths"]["/v1/a/{id}"], json!({"post": {"operationId": "c"}}));
        assert_eq!(with_post["paths"]["/v2/a/{key}"], get("a"));

        follow(&mut ours, &moved);
        assert_eq!(ours, json!({"paths": {"/v2/a/{key}": get("a"), "/v1/b": get("b")}}));
        let mut overlay = "  - target: $.paths['/v1/a/{id}','/v1/b'].get\n".to_owned();
        assert_eq!(follow_in_overlay(&mut overlay, &moved).len(), 1);
        assert_eq!(overlay, "  - target: $.paths['/v2/a/{key}','/v1/b'].get\n");
    }
}
