//! Removes parts of the document that the generated client does not use. The report lists the removed parts.

use serde_json::Value;

use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

/// Extension fields (`x-`) that the overlay may add, and that the generator uses. All other extension fields are
/// removed.
pub(super) const EXTENSIONS: &[&str] = &[
    "x-accepts",
    "x-arguments",
    origin::AT,
    "x-assumed",
    "x-credits",
    "x-deprecated",
    "x-enum",
    "x-enum-names",
    "x-finds",
    "x-native",
    "x-identifiers",
    "x-integers",
    "x-lenient",
    "x-misplaced",
    "x-paging",
    "x-param",
    "x-patience",
    "x-prefix",
    "x-provenance",
    "x-refused",
    "x-seen-live",
    "x-rename",
    "x-rows",
    "x-free-window",
    "x-plans",
    "x-streaming",
    "x-tier",
    "x-tiers",
    "x-top-up",
    "x-unit",
    "x-zero",
];

pub fn unused_parts(document: &mut Value, report: &mut Report) {
    extensions("/", document, report);
    schemas::each_mut(document, &mut |place, schema| {
        let at = origin::location(schema, place);
        extensions(&at, schema, report);
        report_nameless(place, schema, report);
        if place.starts_with("/components/schemas/") && place.matches('/').count() == 3 {
            deprecation(&at, schema, report);
        }
        // Some services add the URL of the object's JSON Schema to each response and request body.
        if let Some(Value::Object(properties)) = schema.get_mut("properties")
            && properties.remove("$schema").is_some()
        {
            report.note(Change::Dropped, "the field `$schema` is ignored", at);
            if let Some(Value::Array(required)) = schema.get_mut("required") {
                required.retain(|name| name != "$schema");
            }
        }
    });

    if let Some(Value::Object(schemes)) = document.pointer_mut("/components/securitySchemes") {
        schemes.retain(|name, scheme| {
            let bearer = scheme.get("scheme").is_some_and(|scheme| scheme == "bearer");
            let (change, what) = if bearer {
                (Change::Rewritten, "the client sends the bearer token with every call")
            } else {
                (Change::Dropped, "a security scheme other than a bearer token is ignored")
            };
            report.note(change, what, format!("/components/securitySchemes/{name}"));
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
                let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
                for (index, parameter) in parameters.into_iter().flatten().enumerate() {
                    extensions(&format!("{place}/{method}/parameters/{index}"), parameter, report);
                }
            }
        }
    }
}

/// Adds a sentence about the deprecation to the `description` of a deprecated schema in `components.schemas`. The
/// generated Rust type has no `#[deprecated]` attribute, so only this sentence mentions the deprecation.
fn deprecation(place: &str, schema: &mut Value, report: &mut Report) {
    if schema.get("deprecated").is_none_or(|deprecated| *deprecated != Value::Bool(true)) {
        return;
    }
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = format!("{description}\n\nThis type is deprecated.");
    schema["description"] = description.trim_start().into();
    report.note(
        Change::Rewritten,
        "`deprecated` of a type becomes a sentence of its documentation",
        place,
    );
}

/// Reports the `description` and `deprecated` of array items, map values and union alternatives, because generated code
/// does not contain them. A `description` next to `properties`, `enum` or `allOf` is not reported, because the schema
/// can become a Rust type with this documentation.
fn report_nameless(place: &str, schema: &Value, report: &mut Report) {
    let (rest, last) = place.rsplit_once('/').unwrap_or_default();
    let (above, kind) = rest.rsplit_once('/').unwrap_or_default();
    let is_item = ["items", "additionalProperties"].contains(&last) && kind != "properties";
    let is_shape =
        ["prefixItems", "oneOf", "anyOf"].contains(&kind) && !above.ends_with("/properties");
    let is_named =
        ["properties", "enum", "allOf"].iter().any(|keyword| schema.get(*keyword).is_some());
    if !(is_item || is_shape) {
        return;
    }
    for word in ["description", "deprecated"] {
        if schema.get(word).is_some() && (!is_named || word == "deprecated") {
            let what = format!("`{word}` of a schema without a name is ignored");
            report.note(Change::Dropped, what, origin::location(schema, place));
        }
    }
}

fn extensions(place: &str, node: &mut Value, report: &mut Report) {
    let Some(members) = node.as_object_mut() else { return };
    members.retain(|name, _| {
        let keep = !name.starts_with("x-") || EXTENSIONS.contains(&name.as_str());
        if !keep {
            report.note(Change::Dropped, format!("the extension `{name}` is ignored"), place);
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
            unused_parts
        ));
    }
}
