//! Visits the schemas of an OpenAPI document: in components, parameters, request bodies and responses. Extension
//! fields, examples and defaults are not visited, because they can contain any JSON value.

use serde_json::{Map, Value};

/// Escapes `~` and `/` in a segment of a JSON pointer.
#[must_use]
pub fn escape(token: &str) -> String {
    // Searches bytes, because a search for characters is slow without compiler optimisation. Most segments contain
    // neither character.
    if token.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        token.replace('~', "~0").replace('/', "~1")
    } else {
        token.to_owned()
    }
}

/// Decodes `~0` and `~1` in a segment of a JSON pointer.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Returns true if a schema has a keyword that defines the type of its values, such as `type` or `$ref`.
pub fn has_type(schema: &Map<String, Value>) -> bool {
    ["type", "$ref", "allOf", "anyOf", "oneOf", "enum"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword))
}

/// Calls `visit` for every schema in the document. The arguments of `visit` are the JSON pointer of the schema, and the
/// schema. Schemas in callbacks, in webhooks and in the headers of a response are not visited. Inner schemas are
/// visited before the schema that contains them.
pub fn each_mut(document: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    if let Some(schemas) =
        document.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
    {
        for (name, schema) in schemas {
            nested(&format!("/components/schemas/{}", escape(name)), schema, visit);
        }
    }

    for kind in ["parameters", "headers"] {
        if let Some(items) =
            document.pointer_mut(&format!("/components/{kind}")).and_then(Value::as_object_mut)
        {
            for (name, item) in items {
                visit_held(&format!("/components/{kind}/{}", escape(name)), item, visit);
            }
        }
    }

    for kind in ["requestBodies", "responses"] {
        if let Some(items) =
            document.pointer_mut(&format!("/components/{kind}")).and_then(Value::as_object_mut)
        {
            for (name, item) in items {
                content(&format!("/components/{kind}/{}", escape(name)), item, visit);
            }
        }
    }

    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        let place = format!("/paths/{}", escape(path));
        let Some(members) = item.as_object_mut() else { continue };
        for (member, operation) in members {
            let place = format!("{place}/{member}");
            if member == "parameters" {
                parameters(&place, operation, visit);
            } else if METHODS.contains(&member.as_str()) {
                in_operation(&place, operation, visit);
            }
        }
    }
}

/// HTTP methods. A path item of an OpenAPI document can have a field for each method. The field contains an operation.
pub const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch", "trace"];

fn in_operation(place: &str, operation: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    if let Some(list) = operation.get_mut("parameters") {
        parameters(&format!("{place}/parameters"), list, visit);
    }
    if let Some(body) = operation.get_mut("requestBody") {
        content(&format!("{place}/requestBody"), body, visit);
    }
    if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
        for (status, response) in responses {
            content(&format!("{place}/responses/{status}"), response, visit);
        }
    }
}

fn parameters(place: &str, list: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    for (index, parameter) in list.as_array_mut().into_iter().flatten().enumerate() {
        visit_held(&format!("{place}/{index}"), parameter, visit);
    }
}

/// Visits the schemas in the fields `schema` and `content` of a parameter or header.
fn visit_held(place: &str, holder: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    if let Some(schema) = holder.get_mut("schema") {
        nested(&format!("{place}/schema"), schema, visit);
    }
    content(place, holder, visit);
}

fn content(place: &str, holder: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    if let Some(kinds) = holder.get_mut("content").and_then(Value::as_object_mut) {
        for (kind, media) in kinds {
            if let Some(schema) = media.get_mut("schema") {
                nested(&format!("{place}/content/{}/schema", escape(kind)), schema, visit);
            }
        }
    }
}

fn nested(place: &str, schema: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    // All JSON pointers share one buffer, because a document can have tens of thousands of schemas.
    walk(&mut place.to_owned(), schema, visit);
}

fn step(place: &mut String, tokens: &[&str]) {
    for token in tokens {
        place.push('/');
        place.push_str(token);
    }
}

fn walk(place: &mut String, schema: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    let end = place.len();
    for (key, member) in schema.as_object_mut().into_iter().flatten() {
        match key.as_str() {
            // Keywords with several schemas
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                for (name, inner) in member.as_object_mut().into_iter().flatten() {
                    step(place, &[key.as_str(), &escape(name)]);
                    walk(place, inner, visit);
                    place.truncate(end);
                }
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                for (index, inner) in member.as_array_mut().into_iter().flatten().enumerate() {
                    step(place, &[key.as_str(), &index.to_string()]);
                    walk(place, inner, visit);
                    place.truncate(end);
                }
            }

            // Keywords with one schema
            "items"
            | "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedProperties"
            | "unevaluatedItems" => {
                step(place, &[key.as_str()]);
                walk(place, member, visit);
                place.truncate(end);
            }
            _ => {}
        }
    }

    visit(place, schema);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_every_schema_and_nothing_that_only_looks_like_one() {
        let mut document = json!({
            "paths": {"/a/{b}": {
                "parameters": [{"name": "b", "in": "path", "schema": {"type": "string"}}],
                "get": {
                    "x-agent-views": {"properties": {"type": {"kind": "table"}}},
                    "parameters": [{"name": "c", "in": "query", "schema": {"enum": ["x"], "default": {"properties": {"y": {}}}}}],
                    "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}}
                }
            }},
            "components": {"schemas": {"S": {
                "properties": {"p": {"items": {"anyOf": [{}, {"type": "null"}]}}, "properties": {}},
                "additionalProperties": false,
                "x-note": {"properties": {"z": {}}}
            }}}
        });
        let mut seen = Vec::new();
        each_mut(&mut document, &mut |place, _| seen.push(place.to_owned()));
        seen.sort();

        insta::assert_snapshot!(seen.join("\n"), @r"
        /components/schemas/S
        /components/schemas/S/additionalProperties
        /components/schemas/S/properties/p
        /components/schemas/S/properties/p/items
        /components/schemas/S/properties/p/items/anyOf/0
        /components/schemas/S/properties/p/items/anyOf/1
        /components/schemas/S/properties/properties
        /paths/~1a~1{b}/get/parameters/0/schema
        /paths/~1a~1{b}/get/responses/200/content/application~1json/schema
        /paths/~1a~1{b}/parameters/0/schema
        ");
    }
}
