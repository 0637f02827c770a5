//! Actions that a fault suggests settle it.

use serde_json::{Value, json};
use xtask::load;
use xtask::regen::run_in_memory;

const ROUNDS: usize = 3;

/// A description with a part of each kind.
fn whole() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "x", "version": "1"},
        "tags": [{"name": "A"}],
        "paths": {"/a/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "post": {
                "operationId": "a", "tags": ["A"], "summary": "s", "deprecated": false,
                "parameters": [{"name": "q", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
                "requestBody": {"required": true, "content": {"application/json": {
                    "schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}}},
                "responses": {"200": {"description": "d", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/R"}}}}}}}},
        "components": {"schemas": {
            "R": {"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string", "enum": ["x", "y"]},
                "b": {"type": "array", "items": {"$ref": "#/components/schemas/P"}},
                "c": {"oneOf": [{"$ref": "#/components/schemas/P"}, {"type": "string"}]}}},
            "P": {"allOf": [{"type": "object", "properties": {"z": {"type": "number"}}}]}}},
    })
}

/// The pointers of all parts below the root.
fn pointers(value: &Value, place: &str, found: &mut Vec<String>) {
    let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, part)| (escape(name), part)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, part)| (index.to_string(), part)).collect()
        }
        _ => Vec::new(),
    };
    for (name, part) in members {
        let place = format!("{place}/{name}");
        found.push(place.clone());
        pointers(part, &place, found);
    }
}

/// The actions that the faults suggest.
fn suggested(faults: &str) -> Vec<Value> {
    let Some((_, actions)) = faults.split_once("\npaste:") else { return Vec::new() };
    let lines = actions.lines().filter(|line| line.starts_with("  - ") || line.starts_with("    "));
    let text = format!("actions:\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let parsed =
        load::parsed("pasted".as_ref(), &text).unwrap_or_else(|fault| panic!("{text}{fault}"));
    parsed["actions"].as_array().cloned().unwrap_or_default()
}

/// Why pasting does not end well. `None` if it does.
fn unsettled(document: &Value) -> Option<String> {
    let mut actions: Vec<Value> = Vec::new();
    for _ in 0..=ROUNDS {
        let overlay = json!({"overlay": "1.0.0", "actions": actions});
        let Err(faults) = run_in_memory(vec![document.clone()], Some(&overlay)) else {
            return None;
        };
        let more = suggested(&faults.to_string());
        if more.is_empty() {
            // Only the description itself can be mended.
            return None;
        }
        if let Some(repeated) = more.iter().find(|action| actions.contains(action)) {
            return Some(format!("{repeated} has no effect:\n{faults}"));
        }
        actions.extend(more);
    }
    Some(format!("{} actions in {ROUNDS} rounds are not enough", actions.len()))
}

#[test]
fn pasting_what_faults_suggest_settles_them() {
    assert_eq!(unsettled(&whole()), None);
    let mut places = Vec::new();
    pointers(&whole(), "", &mut places);
    assert!(places.len() > 60, "{}", places.len());

    let mut wrong = Vec::new();
    let reference = json!({"$ref": "#/components/x"});
    let strange = [json!(7), json!("text"), json!([1]), json!({"a": 1}), json!(null), reference];
    for place in &places {
        for value in &strange {
            let mut document = whole();
            *document.pointer_mut(place).unwrap() = value.clone();
            let why = unsettled(&document);
            wrong.extend(why.map(|why| format!("{place} = {value}: {why}")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), places.len() * 6, wrong.join("\n\n"));
}
