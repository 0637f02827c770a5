//! Bad input to the command itself: exit status 2, one fault with its place and a hint, and no
//! panic.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::small::{listing, thing};

fn regen(spec: &Path, out: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--spec"])
        .arg(spec)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap()
}

/// The fault of a file with these contents, without the folder.
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
     hint: name the file with the description
    ");

    insta::assert_snapshot!(fault("empty.json", ""), @"
    error: the file is empty
       at: empty.json
     hint: download the description again
    ");
    insta::assert_snapshot!(fault("blank.yaml", " \n\n"), @"
    error: the file is empty
       at: blank.yaml
     hint: download the description again
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
     hint: check the indentation at that line
    ");
    insta::assert_snapshot!(fault("tab.yaml", "openapi: 3.1.0\npaths:\n\t/a: {}"), @"
    error: not YAML: line 3 column 2: tabs disallowed within this context (block indentation)
       at: tab.yaml
     hint: check the indentation at that line
    ");

    insta::assert_snapshot!(fault("page.html", "<!DOCTYPE html>\n<html><body>404</body></html>"), @"
    error: this is not an object
       at: page.html#
     hint: name an OpenAPI description
    ");
}

#[test]
fn a_document_that_is_not_openapi_3_is_a_fault() {
    insta::assert_snapshot!(fault("list.json", "[]"), @"
    error: this is not an object
       at: list.json#
     hint: name an OpenAPI description
    ");
    insta::assert_snapshot!(fault("text.yaml", "hello"), @"
    error: this is not an object
       at: text.yaml#
     hint: name an OpenAPI description
    ");

    insta::assert_snapshot!(fault("swagger.json", r#"{"swagger": "2.0", "paths": {}}"#), @"
    error: this is Swagger 2, not OpenAPI 3
       at: swagger.json#/swagger
     hint: ask the publisher for OpenAPI 3, or convert the document first
    ");
    insta::assert_snapshot!(fault("number.yaml", "openapi: 3.1\npaths: {}"), @"
    error: the version is not a text
       at: number.yaml#/openapi
     hint: write it in quotes, with all its parts: '3.1.0'
    ");

    insta::assert_snapshot!(fault("new.json", r#"{"openapi": "4.0.0", "paths": {}}"#), @"
    error: OpenAPI 4.0.0 is not supported
       at: new.json#/openapi
     hint: 3.0 and 3.1 are; a 3.2 document that uses nothing new may say 3.1.0 instead
    ");
    insta::assert_snapshot!(fault("schema.json", r#"{"type": "object"}"#), @"
    error: the member `openapi` with the version is missing
       at: schema.json#/openapi
     hint: name an OpenAPI description; an overlay or a JSON Schema is not one
    ");

    insta::assert_snapshot!(fault("bare.json", r#"{"openapi": "3.0.3", "paths": {}}"#), @"
    error: missing field `info`
       at: bare.json#
     hint: compare this place with the OpenAPI specification
    ");
}

/// Documents that are small on disk and would not be in memory.
#[test]
fn deeply_nested_and_exploding_documents_are_faults() {
    let deep =
        format!("{{\"openapi\": \"3.0.3\", \"x\": {}1{}}}", "[".repeat(5000), "]".repeat(5000));
    insta::assert_snapshot!(fault("deep.json", deep), @"
    error: not JSON: recursion limit exceeded at line 1 column 153
       at: deep.json
     hint: check whether the file is complete
    ");

    let deep = format!("openapi: 3.0.3\nx: {}1{}", "[".repeat(5000), "]".repeat(5000));
    insta::assert_snapshot!(fault("deep.yaml", deep), @"
    error: not YAML: line 2 column 259: recursion limit exceeded
       at: deep.yaml
     hint: check the indentation at that line
    ");

    let mut laughs = "openapi: 3.0.3\na0: &a0 [lol, lol]\n".to_owned();
    for level in 1..40 {
        laughs.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1));
    }

    insta::assert_snapshot!(fault("laughs.yaml", laughs), @"
    error: not YAML: line 12 column 22: budget breached: Nodes { nodes: 250001 } at line 2, column 15 (defined at line 2, column 9) at line 1
       at: laughs.yaml
     hint: check the indentation at that line
    ");
}

#[test]
fn a_reference_that_leads_nowhere_or_in_a_circle_is_a_fault() {
    let none = json!({"$ref": "#/components/schemas/None"});
    insta::assert_snapshot!(fault_of(&listing(json!([]), none, json!({}))), @"
    error: `#/components/schemas/None` is not in the document
       at: spec.json#/paths/~1things/get/responses/200/content/application~1json/schema/$ref
     hint: define the schema under `components.schemas`, or ask the publisher for a whole document
    ");

    let elsewhere = json!({"$ref": "other.yaml#/Thing"});
    insta::assert_snapshot!(fault_of(&listing(json!([]), elsewhere, json!({}))), @"
    error: `other.yaml#/Thing` is not in the document
       at: spec.json#/paths/~1things/get/responses/200/content/application~1json/schema/$ref
     hint: define the schema under `components.schemas`, or ask the publisher for a whole document
    ");

    let parameter = json!([{"$ref": "#/components/parameters/None"}]);
    insta::assert_snapshot!(fault_of(&listing(parameter, json!({}), json!({}))), @"
    error: `#/components/parameters/None` is not in the document
       at: spec.json#/paths/~1things/get/parameters/0
     hint: define it under `components`, or ask the publisher for a whole document
    ");

    let circle = json!({
        "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
        "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}});
    insta::assert_snapshot!(fault_of(&listing(json!([]), json!({}), circle)), @"
    error: `A` is made of itself through `B`
       at: spec.json#/components/schemas/A
     hint: break the circle of `allOf`, `oneOf` or `$ref`
    ");
}

#[test]
fn a_construct_that_is_not_supported_is_a_fault_at_its_place() {
    let query = |more: Value| {
        let mut parameter = json!({"name": "q", "in": "query", "schema": {"type": "string"}});
        parameter.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        listing(json!([parameter]), json!({}), json!({}))
    };

    insta::assert_snapshot!(fault_of(&query(json!({"in": "cookie"}))), @"
    error: parameters in cookie are not supported
       at: spec.json#/paths/~1things/get/parameters/0/in
     hint: remove it in the overlay if calls do without it
    ");
    insta::assert_snapshot!(fault_of(&query(json!({"style": "deepObject"}))), @"
    error: the style `deepObject` is not supported
       at: spec.json#/paths/~1things/get/parameters/0/style
     hint: form and simple are; change it in the overlay if the service takes those too
    ");

    insta::assert_snapshot!(fault_of(&query(json!({"schema": {"type": "object"}}))), @"
    error: `q` is not a plain value
       at: spec.json#/paths/~1things/get/parameters/0
     hint: parameters are texts, numbers, flags or lists; change it in the overlay
    ");
    insta::assert_snapshot!(fault_of(&query(json!({"in": "header", "name": "X Key"}))), @"
    error: `X Key` cannot be the name of a header
       at: spec.json#/paths/~1things/get/parameters/0/name
     hint: compare with the service; header names are letters, digits and `-`
    ");

    let mut form = thing(json!({"type": "object", "properties": {"a": {}}}));
    form["paths"]["/things"]["get"]["requestBody"] =
        json!({"content": {"multipart/form-data": {"schema": {"type": "object"}}}});
    insta::assert_snapshot!(fault_of(&form), @r#"
    error: a body of ["multipart/form-data"]
       at: spec.json#/paths/~1things/get/requestBody/content
     hint: only `application/json` is supported; keep that one in the overlay
    "#);

    let mut shared = thing(json!({"type": "object", "properties": {"a": {}}}));
    shared["paths"]["/shared"] = json!({"$ref": "#/components/pathItems/Shared"});
    insta::assert_snapshot!(fault_of(&shared), @"
    error: a path item that is a reference
       at: spec.json#/paths/~1shared
     hint: write the path item in place
    ");

    let mut failing = thing(json!({"type": "object", "properties": {"a": {}}}));
    failing["paths"]["/things"]["get"]["responses"] = json!({"default": {"description": "e"}});
    insta::assert_snapshot!(fault_of(&failing), @"
    error: there is no answer of success
       at: spec.json#/paths/~1things/get/responses
     hint: name its status, such as 200, in the overlay; `default` does for errors only
    ");
}

#[test]
fn the_command_line_exits_with_2_on_wrong_arguments() {
    let told = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
        (
            done.status.code(),
            String::from_utf8(done.stderr).unwrap().contains("cargo xtask COMMAND"),
        )
    };
    assert_eq!(told(&[]), (Some(2), true));
    assert_eq!(told(&["regen", "--spec", "a"]), (Some(2), true));
    assert_eq!(told(&["help"]), (Some(0), false));
    let dir = TempDir::new().unwrap();
    // A file where the folder should be.
    let spec = dir.path().join("spec.json");
    let good = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    fs::write(&spec, good.to_string()).unwrap();
    let done = regen(&spec, &spec);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().starts_with("error: "));
}

/// What looks like a bomb and is none: it is taken, with what had to be given up in the report.
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
