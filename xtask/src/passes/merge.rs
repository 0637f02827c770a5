//! Merges several OpenAPI documents into one. If two documents define the same part differently, the definition of
//! the earlier document is used, and the report mentions the conflict.

use serde_json::{Map, Value};

use crate::fault::{Fault, Result};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{escape, unescape};

/// Merges the paths, components and tags of all documents. If two documents define a path or component differently, the
/// definition of the earlier document is used.
pub fn merge(documents: Vec<Value>, report: &mut Report) -> Result<Value> {
    let mut documents = documents.into_iter();
    let mut merged = documents.next().unwrap_or_else(|| Value::Object(Map::new()));
    for document in documents {
        for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
            join_path(&mut merged, path, item, report)?;
        }
        for (kind, members) in
            document.get("components").and_then(Value::as_object).into_iter().flatten()
        {
            let Some(members) = members.as_object() else { continue };
            join(&mut merged, &format!("/components/{kind}"), members, report)?;
        }
        let tags = document.get("tags").and_then(Value::as_array).cloned().unwrap_or_default();
        let known =
            object(&mut merged, "")?.entry("tags").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(known) = known.as_array_mut() {
            let named = |tag: &Value| tag.get("name").cloned();
            let new =
                tags.into_iter().filter(|tag| !known.iter().any(|old| named(old) == named(tag)));
            let new: Vec<_> = new.collect();
            known.extend(new);
        }
    }
    Ok(merged)
}

/// Adds a path to the merged document. If the path already exists, adds only its new operations.
fn join_path(merged: &mut Value, path: &str, item: &Value, report: &mut Report) -> Result<()> {
    let known = object(merged, "/paths")?.get(path).is_some_and(Value::is_object);
    match item.as_object() {
        Some(operations) if known => {
            join(merged, &format!("/paths/{}", escape(path)), operations, report)
        }
        _ => join(merged, "/paths", &Map::from_iter([(path.to_owned(), item.clone())]), report),
    }
}

fn join(
    merged: &mut Value,
    pointer: &str,
    members: &Map<String, Value>,
    report: &mut Report,
) -> Result<()> {
    let target = object(merged, pointer)?;
    for (name, value) in members {
        match target.get(name) {
            None => {
                target.insert(name.clone(), value.clone());
            }
            Some(known) if origin::same(known, value) => {}
            Some(known) => {
                let words = without_texts(known) == without_texts(value);
                let what = if words {
                    "two OpenAPI documents describe an element with different texts; the text of the first document is used"
                } else {
                    "two OpenAPI documents define an element differently; the definition of the first document is used"
                };
                report.note(Change::Decided, what, format!("{pointer}/{}", escape(name)));
            }
        }
    }
    Ok(())
}

/// Returns a copy of a JSON value without documentation texts and examples, for comparisons.
fn without_texts(value: &Value) -> Value {
    let words = ["description", "summary", "title", "example", "examples", origin::AT];
    match value {
        Value::Array(items) => items.iter().map(without_texts).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| !words.contains(&name.as_str()) || value.is_object())
            .map(|(name, value)| (name.clone(), without_texts(value)))
            .collect::<Map<_, _>>()
            .into(),
        value => value.clone(),
    }
}

/// Returns the JSON object at `pointer`, and creates it if it does not exist.
fn object<'a>(document: &'a mut Value, pointer: &str) -> Result<&'a mut Map<String, Value>> {
    let fault = || {
        Fault::at(
            pointer,
            "the value is not an object",
            "write an object, as the OpenAPI specification requires",
        )
    };
    let mut place = document;
    for token in pointer.split('/').skip(1) {
        place = place
            .as_object_mut()
            .ok_or_else(fault)?
            .entry(unescape(token))
            .or_insert_with(|| Value::Object(Map::new()));
    }
    place.as_object_mut().ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_joined_and_equal_ones_are_taken_once() {
        let mut report = Report::default();
        let merged = merge(vec![
            json!({"openapi": "3.1.0", "paths": {"/a": {}}, "tags": [{"name": "A"}],
                "components": {"schemas": {"E": {"type": "string"}}}}),
            json!({"openapi": "3.0.3", "paths": {"/b": {}}, "tags": [{"name": "A"}, {"name": "B"}],
                "components": {"schemas": {"E": {"type": "string"}, "F": {}}}}),
        ], &mut report)
        .unwrap();
        assert_eq!(
            merged,
            json!({"openapi": "3.1.0", "paths": {"/a": {}, "/b": {}},
                "tags": [{"name": "A"}, {"name": "B"}],
                "components": {"schemas": {"E": {"type": "string"}, "F": {}}}})
        );
    }

    #[test]
    fn the_first_description_counts_and_the_report_says_how_they_differ() {
        let one =
            json!({"paths": {"/a/{b}": {"get": {"summary": "s"}}, "/c": {"get": {"tags": []}}}});
        let other =
            json!({"paths": {"/a/{b}": {"get": {"summary": "t"}}, "/c": {"get": {}, "post": {}}}});
        let mut report = Report::default();
        let merged = merge(vec![one.clone(), other], &mut report).unwrap();
        assert_eq!(merged["paths"]["/a/{b}"], one["paths"]["/a/{b}"]);
        assert_eq!(merged["paths"]["/c"], json!({"get": {"tags": []}, "post": {}}));
        insta::assert_snapshot!(report.to_markdown("---"), @"
        ---

        ## Decided: 2

        Decisions of the generator about points that the OpenAPI document does not define. The overlay can change each decision.

        - two OpenAPI documents define an element differently; the definition of the first document is used (1)
          - `/paths/~1c/get`
        - two OpenAPI documents describe an element with different texts; the text of the first document is used (1)
          - `/paths/~1a~1{b}/get`
        ");
    }
}
