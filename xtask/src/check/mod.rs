//! Refuses what the generator cannot take, before it sees it: the generator panics on most of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::names::{static_name, type_name, value_name};
use crate::passes::streaming::TWIN_PATH;
use crate::schemas::{METHODS, escape};

mod names;
mod schemas;
mod shape;

pub use names::names;
pub use schemas::schemas;
pub use shape::shape;

const JSON: &str = "application/json";

/// Every operation, schema and reference, against what the later passes rely on.
pub fn check(document: &mut Value) -> Result<()> {
    schemas(document)?;
    schemas::records(document)?;
    let mut ids = BTreeMap::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        self::path(path, item)?;
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let place = format!("/paths/{}/{method}", escape(path));
            self::operation(&place, path, operation, &mut ids, document)?;
        }
    }
    Ok(())
}

fn path(path: &str, item: &Value) -> Result<()> {
    let place = format!("/paths/{}", escape(path));
    if !path.starts_with('/') {
        return Err(Fault::at(place, "the path does not start with `/`", "write it from the root"));
    }
    let twin = METHODS.iter().any(|method| item.pointer(&format!("/{method}/x-twin-of")).is_some());
    let plain = path.strip_suffix(TWIN_PATH).filter(|_| twin).unwrap_or(path);
    let odd = |c: char| !c.is_ascii_graphic() || matches!(c, '?' | '#' | '"' | '<' | '>' | '\\');
    if let Some(odd) = plain.chars().find(|c| odd(*c)) {
        return Err(Fault::at(
            place,
            format!("the path holds {odd:?}, which is no part of a path"),
            "write it percent-encoded; a query belongs into the parameters",
        ));
    }
    Ok(())
}

fn operation(
    place: &str,
    path: &str,
    operation: &Value,
    ids: &mut BTreeMap<String, String>,
    document: &Value,
) -> Result<()> {
    let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
    if type_name(id).is_empty() {
        return Err(Fault::at(
            place,
            "the operation has no `operationId`",
            "add one in the overlay",
        ));
    }
    // Request, method and catalogue row each have a name; ids may differ and one of these agree.
    for name in BTreeSet::from([type_name(id), value_name(id), static_name(id)]) {
        if let Some(other) = ids.insert(name, place.to_owned()) {
            return Err(Fault::at(
                place,
                format!("the operation `{id}` would be called like the one at {other}"),
                "give one of them `x-rename` in the overlay",
            ));
        }
    }
    let tags = operation.get("tags").and_then(Value::as_array).map_or(0, Vec::len);
    let tag = operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or_default();
    if tags != 1 || value_name(tag).is_empty() {
        return Err(Fault::at(
            format!("{place}/tags"),
            match tags {
                1 => format!("the tag `{tag}` has no letters to make a name of"),
                _ => format!("{tags} tags where one is needed"),
            },
            "the tag chooses the module and the feature; set it in the overlay",
        ));
    }
    let mut names = BTreeSet::new();
    let mut in_path = BTreeSet::new();
    for (index, parameter) in
        operation.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        let place = format!("{place}/parameters/{index}");
        let name = self::parameter(&place, parameter, &mut names)?;
        if parameter.get("in").is_some_and(|location| location == "path") {
            in_path.insert(name);
        }
    }
    let mut expected = BTreeSet::new();
    for part in path.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else {
            return Err(Fault::at(place, "a `{` in the path is not closed", "close it"));
        };
        expected.insert(name.to_owned());
    }
    if let Some(name) = expected.symmetric_difference(&in_path).next() {
        return Err(Fault::at(
            place,
            format!("the path and the parameters disagree on `{name}`"),
            "every `{name}` of the path needs a parameter `in: path`, and the other way round",
        ));
    }
    body(place, operation, &mut names, document)?;
    answers(place, operation)
}

fn parameter(place: &str, parameter: &Value, names: &mut BTreeSet<String>) -> Result<String> {
    let Some(name) =
        parameter.get("name").and_then(Value::as_str).filter(|name| !value_name(name).is_empty())
    else {
        return Err(Fault::at(place, "the parameter has no name", "name it"));
    };
    let required = parameter.get("required").is_some_and(|required| required == true);
    match parameter.get("in").and_then(Value::as_str) {
        Some("query" | "header") => {}
        Some("path") if required => {}
        Some("path") => {
            return Err(Fault::at(
                place,
                format!("the path parameter `{name}` is optional"),
                "write `required: true`",
            ));
        }
        other => {
            return Err(Fault::at(
                format!("{place}/in"),
                format!("parameters in {} are not supported", other.unwrap_or("no place")),
                "remove it in the overlay if calls do without it",
            ));
        }
    }
    style(place, parameter, name)?;
    if !parameter.get("schema").is_some_and(Value::is_object) {
        return Err(Fault::at(
            place,
            format!("`{name}` has no schema"),
            "parameters with `content` are not supported; give it a schema in the overlay",
        ));
    }
    unique(place, name, names)?;
    Ok(name.to_owned())
}

/// The ways of writing a value that calls know: bare, joined with commas, or a key a value.
fn style(place: &str, parameter: &Value, name: &str) -> Result<()> {
    let header = parameter.get("in").is_some_and(|location| location == "header");
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if header && !name.chars().all(token) {
        return Err(Fault::at(
            format!("{place}/name"),
            format!("`{name}` cannot be the name of a header"),
            "compare with the service; header names are letters, digits and `-`",
        ));
    }
    match parameter.get("style").and_then(Value::as_str) {
        None | Some("form" | "simple") => Ok(()),
        Some(style) => Err(Fault::at(
            format!("{place}/style"),
            format!("the style `{style}` is not supported"),
            "form and simple are; change it in the overlay if the service takes those too",
        )),
    }
}

fn unique(place: &str, name: &str, names: &mut BTreeSet<String>) -> Result<()> {
    if names.insert(value_name(name)) {
        return Ok(());
    }
    Err(Fault::at(
        place,
        format!("`{name}` and another parameter would both be called `{}`", value_name(name)),
        "remove one of them in the overlay",
    ))
}

fn body(
    place: &str,
    operation: &Value,
    names: &mut BTreeSet<String>,
    document: &Value,
) -> Result<()> {
    let Some(body) = operation.get("requestBody") else { return Ok(()) };
    let place = format!("{place}/requestBody/content");
    let content = body.get("content").and_then(Value::as_object);
    let kinds: Vec<&String> = content.into_iter().flat_map(|content| content.keys()).collect();
    if kinds != [JSON] {
        return Err(Fault::at(
            place,
            format!("a body of {kinds:?}"),
            format!("only `{JSON}` is supported; keep that one in the overlay"),
        ));
    }
    let schema = &body["content"][JSON]["schema"];
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(target) => document.pointer(target.trim_start_matches('#')).unwrap_or(schema),
        None => schema,
    };
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Err(Fault::at(
            place,
            "a body that is not an object with properties",
            "only such bodies are supported, because their members become parameters",
        ));
    };
    properties.keys().try_for_each(|name| unique(&place, name, names))
}

fn answers(place: &str, operation: &Value) -> Result<()> {
    let answers = operation.get("responses").and_then(Value::as_object);
    if !answers.is_some_and(|answers| answers.keys().any(|status| status.starts_with('2'))) {
        return Err(Fault::at(
            format!("{place}/responses"),
            "there is no answer of success",
            "name its status, such as 200, in the overlay; `default` does for errors only",
        ));
    }
    for (status, answer) in
        answers.into_iter().flatten().filter(|(status, _)| status.starts_with('2'))
    {
        let place = format!("{place}/responses/{status}");
        if status.len() != 3 || status.parse::<u16>().is_err() {
            return Err(Fault::at(
                place,
                format!("`{status}` is not one status"),
                "write 200, or the status that is meant",
            ));
        }
        let content = answer.get("content").and_then(Value::as_object);
        if let Some(media) = content.and_then(|content| content.get(JSON))
            && !media.get("schema").is_some_and(Value::is_object)
        {
            return Err(Fault::at(
                place,
                "a JSON answer without a schema",
                "give it one in the overlay; `{}` stands for any value",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The fault of a description with one operation, changed at one pointer.
    fn fault(pointer: &str, value: Value) -> String {
        let mut document = json!({
            "paths": {"/a/{id}": {"get": {
                "operationId": "a", "tags": ["T"],
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}},
                "responses": {"200": {"content": {"application/json": {"schema": {}}}}}}}},
            "components": {"schemas": {"B": {"type": "object", "properties": {"x": {}}}}}
        });
        check(&mut document).unwrap();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
            node => node[name.replace("~1", "/")] = value,
        }
        let fault = check(&mut document).unwrap_err().to_string();
        fault.lines().take(2).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_the_generator_cannot_take_is_refused_with_its_place() {
        let op = "/paths/~1a~1{id}/get";
        let mut seen = String::new();
        for (pointer, value) in [
            (format!("{op}/operationId"), Value::Null),
            (format!("{op}/tags"), json!([])),
            (format!("{op}/parameters"), json!([])),
            (format!("{op}/parameters/0/required"), json!(false)),
            (format!("{op}/parameters/0/in"), json!("cookie")),
            (format!("{op}/parameters/0/schema"), Value::Null),
            (format!("{op}/parameters/0/name"), json!("x")),
            (format!("{op}/requestBody/content"), json!({"text/csv": {}})),
            (
                format!("{op}/requestBody/content"),
                json!({"application/json": {"schema": {"type": "array"}}}),
            ),
            (format!("{op}/responses/200/content/application~1json"), json!({})),
            (format!("{op}/responses/2XX"), json!({})),
            (
                "/components/schemas/B/properties/x".to_owned(),
                json!({"$ref": "#/components/schemas/None"}),
            ),
            ("/components/schemas/B/allOf".to_owned(), json!([{"$ref": "#/components/schemas/B"}])),
            ("/components/schemas/Result".to_owned(), json!({})),
            ("/components/schemas/C".to_owned(), json!({"properties": {"a-b": {}, "aB": {}}})),
            ("/components/schemas/C".to_owned(), json!({"properties": {"%": {}}})),
            ("/components/schemas/C".to_owned(), json!({"properties": {"extra": {}}})),
            ("/paths/b".to_owned(), json!({})),
            ("/paths/~1b".to_owned(), json!({"get": {"operationId": "A", "tags": ["T"]}})),
        ] {
            seen.push_str(&fault(&pointer, value));
            seen.push('\n');
        }
        insta::assert_snapshot!(seen);
    }

    #[test]
    fn circles_through_several_schemas_are_found() {
        let mut document = json!({"components": {"schemas": {
            "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
            "B": {"oneOf": [{"$ref": "#/components/schemas/C"}, {"type": "string"}]},
            "C": {"$ref": "#/components/schemas/A"}}}});
        assert!(
            check(&mut document).unwrap_err().to_string().contains("is made of itself through `C`")
        );
        // Through a member it is a tree, which is fine.
        let mut document = json!({"components": {"schemas": {
            "A": {"properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}}}});
        check(&mut document).unwrap();
    }
}
