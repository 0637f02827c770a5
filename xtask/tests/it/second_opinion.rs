//! Compares our catalogue of API operations with a client that the public generator progenitor creates from our OpenAPI
//! document. Both must have equal operations, parameters, request bodies and responses. Each allowed difference has a
//! listed reason.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use xtask::model::{Answer, Body, Location, Model, Operation, ParamKind, Type};
use xtask::regen::{self, Output};

use external::theirs;

mod external;

/// Types that one generator assigns to an operation: the type of the response, and the type of each parameter. The
/// key of a parameter is its location and name.
#[derive(Debug, Default)]
struct Said {
    params: BTreeMap<String, String>,
    answer: String,
}

/// Response type and parameter types of each operation in the output of one generator. The key is the method and path
/// of the operation, such as `GET /a`.
type Client = BTreeMap<String, Said>;

fn ours(model: &Model) -> Client {
    let said = |operation: &Operation| {
        let mut said = Said::default();
        for param in &operation.params {
            let place = match param.location {
                Location::Path => "path",
                Location::Query => "query",
                Location::Header => "header",
                Location::Body => "body",
            };
            let key = match &operation.body {
                Body::Whole(_) if param.location == Location::Body => "body".to_owned(),
                _ => format!("{place} {}", param.name),
            };
            let needed = if param.required { "required" } else { "optional" };
            said.params.insert(key, format!("{needed} {}", kind(&param.kind)));
        }

        said.answer = match &operation.answer {
            Answer::Rows { row, meta } => format!("{{data: list of {}, meta: {meta}}}", class(row)),
            Answer::One { data, meta } => format!("{{data: {}, meta: {meta}}}", class(data)),
            Answer::Bare(ty) => class(ty),
            Answer::Stream | Answer::Bytes => "bytes".to_owned(),
            Answer::Empty => "nothing".to_owned(),
        };
        said
    };

    let streams = |operation: &Operation| if operation.twin_of.is_some() { "#stream" } else { "" };
    let all = model.operations.iter();
    all.map(|operation| {
        let key = format!("{} {}{}", operation.method, operation.path, streams(operation));
        (key, said(operation))
    })
    .collect()
}

fn kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::String { .. } | ParamKind::Enum(..) => "text".to_owned(),
        ParamKind::Integer { .. } => "integer".to_owned(),
        ParamKind::Number { .. } => "number".to_owned(),
        ParamKind::Boolean => "boolean".to_owned(),
        ParamKind::Constant(flag) => format!("always {flag}"),
        ParamKind::List { repeated: true } => "list of text".to_owned(),
        ParamKind::List { repeated: false } => "text with commas".to_owned(),
        ParamKind::Moment => "moment".to_owned(),
        ParamKind::Bytes => "bytes".to_owned(),
        ParamKind::Json(ty) => class(ty),
    }
}

fn class(ty: &Type) -> String {
    match ty {
        Type::String | Type::Enum(_) => "text".to_owned(),
        Type::Integer | Type::Wide => "integer".to_owned(),
        Type::Number | Type::Exact => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Any => "any".to_owned(),
        Type::Named(name) | Type::Union(name) => name.clone(),
        Type::List(inner) => format!("list of {}", class(inner)),
        Type::Map(inner) => format!("map of {}", class(inner)),
        Type::Option(inner) | Type::Boxed(inner) => class(inner),
        Type::Tuple(places) => {
            format!("({})", places.iter().map(class).collect::<Vec<_>>().join(", "))
        }
    }
}

// ---- The differences -------------------------------------------------------------------------

/// Allowed differences between our generator and progenitor. Each entry has a pattern for our type, a pattern for
/// progenitor's type, and the reason. `*` in a pattern matches any text.
const REASONS: &[(&str, &str, &str)] = &[
    ("* text with commas", "* text", "the overlay says that the text is a list with commas"),
    (
        "* text with commas",
        "* list of text",
        "progenitor repeats a parameter that the description joins with commas",
    ),
    ("* moment", "* text", "the overlay says that the text is a point in time"),
    ("required always *", "*", "the client always sends what chooses a stream"),
    ("optional always *", "*", "the client always sends what chooses a stream"),
    ("missing", "optional boolean", "what chooses a stream is the client's to send"),
    ("*Response", "{data: *", "both `data` and `meta` must be required to be an envelope"),
];

fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => text.starts_with(head) && text[head.len()..].ends_with(tail),
        None => pattern == text,
    }
}

fn reason(ours: &str, theirs: &str) -> &'static str {
    let found = REASONS.iter().find(|(one, other, _)| like(one, ours) && like(other, theirs));
    found.map_or("NO REASON", |(_, _, reason)| reason)
}

/// Formats all differences between our client and progenitor's client. The differences are grouped by their reason.
fn compared(ours: &Client, theirs: &Client) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut differ = |place: &str, one: &str, other: &str| {
        let line = format!("{place}: {one} / {other}");
        reasons.entry(reason(one, other)).or_default().push(line);
    };
    let mut same = 0;
    for key in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let (Some(one), Some(other)) = (ours.get(key), theirs.get(key)) else {
            let there =
                |client: &Client| if client.contains_key(key) { "there" } else { "missing" };
            differ(key, there(ours), there(theirs));
            continue;
        };

        let names: BTreeSet<_> = one.params.keys().chain(other.params.keys()).collect();
        for name in names {
            let of = |said: &Said| said.params.get(name).cloned().unwrap_or("missing".to_owned());
            if of(one) == of(other) {
                same += 1;
            } else {
                differ(&format!("{key} {name}"), &of(one), &of(other));
            }
        }

        if one.answer == other.answer {
            same += 1;
        } else {
            differ(&format!("{key} answers"), &one.answer, &other.answer);
        }
    }

    let mut text =
        format!("{} operations, {same} parameters and answers are the same\n", ours.len());
    for (reason, lines) in reasons {
        text.push_str(&format!("\n{reason} ({})\n", lines.len()));
        lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
}

#[track_caller]
fn reasoned(output: &Output, document: &Value) -> String {
    let told = compared(&ours(&output.model), &theirs(document));
    assert!(!told.contains("NO REASON"), "ours / theirs:\n{told}");
    told
}

#[test]
fn of_our_description_both_say_the_same() {
    let output = regen::published().unwrap_or_else(|faults| panic!("{faults}"));
    let plain = regen::plain().unwrap_or_else(|faults| panic!("{faults}"));
    insta::assert_snapshot!(reasoned(&output, &plain));
}

/// Returns OpenAPI documents that progenitor accepts unchanged. Our generator does not rewrite these documents first,
/// so its passes cannot affect progenitor's result.
fn foreign() -> [(&'static str, Value); 3] {
    let answer = |schema: Value| json!({"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}});
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let query = |name: &str, schema: Value| json!({"name": name, "in": "query", "schema": schema});
    let path = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let description = |title: &str, paths: Value, schemas: Value| json!({"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": paths, "components": {"schemas": schemas}});

    let weather = description(
        "Weather",
        json!({
        "/stations": {"get": {"operationId": "stations-list", "tags": ["Stations"], "summary": "Stations",
            "parameters": [query("limit", json!({"type": "integer", "format": "int64"})), query("near", json!({"type": "string"})),
                query("kind", json!({"type": "string", "enum": ["rain", "wind"]})),
                {"name": "X-Trace-Id", "in": "header", "schema": {"type": "string"}}],
            "responses": answer(reference("StationPage"))}},
        "/stations/{station-id}": {
            "get": {"operationId": "stations-get", "tags": ["Stations"], "summary": "One", "parameters": [path("station-id")],
                "responses": answer(reference("Station"))},
            "delete": {"operationId": "stations-remove", "tags": ["Stations"], "summary": "Remove", "parameters": [path("station-id")],
                "responses": {"204": {"description": "gone"}}}}}),
        json!({"StationPage": {"type": "object", "required": ["data", "meta"], "properties": {
                "data": {"type": "array", "items": reference("Station")}, "meta": reference("Meta")}},
            "Meta": {"type": "object", "properties": {"total": {"type": "integer", "format": "int64"}}},
            "Station": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "height": {"type": "number", "format": "double"}}}}),
    );

    let orders = description(
        "Orders",
        json!({
        "/orders": {"post": {"operationId": "orders-make", "tags": ["Orders"], "summary": "Order",
            "requestBody": {"required": true, "content": {"application/json": {"schema": reference("Order")}}},
            "responses": answer(json!({"type": "array", "items": reference("Line")}))}},
        "/orders/{id}/note": {"put": {"operationId": "orders-note", "tags": ["Orders"], "summary": "Note", "parameters": [path("id")],
            "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": reference("Note")}}},
            "responses": {"204": {"description": "ok"}}}}}),
        json!({"Order": {"type": "object", "required": ["lines", "express"], "properties": {
                "lines": {"type": "array", "items": reference("Line")}, "express": {"type": "boolean"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}}, "at": {"type": "integer", "format": "int64"}}},
            "Line": {"type": "object", "required": ["article"], "properties": {"article": {"type": "string"}, "price": {"type": "number", "format": "double"}}},
            "Note": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}, "type": {"type": "string"}}}}),
    );

    let files = description(
        "Files",
        json!({
        "/files/{name}": {
            "get": {"operationId": "files-read", "tags": ["Files"], "summary": "Read", "parameters": [path("name"), query("part", json!({"type": "array", "items": {"type": "string"}}))],
                "responses": {"200": {"description": "ok", "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}},
            "put": {"operationId": "files-write", "tags": ["Files"], "summary": "Write", "parameters": [path("name")],
                "requestBody": {"required": true, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
                "responses": {"204": {"description": "ok"}}}},
        "/count": {"get": {"operationId": "files-count", "tags": ["Files"], "summary": "Count",
            "parameters": [query("deep", json!({"type": "boolean"})), query("of", json!({"type": "string", "format": "uuid"}))],
            "responses": answer(json!({"type": "integer", "format": "int64"}))}}}),
        json!({}),
    );

    [("weather", weather), ("orders", orders), ("files", files)]
}

#[test]
fn of_foreign_descriptions_both_say_the_same() {
    let mut told = String::new();
    for (name, document) in foreign() {
        let output = crate::small::treated(&document);
        told.push_str(&format!("# {name}: {}\n", reasoned(&output, &document)));
    }
    insta::assert_snapshot!(told);
}
