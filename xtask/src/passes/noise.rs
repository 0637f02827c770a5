//! Drops what a client has no use for.

use serde_json::Value;

use crate::report::{Change, Report};
use crate::schemas;

/// Extension members that passes of this program read. The overlay writes them.
const OURS: &[&str] = &[
    "x-arguments",
    "x-assumed",
    "x-credits",
    "x-deprecated",
    "x-enum",
    "x-enum-names",
    "x-native",
    "x-identifiers",
    "x-lenient",
    "x-misplaced",
    "x-paging",
    "x-param",
    "x-patience",
    "x-prefix",
    "x-provenance",
    "x-refused",
    "x-rename",
    "x-streaming",
    "x-unit",
];

pub fn noise(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |place, schema| {
        extensions(place, schema, report);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            // The address of the object's own JSON Schema, in every envelope and body.
            let is_address =
                |schema: &Value| schema.get("format").is_some_and(|format| format == "uri");
            if properties.get("$schema").is_some_and(is_address) {
                properties.remove("$schema");
                report.note(Change::Dropped, "the member `$schema`", place);
            }
        }
    });
    if let Some(Value::Object(schemes)) = document.pointer_mut("/components/securitySchemes") {
        schemes.retain(|name, scheme| {
            let bearer = scheme.get("scheme").is_some_and(|scheme| scheme == "bearer");
            if !bearer {
                report.note(
                    Change::Dropped,
                    "a security scheme that is not the bearer key",
                    format!("/components/securitySchemes/{name}"),
                );
            }
            bearer
        });
    }
    if let Some(Value::Object(paths)) = document.get_mut("paths") {
        for (path, item) in paths {
            let place = format!("/paths/{}", schemas::escape(path));
            extensions(&place, item, report);
            for method in schemas::METHODS {
                let Some(operation) = item.get_mut(*method) else { continue };
                extensions(&format!("{place}/{method}"), operation, report);
                media_types(&format!("{place}/{method}"), operation, report);
                for (index, parameter) in operation
                    .get_mut("parameters")
                    .and_then(Value::as_array_mut)
                    .into_iter()
                    .flatten()
                    .enumerate()
                {
                    extensions(&format!("{place}/{method}/parameters/{index}"), parameter, report);
                }
            }
        }
    }
}

/// `application/json; charset=utf-8` is `application/json`.
fn media_types(place: &str, operation: &mut Value, report: &mut Report) {
    let answers = operation.get("responses").and_then(Value::as_object);
    let answers = answers.into_iter().flat_map(|answers| answers.keys());
    let mut holders: Vec<String> =
        answers.map(|status| format!("/responses/{}", schemas::escape(status))).collect();
    holders.push("/requestBody".to_owned());
    for holder in holders {
        let content = operation.pointer_mut(&format!("{holder}/content"));
        let Some(content) = content.and_then(Value::as_object_mut) else { continue };
        for kind in content.keys().cloned().collect::<Vec<_>>() {
            let bare = kind.split(';').next().unwrap_or_default().trim().to_lowercase();
            if bare != kind && !content.contains_key(&bare) {
                if let Some(media) = content.remove(&kind) {
                    content.insert(bare, media);
                }
                report.note(
                    Change::Rewritten,
                    "a media type without its parameters",
                    format!("{place}{holder}/content/{}", schemas::escape(&kind)),
                );
            }
        }
    }
}

fn extensions(place: &str, node: &mut Value, report: &mut Report) {
    let Some(members) = node.as_object_mut() else { return };
    members.retain(|name, _| {
        let keep = !name.starts_with("x-") || OURS.contains(&name.as_str());
        if !keep {
            report.note(Change::Dropped, format!("the extension `{name}`"), place);
        }
        keep
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::show;
    use serde_json::json;

    #[test]
    fn what_a_client_does_not_use_is_dropped_and_noted() {
        insta::assert_snapshot!(show(
            json!({
                "paths": {"/a": {"get": {"x-agent-views": {"type": {}}, "x-credits": 2, "parameters": []}}},
                "components": {
                    "schemas": {"E": {"properties": {
                        "$schema": {"type": "string", "format": "uri"},
                        "data": {"type": "string", "x-order": 1}}}},
                    "securitySchemes": {
                        "AccessToken": {"type": "http", "scheme": "bearer"},
                        "Internal": {"type": "apiKey", "in": "header", "name": "X"}}}
            }),
            noise
        ));
    }
}
