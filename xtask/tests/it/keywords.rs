//! Each keyword of OpenAPI 3.0 and 3.1 and of JSON Schema 2020-12, at each location where it is valid.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use xtask::facts::Facts;
use xtask::regen;

/// Returns a description with all locations at which a keyword is tested.
fn base(version: &str) -> Value {
    let text = json!({"type": "string"});
    json!({
        "openapi": version,
        "info": {"title": "T", "version": "1", "contact": {"name": "c"}, "license": {"name": "l"}},
        "servers": [{"url": "https://a.example/{v}", "variables": {"v": {"default": "1"}}}],
        "tags": [{"name": "Things"}],
        "externalDocs": {"url": "https://a.example"},
        "paths": {"/things/{id}": {
            "get": {
                "operationId": "things-get", "tags": ["Things"], "summary": "One",
                "parameters": [
                    {"name": "id", "in": "path", "required": true, "schema": text},
                    {"name": "q", "in": "query", "schema": text},
                    {"name": "n", "in": "query", "schema": {"type": "integer"}},
                    {"name": "list", "in": "query", "schema": {"type": "array", "items": text}},
                    {"name": "X-Trace", "in": "header", "schema": text},
                    {"name": "o", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}],
                "responses": {
                    "200": {"description": "", "headers": {"X-Rate": {"schema": {"type": "integer"}}},
                        "links": {"next": {"operationId": "things-get"}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                    "default": {"description": "e", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}}},
                "callbacks": {"done": {"{$request.body#/url}": {"post": {"responses": {"200": {"description": "ok"}}}}}}},
            "post": {
                "operationId": "things-make", "tags": ["Things"], "summary": "Make",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": text}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}},
                "responses": {"204": {"description": "none"}}},
            "put": {
                "operationId": "things-file", "tags": ["Things"], "summary": "File",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": text}],
                "requestBody": {"content": {"multipart/form-data": {
                    "schema": {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}},
                    "encoding": {"f": {"contentType": "image/png"}}}}},
                "responses": {"204": {"description": "none"}}}}},
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"},
                "login": {"type": "oauth2", "flows": {"password": {"tokenUrl": "https://a.example", "scopes": {}}}}},
            "schemas": {
                "Thing": {"type": "object", "required": ["name"], "properties": {
                    "name": text, "n": {"type": "integer"}, "x": {"type": "number"},
                    "list": {"type": "array", "items": text}, "map": {"type": "object", "additionalProperties": text},
                    "inner": {"$ref": "#/components/schemas/Inner"},
                    "open": {}, "kind": {"type": "string", "enum": ["a", "b"]},
                    "either": {"oneOf": [{"$ref": "#/components/schemas/Inner"}, {"$ref": "#/components/schemas/Body"}]}}},
                "Inner": {"type": "object", "properties": {"a": text}},
                "Body": {"type": "object", "required": ["t"], "properties": {"t": text, "b": {"type": "integer"}}},
                "Fault": {"type": "object", "properties": {"code": text}}}}
    })
}

const GET: &str = "/paths/~1things~1{id}/get";
const POST: &str = "/paths/~1things~1{id}/post";
const PUT: &str = "/paths/~1things~1{id}/put";

/// Lists the tested locations, each with its JSON pointer and its valid keywords.
fn places() -> Vec<(&'static str, String, Value)> {
    let docs = json!({"url": "https://b.example", "description": "d"});
    let servers = json!([{"url": "https://b.example"}]);
    let parameter = json!({
        "description": "d", "required": true, "deprecated": true, "allowEmptyValue": true, "style": "form",
        "explode": false, "allowReserved": true, "example": "e", "examples": {"one": {"value": "e"}},
        "x-own": 1, "requird": true});
    let text = json!({
        "title": "t", "description": "d", "default": "a", "deprecated": true, "readOnly": true, "writeOnly": true,
        "example": "a", "examples": ["a"], "format": "uuid", "pattern": "^a", "minLength": 1, "maxLength": 3,
        "enum": ["a", "b"], "const": "a", "nullable": true, "externalDocs": docs, "xml": {"name": "o"},
        "contentEncoding": "base64", "contentMediaType": "image/png", "contentSchema": {},
        "$comment": "c", "$id": "https://b.example/i", "$anchor": "a", "$dynamicAnchor": "a", "$defs": {"d": {}},
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": {},
        "allOf": [{"minLength": 2}], "anyOf": [{"minLength": 2}, {"maxLength": 5}],
        "oneOf": [{"minLength": 2}, {"maxLength": 1}], "not": {"const": "z"},
        "if": {"minLength": 2}, "then": {"maxLength": 5}, "else": {"maxLength": 1}, "x-own": 1, "tipe": "string"});
    let number = json!({
        "format": "int32", "minimum": 1, "maximum": 9, "exclusiveMinimum": 0, "exclusiveMaximum": 10, "multipleOf": 2,
        "enum": [1, 2], "const": 1, "default": 1, "nullable": true});
    let list = json!({
        "items": {"type": "integer"}, "prefixItems": [{"type": "string"}], "contains": {"type": "string"},
        "minContains": 1, "maxContains": 2, "minItems": 1, "maxItems": 2, "uniqueItems": true,
        "unevaluatedItems": false, "nullable": true, "default": ["a"]});
    let object = json!({
        "title": "t", "description": "d", "deprecated": true, "readOnly": true, "writeOnly": true, "nullable": true,
        "required": ["a"], "additionalProperties": {"type": "integer"}, "patternProperties": {"^x-": {"type": "string"}},
        "propertyNames": {"pattern": "^a"}, "minProperties": 1, "maxProperties": 9, "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"a": {}}, "unevaluatedProperties": false, "externalDocs": docs, "xml": {"name": "o"},
        "example": {"a": "b"}, "examples": [{"a": "b"}], "default": {"a": "b"}, "$comment": "c",
        "allOf": [{"type": "object", "properties": {"c": {"type": "string"}}}], "not": {"required": ["z"]},
        "discriminator": {"propertyName": "a"}, "x-own": 1});
    let media = json!({
        "example": {}, "examples": {"one": {"value": {}}}, "encoding": {"a": {"contentType": "text/plain"}}, "x-own": 1});
    let inner = "/components/schemas/Inner";
    let member = |name: &str| format!("/components/schemas/Thing/properties/{name}");
    let get = |rest: &str| format!("{GET}{rest}");
    vec![
        (
            "document",
            String::new(),
            json!({"security": [{"key": []}], "webhooks": {"w": {"post": {}}},
            "jsonSchemaDialect": "https://b.example", "x-own": 1, "pathz": {}}),
        ),
        (
            "info",
            "/info".into(),
            json!({"description": "d", "summary": "s", "termsOfService": "https://b.example", "x-own": 1}),
        ),
        (
            "contact",
            "/info/contact".into(),
            json!({"url": "https://b.example", "email": "a@b.example"}),
        ),
        (
            "licence",
            "/info/license".into(),
            json!({"url": "https://b.example", "identifier": "MIT"}),
        ),
        ("server", "/servers/0".into(), json!({"description": "d", "x-own": 1})),
        (
            "server variable",
            "/servers/0/variables/v".into(),
            json!({"enum": ["1", "2"], "description": "d"}),
        ),
        ("external docs", "/externalDocs".into(), json!({"description": "d"})),
        ("tag", "/tags/0".into(), json!({"description": "d", "externalDocs": docs, "x-own": 1})),
        (
            "components",
            "/components".into(),
            json!({"responses": {"R": {"description": "d"}}, "parameters": {"P": {"name": "p", "in": "query", "schema": {}}},
            "examples": {"E": {"value": 1}}, "requestBodies": {"B": {"content": {}}}, "headers": {"H": {"schema": {}}}, "links": {"L": {}},
            "callbacks": {"C": {}}, "pathItems": {"I": {}}, "x-own": 1}),
        ),
        (
            "path",
            "/paths/~1things~1{id}".into(),
            json!({"summary": "s", "description": "d", "servers": servers,
            "parameters": [{"name": "all", "in": "query", "schema": {"type": "string"}}], "x-own": 1}),
        ),
        (
            "operation",
            get(""),
            json!({"description": "d", "externalDocs": docs, "deprecated": true, "security": [], "servers": servers, "x-own": 1, "sumary": "s"}),
        ),
        (
            "path parameter",
            get("/parameters/0"),
            json!({"description": "d", "style": "label", "explode": true, "deprecated": true}),
        ),
        ("query parameter", get("/parameters/1"), parameter.clone()),
        (
            "list parameter",
            get("/parameters/3"),
            json!({"style": "pipeDelimited", "explode": false}),
        ),
        (
            "header parameter",
            get("/parameters/4"),
            json!({"description": "d", "required": true, "style": "simple", "explode": true}),
        ),
        ("content of a parameter", get("/parameters/5/content/application~1json"), media.clone()),
        ("text of a parameter", get("/parameters/1/schema"), text.clone()),
        ("number of a parameter", get("/parameters/2/schema"), number.clone()),
        ("list of a parameter", get("/parameters/3/schema"), list.clone()),
        (
            "request body",
            format!("{POST}/requestBody"),
            json!({"description": "d", "required": true, "x-own": 1, "strict": true}),
        ),
        (
            "media type of a body",
            format!("{POST}/requestBody/content/application~1json"),
            media.clone(),
        ),
        (
            "encoding",
            format!("{PUT}/requestBody/content/multipart~1form-data/encoding/f"),
            json!({"headers": {"H": {"schema": {}}}, "style": "form", "explode": true, "allowReserved": true}),
        ),
        ("response", get("/responses/200"), json!({"description": "d", "x-own": 1})),
        ("media type of a response", get("/responses/200/content/application~1json"), media),
        (
            "response header",
            get("/responses/200/headers/X-Rate"),
            json!({"description": "d", "required": true, "deprecated": true, "example": 1}),
        ),
        (
            "link",
            get("/responses/200/links/next"),
            json!({"parameters": {"id": "$response.body#/id"}, "requestBody": 1, "description": "d", "server": {"url": "https://b.example"}}),
        ),
        (
            "security scheme",
            "/components/securitySchemes/key".into(),
            json!({"description": "d", "bearerFormat": "JWT", "x-own": 1}),
        ),
        (
            "security flow",
            "/components/securitySchemes/login/flows/password".into(),
            json!({"refreshUrl": "https://b.example", "scopes": {"a": "b"}}),
        ),
        ("record", inner.into(), object.clone()),
        ("record of a body", "/components/schemas/Body".into(), object),
        ("text of a record", member("name"), text.clone()),
        ("text of a body", "/components/schemas/Body/properties/t".into(), text),
        ("number of a record", member("n"), number.clone()),
        ("number of a body", "/components/schemas/Body/properties/b".into(), number),
        ("list of a record", member("list"), list),
        (
            "map of a record",
            member("map"),
            json!({"minProperties": 1, "propertyNames": {"pattern": "^a"}, "nullable": true, "additionalProperties": {"type": "integer"}}),
        ),
        (
            "reference",
            member("inner"),
            json!({"description": "d", "summary": "s", "deprecated": true, "nullable": true, "readOnly": true}),
        ),
        (
            "any value",
            member("open"),
            json!({"type": ["string", "null"], "description": "d", "$ref": "#/components/schemas/Inner"}),
        ),
        (
            "union",
            member("either"),
            json!({"discriminator": {"propertyName": "a", "mapping": {"i": "#/components/schemas/Inner"}}, "description": "d", "nullable": true}),
        ),
        (
            "enum of a record",
            member("kind"),
            json!({"description": "d", "default": "a", "nullable": true, "enum": ["a", "c"]}),
        ),
    ]
}

/// Locations that the report does not list one by one, and its sentence about the larger value that contains them.
const IN_A_WHOLE: &[(&str, &str)] = &[
    ("contact", "texts about the whole description"),
    ("licence", "texts about the whole description"),
    ("server", "URLs of servers"),
    ("server variable", "URLs of servers"),
    ("external docs", "a link to documentation"),
    ("encoding", "`encoding` of a body"),
    ("response header", "`headers` of a response"),
    ("link", "`links` of a response"),
    ("security scheme", "the bearer key"),
    ("security flow", "a security scheme other than the bearer key"),
];

/// Keywords with values that change nothing: defaults, or a list instead of a string.
const SAME: &[(&str, &str)] = &[
    ("path parameter", "explode"),
    ("query parameter", "explode"),
    ("query parameter", "style"),
    ("header parameter", "explode"),
    ("header parameter", "style"),
];

/// Returns the reason why a keyword may have no effect. `None` if it must have one.
fn granted(before: &Seen, place: &str, keyword: &str) -> Option<String> {
    if SAME.contains(&(place, keyword)) {
        return Some("means the same as without it".to_owned());
    }
    let (_, sentence) = IN_A_WHOLE.iter().find(|(whole, _)| *whole == place)?;
    let is_reported = before.report.iter().any(|line| line.contains(sentence));
    is_reported.then(|| format!("in a part that the report names: {sentence}"))
}

/// Output of a run over a description, in readable form.
struct Seen {
    code: Value,
    snapshot: BTreeSet<String>,
    report: BTreeSet<String>,
}

fn seen(document: &Value) -> Result<Seen, String> {
    let output =
        regen::run_in_memory(vec![document.clone()], None).map_err(|faults| faults.to_string())?;
    let lines = Facts::of(&output.model).lines().into_values().flatten().collect();
    // The place is on a separate line, so each place is joined with its sentence.
    let (mut title, mut sentence, mut report) = (String::new(), String::new(), BTreeSet::new());
    for line in output.report.lines() {
        if let Some(words) = line.strip_prefix("## ") {
            title = words.split(':').next().unwrap_or_default().to_owned();
        } else if let Some(words) = line.strip_prefix("- ") {
            sentence = words.rsplit_once(" (").map_or(words, |(words, _)| words).to_owned();
        } else if let Some(place) = line.strip_prefix("  - ") {
            report.insert(format!("{title}: {sentence}\u{0}{place}"));
        }
    }
    Ok(Seen { code: json!(output.sources), snapshot: lines, report })
}

/// Formats the effect of a keyword as a cell of the table. `None` if it has no effect.
fn outcome(before: &Seen, document: &Value) -> Option<String> {
    let after = match seen(document) {
        Ok(after) => after,
        Err(faults) => {
            let first = faults.lines().next().unwrap_or_default();
            return Some(format!("fault: {}", first.trim_start_matches("error: ")));
        }
    };
    let mut cells = Vec::new();
    if after.code != before.code {
        cells.push("code".to_owned());
    }
    if after.snapshot != before.snapshot {
        cells.push("snapshot".to_owned());
    }
    let new = after.report.difference(&before.report);
    let sentences: BTreeSet<&str> = new.filter_map(|line| line.split('\u{0}').next()).collect();
    cells.extend(sentences.into_iter().map(str::to_owned));
    (!cells.is_empty()).then(|| cells.join("; "))
}

#[test]
fn each_keyword_at_each_place_has_an_outcome() {
    let (mut rows, mut silent) = (Vec::new(), Vec::new());
    for version in ["3.0.3", "3.1.0"] {
        let whole = base(version);
        let before = seen(&whole).unwrap_or_else(|faults| panic!("{faults}"));
        for (place, pointer, keywords) in places() {
            for (keyword, value) in keywords.as_object().unwrap() {
                let mut document = whole.clone();
                let node = document.pointer_mut(&pointer).unwrap_or_else(|| panic!("{pointer}"));
                if node.get(keyword) == Some(value) {
                    panic!("{place} has {keyword} already");
                }
                node[keyword] = value.clone();
                match outcome(&before, &document).or_else(|| granted(&before, place, keyword)) {
                    Some(cell) => rows.push(format!("{place} | {keyword} | {version} | {cell}")),
                    None => silent.push(format!("{place} | {keyword} | {version}")),
                }
            }
        }
    }
    // Equal outcomes in both versions are one row.
    let both: BTreeSet<String> =
        rows.iter().map(|row| row.replace("| 3.1.0 |", "| 3.0.3 |")).collect();
    let table: Vec<String> = both
        .into_iter()
        .map(|row| {
            let newer = row.replace("| 3.0.3 |", "| 3.1.0 |");
            match (rows.contains(&row), rows.contains(&newer)) {
                (true, true) => row.replace("| 3.0.3 |", "| both |"),
                (true, false) => row,
                _ => newer,
            }
        })
        .collect();
    assert!(silent.is_empty(), "{} keywords leave no trace:\n{}", silent.len(), silent.join("\n"));
    insta::assert_snapshot!(table.join("\n"));
}
