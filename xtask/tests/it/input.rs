//! Tests of invalid input. The command must exit with status 2 and print a fault with a location and a hint. It must
//! not panic.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::small::{self, listing, thing};

fn regen(spec: &Path, out: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--spec"])
        .arg(spec)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap()
}

/// Runs the generator with an input file that has this name and these contents. Returns the printed fault, without the
/// path of the temporary folder.
#[track_caller]
fn fault(name: &str, contents: impl AsRef<[u8]>) -> String {
    let dir = TempDir::new().unwrap();
    let spec = dir.path().join(name);
    fs::write(&spec, contents).unwrap();
    told(dir.path(), &spec)
}

#[track_caller]
fn told(dir: &Path, spec: &Path) -> String {
    let out = dir.join("out");
    let done = regen(spec, &out);
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{told}");
    assert!(!told.contains("panicked"), "{told}");
    let heads: Vec<_> = told.lines().filter_map(|line| line.get(..7)).collect();
    for head in ["error: ", "   at: ", " hint: "] {
        assert!(heads.contains(&head), "no `{head}` in\n{told}");
    }
    assert!(!out.exists(), "something was written");
    told.replace(&format!("{}/", dir.display()), "").trim_end().to_owned()
}

#[track_caller]
fn fault_of(document: &Value) -> String {
    fault("spec.json", document.to_string())
}

#[test]
fn a_file_that_cannot_be_read_is_a_fault() {
    let dir = TempDir::new().unwrap();
    insta::assert_snapshot!(told(dir.path(), &dir.path().join("none.json")), @"
    error: No such file or directory (os error 2)
       at: none.json
     hint: check the path and its permissions
    ");

    let folder = dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    insta::assert_snapshot!(told(dir.path(), &folder), @"
    error: this is a directory
       at: folder
     hint: pass the path of a file
    ");

    insta::assert_snapshot!(fault("empty.json", ""), @"
    error: the file is empty
       at: empty.json
     hint: download the OpenAPI document again
    ");
    insta::assert_snapshot!(fault("blank.yaml", " \n\n"), @"
    error: the file is empty
       at: blank.yaml
     hint: download the OpenAPI document again
    ");

    insta::assert_snapshot!(fault("latin1.json", b"{\"openapi\": \"3.0.3\", \"x\": \"\xe9\"}"), @"
    error: invalid utf-8 sequence of 1 bytes from index 27
       at: latin1.json
     hint: save the file as UTF-8
    ");
}

#[test]
fn text_that_is_neither_json_nor_yaml_is_a_fault_with_its_line() {
    insta::assert_snapshot!(fault("cut.json", r#"{"openapi": "3.1.0", "paths": {"/a"#), @"
    error: not JSON: EOF while parsing a string at line 1 column 34
       at: cut.json
     hint: check whether the file is complete
    ");
    insta::assert_snapshot!(fault("comma.json", "{\"openapi\": \"3.1.0\",\n \"paths\": {},}"), @"
    error: not JSON: trailing comma at line 2 column 14
       at: comma.json
     hint: check whether the file is complete
    ");

    insta::assert_snapshot!(fault("list.yaml", "openapi: 3.1.0\npaths: [a,\nb: c"), @"
    error: not YAML: line 2 column 8: unclosed bracket '['
       at: list.yaml
     hint: check the indentation of the line
    ");
    insta::assert_snapshot!(fault("tab.yaml", "openapi: 3.1.0\npaths:\n\t/a: {}"), @"
    error: not YAML: line 3 column 2: tabs disallowed within this context (block indentation)
       at: tab.yaml
     hint: check the indentation of the line
    ");

    insta::assert_snapshot!(fault("page.html", "<!DOCTYPE html>\n<html><body>404</body></html>"), @"
    error: the document is not an object
       at: page.html#
     hint: pass an OpenAPI document
    ");
}

#[test]
fn a_document_that_is_not_openapi_3_is_a_fault() {
    insta::assert_snapshot!(fault("list.json", "[]"), @"
    error: the document is not an object
       at: list.json#
     hint: pass an OpenAPI document
    ");
    insta::assert_snapshot!(fault("text.yaml", "hello"), @"
    error: the document is not an object
       at: text.yaml#
     hint: pass an OpenAPI document
    ");

    insta::assert_snapshot!(fault("swagger.json", r#"{"swagger": "2.0", "paths": {}}"#), @"
    error: this is Swagger 2, not OpenAPI 3
       at: swagger.json#/swagger
     hint: ask the publisher for OpenAPI 3, or convert the document first
    ");
    insta::assert_snapshot!(fault("number.yaml", "openapi: 3.1\npaths: {}"), @"
    error: the version is not a string
       at: number.yaml#/openapi
     hint: write the version as a string with three numbers: '3.1.0'
    ");

    insta::assert_snapshot!(fault("new.json", r#"{"openapi": "4.0.0", "paths": {}}"#), @"
    error: OpenAPI 4.0.0 is not supported
       at: new.json#/openapi
     hint: use version 3.0 or 3.1; a document without new features of 3.2 can declare 3.1.0
    ");
    insta::assert_snapshot!(fault("schema.json", r#"{"type": "object"}"#), @"
    error: the field `openapi` with the version is missing
       at: schema.json#/openapi
     hint: pass an OpenAPI document, not an overlay or a JSON Schema
    ");
}

/// Tests documents that are small files but would need very much memory, such as nested YAML aliases.
#[test]
fn deeply_nested_and_exploding_documents_are_faults() {
    let deep =
        format!("{{\"openapi\": \"3.0.3\", \"x\": {}1{}}}", "[".repeat(5000), "]".repeat(5000));
    insta::assert_snapshot!(fault("deep.json", deep), @"
    error: the document is nested deeper than the limit: recursion limit exceeded at line 1 column 153
       at: deep.json
     hint: write the document with less nesting
    ");

    let deep = format!("openapi: 3.0.3\nx: {}1{}", "[".repeat(5000), "]".repeat(5000));
    insta::assert_snapshot!(fault("deep.yaml", deep), @"
    error: not YAML: line 2 column 259: recursion limit exceeded
       at: deep.yaml
     hint: check the indentation of the line
    ");

    let mut laughs = "openapi: 3.0.3\na0: &a0 [lol, lol]\n".to_owned();
    for level in 1..40 {
        laughs.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1));
    }

    insta::assert_snapshot!(fault("laughs.yaml", laughs), @"
    error: line 12 column 22: the YAML document is too large or nested too deeply; each alias counts as a copy of its value
       at: laughs.yaml
     hint: write the document without aliases and with less nesting
    ");
}

#[test]
fn a_reference_that_leads_nowhere_or_in_a_circle_is_a_fault() {
    let none = json!({"$ref": "#/components/schemas/None"});
    insta::assert_snapshot!(fault_of(&listing(json!([]), none, json!({}))), @"
    error: the reference target `#/components/schemas/None` is not in the document
       at: spec.json#/paths/~1things/get/responses/200/content/application~1json/schema/$ref
     hint: define the schema under `components.schemas`, or ask the publisher for a complete document
    ");

    let elsewhere = json!({"$ref": "other.yaml#/Thing"});
    insta::assert_snapshot!(fault_of(&listing(json!([]), elsewhere, json!({}))), @"
    error: the reference target `other.yaml#/Thing` is in another document
       at: spec.json#/paths/~1things/get/responses/200/content/application~1json/schema/$ref
     hint: define the schema under `components.schemas`, or ask the publisher for a complete document
    ");

    let parameter = json!([{"$ref": "#/components/parameters/None"}]);
    insta::assert_snapshot!(fault_of(&listing(parameter, json!({}), json!({}))), @"
    error: the reference target `#/components/parameters/None` is not in the document
       at: spec.json#/paths/~1things/get/parameters/0
     hint: define the target under `components`, or ask the publisher for a complete document
    ");

    let circle = json!({
        "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
        "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}});
    insta::assert_snapshot!(fault_of(&listing(json!([]), json!({}), circle)), @"
    error: `A` contains itself through `B`
       at: spec.json#/components/schemas/A
     hint: remove one `$ref` of this cycle
    ");
}

/// Tests that one run reports all faults of a document, with the overlay actions that resolve them.
#[test]
fn every_fault_of_a_document_is_told_at_once() {
    let mut document = listing(
        json!([{"name": "X Key", "in": "header"}, {"name": "y", "in": "nowhere"}]),
        json!({"$ref": "#/components/schemas/None"}),
        json!({"Thing": {"type": "strin"}, "More": {"properties": {"a": {"$ref": "b.yaml"}}}}),
    );
    document["paths"]["/{"] = json!({"get": {}});
    insta::assert_snapshot!(fault_of(&document));
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let dir = TempDir::new().unwrap();
    let spec = dir.path().join("spec.json");
    let good = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    fs::write(&spec, good.to_string()).unwrap();
    let told = |out: &Path| {
        let done = regen(&spec, out);
        let told = String::from_utf8(done.stderr).unwrap();
        (done.status.code(), told.lines().next().unwrap_or_default().to_owned())
    };

    // The folder contains a crate that a person wrote.
    let theirs = dir.path().join("theirs");
    fs::create_dir_all(theirs.join("src/generated")).unwrap();
    fs::write(theirs.join("Cargo.toml"), "[package]\nname = \"theirs\"\n").unwrap();
    let (code, reason) = told(&theirs);
    assert_eq!(code, Some(2));
    assert!(reason.contains("this command did not write"), "{reason}");
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 2);

    // The command accepts an empty folder, and a folder that it wrote before.
    let ours = dir.path().join("ours");
    fs::create_dir(&ours).unwrap();
    assert_eq!(told(&ours).0, Some(0));
    assert_eq!(told(&ours).0, Some(0));

    // Files that the generator did not write are kept.
    let note = ours.join("src/generated/notes.rs");
    fs::write(&note, "// by hand").unwrap();
    let (code, reason) = told(&ours);
    assert!(
        code == Some(2)
            && reason
                .contains("a folder of generated files contains a file that was not generated"),
        "{reason}"
    );
    assert!(note.exists());
    fs::remove_file(&note).unwrap();
    fs::create_dir(ours.join("src/generated/more")).unwrap();
    let (code, reason) = told(&ours);
    assert!(
        code == Some(2)
            && reason
                .contains("a folder of generated files contains a folder that was not generated"),
        "{reason}"
    );
}

#[test]
fn the_command_line_exits_with_2_on_wrong_arguments() {
    let told = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap().starts_with("error: "))
    };
    assert_eq!(told(&[]), (Some(2), true));
    assert_eq!(told(&["regen", "--spec", "a"]), (Some(2), true));
    assert_eq!(told(&["help"]), (Some(0), false));
    assert_eq!(told(&["regen", "--help"]), (Some(0), false));
    let dir = TempDir::new().unwrap();
    // The output path is a file instead of a folder.
    let spec = dir.path().join("spec.json");
    let good = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    fs::write(&spec, good.to_string()).unwrap();
    let done = regen(&spec, &spec);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().starts_with("error: "));
}

/// Tests valid documents with long chains of references, such as lists of lists. The generator must accept them.
#[test]
fn long_chains_of_references_are_followed() {
    let name = |n: usize| format!("A{n}");
    let reference = |n: usize| json!({"$ref": format!("#/components/schemas/A{n}")});
    let ends = |n: usize| n == 600;
    let rows: [(&str, &dyn Fn(usize) -> Value); 4] = [
        ("lists of lists", &|n| json!({"type": "array", "items": reference(n + 1)})),
        ("doubling lists", &|n| json!({"oneOf": [reference(n + 1), reference(n + 1)]})),
        (
            "doubling allOf",
            &|n| json!({"allOf": [reference(n + 1), reference(n + 1)], "properties": {"x": {}}}),
        ),
        (
            "records in records",
            &|n| json!({"type": "object", "properties": {"next": reference(n + 1)}}),
        ),
    ];

    for (what, row) in rows {
        let schemas: serde_json::Map<String, Value> = (0..=600)
            .map(|n| {
                let last = json!({"type": "object", "properties": {"end": {"type": "string"}}});
                (name(n), if ends(n) { last } else { row(n) })
            })
            .collect();
        let document = listing(json!([]), reference(0), Value::Object(schemas));
        let dir = TempDir::new().unwrap();
        let spec = dir.path().join("spec.json");
        fs::write(&spec, document.to_string()).unwrap();
        let done = regen(&spec, &dir.path().join("out"));
        let told = String::from_utf8_lossy(&done.stderr);

        assert_eq!(done.status.code(), Some(0), "{what}: {told}");
    }
}

/// Tests inputs that earlier versions of the generator accepted, although they silently changed or ignored a part of
/// the input. The generator must now report a fault for each of these inputs.
#[test]
fn what_would_change_an_operation_silently_is_a_fault() {
    let mut reference = listing(json!([]), json!({"type": "string"}), json!({}));
    reference["paths"]["/things"]["get"] = json!({"$ref": "things.yaml#/get"});
    let told = small::fault(&reference);
    assert!(told.contains("#/paths/~1things/get/$ref"), "{told}");
    assert!(told.contains("things.yaml#/get"), "{told}");

    let mut renamed = listing(json!([]), json!({"type": "string"}), json!({}));
    let mut other = renamed["paths"]["/things"]["get"].clone();
    other["operationId"] = "others-list".into();
    other["x-rename"] = "things-list".into();
    renamed["paths"]["/others"] = json!({"get": other});
    let told = small::fault(&renamed);
    assert!(told.contains("#/paths/~1others/get/x-rename"), "{told}");
    assert!(told.contains("/paths/~1things/get"), "{told}");
    // Two `x-rename` actions can also set equal names.
    renamed["paths"]["/things"]["get"]["x-rename"] = "things-list".into();
    let told = small::fault(&renamed);
    assert!(told.contains("#/paths/~1things/get/x-rename"), "{told}");

    let overlay = "overlay: 1.0.0\nactions:\n  - target: $\n    remove: true\n";
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("spec.json"), listing(json!([]), json!({}), json!({})).to_string())
        .unwrap();
    fs::write(dir.path().join("overlay.yaml"), overlay).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--spec"])
        .arg(dir.path().join("spec.json"))
        .arg("--overlay")
        .arg(dir.path().join("overlay.yaml"))
        .arg("--out")
        .arg(dir.path().join("out"))
        .output()
        .unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{told}");
    assert!(told.contains("overlay.yaml") && told.contains("the whole document"), "{told}");
}

/// Tests that the generated code selects a union's record by a constant field, such as `kind: "a"`. The report must
/// list a union if one value can match several of its records. An unused component must not become a type.
#[test]
fn unions_say_how_their_records_are_chosen_and_unused_components_leave_no_types() {
    let record = |kinds: Value, more: &str| {
        json!({"type": "object", "required": ["kind"], "properties": {
            "kind": {"type": "string", "enum": kinds}, more: {"type": "string"}}})
    };
    let choice = |names: &[&str]| {
        let shapes =
            names.iter().map(|name| json!({"$ref": format!("#/components/schemas/{name}")}));
        json!({"type": "object", "properties": {"m": {"oneOf": shapes.collect::<Vec<_>>()}}})
    };
    let schemas = |thing: Value| {
        json!({"Thing": thing, "A": record(json!(["a"]), "x"), "B": record(json!(["b"]), "y"),
            "Any": record(json!(["a", "b", "c"]), "z"), "Loose": {"properties": {"x": {"type": "string"}}}})
    };
    let thing = json!({"$ref": "#/components/schemas/Thing"});
    let with = |names: &[&str]| listing(json!([]), thing.clone(), schemas(choice(names)));
    let is_ambiguous = |document: &Value| {
        small::treated(document).report.contains("a value can match several records of a union")
    };

    // `Any` allows all constants of the other records, so it is selected last.
    let general = with(&["A", "B", "Any"]);
    let code = small::code(&general);
    assert!(code.contains(r#"A(A) [("kind", &["a"])]"#), "{code}");
    assert!(code.contains(r#"B(B) [("kind", &["b"])]"#) && code.contains("Any(Any),"), "{code}");
    assert!(is_ambiguous(&general) && is_ambiguous(&with(&["A", "Loose"])));
    assert!(!is_ambiguous(&with(&["A", "B"])));

    let mut unused = with(&["A", "B"]);
    unused["components"]["parameters"] = json!({"Sort": {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["up", "down"]}}});
    assert!(!small::treated(&unused).model.enums.values().any(|found| found.name.contains("Sort")));
}
