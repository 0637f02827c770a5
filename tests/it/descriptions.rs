//! Tests of the OpenAPI documents in `spec/`: each operation, parameter and field has a documentation text, and
//! each overlay action has a target.

use std::fs;

use serde_json::Value;
use xtask::adopt::PLACEHOLDER;
use xtask::schemas::METHODS;
use xtask::{load, regen};

fn descriptions() -> Vec<Value> {
    let root = regen::root();
    regen::DESCRIPTIONS.iter().map(|path| load::description(&root.join(path)).unwrap()).collect()
}

/// Returns true if the field `member` of a JSON object is a text that a person wrote. Returns false for the placeholder
/// texts of `cargo xtask adopt`.
fn says(node: &Value, member: &str) -> bool {
    let text = node.get(member).and_then(Value::as_str).unwrap_or_default();
    !text.trim().is_empty() && !text.starts_with(PLACEHOLDER)
}

fn members<'a>(node: &'a Value, member: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    node.get(member).and_then(Value::as_object).into_iter().flatten()
}

#[test]
fn everything_is_described() {
    let mut silent = Vec::new();
    for document in descriptions() {
        let used: Vec<&str> = document["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|item| METHODS.iter().filter_map(|method| item.get(*method)))
            .filter_map(|operation| operation.pointer("/tags/0")?.as_str())
            .collect();

        for tag in document["tags"].as_array().unwrap() {
            let name = tag["name"].as_str().unwrap();
            if used.contains(&name) && !says(tag, "description") {
                silent.push(format!("tag {name}"));
            }
        }

        for name in used {
            if !document["tags"].as_array().unwrap().iter().any(|tag| tag["name"] == name) {
                silent.push(format!("tag {name}"));
            }
        }

        for (path, item) in members(&document, "paths") {
            for method in METHODS {
                let Some(operation) = item.get(*method) else { continue };
                if !says(operation, "summary") || !says(operation, "description") {
                    silent.push(format!("{method} {path}"));
                }
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    if !says(parameter, "description") {
                        silent.push(format!("{method} {path}: {}", parameter["name"]));
                    }
                }
            }
        }

        for (name, schema) in members(&document["components"], "schemas") {
            if !says(schema, "description") {
                silent.push(name.clone());
            }
            for (member, schema) in members(schema, "properties") {
                if !says(schema, "description") {
                    silent.push(format!("{name}.{member}"));
                }
            }
        }
    }

    assert!(silent.is_empty(), "{} without a description:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn every_action_of_the_overlay_has_a_target() {
    let report = regen::root().join("crates/api/src/generated/REPORT.md");
    let report = fs::read_to_string(report).unwrap();
    assert!(!report.contains("matches nothing"), "see REPORT.md");
}

#[test]
fn the_committed_code_is_what_the_descriptions_make_of_it_on_every_run() {
    let once = regen::made().unwrap().files;
    assert_eq!(once, regen::made().unwrap().files);
    if let Some(reason) = xtask::stale_output::explain(&regen::root(), &once) {
        panic!("{reason}");
    }
}

/// Tests that the hand-written record `MetricValue` has the same fields as its declaration in the OpenAPI
/// documents.
#[test]
fn the_runtime_knows_every_member_of_a_metric_value() {
    use crypto_intel_core::{MetricValue, Record};
    let mut described: Vec<&str> = crypto_intel_api::generated::tables::record("MetricValue")
        .unwrap()
        .fields
        .iter()
        .map(|field| field.name)
        .collect();
    let mut written: Vec<&str> = MetricValue::FIELDS.iter().map(|field| field.name).collect();
    described.sort_unstable();
    written.sort_unstable();
    assert_eq!(described, written);
}
