//! Tests the generator with a changed copy of the OpenAPI documents. In the copy, one record has another name, and one
//! operation, one enum value and one field are new. The generated code must compile, and the list of changes must
//! contain exactly these four changes. The test selects the operation and the records by their properties, so the test
//! does not depend on names.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use xtask::diff::{Class, What, diff};
use xtask::facts::{Facts, ItemKind};
use xtask::model::{Answer, Model, Type};
use xtask::{load, regen};

/// Returns the OpenAPI documents and the overlay of the repository.
fn published() -> (Vec<Value>, Value) {
    let root = regen::root();
    let read = |path: &&str| load::document(&root.join(path)).unwrap();
    (
        regen::DESCRIPTIONS.iter().map(read).collect(),
        load::document(&root.join(regen::OVERLAY)).unwrap(),
    )
}

/// Returns the name of a record that an operation returns, alone or as the rows of a list. The record has only fields
/// of types such as `String` and `Vec<f64>`, not enums, unions or other records.
fn lone_record(model: &Model, data: &Value) -> String {
    let answers = model.operations.iter().filter_map(|operation| match &operation.answer {
        Answer::Rows { row: Type::Named(name), .. }
        | Answer::One { data: Type::Named(name), .. } => Some(name),
        _ => None,
    });
    let mut lone = answers.filter(|name| {
        let record = &model.records[*name];
        let plain = record.fields.iter().all(|field| field.ty.names().is_empty());
        plain && record.fields.len() > 2 && data["components"]["schemas"].get(*name).is_some()
    });
    lone.next().expect("a record that holds no other type").clone()
}

/// Searches the OpenAPI document for a GET operation that has no parameter with an inline enum. Returns the operation.
fn plain_operation(data: &Value) -> Value {
    let paths = data["paths"].as_object().unwrap().values();
    let mut plain = paths.filter_map(|item| item.get("get")).filter(|operation| {
        let params = operation["parameters"].as_array();
        params
            .is_some_and(|params| params.iter().all(|param| param["schema"].get("enum").is_none()))
    });
    plain.next().expect("an operation without enums").clone()
}

/// Returns the names of a record and of one of its fields. The field has an enum that is declared inline. The record
/// with the name `but` is skipped.
fn with_enum(model: &Model, data: &Value, but: &str) -> (String, String) {
    let records = model.records.values().filter(|record| !record.native && record.name != but);
    let fields = records.flat_map(|record| record.fields.iter().map(move |field| (record, field)));
    let mut found = fields.filter(|(record, field)| {
        let schema = &data["components"]["schemas"][&record.name]["properties"][&field.name];
        schema.get("enum").is_some() && matches!(field.ty, Type::Enum(_))
    });
    let (record, field) = found.next().expect("a member that is an enum");
    (record.name.clone(), field.name.clone())
}

#[test]
fn four_changes_of_the_description_are_four_changes_for_users() {
    let (mut documents, overlay) = published();
    let model = regen::model_in_memory(documents.clone(), Some(&overlay))
        .unwrap_or_else(|faults| panic!("{faults}"));

    // A renamed record, with all references to it.
    let record = lone_record(&model, &documents[0]);
    let text = documents[0].to_string().replace(&record, "EvolvedRecord");
    documents[0] = serde_json::from_str(&text).unwrap();
    let data = &mut documents[0];
    // A new operation, similar to an existing one.
    let mut operation = plain_operation(data);
    operation["operationId"] = "evolved-operation".into();
    data["paths"]["/evolved/operation"] = json!({"get": operation});
    // A new value of an enum, and a new field beside it.
    let (owner, member) = with_enum(&model, data, &record);
    let properties = &mut data["components"]["schemas"][&owner]["properties"];
    properties[&member]["enum"].as_array_mut().unwrap().push("EVOLVED".into());
    properties["evolved_member"] =
        json!({"type": "integer", "format": "int64", "description": "A new member."});

    let output =
        regen::run_in_memory(documents, Some(&overlay)).unwrap_or_else(|fault| panic!("{fault}"));
    let difference = diff(&Facts::from_model(&model), &Facts::from_model(&output.model));
    let seen: Vec<_> = difference
        .changes
        .iter()
        .map(|change| {
            let part = change.subject.part.as_deref().unwrap_or_default();
            (change.class, change.what, change.subject.kind, part)
        })
        .collect();
    let wanted = [
        (Class::Breaking, What::Renamed, ItemKind::Record, ""),
        (Class::Additive, What::Added, ItemKind::Operation, ""),
        (Class::Additive, What::Added, ItemKind::Record, "evolved_member"),
        (Class::Additive, What::Added, ItemKind::Enum, "EVOLVED"),
    ];
    let missing: Vec<_> = wanted.iter().filter(|change| !seen.contains(change)).collect();
    assert!(missing.is_empty() && seen.len() == wanted.len(), "{:#?}", difference.changes);
    compiles(output);
}

/// Asserts that the generated code compiles as a separate crate, with all features and with warnings as errors.
fn compiles(output: regen::Output) {
    let dir = TempDir::new().unwrap();
    let files = regen::crate_files(dir.path(), output).unwrap();
    regen::write(dir.path(), &files).unwrap();
    let done = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--all-features"])
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/generated"))
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
