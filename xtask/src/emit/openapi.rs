//! Writes one OpenAPI document that code generators and tools for other programming languages can use.
//!
//! The input is the merged OpenAPI document after the overlay was applied. The output is OpenAPI 3.0.3. It uses the
//! names that operations and records have in the Rust API. A renamed record contains its published name as
//! `x-component`. Other `x-` fields contain prices, paging rules and parameter rules. The field `x-provenance`
//! distinguishes documented operations from assumed operations. Fields that only the generator uses are removed.

use serde_json::{Map, Value, json};

use crate::origin;
use crate::passes::rename;
use crate::read;
use crate::report::Report;
use crate::schemas::METHODS;

/// Extension fields of the overlay that the written OpenAPI document keeps. Other `x-` fields are removed.
const SHOWN: &[&str] = &[
    "x-accepts",
    "x-assumed",
    "x-component",
    "x-credits",
    "x-finds",
    "x-free-window",
    "x-identifiers",
    "x-misplaced",
    "x-paging",
    "x-param",
    "x-patience",
    "x-plans",
    "x-provenance",
    "x-refused",
    "x-rows",
    "x-seen-live",
    "x-tier",
    "x-tiers",
    "x-top-up",
];

/// Returns the OpenAPI document for other tools as JSON text. `document` is the merged document with the overlay
/// applied.
pub fn openapi(document: &Value) -> String {
    let tiers = read::tiers(document).unwrap_or_default();
    let mut document = document.clone();
    for item in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for method in METHODS {
            if let Some(operation) = item.get_mut(*method).and_then(Value::as_object_mut) {
                adjust_operation(operation, &tiers);
            }
        }
    }

    for (name, component) in components(&mut document) {
        component.insert("x-component".to_owned(), name.into());
    }
    // The report is discarded, because the run that generates the code reports the same renames.
    rename::rename(&mut document, &mut Report::default());
    for (name, component) in components(&mut document) {
        if component.get("x-component").and_then(Value::as_str) == Some(name.as_str()) {
            component.remove("x-component");
        }
    }

    origin::unmark(&mut document);
    if let Some(members) = document.as_object_mut() {
        // This URL is relative to the URL of the document, as in the service's own OpenAPI document.
        members.entry("servers").or_insert_with(|| json!([{"url": "/"}]));
    }
    clean(&mut document, Fields::Keywords);
    format!("{document:#}\n")
}

/// Iterates over the name and the JSON object of each schema in `components.schemas`.
fn components(document: &mut Value) -> impl Iterator<Item = (String, &mut Map<String, Value>)> {
    let schemas = document["components"]["schemas"].as_object_mut().into_iter().flatten();
    schemas.filter_map(|(name, schema)| Some((name.clone(), schema.as_object_mut()?)))
}

/// Adjusts an operation for the written document. `x-rename` replaces `operationId`. If `x-tier` names a price tier,
/// the credits of this tier become `x-credits`. A missing `x-provenance` gets a default. If a parameter has its own
/// example, the examples in the parameter's schema are removed.
fn adjust_operation(operation: &mut Map<String, Value>, tiers: &[(String, u32)]) {
    let tier = operation.get("x-tier").and_then(Value::as_str);
    if let Some((_, credits)) = tiers.iter().find(|(name, _)| Some(name.as_str()) == tier) {
        operation.insert("x-credits".to_owned(), (*credits).into());
    }
    if let Some(name) = operation.remove("x-rename") {
        operation.insert("operationId".to_owned(), name);
    }
    operation.entry("x-provenance").or_insert_with(|| "published description".into());

    // If a parameter has an example of its own, the examples in its schema are removed. Samples and tests use the
    // parameter's example.
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if parameter.get("example").is_some()
            && let Some(schema) = parameter.get_mut("schema").and_then(Value::as_object_mut)
        {
            schema.retain(|name, _| name != "example" && name != "examples");
        }
    }
}

/// Kind of the fields of a JSON object in an OpenAPI document.
#[derive(Clone, Copy)]
enum Fields {
    /// Keywords of OpenAPI, such as `type` and `example`.
    Keywords,
    /// Names that the author of the document chose, such as the names of properties. The value of such a field is a
    /// JSON object with keywords.
    Names,
    /// Fields of an example, a default value or an extension. All of them stay in the written document.
    Data,
}

/// Removes `x-` fields that only the generator uses, and replaces `x-deprecated` by `deprecated: true`.
fn clean(node: &mut Value, fields: Fields) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, fields)),
        Value::Object(members) => {
            if matches!(fields, Fields::Keywords) {
                if members.contains_key("x-deprecated") {
                    members.insert("deprecated".to_owned(), true.into());
                }
                members.retain(|name, _| !name.starts_with("x-") || SHOWN.contains(&name.as_str()));
            }
            for (name, member) in members {
                let inside = match fields {
                    Fields::Keywords => fields_inside(name, member),
                    Fields::Names => Fields::Keywords,
                    Fields::Data => Fields::Data,
                };
                clean(member, inside);
            }
        }
        _ => {}
    }
}

/// Returns the kind of the fields in a JSON object. This object is the value of the keyword `keyword` in the OpenAPI
/// document.
fn fields_inside(keyword: &str, value: &Value) -> Fields {
    match keyword {
        "properties" | "schemas" => Fields::Names,
        // In `components`, and beside the schema of a parameter, this is an object with a name for each example.
        "examples" if value.is_object() => Fields::Names,
        "example" | "examples" | "default" | "enum" | "value" => Fields::Data,
        _ if keyword.starts_with("x-") => Fields::Data,
        _ => Fields::Keywords,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_has_names_and_prices_and_no_marks() {
        let document = json!({
            "openapi": "3.0.3",
            "paths": {"/a": {"get": {
                "operationId": "theirs", "x-rename": "ours", "x-credits": 2, "x-patience": 1, "x-arguments": ["q"],
                "x-at": "/paths/~1a/get",
                "parameters": [{"name": "q", "in": "query", "example": "ours",
                    "schema": {"type": "string", "example": "theirs"}}],
                "responses": {"200": {"description": "d", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Their Record"}}}}}}}},
            "components": {"schemas": {"Their Record": {"type": "object", "x-at": "p", "properties": {
                "old": {"type": "string", "x-native": "UnixSeconds", "x-deprecated": "gone"},
                "example": {"type": "object", "x-native": "Map", "example": {"x-request-id": "7"}}}}}},
        });

        let text = openapi(&document);
        let shown: Value = serde_json::from_str(&text).unwrap();

        let get = &shown["paths"]["/a"]["get"];
        assert_eq!((&get["operationId"], &get["x-credits"]), (&json!("ours"), &json!(2)));
        assert_eq!(get["x-provenance"], "published description");
        let parameter = &get["parameters"][0];
        assert_eq!(
            (&parameter["example"], &parameter["schema"]),
            (&json!("ours"), &json!({"type": "string"}))
        );
        let record = &shown["components"]["schemas"]["TheirRecord"];
        assert_eq!(record["properties"]["old"], json!({"type": "string", "deprecated": true}));
        let example = json!({"type": "object", "example": {"x-request-id": "7"}});
        assert_eq!(record["properties"]["example"], example);

        assert!(!text.contains("x-at") && !text.contains("x-arguments"), "{text}");
        assert!(text.contains("#/components/schemas/TheirRecord"), "{text}");
    }
}
