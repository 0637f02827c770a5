//! Tests OpenAPI documents with random changes. The generator must write code or return a fault, and must never
//! panic.

use proptest::prelude::*;
use serde_json::{Value, json};
use xtask::regen;

/// Returns a small valid OpenAPI document with many different constructs.
fn description() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Small", "version": "1"},
        "tags": [{"name": "Things", "description": "Things."}],

        "paths": {
            "/things/{id}/{part}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "get": {
                    "operationId": "things-get", "tags": ["Things"], "summary": "One",
                    "x-paging": {"kind": "cursor", "limit": "limit", "cursor": "cursor"},
                    "x-credits": 2, "x-identifiers": [{"at-least-one": ["limit", "cursor"]}],
                    "parameters": [
                        {"name": "part", "in": "path", "required": true, "schema": {"type": "string"}},
                        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}},
                        {"name": "cursor", "in": "query", "schema": {"type": "string"}},
                        {"name": "X-Trace", "in": "header", "schema": {"type": "boolean"}},
                        {"name": "side", "in": "query", "schema": {"type": "string", "enum": ["a", "A", "1m", "1M"], "x-enum-names": {"A": "BigA"}}},
                        {"name": "ids", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}}],
                    "responses": {
                        "200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}},
                        "default": {"description": "e", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}}}}},

            "/things": {"post": {
                "operationId": "things-make", "tags": ["Things"], "deprecated": true,
                "requestBody": {"required": true, "content": {"application/json": {"schema": {
                    "type": "object", "required": ["name"], "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "stream": {"type": "boolean", "default": false},
                        "parts": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}}}}}}},
                "responses": {"200": {"description": "ok", "content": {
                    "application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}},
                    "text/event-stream": {"schema": {"type": "string"}}}}}}}
        },

        "components": {
            "parameters": {"Id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}},
            "schemas": {
                "Page": {"type": "object", "additionalProperties": false, "required": ["data", "meta"], "properties": {
                    "data": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Thing"}},
                    "meta": {"$ref": "#/components/schemas/Meta"}}},
                "Meta": {"type": "object", "properties": {
                    "next_cursor": {"type": "string"}, "credits_used": {"type": "integer"}}},
                "Thing": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"properties": {
                    "at": {"type": "integer", "x-native": "UnixSeconds"},
                    "map": {"type": "object", "additionalProperties": {"type": "number"}},
                    "kind": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string"}]},
                    "either": {"oneOf": [{"type": "string"}, {"type": "null"}]},
                    "children": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}]},
                "Named": {"type": "object", "required": ["name"], "properties": {"name": {"$ref": "#/components/schemas/Name"}}},
                "Name": {"type": "string", "maxLength": 10, "examples": ["n"]},
                "Fault": {"type": "object", "properties": {"error": {"type": "object", "properties": {"code": {"const": "x"}}}}}}}
    })
}

pub(crate) fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(member, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// Texts that a generator could confuse with names, code, JSON pointers or Markdown.
const ODD_TEXTS: &[&str] = &[
    "",
    " ",
    "self",
    "Self",
    "type",
    "new",
    "a-b",
    "A B",
    "1m",
    "\u{e9}\u{1f600}",
    "}{",
    "/",
    "//",
    "#",
    "\"",
    "\\",
    "```",
    "a\nb\r",
    "\u{202e}",
    "Option",
    "UnixSeconds",
    "things-get",
    "shared",
    "string",
    "integer",
    "array",
    "object",
    "path",
    "{id}",
    "#/components/schemas/Thing",
    "#/components/schemas/Page",
    "#/components/parameters/Id",
    "#/paths",
    "#/",
];

/// Returns values to insert into a document: values of wrong types, empty values, unusual texts, and parts of the
/// document.
pub(crate) fn replacements(document: &Value, all: &[String]) -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!([]),
        json!({}),
        json!([{}]),
        json!([null]),
        json!({"": {}}),
        json!({"self": {"type": "string"}, "new": {}}),
    ];

    values.extend(ODD_TEXTS.iter().map(|text| json!(text)));

    values.extend(all.iter().filter_map(|pointer| document.pointer(pointer)).cloned());
    values
}

/// Changes the value at a JSON pointer. If `how` is 0, removes the value. If `how` is 1, renames an object's field to
/// the text `with`, or appends `with` to an array. Otherwise, replaces the value by `with`.
pub(crate) fn change(document: &mut Value, pointer: &str, how: u8, with: &Value) {
    let Some((parent, token)) = pointer.rsplit_once('/') else {
        *document = with.clone();
        return;
    };
    let token = token.replace("~1", "/").replace("~0", "~");

    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            let old = members.remove(&token).unwrap_or_default();
            match (how, with) {
                (0, _) => {}
                (1, Value::String(name)) => {
                    members.insert(name.clone(), old);
                }
                _ => {
                    members.insert(token, with.clone());
                }
            }
        }

        Some(Value::Array(items)) => {
            let index = token.parse::<usize>().unwrap();
            match how {
                0 => {
                    items.remove(index);
                }
                1 => items.push(with.clone()),
                _ => items[index] = with.clone(),
            }
        }
        _ => {}
    }
}

#[test]
fn the_whole_one_is_taken() {
    let output =
        regen::run_in_memory(vec![description()], None).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(output.model.operations.len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_one_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..3u8, any::<prop::sample::Index>()), 1..3),
    ) {
        let mut document = description();
        let mut all = Vec::new();
        pointers(&document, "", &mut all);
        let values = replacements(&document, &all);
        for (part, how, value) in &changes {
            let mut left = Vec::new();
            pointers(&document, "", &mut left);
            change(&mut document, part.get::<String>(&left), *how, value.get(&values));
        }
        // If our checks miss a fault, typify or the check of the generated names fails, and the message asks for a bug
        // report.
        if let Err(fault) = regen::run_in_memory(vec![document.clone()], None) {
            let told = fault.to_string();
            prop_assert!(!told.contains("please report"), "{told}\n{document:#}");
        }
    }
}

/// Removes each part of the document in turn. Each time, the code or the report must change, or the generator must
/// return a fault. The function [`granted`] decides which parts are exceptions.
#[test]
fn no_part_can_be_taken_out_unnoticed() {
    let document = everything();
    let run = |document: &Value| {
        regen::run_in_memory(vec![document.clone()], None)
            .map(|output| (output.sources, output.report))
            .map_err(|faults| faults.to_string())
    };
    let whole = run(&document);
    assert!(whole.is_ok(), "{whole:?}");
    let mut all = Vec::new();
    pointers(&document, "", &mut all);
    let silent: Vec<&String> = all
        .iter()
        .skip(1)
        .filter(|pointer| {
            let mut less = document.clone();
            change(&mut less, pointer, 0, &Value::Null);
            run(&less) == whole
        })
        .collect();
    let silent: Vec<_> =
        silent.into_iter().filter(|pointer| !granted(&document, pointer)).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

/// Returns true if the removal of the part at this JSON pointer is allowed to leave the generator's output unchanged.
/// For example, the part is inside `servers`, which the client does not use. Another example is a `type` that other
/// keywords imply: `items` implies `array`.
fn granted(document: &Value, pointer: &str) -> bool {
    const WHOLE: &[&str] = &[
        "/servers/",
        "/security/",
        "/externalDocs/",
        "/webhooks/",
        "/callbacks/",
        "/links/",
        "/headers/",
        "/info/contact/",
        "/info/license/",
        "/components/securitySchemes/",
        "/xml/",
        "/responses/default/",
        "/responses/404/",
        "text~1event-stream/schema/",
    ];

    if WHOLE.iter().any(|part| pointer.contains(part)) {
        return true;
    }
    // Records that only error responses use.
    if pointer.starts_with("/components/schemas/Fault/") {
        return true;
    }

    let holder = pointer.rsplit_once("/type").map(|(holder, _)| holder);
    let Some(schema) = holder.and_then(|holder| document.pointer(holder)) else { return false };

    let implied = ["properties", "items", "additionalProperties", "enum", "x-native"]
        .iter()
        .any(|keyword| schema.get(*keyword).is_some());
    // A parameter without a type is a string.
    let parameter = pointer.contains("/parameters/") && schema["type"] == "string";
    // The field `stream` is a constant that the client sets, so its type has no effect.
    let constant = pointer.ends_with("/stream/type");

    implied || parameter || constant
}

/// Returns the OpenAPI document of `description()`, extended by many optional fields, such as `callbacks`. Some added
/// fields are not defined in OpenAPI, such as the misspelt `requird`.
fn everything() -> Value {
    let mut document = description();
    document["servers"] = json!([{"url": "https://a.example"}]);
    document["security"] = json!([{"key": []}]);
    document["externalDocs"] = json!({"url": "https://a.example"});
    document["info"]["contact"] = json!({"name": "c"});
    document["info"]["license"] = json!({"name": "l"});
    document["tags"][0]["externalDocs"] = json!({"url": "https://a.example"});
    document["tags"].as_array_mut().unwrap().push(json!({"name": "Unused"}));
    document["webhooks"] = json!({"made": {"post": {}}});
    document["components"]["securitySchemes"] = json!({"key": {"type": "http", "scheme": "bearer"}, "other": {"type": "apiKey", "in": "header", "name": "X"}});

    let get = &mut document["paths"]["/things/{id}/{part}"]["get"];
    get["servers"] = json!([{"url": "https://a.example"}]);
    get["security"] = json!([]);
    get["callbacks"] = json!({"c": {}});
    get["externalDocs"] = json!({"url": "https://a.example"});
    get["description"] = "Words.".into();
    get["parameters"][1]["deprecated"] = true.into();
    get["parameters"][1]["example"] = 4.into();
    get["parameters"][5]["schema"]["items"]["maxLength"] = 9.into();
    get["responses"]["200"]["headers"] = json!({"X-Rate": {"schema": {"type": "integer"}}});
    get["responses"]["200"]["links"] = json!({"next": {}});
    get["responses"]["200"]["content"]["application/json"]["example"] = json!({});
    get["responses"]["404"] = json!({"description": "none"});

    document["x-root"] = 1.into();
    let post = &mut document["paths"]["/things"]["post"];
    post["requestBody"]["description"] = "Words about a body.".into();
    post["requestBody"]["strict"] = true.into();
    document["paths"]["/things/{id}/{part}"]["get"]["parameters"][1]["requird"] = true.into();
    document["components"]["schemas"]["Name"]["deprecated"] = true.into();

    let named = &mut document["components"]["schemas"]["Named"];
    named["deprecated"] = true.into();
    named["title"] = "T".into();
    named["externalDocs"] = json!({"url": "https://a.example"});
    named["minProperties"] = 1.into();
    named["properties"]["old"] = json!({"type": "string", "deprecated": true, "readOnly": true, "pattern": "^a",
        "minLength": 1, "default": "a", "xml": {"name": "o"}, "format": "uuid", "x-order": 1});
    named["properties"]["level"] = json!({"type": "integer", "enum": [1, 2], "multipleOf": 1});
    named["properties"]["list"] =
        json!({"type": "array", "minItems": 1, "uniqueItems": true, "items": {"type": "string"}});

    document
}
