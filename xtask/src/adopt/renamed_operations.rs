//! Finds operations that the publisher renamed, and keeps their Rust names.
//!
//! In: the repository's descriptions and the new one. Out: operations with another identifier at their path. Methods,
//! catalogue rows, commands and the sandbox's domains are named by the identifier, so an `x-rename` in the overlay
//! keeps the repository's identifier.

use std::collections::BTreeSet;

use serde_json::Value;

use super::layers::operations;
use super::renamed::Renamed;

/// An operation with another identifier in the new description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RenamedOperation {
    path: String,
    method: &'static str,
    pub(super) ids: Renamed,
}

/// Finds operations of the repository's descriptions that have another identifier in `new`. If another operation in
/// `new` has the repository's identifier, the operation is not renamed: it moved.
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

/// Adds an `x-rename` for each operation without one.
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
}
