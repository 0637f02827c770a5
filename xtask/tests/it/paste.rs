//! Tests of the overlay actions that the generator suggests. If an OpenAPI document has a fault, the error message
//! suggests overlay actions. The tests check that these actions resolve the fault.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use xtask::load;
use xtask::regen::run_in_memory;

use crate::mutations::{change, pointers, replacements};
use crate::public::{self, number};

const ROUNDS: usize = 3;

/// Returns a small valid OpenAPI document with many different constructs.
fn whole() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "x", "version": "1"},
        "tags": [{"name": "A"}],

        "paths": {"/a/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                {"$ref": "#/components/parameters/Page"}],
            "post": {
                "operationId": "a", "tags": ["A"], "summary": "s", "deprecated": false,
                "parameters": [{"name": "q", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
                "requestBody": {"required": true, "content": {"application/json": {
                    "schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}}},
                "responses": {"200": {"description": "d", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/R"}}}}}},
            "put": {
                "operationId": "b", "requestBody": {"$ref": "#/components/requestBodies/B"},
                "responses": {"200": {"$ref": "#/components/responses/E"}}}}},

        "components": {
            "parameters": {"Page": {"name": "page", "in": "query", "schema": {"type": "integer"}}},
            "requestBodies": {"B": {"content": {"application/json": {"schema": {"type": "object"}}}}},
            "responses": {"E": {"description": "d", "content": {"application/json": {"schema": {}}}}},
            "schemas": {
            "R": {"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string", "enum": ["x", "y"]},
                "b": {"type": "array", "items": {"$ref": "#/components/schemas/P"}},
                "c": {"oneOf": [{"$ref": "#/components/schemas/P"}, {"type": "string"}]}}},
            "P": {"allOf": [{"type": "object", "properties": {"z": {"type": "number"}}}]}}},
    })
}

/// Returns the overlay actions that the error messages in the text `faults` suggest. In this text, the actions follow
/// the line that begins with `paste`.
fn suggested(faults: &str) -> Vec<Value> {
    let Some((_, actions)) = faults.split_once("\npaste") else { return Vec::new() };
    let lines = actions.lines().filter(|line| line.starts_with("  - ") || line.starts_with("    "));
    let text = format!("actions:\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let parsed =
        load::parsed("pasted".as_ref(), &text).unwrap_or_else(|fault| panic!("{text}{fault}"));
    parsed["actions"].as_array().cloned().unwrap_or_default()
}

/// Runs the generator repeatedly. After each run, adds the overlay actions that the faults suggest. Returns `None` if a
/// run suggests no action. Returns a failure message if an added action had no effect, or if the faults remain after
/// too many runs.
fn unsettled(document: &Value) -> Option<String> {
    let mut actions: Vec<Value> = Vec::new();
    for _ in 0..=ROUNDS {
        let overlay = json!({"overlay": "1.0.0", "actions": actions});
        let Err(faults) = run_in_memory(vec![document.clone()], Some(&overlay)) else {
            return None;
        };
        let faults = faults.to_string();
        let more = suggested(&faults);
        if more.is_empty() {
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
    places.remove(0);
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

/// Generator of deterministic random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// Returns a copy of the OpenAPI document that contains only one or two random paths, and the components that these
/// paths use.
fn part(document: &Value, numbers: &mut Numbers) -> Value {
    let mut part = document.clone();
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    let kept: BTreeSet<&String> = (0..2).map(|_| paths[numbers.below(paths.len())]).collect();
    part["paths"].as_object_mut().unwrap().retain(|path, _| kept.contains(path));

    let mut open: Vec<Value> = vec![part["paths"].clone()];
    let mut components = Map::new();
    while let Some(node) = open.pop() {
        let mut pointers_of_node = Vec::new();
        pointers(&node, "", &mut pointers_of_node);
        for pointer in pointers_of_node.iter().filter(|pointer| pointer.ends_with("/$ref")) {
            let target = node.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            let names: Vec<&str> = target.trim_start_matches("#/components/").split('/').collect();
            let &[kind, name] = names.as_slice() else { continue };
            let kind_of = components.entry(kind).or_insert_with(|| json!({}));
            let Some(found) = document["components"][kind].get(name) else { continue };
            if kind_of.get(name).is_none() {
                kind_of[name] = found.clone();
                open.push(found.clone());
            }
        }
    }
    part["components"] = Value::Object(components);
    part
}

/// Tests that the suggested overlay actions resolve the faults of damaged OpenAPI documents. A damaged document has
/// only one or two paths of an original document, and one random change, such as a removed field. The environment
/// variable `BROKEN` is the number of damaged documents per original document.
#[test]
fn pasting_settles_faults_of_broken_descriptions() {
    let rounds = number("BROKEN", if public::folder().is_some() { 60 } else { 3 });
    let documents = public::documents();
    let (mut refused, mut wrong) = (0, Vec::new());
    for (index, (name, document)) in documents.iter().enumerate() {
        let mut numbers = Numbers(index as u64);
        for _ in 0..rounds {
            let mut broken = part(document, &mut numbers);
            let mut places = Vec::new();
            pointers(&broken, "", &mut places);
            let place = places[numbers.below(places.len())].clone();
            let values = replacements(&broken, &places);
            let (how, value) = (numbers.below(3) as u8, &values[numbers.below(values.len())]);
            change(&mut broken, &place, how, value);
            if !broken["paths"].is_object() {
                continue;
            }
            refused += usize::from(run_in_memory(vec![broken.clone()], None).is_err());
            let why = unsettled(&broken);
            wrong.extend(why.map(|why| format!("{name}: {place}, {how}, {value}: {why}")));
        }
    }

    let count = rounds * documents.len();
    println!(
        "{} descriptions, {count} broken documents, {refused} refused, {} of them not settled",
        documents.len(),
        wrong.len()
    );
    assert!(refused > 0 && wrong.is_empty(), "{}", wrong.join("\n\n"));
}
