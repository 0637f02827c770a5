//! Checks that the values of an OpenAPI document have the JSON types that OpenAPI requires.
//!
//! Later passes skip values of unexpected types, so they would silently ignore an array where an object is required. If
//! the meaning of a wrong type is clear, the value is converted and the report mentions it. Most other values of a
//! wrong type are reported as faults and removed. Some harmless values, such as `null` in place of an object, are
//! removed without a fault.

use serde_json::{Map, Value, json};

use crate::fault::{Fault, Result};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{METHODS, each_mut, escape};

/// Maximum nesting depth of an OpenAPI document. Real documents are far less deep, and the stack is sufficient for a
/// much greater depth.
const DEPTH: usize = 200;

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object"];

/// Invalid values of `type`, each with the valid JSON type that replaces it. For example, `bool` becomes `boolean`.
const OTHER_TYPES: &[(&str, &str)] = &[
    ("bool", "boolean"),
    ("date", "string"),
    ("date-time", "string"),
    ("datetime", "string"),
    ("decimal", "number"),
    ("double", "number"),
    ("enum", "string"),
    ("file", "string"),
    ("float", "number"),
    ("int", "integer"),
    ("int32", "integer"),
    ("int64", "integer"),
    ("list", "array"),
    ("long", "integer"),
    ("map", "object"),
    ("str", "string"),
    ("text", "string"),
    ("timestamp", "string"),
    ("uri", "string"),
    ("uuid", "string"),
];

/// Checks the JSON types of the values that the generator reads from an OpenAPI document. Does not check the schemas.
/// Returns an error if the document is not an object or is nested too deeply.
pub fn outline(document: &mut Value, report: &mut Report) -> Result<()> {
    depth(document, 0)?;
    let Some(root) = document.as_object_mut() else {
        return Err(Fault::at("", "the document must be an object", "pass an OpenAPI document"));
    };

    if !root.get("info").is_some_and(Value::is_object) {
        report.note(Change::Decided, "a document without `info` gets the title `API`", "/info");
        root.insert("info".to_owned(), json!({"title": "API", "version": "unknown"}));
    }
    tags(root, report);

    let mut parts = ShapeChecker { report };
    parts.object(root, "components", "");
    if let Some(Value::Object(components)) = root.get_mut("components") {
        parts.objects(components, "/components");
        for (kind, members) in components.iter_mut() {
            let place = format!("/components/{kind}");
            let is_checked = kind != "schemas" && !kind.starts_with("x-");
            let Some(members) = members.as_object_mut().filter(|_| is_checked) else { continue };
            parts.objects(members, &place);
            for (name, member) in members.iter_mut().filter(|_| kind == "parameters") {
                parts.parameter(&format!("{place}/{}", escape(name)), member);
            }
        }
    }

    parts.object(root, "paths", "");
    if let Some(Value::Object(paths)) = root.get_mut("paths") {
        parts.objects(paths, "/paths");
        for (path, item) in paths {
            parts.item(&format!("/paths/{}", escape(path)), item);
        }
    }
    Ok(())
}

fn tags(root: &mut Map<String, Value>, report: &mut Report) {
    let Some(tags) = root.get_mut("tags") else { return };
    let Some(list) = tags.as_array_mut() else {
        report.refuse(fault("/tags", "a list"));
        root.remove("tags");
        return;
    };
    for (index, tag) in list.iter_mut().enumerate() {
        if let Some(name) = tag.as_str() {
            *tag = json!({"name": name});
        } else if !tag.is_object() {
            report.refuse(fault(&format!("/tags/{index}"), "an object"));
            *tag = json!({});
        }
    }
}

/// Checker of components, path items and operations. It removes values of wrong JSON types, and reports most of the
/// removed values as faults. A `null` in place of an object is removed without a fault.
struct ShapeChecker<'a> {
    report: &'a mut Report,
}

impl ShapeChecker<'_> {
    fn object(&mut self, holder: &mut Map<String, Value>, name: &str, place: &str) {
        if holder.get(name).is_some_and(|value| !value.is_object()) {
            // A member that is `null` counts as absent.
            if holder.get(name).is_some_and(|value| !value.is_null()) {
                self.report.refuse(fault(&format!("{place}/{}", escape(name)), "an object"));
            }
            holder.remove(name);
        }
    }

    fn objects(&mut self, holder: &mut Map<String, Value>, place: &str) {
        let names: Vec<String> = holder.keys().cloned().collect();
        for name in names.iter().filter(|name| !name.starts_with("x-")) {
            self.object(holder, name, place);
        }
    }

    /// Checks that the field `name` of a JSON object is an array of objects. Removes a field that is not an array, and
    /// array items that are not objects. Reports each removed value as a fault.
    fn list(&mut self, holder: &mut Map<String, Value>, name: &str, place: &str) {
        let place = format!("{place}/{name}");
        match holder.get_mut(name) {
            None => {}
            Some(Value::Array(items)) => {
                let mut index = 0;
                items.retain(|item| {
                    if !item.is_object() {
                        self.report.refuse(fault(&format!("{place}/{index}"), "an object"));
                    }
                    index += 1;
                    item.is_object()
                });
            }
            Some(_) => {
                self.report.refuse(fault(&place, "a list"));
                holder.remove(name);
            }
        }
    }

    fn parameters(&mut self, holder: &mut Map<String, Value>, place: &str) {
        self.list(holder, "parameters", place);
        let params = holder.get_mut("parameters").and_then(Value::as_array_mut);
        for (index, param) in params.into_iter().flatten().enumerate() {
            self.parameter(&format!("{place}/parameters/{index}"), param);
        }
    }

    /// Removes the `name`, `in` and `$ref` of a request parameter if they are not strings.
    fn parameter(&mut self, place: &str, parameter: &mut Value) {
        let Some(members) = parameter.as_object_mut() else { return };
        for name in ["name", "in", "$ref"] {
            if members.get(name).is_some_and(|value| !value.is_string()) {
                self.report.refuse(fault(&format!("{place}/{name}"), "a string"));
                members.remove(name);
            }
        }
    }

    fn item(&mut self, place: &str, item: &mut Value) {
        let place = &origin::location(item, place);
        let Some(members) = item.as_object_mut() else { return };
        self.parameters(members, place);
        for method in METHODS {
            self.object(members, method, place);
            if let Some(Value::Object(operation)) = members.get_mut(*method) {
                self.operation(&format!("{place}/{method}"), operation);
            }
        }
    }

    fn operation(&mut self, place: &str, operation: &mut Map<String, Value>) {
        self.parameters(operation, place);
        match operation.get_mut("tags") {
            None => {}
            Some(Value::String(tag)) => {
                let tag = std::mem::take(tag);
                self.report.note(
                    Change::Decided,
                    "`tags` with one string becomes a list of one tag",
                    place,
                );
                operation.insert("tags".to_owned(), json!([tag]));
            }
            Some(Value::Array(tags)) => tags.retain(Value::is_string),
            Some(_) => drop(operation.remove("tags")),
        }
        if operation.get("operationId").is_some_and(|id| !id.is_string()) {
            self.report.refuse(fault(&format!("{place}/operationId"), "a string"));
            operation.remove("operationId");
        }

        self.object(operation, "requestBody", place);
        if let Some(Value::Object(body)) = operation.get_mut("requestBody") {
            self.content(&format!("{place}/requestBody"), body);
        }
        self.object(operation, "responses", place);
        if let Some(Value::Object(answers)) = operation.get_mut("responses") {
            let place = format!("{place}/responses");
            self.objects(answers, &place);
            for (status, answer) in answers {
                if let Some(answer) = answer.as_object_mut() {
                    self.content(&format!("{place}/{}", escape(status)), answer);
                }
            }
        }
    }

    /// Rejects a `$ref` in a media type object, such as `content: {application/json: {$ref: …}}`. OpenAPI allows a
    /// `$ref` in place of a whole response, a whole request body or a schema. It does not allow a `$ref` in place of a
    /// media type.
    fn without_reference(&mut self, place: &str, media: &mut Value) {
        let Some(target) = media.as_object_mut().and_then(|media| media.remove("$ref")) else {
            return;
        };
        let fault = Fault::at(
            format!("{place}/$ref"),
            format!("a media type must not be a reference, but this media type refers to {target}"),
            "replace the reference with a `schema`; without a schema, the client accepts any value",
        );
        self.report.refuse(fault.settled_by("remove: true"));
    }

    fn content(&mut self, place: &str, holder: &mut Map<String, Value>) {
        self.object(holder, "content", place);
        if let Some(Value::Object(kinds)) = holder.get_mut("content") {
            let place = format!("{place}/content");
            self.objects(kinds, &place);
            for (kind, media) in kinds {
                self.without_reference(&format!("{place}/{}", escape(kind)), media);
            }
        }
    }
}

/// Checks every schema of an OpenAPI document for values of wrong JSON types.
pub fn shape(document: &mut Value, report: &mut Report) {
    each_mut(document, &mut |place, value| {
        let at = origin::location(value, place);
        if value.is_boolean() && place.ends_with("/additionalProperties") {
            return;
        }
        let Some(members) = value.as_object_mut() else {
            report.refuse(fault(&at, "an object"));
            *value = json!({});
            return;
        };
        schema(&at, members, report);
    });
}

fn schema(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let mut wrong = |members: &mut Map<String, Value>, name: &str, wanted: &str| {
        report.refuse(fault(&format!("{at}/{name}"), wanted));
        members.remove(name);
    };
    if members.get("$ref").is_some_and(|target| !target.is_string()) {
        wrong(members, "$ref", "a string");
    }
    for name in ["properties"] {
        if members.get(name).is_some_and(|value| !value.is_object()) {
            wrong(members, name, "an object");
        }
    }
    for name in ["enum", "prefixItems"] {
        if members.get(name).is_some_and(|value| !value.is_array()) {
            wrong(members, name, "a list");
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if members.get(keyword).is_some_and(|parts| !parts.is_array()) {
            wrong(members, keyword, "a list of schemas");
        }
    }

    for keyword in ["allOf", "anyOf", "oneOf"] {
        if members.get(keyword).and_then(Value::as_array).is_some_and(Vec::is_empty) {
            report.note(Change::Decided, format!("an empty `{keyword}` is ignored"), at);
            members.remove(keyword);
        }
    }
    if members.get("description").is_some_and(|text| !text.is_string()) {
        report.note(Change::Dropped, "a `description` that is not a string is ignored", at);
        members.remove("description");
    }
    match members.get_mut("required") {
        None => {}
        Some(Value::Array(names)) => names.retain(Value::is_string),
        Some(_) => {
            // In older drafts of JSON Schema, `required` was a boolean.
            report.note(Change::Decided, "`required` is ignored if it is not a list", at);
            members.remove("required");
        }
    }
    ty(at, members, report);
}

fn ty(at: &str, members: &mut Map<String, Value>, report: &mut Report) {
    let Some(ty) = members.get("type") else { return };
    let name = ty.as_str().map(str::to_lowercase).unwrap_or_default();
    let other = OTHER_TYPES.iter().find(|(other, _)| *other == name).map(|(_, ty)| *ty);
    let known = TYPES.iter().find(|known| **known == name).copied().or(other);

    match known {
        Some(known) if *ty != known => {
            report.note(Change::Decided, format!("the type `{name}` is read as `{known}`"), at);
            members.insert("type".to_owned(), known.into());
        }
        Some(_) => {}
        None if name == "any" || name.is_empty() && ty.is_string() => {
            report.note(Change::Decided, "the type `any` is read as any JSON value", at);
            members.remove("type");
        }
        None => {
            let wanted = format!("one of the types {}", TYPES.join(", "));
            report.refuse(fault(&format!("{at}/type"), &wanted));
            members.remove("type");
        }
    }
}

fn fault(place: &str, wanted: &str) -> Fault {
    Fault::at(
        place,
        format!("this value must be {wanted}"),
        "let the overlay write a value that the OpenAPI specification allows",
    )
    .settled_by("remove: true")
}

fn depth(value: &Value, level: usize) -> Result<()> {
    if level > DEPTH {
        return Err(Fault::at(
            "",
            format!("the document is nested deeper than {DEPTH} levels"),
            "check that the file is the intended OpenAPI document",
        ));
    }
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| depth(item, level + 1)),
        Value::Object(members) => members.values().try_for_each(|member| depth(member, level + 1)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(pointer: &str, value: Value) -> String {
        let mut document = json!({
            "info": {},
            "paths": {"/a": {"get": {"operationId": "a", "parameters": [], "responses": {"200": {"content": {}}}}}},
            "components": {"schemas": {"S": {"type": "object"}}}});
        let mut report = Report::default();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        document.pointer_mut(parent).unwrap()[name.replace("~1", "/")] = value;
        outline(&mut document, &mut report).unwrap();
        shape(&mut document, &mut report);
        match report.faults() {
            Some(faults) => {
                let told = faults.to_string();
                let mut lines = told.lines().map(|line| line[7..].trim());
                format!("{} at {}", lines.next().unwrap(), lines.next().unwrap())
            }
            None => "taken".to_owned(),
        }
    }

    #[test]
    fn extensions_of_components_are_not_looked_at() {
        assert_eq!(faults_of("/components/x-notes", json!({"a": 1, "b": ["c"]})), "taken");
    }

    #[test]
    fn parts_of_a_wrong_type_are_named_by_their_place() {
        let rows = [
            ("/components", json!([]), "an object at #/components"),
            ("/components/schemas", json!("S"), "an object at #/components/schemas"),
            ("/components/schemas/S", json!(3), "an object at #/components/schemas/S"),
            (
                "/components/schemas/S/type",
                json!("strin"),
                "one of the types string, integer, number, boolean, array, object at #/components/schemas/S/type",
            ),
            (
                "/components/schemas/S/anyOf",
                json!({}),
                "a list of schemas at #/components/schemas/S/anyOf",
            ),
            ("/paths/~1a", json!(3), "an object at #/paths/~1a"),
            ("/paths/~1a/get/parameters", json!({}), "a list at #/paths/~1a/get/parameters"),
            ("/paths/~1a/get/operationId", json!(1), "a string at #/paths/~1a/get/operationId"),
            (
                "/paths/~1a/get/responses/200/content/x",
                json!(1),
                "an object at #/paths/~1a/get/responses/200/content/x",
            ),
        ];

        for (pointer, value, expected) in rows {
            assert_eq!(faults_of(pointer, value), format!("this value must be {expected}"));
        }
    }

    #[test]
    fn what_can_be_read_all_the_same_is() {
        for (pointer, value) in [
            ("/components/schemas/S/required", json!(true)),
            ("/components/schemas/S/anyOf", json!([])),
            ("/components/schemas/S/type", json!("String")),
            ("/components/schemas/S/type", json!("any")),
            ("/components/schemas/S/description", json!(1)),
            ("/paths/~1a/get/tags", json!("A")),
            ("/paths/~1a", json!(null)),
            ("/info", json!(null)),
        ] {
            assert_eq!(faults_of(pointer, value), "taken", "{pointer}");
        }
    }
}
