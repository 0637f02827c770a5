//! Whether the parts of a description are of the JSON types that OpenAPI gives them.
//!
//! The passes rely on it: they look for what they know and step over the rest, so a list where an
//! object belongs would go unnoticed, or worse.

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::schemas::{METHODS, each_mut, escape};

/// How deep a document may nest. Far deeper than any real one, and far from what the stack holds.
const DEPTH: usize = 200;

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object"];

/// Every part that a pass looks into.
pub fn shape(document: &mut Value) -> Result<()> {
    depth(document, 0)?;
    let root = Node { place: String::new(), value: document };
    root.object()?;
    root.member("info", |node| node.object())?;
    root.member("tags", |tags| tags.each(|tag| tag.object()))?;
    root.member("components", |components| {
        components.members(|kind| kind.members(|component| component.object()))
    })?;
    root.member("paths", |paths| paths.members(|item| self::item(&item)))?;
    let mut fault = None;
    each_mut(document, &mut |place, value| {
        let place = place.to_owned();
        if let Err(error) = schema(&Node { place, value }) {
            fault.get_or_insert(error);
        }
    });
    fault.map_or(Ok(()), Err)
}

fn item(item: &Node) -> Result<()> {
    item.object()?;
    item.member("parameters", |list| list.each(|parameter| parameter.object()))?;
    METHODS.iter().try_for_each(|method| {
        item.member(method, |operation| {
            operation.object()?;
            operation.member("parameters", |list| list.each(|parameter| parameter.object()))?;
            operation.member("tags", |tags| tags.each(|tag| tag.text()))?;
            operation.member("operationId", |node| node.text())?;
            operation.member("requestBody", content)?;
            operation.member("responses", |answers| answers.members(|answer| content(&answer)))
        })
    })
}

fn content(holder: &Node) -> Result<()> {
    holder.object()?;
    holder.member("content", |kinds| kinds.members(|media| media.object()))
}

fn schema(schema: &Node) -> Result<()> {
    if schema.value.is_boolean() && schema.place.ends_with("/additionalProperties") {
        return Ok(());
    }
    schema.object()?;
    schema.member("$ref", |node| node.text())?;
    schema.member("description", |node| node.text())?;
    schema.member("properties", |node| node.object())?;
    schema.member("enum", |values| values.each(|_| Ok(())))?;
    schema.member("required", |names| names.each(|name| name.text()))?;
    for keyword in ["allOf", "anyOf", "oneOf"] {
        schema.member(keyword, |parts| {
            parts.each(|_| Ok(()))?;
            let empty = parts.value.as_array().is_some_and(Vec::is_empty);
            if empty { Err(parts.fault("a list of schemas, and not empty")) } else { Ok(()) }
        })?;
    }
    if schema.value.get("properties").is_some()
        && schema.value.get("type").is_some_and(|ty| ty != "object")
    {
        return Err(schema.fault("of type object, because it has `properties`"));
    }
    schema.member("type", |ty| match ty.value.as_str() {
        Some(name) if TYPES.contains(&name) => Ok(()),
        _ => Err(ty.fault(&format!("one of {}", TYPES.join(", ")))),
    })
}

fn depth(value: &Value, level: usize) -> Result<()> {
    if level > DEPTH {
        return Err(Fault::at(
            "",
            format!("the document nests deeper than {DEPTH} levels"),
            "check whether it is the file that was meant",
        ));
    }
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| depth(item, level + 1)),
        Value::Object(members) => members.values().try_for_each(|member| depth(member, level + 1)),
        _ => Ok(()),
    }
}

struct Node<'a> {
    place: String,
    value: &'a Value,
}

impl Node<'_> {
    fn fault(&self, wanted: &str) -> Fault {
        Fault::at(
            &self.place,
            format!("this should be {wanted}"),
            "compare with the OpenAPI specification, and mend it in the overlay",
        )
    }

    fn object(&self) -> Result<()> {
        if self.value.is_object() { Ok(()) } else { Err(self.fault("an object")) }
    }

    fn text(&self) -> Result<()> {
        if self.value.is_string() { Ok(()) } else { Err(self.fault("a text")) }
    }

    /// The member of that name, if there is one.
    fn member(&self, name: &str, check: impl FnOnce(&Node) -> Result<()>) -> Result<()> {
        let Some(value) = self.value.get(name) else { return Ok(()) };
        check(&Node { place: format!("{}/{}", self.place, escape(name)), value })
    }

    /// Every member of an object, but extensions.
    fn members(&self, check: impl Fn(Node) -> Result<()>) -> Result<()> {
        self.object()?;
        for (name, value) in self.value.as_object().into_iter().flatten() {
            if !name.starts_with("x-") {
                check(Node { place: format!("{}/{}", self.place, escape(name)), value })?;
            }
        }
        Ok(())
    }

    /// Every item of a list.
    fn each(&self, check: impl Fn(Node) -> Result<()>) -> Result<()> {
        let Some(items) = self.value.as_array() else { return Err(self.fault("a list")) };
        items.iter().enumerate().try_for_each(|(index, value)| {
            check(Node { place: format!("{}/{index}", self.place), value })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_of_a_wrong_type_are_named_by_their_place() {
        for (pointer, value, expected) in [
            ("/components", json!([]), "an object at #/components"),
            ("/components/schemas", json!("S"), "an object at #/components/schemas"),
            ("/components/schemas/S", json!(3), "an object at #/components/schemas/S"),
            (
                "/components/schemas/S/type",
                json!("strin"),
                "one of string, integer, number, boolean, array, object at #/components/schemas/S/type",
            ),
            (
                "/components/schemas/S/required",
                json!([1]),
                "a text at #/components/schemas/S/required/0",
            ),
            (
                "/components/schemas/S/anyOf",
                json!([]),
                "a list of schemas, and not empty at #/components/schemas/S/anyOf",
            ),
            ("/paths/~1a", json!(null), "an object at #/paths/~1a"),
            ("/paths/~1a/get/parameters", json!({}), "a list at #/paths/~1a/get/parameters"),
            ("/paths/~1a/get/operationId", json!(1), "a text at #/paths/~1a/get/operationId"),
            (
                "/paths/~1a/get/responses/200/content/x",
                json!(1),
                "an object at #/paths/~1a/get/responses/200/content/x",
            ),
        ] {
            let mut document = json!({
                "paths": {"/a": {"get": {"operationId": "a", "parameters": [], "responses": {"200": {"content": {}}}}}},
                "components": {"schemas": {"S": {"type": "object"}}}});
            shape(&mut document).unwrap();
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[name.replace("~1", "/")] = value;
            let seen = shape(&mut document).unwrap_err().to_string();
            let mut lines = seen.lines().map(|line| line[7..].trim());
            assert_eq!(
                lines.next().zip(lines.next()).map(|(a, b)| format!("{a} at {b}")).as_deref(),
                Some(format!("this should be {expected}").as_str())
            );
        }
    }
}
