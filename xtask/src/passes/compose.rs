//! Gives every object a name of its own: `allOf` is written out, and objects described in place
//! become components.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::fault::{Fault, Result};
use crate::graph::{self, Graph};
use crate::names::type_name;
use crate::report::{Change, Report};
use crate::schemas::{self, METHODS, escape};

pub fn compose(document: &mut Value, report: &mut Report) -> Result<()> {
    write_out(document, report);
    aliases(document, report);
    hoist(document, report)
}

/// A component that is a list or a plain value is written where it is used: the generator would
/// wrap it in a type of its own. Enums keep their names.
fn aliases(document: &mut Value, report: &mut Report) {
    let is_alias = |schema: &Value| {
        let object = schema.get("properties").is_some();
        let named = schema.get("enum").is_some() || schema.get("x-native").is_some();
        !object && !named
    };
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    let aliases: BTreeMap<String, Value> = components
        .into_iter()
        .flatten()
        .filter(|(_, schema)| is_alias(schema))
        .map(|(name, schema)| (format!("#/components/schemas/{name}"), schema.clone()))
        .collect();
    let aliases = bounded(aliases, report);
    // An alias may lead to another, but no longer to itself, so the steps are bounded.
    for _ in 0..=STEPS {
        let mut changed = false;
        schemas::each_mut(document, &mut |place, schema| {
            let target = schema
                .get("$ref")
                .or_else(|| schema.pointer("/allOf/0/$ref"))
                .and_then(Value::as_str);
            let Some(alias) = target.and_then(|target| aliases.get(target)) else { return };
            let mut written = alias.clone();
            for kept in ["description", "nullable"] {
                if let Some(value) = schema.get(kept) {
                    written[kept] = value.clone();
                }
            }
            *schema = written;
            changed = true;
            report.note(Change::Rewritten, "a named plain value where it is used", place);
        });
        if !changed {
            break;
        }
    }
    if let Some(Value::Object(components)) = document.pointer_mut("/components/schemas") {
        components.retain(|name, _| !aliases.contains_key(&format!("#/components/schemas/{name}")));
    }
}

/// `allOf` of objects as one object. Parts that are not objects are left to the generator.
fn write_out(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |_, schema| {
        // 3.1 lets members stand beside a reference.
        let Some(members) = schema.as_object_mut().filter(|m| m.contains_key("properties")) else {
            return;
        };
        if let Some(target) = members.remove("$ref") {
            let parts = members.entry("allOf").or_insert_with(|| json!([]));
            if let Some(parts) = parts.as_array_mut() {
                parts.push(json!({"$ref": target}));
            }
        }
    });
    let original = document.clone();
    schemas::each_mut(document, &mut |place, schema| {
        let Some(Value::Array(parts)) = schema.get("allOf") else { return };
        let lone = parts.len() == 1 && schema.get("properties").is_none();
        if lone && parts[0].get("$ref").is_some() {
            return;
        }
        let (mut merged, mut seen) = (Map::new(), BTreeSet::new());
        if !parts.iter().all(|part| collect(&original, part, &mut merged, &mut seen)) {
            return;
        }
        let Some(members) = schema.as_object_mut() else { return };
        members.remove("allOf");
        let own = Value::Object(members.clone());
        collect(&original, &own, &mut merged, &mut seen);
        members.extend(merged);
        members.insert("type".to_owned(), "object".into());
        report.note(Change::Rewritten, "`allOf` as one object", place);
    });
}

/// How many references an alias may come to when it is written out, and how deep they may lie.
const PARTS: usize = 100;
const STEPS: usize = 30;

/// An alias that holds itself, through lists or others, cannot be written out, and one that holds
/// others many times over should not be: both are any value.
fn bounded(mut aliases: BTreeMap<String, Value>, report: &mut Report) -> BTreeMap<String, Value> {
    let mut targets = targets(&aliases);
    let endless: Vec<String> = graph::circular(&targets).into_iter().map(str::to_owned).collect();
    for name in endless {
        report.note(
            Change::Loosened,
            "a value that may hold itself as any value",
            name.trim_start_matches('#'),
        );
        targets.insert(name.clone(), Vec::new());
        aliases.insert(name, json!({}));
    }
    let mut sizes = BTreeMap::new();
    for name in targets.keys() {
        size(name, &targets, &mut sizes);
    }
    for (name, (parts, steps)) in sizes {
        if parts > PARTS || steps > STEPS {
            report.note(
                Change::Loosened,
                "a value of very many parts as any value",
                name.trim_start_matches('#'),
            );
            aliases.insert(name, json!({}));
        }
    }
    aliases
}

/// The aliases that each alias refers to, as often as it does.
fn targets(aliases: &BTreeMap<String, Value>) -> Graph {
    let mut targets = BTreeMap::new();
    for (name, schema) in aliases {
        let mut found = Vec::new();
        let mut holder = json!({"components": {"schemas": {"": schema}}});
        schemas::each_mut(&mut holder, &mut |_, schema| {
            let target = schema.get("$ref").and_then(Value::as_str);
            found.extend(target.filter(|target| aliases.contains_key(*target)).map(str::to_owned));
        });
        targets.insert(name.clone(), found);
    }
    targets
}

/// Parts and steps of an alias that does not reach itself.
fn size(
    name: &str,
    targets: &Graph,
    known: &mut BTreeMap<String, (usize, usize)>,
) -> (usize, usize) {
    if let Some(size) = known.get(name) {
        return *size;
    }
    let (mut parts, mut steps) = (1usize, 1);
    for target in &targets[name] {
        let (more, below) = size(target, targets, known);
        parts = parts.saturating_add(more);
        steps = steps.max(below.saturating_add(1));
    }
    known.insert(name.to_owned(), (parts, steps));
    (parts, steps)
}

/// Adds the members and requirements of an object schema; false if it is not one. What `seen`
/// holds was added before: parts that share a part would otherwise double the work at each step.
fn collect(
    document: &Value,
    schema: &Value,
    into: &mut Map<String, Value>,
    seen: &mut BTreeSet<String>,
) -> bool {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return !seen.insert(target.to_owned())
            || document
                .pointer(target.trim_start_matches('#'))
                .is_some_and(|found| collect(document, found, into, seen));
    }
    let parts = schema.get("allOf").and_then(Value::as_array);
    if !parts.into_iter().flatten().all(|part| collect(document, part, into, seen)) {
        return false;
    }
    let object = schema.get("type").is_none_or(|ty| ty == "object");
    if !object || schema.get("oneOf").is_some() || schema.get("anyOf").is_some() {
        return false;
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let all = into.entry("properties").or_insert_with(|| json!({}));
        if let Some(all) = all.as_object_mut() {
            all.extend(properties.clone());
        }
    }
    if let Some(Value::Array(required)) = schema.get("required") {
        let all = into.entry("required").or_insert_with(|| json!([]));
        if let Some(all) = all.as_array_mut() {
            let new = required.iter().filter(|name| !all.contains(name)).cloned();
            let new: Vec<_> = new.collect();
            all.extend(new);
        }
    }
    true
}

fn hoist(document: &mut Value, report: &mut Report) -> Result<()> {
    let operations = operation_names(document);
    let mut found: BTreeMap<String, (String, Value)> = BTreeMap::new();
    let mut fault = None;
    schemas::each_mut(document, &mut |place, schema| {
        let component =
            place.strip_prefix("/components/schemas/").is_some_and(|rest| !rest.contains('/'));
        let object =
            schema.get("properties").and_then(Value::as_object).is_some_and(|p| !p.is_empty());
        if component || !object {
            return;
        }
        let name = name_of(place, &operations);
        let mut moved = std::mem::take(schema);
        let mut left = Map::new();
        left.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());
        for kept in ["description", "nullable"] {
            if let Some(value) = moved.get(kept).cloned() {
                left.insert(kept.to_owned(), value);
            }
        }
        if let Some(members) = moved.as_object_mut() {
            members.remove("nullable");
        }
        *schema = Value::Object(left);
        report.note(Change::Renamed, format!("an object without a name is `{name}`"), place);
        if let Some((other, _)) = found.insert(name.clone(), (place.to_owned(), moved)) {
            fault.get_or_insert_with(|| clash(place, &name, &other));
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    for (name, (place, schema)) in found {
        let components = &mut document["components"]["schemas"];
        if components.get(&name).is_some() {
            return Err(clash(&place, &name, &format!("/components/schemas/{name}")));
        }
        components[name] = schema;
    }
    Ok(())
}

fn clash(place: &str, name: &str, other: &str) -> Fault {
    Fault::at(
        place,
        format!("this object would be called `{name}` like the one at {other}"),
        "move it under `components.schemas` with a name in the overlay",
    )
}

/// Operation ids by the place of the operation.
fn operation_names(document: &Value) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            if let Some(id) =
                item.get(*method).and_then(|operation| operation.get("operationId")?.as_str())
            {
                names.insert(format!("/paths/{}/{method}", escape(path)), id.to_owned());
            }
        }
    }
    names
}

/// A name from the component or operation, and the members on the way.
fn name_of(place: &str, operations: &BTreeMap<String, String>) -> String {
    let (mut name, rest) = match place.strip_prefix("/components/schemas/") {
        Some(rest) => (String::new(), rest.to_owned()),
        None => {
            let owner = operations.iter().find(|(at, _)| place.starts_with(&format!("{at}/")));
            owner.map_or((String::new(), place.to_owned()), |(at, id)| {
                (type_name(id), place[at.len() + 1..].to_owned())
            })
        }
    };
    for token in rest.split('/') {
        name.push_str(&match token {
            "properties" | "schema" | "content" | "application~1json" | "parameters" => {
                String::new()
            }
            "items" => "Item".to_owned(),
            "additionalProperties" => "Entry".to_owned(),
            "requestBody" => "Body".to_owned(),
            "responses" => "Answer".to_owned(),
            status if status.len() == 3 && status.bytes().all(|b| b.is_ascii_digit()) => {
                String::new()
            }
            token => type_name(token),
        });
    }
    type_name(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_gets_a_name() {
        let mut document = json!({
            "paths": {"/a": {"get": {"operationId": "a-list", "responses": {"200": {"content": {"application/json": {
                "schema": {"properties": {"rows": {"type": "array", "items": {"properties": {"n": {}}}}}}}}}}}}},
            "components": {"schemas": {"S": {"properties": {
                "inner": {"properties": {"x": {}}, "description": "d", "nullable": true},
                "free": {"type": "object"}}}}}
        });
        let mut report = Report::default();
        compose(&mut document, &mut report).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
    }

    #[test]
    fn all_of_is_written_out_through_references() {
        let mut document = json!({"components": {"schemas": {
            "A": {"type": "object", "properties": {"a": {}}, "required": ["a"]},
            "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"properties": {"b": {}}, "required": ["b"]}], "description": "d"},
            "C": {"allOf": [{"$ref": "#/components/schemas/B"}], "properties": {"c": {}}},
            "D": {"allOf": [{"$ref": "#/components/schemas/A"}]},
            "E": {"allOf": [{"type": "string"}, {"$ref": "#/components/schemas/A"}]},
            "F": {"properties": {
                "d": {"$ref": "#/components/schemas/D", "description": "d"},
                "e": {"$ref": "#/components/schemas/E"}}}}}});
        let other_name = json!({"allOf": [{"$ref": "#/components/schemas/A"}], "description": "d"});
        let no_object = document["components"]["schemas"]["E"].clone();
        compose(&mut document, &mut Report::default()).unwrap();
        let schemas = &document["components"]["schemas"];
        assert_eq!(
            schemas["B"],
            json!({"type": "object", "description": "d", "required": ["a", "b"],
            "properties": {"a": {}, "b": {}}})
        );
        assert_eq!(schemas["C"]["properties"], json!({"a": {}, "b": {}, "c": {}}));
        // What is only another name, or no object, is written where it is used.
        assert_eq!(schemas["F"]["properties"], json!({"d": other_name, "e": no_object}));
        assert_eq!((schemas.get("D"), schemas.get("E")), (None, None));
    }
}
