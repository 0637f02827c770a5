//! Tests `regen --spec FILE --out DIR` with OpenAPI documents of other services. The output must compile without
//! warnings, with all features and without any.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Asserts that `cargo xtask regen --spec FILE --out DIR` generates a crate from an OpenAPI document, and that the
/// crate compiles.
#[track_caller]
fn compiles(name: &str, description: &str) {
    let dir = TempDir::new().unwrap();
    let (spec, out) = (dir.path().join(name), dir.path().join("crate"));
    fs::write(&spec, description).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--spec"])
        .arg(&spec)
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(out.join("REPORT.md").exists());
    cargo(&out, &["check", "--all-features"]);
    cargo(&out, &["check", "--no-default-features"]);
    // rustdoc reports broken links, invalid HTML tags, and texts that look like links.
    cargo(&out, &["doc", "--no-deps"]);
}

#[track_caller]
fn cargo(dir: &Path, arguments: &[&str]) {
    let done = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--offline"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/elsewhere"))
        .env("RUSTFLAGS", "-D warnings")
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_3_0_document_in_yaml_becomes_a_crate_that_compiles() {
    compiles(
        "weather.yaml",
        r##"
openapi: 3.0.3
info: {title: "Weather [beta] <i>", version: "2026-01"}
tags:
  - {name: Stations, description: "Where it is measured, see https://weather.example/map."}
paths:
  /stations:
    parameters:
      - $ref: '#/components/parameters/Limit'
    get:
      operationId: listStations
      tags: [Stations]
      summary: List [all] stations
      description: |
        Stations by distance.

            indented, which is no code

        ```
        fn not_rust(
        ```
      parameters:
        - {name: offset, in: query, schema: {type: integer, format: int32, minimum: 0, default: 0}}
        - {name: kinds, in: query, explode: false, schema: {type: array, items: {type: string, enum: [rain, wind]}}}
        - {name: X-Trace-Id, in: header, schema: {type: string, format: uuid}}
      responses:
        '200':
          description: Stations.
          content:
            application/json; charset=utf-8:
              schema: {$ref: '#/components/schemas/StationPage'}
        default:
          description: An error.
          content:
            application/json: {schema: {$ref: '#/components/schemas/Problem'}}
  /stations/{id}:
    delete:
      operationId: removeStation
      tags: [Stations]
      summary: Remove a station
      deprecated: true
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Gone.}}
components:
  parameters:
    Limit: {name: limit, in: query, description: "Rows `1..=100`.", schema: {type: integer, minimum: 1, maximum: 100}}
  schemas:
    StationPage:
      type: object
      required: [data, meta]
      additionalProperties: false
      properties:
        data: {type: array, items: {$ref: '#/components/schemas/Station'}}
        meta: {$ref: '#/components/schemas/Meta'}
    Meta: {type: object, properties: {total: {type: integer}, has_more: {type: boolean}}}
    Station:
      type: object
      required: [id, type, position]
      properties:
        id: {type: string}
        type: {type: string, enum: [rain, wind, self]}
        position: {$ref: '#/components/schemas/Position'}
        neighbours: {type: array, nullable: true, items: {$ref: '#/components/schemas/Station'}}
        readings: {type: object, additionalProperties: {type: number}}
    Position: {type: array, items: {type: number}}
    Problem: {type: object, properties: {message: {type: string}}}
"##,
    );
}

#[test]
fn a_3_1_document_in_json_becomes_a_crate_that_compiles() {
    compiles(
        "library.json",
        r##"{
  "openapi": "3.1.0",
  "info": {"title": "Library", "version": "1.0.0", "summary": "Books"},
  "paths": {
    "/books/{isbn}": {"get": {
      "operationId": "get-book", "tags": ["Books & More"], "summary": "One book",
      "parameters": [{"name": "isbn", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^[0-9]+$"}}],
      "responses": {"200": {"description": "The book.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}},
        "404": {"description": "None.", "content": {"application/json": {"schema": {"type": "string"}}}}}}},
    "/ask": {"post": {
      "operationId": "ask", "tags": ["Desk"], "summary": "Ask the librarian",
      "requestBody": {"required": true, "content": {"application/json": {"schema": {
        "type": "object", "required": ["question"], "properties": {
          "question": {"type": "string", "minLength": 1},
          "stream": {"type": "boolean", "default": false}}}}}},
      "responses": {"200": {"description": "The answer.", "content": {
        "application/json": {"schema": {"type": "object", "properties": {"text": {"type": ["string", "null"]}}}},
        "text/event-stream": {"schema": {"type": "string"}}}}}}}
  },
  "components": {"schemas": {
    "Book": {"type": "object", "required": ["title", "lent"], "additionalProperties": false, "properties": {
      "title": {"type": "string", "examples": ["Faust"]},
      "kind": {"const": "book"},
      "lent": {"type": ["integer", "null"], "exclusiveMinimum": 0, "format": "int64"},
      "copies": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
      "format": {"anyOf": [{"type": "string", "enum": ["A4", "a4"], "x-enum-names": {"a4": "SmallA4"}}, {"type": "string"}]},
      "similar": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Book"}},
      "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
      "anything": true}}}}
}"##,
    );
}

#[test]
fn objects_without_names_and_an_optional_body_compile() {
    compiles(
        "orders.yaml",
        r##"
openapi: 3.0.1
info: {title: Orders, version: "3"}
paths:
  /orders:
    post:
      operationId: orders.create
      tags: [orders]
      summary: Create orders
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - $ref: '#/components/schemas/Dated'
                - type: object
                  required: [lines]
                  properties:
                    lines:
                      type: array
                      items:
                        type: object
                        required: [article]
                        properties:
                          article: {type: string}
                          price: {type: object, properties: {amount: {type: number}, currency: {type: string, enum: [EUR, USD]}}}
                    note: {type: string, nullable: true, default: none}
                    labels: {type: object, additionalProperties: {type: string}}
                    tags: {type: array, items: {type: string}}
      responses:
        '201':
          description: Created.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  properties:
                    number: {type: integer}
                    state: {type: string, enum: [open, closed]}
                    lines: {type: array, items: {type: object, properties: {article: {type: string}}}}
        '400': {description: Wrong., content: {application/json: {schema: {type: object, properties: {why: {type: string}}}}}}
        '503': {description: Busy., content: {text/plain: {schema: {type: string}}}}
components:
  schemas:
    Dated: {type: object, required: [day], properties: {day: {type: string, format: date}}}
"##,
    );
}
