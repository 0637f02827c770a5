//! Replaces each reference of an operation to a shared parameter, request body or response by a copy. Also copies the
//! parameters of a path item into its operations. Only schemas remain shared.

use serde_json::Value;

use super::references::pointed;
use crate::fault::{Fault, Result};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{METHODS, escape};

pub fn inline(document: &mut Value, report: &mut Report) {
    let Some(mut paths) = document.get_mut("paths").map(Value::take) else { return };
    // A copy of the components would be large, so they are only borrowed. The paths are copied only if references point
    // into them.
    if leads_into_paths(&paths) {
        document["paths"] = paths.clone();
    }
    let original = &*document;
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        let place = format!("/paths/{}", escape(path));
        let shared = item.as_object_mut().and_then(|members| members.remove("parameters"));
        for method in METHODS {
            let Some(operation) = item.get_mut(*method) else { continue };
            in_operation(original, &format!("{place}/{method}"), operation, report);
            if let Some(Value::Array(shared)) = &shared {
                adopt(original, &place, operation, shared, report);
            }
        }
    }
    document["paths"] = paths;
}

/// Returns true if a JSON value contains a `$ref` to a target outside `components`.
fn leads_into_paths(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(leads_into_paths),
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            target.is_some_and(|target| !target.starts_with("#/components/"))
                || members.values().any(leads_into_paths)
        }
        _ => false,
    }
}

fn in_operation(original: &Value, place: &str, operation: &mut Value, report: &mut Report) {
    let Some(members) = operation.as_object_mut() else { return };
    if let Some(Value::Array(parameters)) = members.get_mut("parameters") {
        let mut index = 0;
        parameters.retain_mut(|parameter| {
            let place = format!("{place}/parameters/{index}");
            index += 1;
            replace(original, &place, parameter, report)
        });
    }
    if let Some(body) = members.get_mut("requestBody")
        && !replace(original, &format!("{place}/requestBody"), body, report)
    {
        members.remove("requestBody");
    }
    if let Some(Value::Object(answers)) = members.get_mut("responses") {
        answers.retain(|status, answer| {
            replace(original, &format!("{place}/responses/{}", escape(status)), answer, report)
        });
    }
}

/// Adds the parameters of the path item to an operation, except those that the operation defines itself.
fn adopt(
    original: &Value,
    place: &str,
    operation: &mut Value,
    shared: &[Value],
    report: &mut Report,
) {
    let Some(members) = operation.as_object_mut() else { return };
    let list = members.entry("parameters").or_insert_with(|| Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else { return };

    for (index, parameter) in shared.iter().enumerate() {
        let mut parameter = parameter.clone();
        let place = format!("{place}/parameters/{index}");
        if !replace(original, &place, &mut parameter, report) {
            continue;
        }
        // The parameter keeps its JSON pointer in the path item, so that overlay actions in error messages find it
        // there.
        if let Some(members) = parameter.as_object_mut() {
            members.entry(origin::AT).or_insert_with(|| place.into());
        }
        let same = |known: &Value| {
            known.get("name") == parameter.get("name") && known.get("in") == parameter.get("in")
        };
        if !list.iter().any(same) {
            list.push(parameter);
        }
    }
}

/// Replaces a `$ref` by a copy of its target. If the target does not exist, reports a fault and returns false.
fn replace(original: &Value, place: &str, node: &mut Value, report: &mut Report) -> bool {
    match resolve(original, place, node, report) {
        Ok(()) => true,
        Err(fault) => {
            report.refuse(fault);
            false
        }
    }
}

fn resolve(original: &Value, place: &str, node: &mut Value, report: &mut Report) -> Result<()> {
    let at = origin::location(node, place);
    // Follows a chain of references up to this length, so that a cycle of references also ends.
    for _ in 0..8 {
        let Some(target) = node.get("$ref").and_then(Value::as_str) else { return Ok(()) };
        let Some(found) = pointed(original, target) else {
            return Err(Fault::at(
                at,
                format!("the reference target `{target}` is not in the document"),
                "define the target under `components`, or ask the publisher for a complete \
                 document",
            ));
        };

        for (name, _) in node
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != "$ref" && *name != origin::AT)
        {
            report.note(Change::Dropped, format!("`{name}` beside a reference is ignored"), place);
        }
        *node = found.clone();
        report.note(Change::Rewritten, "a reference is replaced with its target", place);
    }
    Err(Fault::at(
        at,
        "the references form a cycle",
        "remove one reference of the cycle from the OpenAPI document",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_operation_owns_what_it_uses() {
        let mut document = json!({
            "paths": {"/a/{id}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}, {"name": "q", "in": "query", "schema": {}}],
                "get": {"parameters": [{"name": "q", "in": "query", "required": true}],
                    "responses": {"200": {"$ref": "#/components/responses/Ok"}}}}},
            "components": {
                "parameters": {"Id": {"name": "id", "in": "path", "required": true}},
                "responses": {"Ok": {"description": "ok"}}}
        });
        inline(&mut document, &mut Report::default());
        assert_eq!(
            document["paths"]["/a/{id}"],
            json!({"get": {
                "parameters": [
                    {"name": "q", "in": "query", "required": true},
                    {"name": "id", "in": "path", "required": true, "x-at": "/paths/~1a~1{id}/parameters/0"}],
                "responses": {"200": {"description": "ok"}}}})
        );
    }

    #[test]
    fn dangling_and_circular_references_are_faults() {
        let fault = |target: &str| {
            let mut document = json!({
                "paths": {"/a": {"get": {"parameters": [{"$ref": target}]}}},
                "components": {"parameters": {"A": {"$ref": "#/components/parameters/B"}, "B": {"$ref": "#/components/parameters/A"}}}});
            let mut report = Report::default();
            inline(&mut document, &mut report);
            report.faults().unwrap().to_string()
        };
        insta::assert_snapshot!(fault("#/components/parameters/None"), @"
        error: the reference target `#/components/parameters/None` is not in the document
           at: #/paths/~1a/get/parameters/0
         hint: define the target under `components`, or ask the publisher for a complete document
        ");
        insta::assert_snapshot!(fault("#/components/parameters/A"), @"
        error: the references form a cycle
           at: #/paths/~1a/get/parameters/0
         hint: remove one reference of the cycle from the OpenAPI document
        ");
    }
}
