//! Tests the generator with all OpenAPI documents of the test module `constructs`. For each document, the generator
//! must return either a fault with a hint, or code that compiles and decodes a sample without loss. The test module
//! states which of the two results is expected. The code of all documents is compiled in one crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use xtask::regen::{self, Output};

use crate::constructs::{Code, Fault, corpus, with_paths};

#[test]
fn every_construct_compiles_and_reads_a_sample_or_says_what_to_do() {
    let dir = TempDir::new().unwrap();
    let mut features: BTreeSet<String> = BTreeSet::new();
    let (mut modules, mut samples) = (String::new(), String::new());
    let mut wrong = Vec::new();
    let corpus = corpus();
    assert!(corpus.len() >= 100, "{}", corpus.len());

    for (index, (what, document, becomes)) in corpus.iter().enumerate() {
        match (regen::run_in_memory(vec![document.clone()], None), becomes) {
            (Ok(output), Code(values)) => {
                let module = format!("d{index}");
                features.extend(output.model.tags.iter().map(|tag| tag.feature()));
                module_of(dir.path(), &module, output);
                modules.push_str(&format!("/// {what}\npub mod {module};\n"));
                for (record, value) in *values {
                    samples.push_str(&format!(
                        "    check({what:?}, {module}::generated::round_trip::round_trip, {record:?}, {value:?});\n"
                    ));
                }
            }

            (Err(faults), Fault(reason, place)) => {
                let told = faults.to_string();
                if !told.contains(reason)
                    || !told.contains(&format!("at: {place}"))
                    || !told.contains(" hint: ")
                {
                    wrong.push(format!("{what}: {told}"));
                }
            }
            (Ok(_), Fault(..)) => wrong.push(format!("{what}: taken")),
            (Err(faults), Code(_)) => wrong.push(format!("{what}: {faults}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));

    compiles(dir.path(), &features, &modules, &samples);
}

/// Asserts that the generated crate compiles without warnings and runs successfully.
#[track_caller]
pub(crate) fn compiles(dir: &Path, features: &BTreeSet<String>, modules: &str, samples: &str) {
    write_crate(dir, features, modules, samples);
    let done = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--all-features"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/elsewhere"))
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}\n{}", String::from_utf8_lossy(&done.stdout));
}

/// Writes the code that was generated for one document as a module of the crate in `dir`.
pub(crate) fn module_of(dir: &Path, module: &str, output: Output) {
    let files = regen::crate_files(Path::new(""), output).unwrap();
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with("src")) {
        let path = path.strip_prefix("src").unwrap();
        let path = if path == Path::new("lib.rs") { Path::new("mod.rs") } else { path };
        let path = dir.join("src").join(module).join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = text.replace("crate::Api", &format!("crate::{module}::Api"));
        // A module cannot have attributes of a crate.
        let text = text.replace("#![cfg_attr(docsrs, feature(doc_cfg))]\n", "");
        fs::write(path, text).unwrap();
    }
}

pub(crate) fn write_crate(dir: &Path, features: &BTreeSet<String>, modules: &str, samples: &str) {
    let core = regen::root().join("crates/core");
    let list: String = features.iter().map(|name| format!("{name} = []\n")).collect();
    let manifest = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [features]\nopenapi = []\ntables = []\nround-trip = []\n{list}\n\
         [dependencies]\ncrypto-intel-core = {{ path = {core:?} }}\nserde_json = \"1\"\n\n[workspace]\n"
    );
    fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    fs::write(dir.join("src/lib.rs"), modules).unwrap();
    let main = format!(
        "#[allow(unused_imports, reason = \"there may be no samples\")]\nuse corpus::*;\nuse serde_json::Value;\n\n\
         #[allow(dead_code, reason = \"there may be no samples\")]\n\
         fn check(what: &str, trip: fn(&str, &str) -> Option<serde_json::Result<Value>>, record: &str, text: &str) {{\n    \
             let back = trip(record, text).unwrap_or_else(|| panic!(\"{{what}}: no record {{record}}\"));\n    \
             let back = back.unwrap_or_else(|error| panic!(\"{{what}}: {{text}}: {{error}}\"));\n    \
             let sent: Value = serde_json::from_str(text).unwrap();\n    \
             assert_eq!(back, sent, \"{{what}}\");\n\
         }}\n\nfn main() {{\n{samples}}}\n"
    );
    fs::write(dir.join("src/main.rs"), main).unwrap();
}

/// Tests an OpenAPI document in YAML that uses an anchor and an alias.
#[test]
fn anchors_of_yaml_are_followed() {
    let dir = TempDir::new().unwrap();
    let spec = dir.path().join("anchors.yaml");
    let text = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get: &get\n      tags: [T]\n      responses:\n        200: {description: ok}\n  /b:\n    get: *get\n";
    fs::write(&spec, text).unwrap();
    let output = regen::run(&[spec], None).unwrap_or_else(|faults| panic!("{faults}"));
    let ids: Vec<&str> =
        output.model.operations.iter().map(|operation| operation.id.as_str()).collect();
    assert_eq!(ids, ["get-a", "get-b"]);
}

/// Tests a document with 5,000 operations and 10,000 records, the size of the largest public APIs.
#[test]
fn five_thousand_operations_are_taken() {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    for n in 0..5000 {
        let schema = json!({"$ref": format!("#/components/schemas/Record{n}")});
        paths.insert(
            format!("/group{}/things{n}", n % 50),
            json!({"get": {"operationId": format!("thing-{n}"), "summary": "A thing", "responses": {"200": {
                "description": "ok", "content": {"application/json": {"schema": schema}}}}}}),
        );
        schemas.insert(
            format!("Record{n}"),
            json!({"type": "object", "required": ["id"], "properties": {
                "id": {"type": "integer"}, "kind": {"type": "string", "enum": ["a", "b"]}, "part": {"type": "object", "properties": {"x": {"type": "number"}}}}}),
        );
    }
    let mut document = with_paths(Value::Object(paths));
    document["components"]["schemas"] = Value::Object(schemas);
    let output =
        regen::run_in_memory(vec![document], None).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(output.model.operations.len(), 5000);
    assert_eq!(output.model.records.len(), 10_000);
    assert_eq!(output.model.tags.len(), 50);
}
