//! Valid OpenAPI constructs of other services that an earlier version of the generator rejected. The test in
//! `corpus.rs` now generates code for these constructs, and compiles the code.

use std::path::Path;

use serde_json::{Value, json};
use xtask::load;

use crate::small::{listing, thing};

/// Test case: a name such as `YAML: 300 aliases of one anchor`, an OpenAPI document, and samples. A sample is a record
/// name and a JSON value of this record. Decoding and encoding must not change the value.
pub(crate) type Row = (&'static str, Value, &'static [(&'static str, &'static str)]);

const RECORD: &[(&str, &str)] = &[("Thing", r#"{"a":"b"}"#)];

pub(crate) fn rows() -> Vec<Row> {
    vec![
        ("YAML: a quoted text that continues one space deeper than its key", continued(), RECORD),
        ("YAML: 300 aliases of one anchor", aliases(), RECORD),
        ("components: members that begin with x-", extended(), RECORD),
        ("a reference in a media type", in_media_type(), RECORD),
        ("a path that is only a reference to components", path_reference(), RECORD),
        ("names that are equal in Rust: components", equal_components(), RECORD),
        ("names that are equal in Rust: operations and fields", equal_operations(), RECORD),
        ("names that are equal in Rust: a component and a request", equal_to_request(), RECORD),
    ]
}

fn record() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string"}}})
}

fn yaml(text: &str) -> Value {
    load::described(Path::new("a.yaml"), text).unwrap_or_else(|fault| panic!("{fault}"))
}

fn continued() -> Value {
    yaml(
        "openapi: 3.0.3
info:
  title: 'A title
   that goes on'
  version: \"1\"
paths:
  /things:
    get:
      summary: \"A text
       of two lines,

       and more\"
      responses:
        '200':
          description: 'is
           good'
          content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
components:
  schemas:
    Thing:
      type: object
      properties:
        a: {type: string}
",
    )
}

fn aliases() -> Value {
    let mut text = "openapi: 3.0.3
info: {title: A, version: '1'}
components:
  schemas:
    Thing: {type: object, properties: {a: &text {type: string, description: A text.}}}
    Wide:
      type: object
      properties:
"
    .to_owned();
    for number in 0..300 {
        text.push_str(&format!("        m{number}: *text\n"));
    }
    text.push_str(
        "paths:
  /things:
    get:
      responses:
        '200':
          description: good
          content:
            application/json:
              schema: {type: object, properties: {t: {$ref: '#/components/schemas/Thing'}, w: {$ref: '#/components/schemas/Wide'}}}
",
    );
    yaml(&text)
}

fn extended() -> Value {
    let mut document = thing(record());
    document["components"]["x-stoplight"] = json!({"id": "a"});
    document["components"]["x-examples"] = json!([1, 2]);
    document["x-tagGroups"] = json!([{"name": "All", "tags": []}]);
    document
}

fn in_media_type() -> Value {
    let mut document = thing(record());
    let good = json!({"description": "good", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}});
    document["components"]["responses"] = json!({"Good": good});
    let answer = &mut document["paths"]["/things"]["get"]["responses"]["200"];
    answer["content"] = json!({"application/json": {"$ref": "#/components/responses/Good/content/application~1json"}});
    document
}

fn path_reference() -> Value {
    let mut document = thing(record());
    document["openapi"] = "3.1.0".into();
    let path = document["paths"]["/things"].take();
    document["components"]["pathItems"] = json!({"Things": path});
    document["paths"]["/things"] = json!({"$ref": "#/components/pathItems/Things"});
    document
}

fn equal_components() -> Value {
    let named = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"},
        "b": named("thing_row"), "c": named("ThingRow"), "d": named("thing.row")}}));
    for (name, field) in [("thing_row", "p"), ("ThingRow", "q"), ("thing.row", "r")] {
        document["components"]["schemas"][name] =
            json!({"type": "object", "properties": {field: {"type": "string"}}});
    }
    document
}

fn equal_operations() -> Value {
    let mut document = thing(json!({"type": "object", "properties": {
        "a": {"type": "string"}, "fooBar": {"type": "string"}, "foo_bar": {"type": "string"}, "foo-bar": {"type": "string"}}}));
    let get = document["paths"]["/things"]["get"].clone();
    for (path, id) in [("/one", "listThings"), ("/two", "list_things"), ("/three", "list-things")] {
        let mut operation = get.clone();
        operation["operationId"] = id.into();
        operation["parameters"] = json!([
            {"name": "fooBar", "in": "query", "schema": {"type": "string"}},
            {"name": "foo_bar", "in": "query", "schema": {"type": "string"}}]);
        document["paths"][path] = json!({"get": operation});
    }
    document
}

fn equal_to_request() -> Value {
    let schemas = json!({
        "Thing": record(),
        "ListThingsRequest": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/Thing"}}}});
    let reference = json!({"$ref": "#/components/schemas/ListThingsRequest"});
    let mut document = listing(json!([]), reference, schemas);
    document["paths"]["/things"]["get"]["operationId"] = "list-things".into();
    document
}
