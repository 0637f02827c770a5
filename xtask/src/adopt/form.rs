//! Rewrites a new OpenAPI document so that its structure matches the repository's document. Equal parts then have equal
//! JSON pointers in both documents.
//!
//! A publisher can move parameters and responses into components, or can define a record inline instead of in a
//! component. The service stays the same. This module moves parameters and responses back into operations, and inline
//! records back into components.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::origin;
use crate::passes::inline::inline;
use crate::report::Report;

/// Names of the fields in `components` whose objects can also be defined inline in an operation.
const SHARED: &[&str] = &["parameters", "requestBodies", "responses"];
const SCHEMAS: &str = "#/components/schemas/";

/// Moves parameters, request bodies and responses of the new document from components and path items into operations.
/// Does nothing if the repository's document has `components.parameters`, `components.requestBodies` or
/// `components.responses`. A new document with an unresolved reference stays unchanged.
pub(super) fn fill_operations(ours: &Value, new: &mut Value) {
    if SHARED.iter().any(|kind| ours["components"].get(kind).is_some()) {
        return;
    }
    let (mut filled, mut report) = (new.clone(), Report::default());
    inline(&mut filled, &mut report);
    if report.faults().is_some() {
        return;
    }
    origin::unmark(&mut filled);
    if let Some(components) = filled.get_mut("components").and_then(Value::as_object_mut) {
        components.retain(|kind, _| !SHARED.contains(&kind.as_str()));
    }
    *new = filled;
}

/// Moves inline records of the new document into components if the repository's document has a reference at the
/// same location. Returns the names of these records.
pub(super) fn name_records(ours: &Value, new: &mut Value) -> Vec<String> {
    let (Some(known), Some(present)) = (schemas(ours), schemas(new)) else { return Vec::new() };
    let missing = known.keys().filter(|name| !present.contains_key(*name)).cloned().collect();
    let mut records = Records { known, missing, found: BTreeMap::new() };
    records.walk(&ours["paths"], &mut new["paths"]);
    let theirs = new["components"]["schemas"].as_object_mut().into_iter().flatten();
    for (name, schema) in theirs {
        if let Some(ours) = known.get(name) {
            records.walk(ours, schema);
        }
    }

    let found = records.found;
    let names = found.keys().cloned().collect();
    for (name, schema) in found {
        new["components"]["schemas"][name] = schema;
    }
    names
}

fn schemas(document: &Value) -> Option<&Map<String, Value>> {
    document.pointer("/components/schemas")?.as_object()
}

struct Records<'a> {
    /// Schemas in `components.schemas` of the repository's document. The key is the name of the schema.
    known: &'a Map<String, Value>,
    /// Names of the schemas that the repository's document has in `components.schemas`, but the new document lacks.
    missing: BTreeSet<String>,
    /// New components: schemas of inline records in the new document. The key is the name of the component in the
    /// repository's document.
    found: BTreeMap<String, Value>,
}

impl Records<'_> {
    /// Visits all locations that exist in both the repository's document (`ours`) and the new document (`theirs`). If
    /// `ours` has a reference to a component that the new document lacks, calls [`Self::replace`] for the schema in
    /// `theirs`.
    fn walk(&mut self, ours: &Value, theirs: &mut Value) {
        let target = ours.get("$ref").and_then(Value::as_str);
        let name = target.and_then(|target| target.strip_prefix(SCHEMAS));
        if let Some(name) = name.filter(|name| self.missing.contains(*name)) {
            return self.replace(name, theirs);
        }
        match (ours, theirs) {
            (Value::Object(ours), Value::Object(theirs)) => {
                for (name, theirs) in theirs {
                    ours.get(name).into_iter().for_each(|ours| self.walk(ours, theirs));
                }
            }
            (Value::Array(ours), Value::Array(theirs)) => {
                ours.iter().zip(theirs).for_each(|(ours, theirs)| self.walk(ours, theirs));
            }
            _ => {}
        }
    }

    /// Replaces an inline record by a reference to the component `name`. The inline record is replaced only if it is
    /// similar to the repository's record `name`: the common fields must be at least half of the fields of the larger
    /// record. The first similar inline record becomes the component `name`. A later one is replaced only if it is
    /// equal to the first.
    fn replace(&mut self, name: &str, theirs: &mut Value) {
        let known = &self.known[name];
        let fields = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned();
        let (Some(ours), Some(own)) = (fields(known), fields(theirs)) else { return };
        let common = own.keys().filter(|field| ours.contains_key(*field)).count();
        if 2 * common < ours.len().max(own.len()) {
            return;
        }
        let mut schema = theirs.take();
        self.walk(known, &mut schema);
        let first = self.found.entry(name.to_owned()).or_insert_with(|| schema.clone());
        *theirs =
            if *first == schema { json!({"$ref": format!("{SCHEMAS}{name}")}) } else { schema };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(paths: Value, components: Value) -> Value {
        json!({"paths": paths, "components": components})
    }

    fn answer(schema: Value) -> Value {
        json!({"200": {"content": {"application/json": {"schema": schema}}}})
    }

    #[test]
    fn shared_parameters_and_responses_return_into_operations() {
        let (limit, ok) =
            (json!({"name": "limit", "in": "query"}), answer(json!({}))["200"].clone());
        let ours = document(
            json!({"/a": {"get": {"parameters": [limit], "responses": {"200": ok}}}}),
            json!({"schemas": {}}),
        );
        let mut new = document(
            json!({"/a": {"parameters": [{"$ref": "#/components/parameters/Limit"}],
                "get": {"responses": {"200": {"$ref": "#/components/responses/Ok"}}}}}),
            json!({"schemas": {}, "parameters": {"Limit": limit}, "responses": {"Ok": ok}}),
        );
        let broken = document(
            json!({"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/None"}]}}}),
            json!({}),
        );
        fill_operations(&ours, &mut new);
        assert_eq!(new, ours);

        let mut same = broken.clone();
        fill_operations(&ours, &mut same);
        assert_eq!(same, broken);
    }

    #[test]
    fn records_in_place_of_references_keep_their_names() {
        let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let inner = json!({"type": "object", "properties": {"x": {"type": "string"}}});
        let item =
            |inner: &Value| json!({"properties": {"a": {"type": "integer"}, "inner": inner}});
        let paths = |first: Value, second: Value| json!({"/a": {"get": {"responses": answer(first)}}, "/b": {"get": {"responses": answer(second)}}});
        let ours = document(
            paths(to("Item"), json!({"items": to("Item")})),
            json!({"schemas": {"Item": item(&to("Inner")), "Inner": inner}}),
        );
        let mut new =
            document(paths(item(&inner), json!({"items": item(&inner)})), json!({"schemas": {}}));
        assert_eq!(name_records(&ours, &mut new), ["Inner", "Item"]);
        assert_eq!(new, ours);

        // A record with other fields at the same location is not replaced.
        let other = json!({"properties": {"q": {}, "r": {}, "s": {}}});
        let mut new = document(paths(other.clone(), other), json!({"schemas": {}}));
        assert_eq!(name_records(&ours, &mut new), [""; 0]);
    }
}
