//! Small OpenAPI documents, one for each construct of OpenAPI 3.0 and 3.1, with the expected result of the
//! generator. The test in `corpus.rs` runs the generator and compiles the generated code.

use serde_json::{Map, Value, json};

use crate::once_refused;
use crate::small::{listing, posting, thing};

/// Expected result of the generator for an OpenAPI document.
pub(crate) enum Becomes {
    /// The generator returns code without a fault. Each pair contains the name of a record, and a JSON value that must
    /// stay equal when the record is decoded and encoded.
    Code(&'static [(&'static str, &'static str)]),
    /// The generator returns a fault. The strings are a part of its message, and the JSON pointer of the invalid part.
    Fault(&'static str, &'static str),
}
pub(crate) use Becomes::{Code, Fault};

/// Returns an OpenAPI 3.0 document with a record `Thing`, whose field `m` has this schema.
fn member(schema: Value) -> Value {
    thing(json!({"type": "object", "properties": {"m": schema}}))
}

/// Returns an OpenAPI 3.1 document with a record `Thing`, whose field `m` has this schema.
fn newer(schema: Value) -> Value {
    let mut document = member(schema);
    document["openapi"] = "3.1.0".into();
    document
}

fn answering(schema: Value) -> Value {
    listing(
        json!([]),
        schema,
        json!({"Part": {"type": "object", "properties": {"p": {"type": "string"}}}}),
    )
}

fn query(more: Value) -> Value {
    let mut parameter = json!({"name": "q", "in": "query", "schema": {"type": "string"}});
    parameter.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    listing(json!([parameter]), json!({"type": "string"}), json!({}))
}

pub(crate) fn with_paths(paths: Value) -> Value {
    let mut document = listing(json!([]), json!({}), json!({}));
    document["paths"] = paths;
    document
}

fn form(kind: &str, schema: Value) -> Value {
    posting(json!({"required": true, "content": {kind: {"schema": schema}}}))
}

fn part() -> Value {
    json!({"$ref": "#/components/schemas/Part"})
}

fn with_part(schema: Value) -> Value {
    let mut document = member(schema);
    document["components"]["schemas"]["Part"] = json!({"type": "object", "required": ["p"], "properties": {"p": {"type": "string"}, "k": {"type": "string", "enum": ["part"]}}});
    document["components"]["schemas"]["Other"] = json!({"type": "object", "required": ["o"], "properties": {"o": {"type": "integer"}, "k": {"type": "string", "enum": ["other", "more"]}}});
    document
}

fn part_or_null() -> Value {
    json!({"$ref": "#/components/schemas/PartOrNull"})
}

/// Returns a document with a record `Thing`. It has two recursive fields: a map that can contain maps of its own type,
/// and a list that can contain lists of its own type.
fn endless() -> Value {
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let mut document = member(reference("Map"));
    let components = &mut document["components"]["schemas"];
    components["Map"] = json!({"type": "object", "additionalProperties": {"oneOf": [
        reference("Map"), {"type": "string"}, {"type": "array", "items": {"oneOf": [{"type": "number"}, reference("Map")]}}]}});
    components["List"] =
        json!({"type": "array", "items": {"anyOf": [reference("List"), {"type": "integer"}]}});
    components["Thing"]["properties"]["list"] = reference("List");
    document
}

/// Returns a document with a record `Thing`, whose required field `m` has the schema `schema`. The document also
/// contains components that allow `null`, such as `PartOrNull`. `schema` can refer to these components.
fn null_behind(schema: Value) -> Value {
    let mut document = with_part(schema);
    document["openapi"] = "3.1.0".into();
    let components = &mut document["components"]["schemas"];
    components["Thing"]["required"] = json!(["m"]);
    components["PartOrNull"] = json!({"anyOf": [part(), {"type": "null"}]});
    components["Between"] = json!({"allOf": [part_or_null()]});
    components["Level"] = json!({"type": ["string", "null"], "enum": ["low", "high", null]});
    components["Key"] = json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/Id"}}, part()]});
    components["Id"] = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    document
}

/// Adds a component `Base`, whose fields are defined by `allOf`. Other components can extend it.
fn with_base(mut document: Value) -> Value {
    document["components"]["schemas"]["Base"] = json!({"type": "object", "properties": {
        "part": {"allOf": [part(), {"description": "A part."}]},
        "both": {"allOf": [part(), {"type": "object", "properties": {"q": {"type": "string"}}}]}}});
    document
}

/// Returns a document with a union of three records. Each record has a field `kind` with one of the constants in
/// `kinds`, and a required field that the other records do not have.
fn with_kinds(kinds: Value, ty: &str) -> Value {
    let fields = [
        ("one", json!({"type": "integer"})),
        ("two", json!({"type": "array", "items": {}})),
        ("three", json!({})),
    ];
    let shapes = fields.into_iter().zip(kinds.as_array().unwrap()).map(|((name, schema), kind)| {
        json!({"type": "object", "required": ["kind", name],
            "properties": {"kind": {"type": ty, "enum": [kind]}, name: schema}})
    });
    member(json!({"oneOf": shapes.collect::<Vec<_>>()}))
}

fn other() -> Value {
    json!({"$ref": "#/components/schemas/Other"})
}

fn wide(members: usize) -> Value {
    let all: Map<String, Value> =
        (0..members).map(|n| (format!("m{n:04}"), json!({"type": "integer"}))).collect();
    thing(json!({"type": "object", "required": ["m1999"], "properties": all}))
}

#[rustfmt::skip]
fn nulls() -> Vec<(&'static str, Value, Becomes)> {
    const TEXT: &[(&str, &str)] = &[("Thing", r#"{"m":"a"}"#), ("Thing", r#"{}"#)];
    vec![
        ("null: 3.0", member(json!({"type": "string", "nullable": true})), Code(TEXT)),
        ("null: as a text", member(json!({"type": "string", "nullable": "true"})), Code(TEXT)),
        ("null: an extension", member(json!({"type": "string", "x-nullable": true})), Code(TEXT)),
        ("null: a type", newer(json!({"type": ["string", "null"]})), Code(TEXT)),
        ("null: a value", newer(json!({"type": "string", "enum": ["a", null]})), Code(TEXT)),
        ("null: alone", newer(json!({"type": "null"})), Code(&[("Thing", "{}")])),
        ("null: anyOf", newer(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})), Code(TEXT)),

        ("null: oneOf a reference", {
            let mut document = with_part(json!({"oneOf": [part(), {"type": "null"}]}));
            document["openapi"] = "3.1.0".into();
            document
        }, Code(&[("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("null: allOf a reference", with_part(json!({"allOf": [part()], "nullable": true})), Code(&[("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("null: beside a reference", with_part(json!({"$ref": "#/components/schemas/Part", "nullable": true})), Code(&[("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("null: in a list", member(json!({"type": "array", "items": {"type": "integer", "nullable": true}})), Code(&[("Thing", r#"{"m":[1,null,2]}"#)])),
        ("null: in a map", member(json!({"type": "object", "additionalProperties": {"type": "number", "nullable": true}})), Code(&[("Thing", r#"{"m":{"a":1.5,"b":null}}"#)])),
        ("null: a list of references", with_part(json!({"type": "array", "items": {"oneOf": [part()], "nullable": true}})), Code(&[("Thing", r#"{"m":[null,{"p":"a"}]}"#)])),
        ("null: in a map of lists", member(json!({"type": "object", "additionalProperties": {"type": "array", "nullable": true, "items": {"type": "string"}}})), Code(&[
            ("Thing", r#"{"m":{"a":["x"],"b":null}}"#)])),
        ("null: in a list of lists", member(json!({"type": "array", "items": {"type": "array", "nullable": true, "items": {"type": "string"}}})), Code(&[
            ("Thing", r#"{"m":[["x"],null]}"#)])),

        ("null: a required member behind a reference", null_behind(part_or_null()), Code(&[("Thing", r#"{"m":null}"#), ("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("null: a required member behind two references", null_behind(json!({"$ref": "#/components/schemas/Between"})), Code(&[("Thing", r#"{"m":null}"#)])),
        ("null: a list of nullable components", null_behind(json!({"type": "array", "items": part_or_null()})), Code(&[("Thing", r#"{"m":[null,{"p":"a"}]}"#)])),
        ("null: a nullable enum behind a reference", null_behind(json!({"$ref": "#/components/schemas/Level"})), Code(&[("Thing", r#"{"m":null}"#), ("Thing", r#"{"m":"low"}"#)])),
        ("null: a map of nullable enums", null_behind(json!({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Level"}})), Code(&[
            ("Thing", r#"{"m":{"a":null,"b":"low"}}"#)])),
        ("null: a required map", null_behind(json!({"type": ["object", "null"], "additionalProperties": {"type": "integer"}})), Code(&[
            ("Thing", r#"{"m":null}"#), ("Thing", r#"{"m":{}}"#), ("Thing", r#"{"m":{"a":1}}"#)])),
        ("null: a union, as schemars writes it", {
            let mut document = null_behind(json!({"anyOf": [{"$ref": "#/components/schemas/Key"}, {"nullable": true}]}));
            document["openapi"] = "3.0.3".into();
            document
        }, Code(&[
            ("Thing", r#"{"m":null}"#), ("Thing", r#"{"m":"a"}"#), ("Thing", r#"{"m":["a",1]}"#), ("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("null: an answer", answering(json!({"type": "string", "nullable": true})), Code(&[])),
    ]
}

#[rustfmt::skip]
fn shapes() -> Vec<(&'static str, Value, Becomes)> {
    vec![
        ("oneOf: records", with_part(json!({"oneOf": [part(), other()]})), Code(&[
            ("Thing", r#"{"m":{"p":"a","new":1}}"#), ("Thing", r#"{"m":{"o":1}}"#),
            ("Thing", r#"{"m":{"o":1,"k":"more"}}"#), ("Thing", r#"{"m":["of","no","shape"]}"#)])),
        ("oneOf: with a discriminator", with_part(json!({"oneOf": [part(), other()], "discriminator": {
            "propertyName": "k", "mapping": {"part": "#/components/schemas/Part", "other": "Other"}}})), Code(&[("Thing", r#"{"m":{"k":"other","o":2}}"#)])),
        ("oneOf: plain values", member(json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})), Code(&[
            ("Thing", r#"{"m":"a"}"#), ("Thing", r#"{"m":1}"#), ("Thing", r#"{"m":true}"#), ("Thing", r#"{"m":1.5}"#)])),
        ("oneOf: a list or one", with_part(json!({"oneOf": [part(), {"type": "array", "items": part()}]})), Code(&[("Thing", r#"{"m":[{"p":"a"}]}"#)])),
        ("oneOf: in place", member(json!({"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object", "title": "B", "properties": {"b": {"type": "string"}}}]})), Code(&[("Thing", r#"{"m":{"b":"x"}}"#)])),

        ("anyOf: a text or a tuple", newer(json!({"anyOf": [{"type": "string"}, {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}]})), Code(&[
            ("Thing", r#"{"m":"a"}"#), ("Thing", r#"{"m":["a",1]}"#), ("Thing", r#"{"m":[1]}"#)])),
        ("anyOf: a text or a tuple of one", newer(json!({"anyOf": [{"type": "string"}, {"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 1}]})), Code(&[
            ("Thing", r#"{"m":"a"}"#), ("Thing", r#"{"m":[1]}"#), ("Thing", r#"{"m":1}"#)])),
        ("anyOf: records", with_part(json!({"anyOf": [part(), other()]})), Code(&[("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("anyOf: lists", member(json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}]})), Code(&[("Thing", r#"{"m":["a"]}"#)])),
        ("anyOf: rules about members", thing(json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})), Code(&[("Thing", r#"{"a":"x"}"#)])),
        ("anyOf: any value", member(json!({"anyOf": [{"type": "string"}, {}]})), Code(&[("Thing", r#"{"m":[1]}"#)])),
        ("oneOf: beside members", with_part(json!({"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [part(), other()]})), Code(&[("Thing", r#"{"m":{"a":"x","o":1}}"#)])),

        ("maps and lists that contain themselves", endless(), Code(&[
            ("Thing", r#"{"m":{"a":{"b":"c","d":[1.5,{"e":"f"}]}},"list":[1,[2,[]]]}"#)])),
        ("properties of a text", thing(json!({"type": "object", "properties": {"m": {"type": "string", "properties": {"p": {"type": "string"}}}}})), Code(&[("Thing", r#"{"m":"a"}"#)])),
        ("oneOf: one shape beside a type", with_part(json!({"type": "object", "oneOf": [{"type": "object", "required": ["webhook"], "properties": {"webhook": {"type": "array", "items": part()}}}]})), Code(&[
            ("Thing", r#"{"m":{"webhook":[]}}"#)])),
        ("oneOf: one shape beside members", with_part(json!({"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [{"required": ["list"], "properties": {"list": {"type": "array", "items": part()}}}]})), Code(&[
            ("Thing", r#"{"m":{"a":"x","list":[]}}"#)])),
        ("allOf: a copy of a composed member", with_base(with_part(json!({"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"more": {"type": "string"}}}]}))), Code(&[
            ("Thing", r#"{"m":{"part":{"p":"a"},"both":{"p":"a","q":"b"},"more":"c"}}"#)])),
        ("oneOf: constants of which two are equal", with_kinds(json!(["a", "b", "b"]), "string"), Code(&[
            ("Thing", r#"{"m":{"kind":"a","one":1}}"#), ("Thing", r#"{"m":{"kind":"b","two":[]}}"#), ("Thing", r#"{"m":{"kind":"b","three":{}}}"#),
            ("Thing", r#"{"m":{"kind":"c","one":1}}"#)])),
        ("oneOf: constants that are integers", with_kinds(json!([1, 2, 3]), "integer"), Code(&[
            ("Thing", r#"{"m":{"kind":1,"one":1}}"#), ("Thing", r#"{"m":{"kind":2,"two":[]}}"#), ("Thing", r#"{"m":{"kind":3,"three":null}}"#)])),
        ("oneOf: a nested union beside a record", with_part(json!({"oneOf": [part(), {"anyOf": [other(), {"type": "object", "required": ["e"], "properties": {"e": {"type": "integer"}}}]}]})), Code(&[
            ("Thing", r#"{"m":{"o":1}}"#), ("Thing", r#"{"m":{"e":1}}"#)])),
        ("anyOf: lists of records", with_part(json!({"anyOf": [{"type": "array", "items": part()}, {"type": "array", "items": other()}]})), Code(&[
            ("Thing", r#"{"m":[{"o":1}]}"#), ("Thing", r#"{"m":[{"p":"a"}]}"#)])),

        ("integers without a format", member(json!({"type": "integer"})), Code(&[
            ("Thing", r#"{"m":9223372036854775808}"#), ("Thing", r#"{"m":18446744073709551616}"#), ("Thing", r#"{"m":-5}"#)])),
        ("integers of 64 bits without a sign", member(json!({"type": "integer", "format": "uint64"})), Code(&[("Thing", r#"{"m":18446744073709551615}"#)])),
        ("integers and numbers", newer(json!({"type": ["integer", "number"]})), Code(&[
            ("Thing", r#"{"m":9007199254740993}"#), ("Thing", r#"{"m":0.1}"#)])),
        ("several types", newer(json!({"type": ["string", "integer", "array"], "items": {"type": "string"}})), Code(&[("Thing", r#"{"m":["a"]}"#), ("Thing", r#"{"m":3}"#)])),

        ("allOf: records", with_part(json!({"allOf": [part(), other(), {"properties": {"more": {"type": "string"}}}]})), Code(&[("Thing", r#"{"m":{"o":1,"p":"a"}}"#)])),
        ("allOf: a text", member(json!({"allOf": [{"type": "string"}, {"maxLength": 3}]})), Code(&[("Thing", r#"{"m":"a"}"#)])),
        ("allOf: values that cannot be one", member(json!({"allOf": [{"type": "string"}, {"type": "integer"}]})), Code(&[("Thing", r#"{"m":1}"#)])),
        ("allOf: with oneOf", with_part(json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"oneOf": [part(), other()]}]})), Code(&[("Thing", r#"{"m":{"a":"x","p":"y"}}"#)])),
        ("allOf: a text in a body", posting(json!({"content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"allOf": [{"type": "string"}]}}}}}})), Code(&[])),
        ("allOf: empty", member(json!({"allOf": []})), Code(&[("Thing", r#"{"m":1}"#)])),

        ("not", member(json!({"not": {"type": "string"}})), Code(&[("Thing", r#"{"m":1}"#)])),
        ("const", newer(json!({"const": "a"})), Code(&[("Thing", r#"{"m":"a"}"#), ("Thing", r#"{"m":"b"}"#)])),
        ("const: a number", newer(json!({"const": 3})), Code(&[("Thing", r#"{"m":3}"#)])),
        ("a tuple", newer(json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false})), Code(&[("Thing", r#"{"m":["a",1.5]}"#)])),
        ("a map", member(json!({"additionalProperties": {"type": "array", "items": {"type": "integer"}}})), Code(&[("Thing", r#"{"m":{"a":[1]}}"#)])),
        ("a map of records", with_part(json!({"type": "object", "additionalProperties": part()})), Code(&[("Thing", r#"{"m":{"a":{"p":"x"}}}"#)])),
        ("members of a pattern", newer(json!({"type": "object", "patternProperties": {"^x": {"type": "integer"}}})), Code(&[("Thing", r#"{"m":{"xa":1}}"#)])),
        ("further members of one type", thing(json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}})), Code(&[("Thing", r#"{"a":"x","b":3}"#)])),
        ("only required", member(json!({"type": "object", "required": ["a"]})), Code(&[("Thing", r#"{"m":{"a":1}}"#)])),
        ("a list of nothing", member(json!({"type": "array"})), Code(&[("Thing", r#"{"m":[1,"a"]}"#)])),
        ("items without a type", member(json!({"items": {}})), Code(&[("Thing", r#"{"m":[1,"a"]}"#)])),

        ("recursive: a list", thing(json!({"type": "object", "properties": {"m": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}})), Code(&[("Thing", r#"{"m":[{"m":[{}]}]}"#)])),
        ("recursive: a member", thing(json!({"type": "object", "properties": {"m": {"$ref": "#/components/schemas/Thing"}}})), Code(&[("Thing", r#"{"m":{"m":{}}}"#)])),
        ("recursive: a required member", thing(json!({"type": "object", "required": ["m"], "properties": {"m": {"$ref": "#/components/schemas/Thing"}}})), Code(&[("Thing", r#"{"m":{}}"#)])),
        ("recursive: in two steps", listing(json!([]), json!({"$ref": "#/components/schemas/A"}), json!({
            "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
            "B": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/components/schemas/A"}}}})), Code(&[("A", r#"{"b":{"a":{}}}"#)])),
        ("recursive: a choice", listing(json!([]), json!({"$ref": "#/components/schemas/Tree"}), json!({
            "Tree": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Node"}]},
            "Node": {"type": "object", "required": ["left"], "properties": {"left": {"$ref": "#/components/schemas/Tree"}, "right": {"$ref": "#/components/schemas/Tree"}}}})), Code(&[("Node", r#"{"left":{"left":"a"},"right":"b"}"#)])),
        ("recursive: choices alone", listing(json!([]), json!({"$ref": "#/components/schemas/A"}), json!({
            "A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"type": "string"}, {"type": "integer"}]},
            "B": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "boolean"}, {"type": "array"}]}})), Code(&[])),
        ("recursive: allOf", listing(json!([]), json!({}), json!({
            "A": {"allOf": [{"$ref": "#/components/schemas/B"}]}, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}})),
            Fault("`A` contains itself through `B`", "#/components/schemas/A")),

        ("formats", thing(json!({"type": "object", "properties": {
            "a": {"type": "string", "format": "date-time"}, "b": {"type": "string", "format": "uuid"}, "c": {"type": "integer", "format": "uint8"},
            "d": {"type": "string", "format": "byte"}, "e": {"type": "number", "format": "float"}}})), Code(&[("Thing", r#"{"a":"x","b":"y","c":300,"d":"!","e":1.5}"#)])),
        ("enum of numbers", member(json!({"type": "integer", "enum": [1, 2]})), Code(&[("Thing", r#"{"m":3}"#)])),
        ("enum of flags and texts", member(json!({"enum": [true, "a", 1]})), Code(&[("Thing", r#"{"m":false}"#)])),
        ("enum of odd values", member(json!({"type": "string", "enum": ["other", "*", ".", "Self", "1", "", "ä", "a-b", "a_b", "A", "a"]})), Code(&[
            ("Thing", r#"{"m":"*"}"#), ("Thing", r#"{"m":"other"}"#), ("Thing", r#"{"m":"tomorrow"}"#)])),
        ("enum of numbers that are texts", member(json!({"type": "string", "enum": [1, 2]})), Code(&[("Thing", r#"{"m":"1"}"#)])),
        ("a record of 2,000 members", wide(2000), Code(&[("Thing", r#"{"m0000":1,"m0999":2,"m1999":3}"#)])),
        ("a boolean schema", newer(json!(true)), Code(&[("Thing", r#"{"m":1}"#)])),
        ("a type of another language", member(json!({"type": "int"})), Code(&[("Thing", r#"{"m":1}"#)])),
        ("a type that is none", member(json!({"type": "strin"})), Fault("this value must be one of the types string", "#/components/schemas/Thing/properties/m/type")),
        ("required beside the type", member(json!({"type": "string", "required": true})), Code(&[("Thing", r#"{"m":"a"}"#)])),
        ("the address of its own schema", thing(json!({"type": "object", "required": ["$schema"], "properties": {"$schema": {"type": "string"}, "a": {"type": "string"}}})), Code(&[("Thing", r#"{"a":"x"}"#)])),
    ]
}

#[rustfmt::skip]
fn names() -> Vec<(&'static str, Value, Becomes)> {
    let ids = |first: Value, second: Value| {
        let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
        let mut again = document["paths"]["/things"].clone();
        for (item, id) in [(&mut document["paths"]["/things"], first), (&mut again, second)] {
            match id {
                Value::Null => drop(item["get"].as_object_mut().unwrap().remove("operationId")),
                id => item["get"]["operationId"] = id,
            }
        }
        document["paths"]["/things/{id}"] = again;
        document
    };

    let tags = |tags: Value| {
        let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
        document["paths"]["/things"]["get"]["tags"] = tags;
        document
    };

    let component = |name: &str| listing(json!([]), json!({"$ref": format!("#/components/schemas/{name}")}), json!({
        name: {"type": "object", "properties": {"a": {"type": "string"}}}}));

    vec![
        ("no operationId", ids(Value::Null, Value::Null), Code(&[])),
        ("one operationId twice", ids(json!("same"), json!("same")), Code(&[])),
        ("ids of Rust", ids(json!("new"), json!("type")), Code(&[])),
        ("ids that Rust spells alike", ids(json!("getThing"), json!("get_thing")), Code(&[])),
        ("no tag", tags(json!([])), Code(&[])),
        ("several tags", tags(json!(["A", "B"])), Code(&[])),
        ("a tag called default", tags(json!(["default"])), Code(&[])),
        ("a tag in other letters", tags(json!(["市場"])), Code(&[])),
        ("a component called Error", component("Error"), Code(&[("ErrorRecord", r#"{"a":"x"}"#)])),
        ("a component called Option", component("Option"), Code(&[])),
        ("a component called like a request", component("ThingsListRequest"), Code(&[])),
        ("a component in other letters", component("Größe"), Code(&[("Grosse", r#"{"a":"x"}"#)])),

        ("members that Rust spells alike", thing(json!({"type": "object", "properties": {
            "a-b": {"type": "string"}, "aB": {"type": "string"}, "a_b": {"type": "string"}}})), Code(&[("Thing", r#"{"a-b":"1","aB":"2","a_b":"3"}"#)])),
        ("members of no letters", thing(json!({"type": "object", "properties": {"%": {"type": "string"}, "名前": {"type": "string"}, "extra": {"type": "string"}, "self": {}, "crate": {}}})), Code(&[("Thing", r#"{"%":"1","extra":"2","名前":"3"}"#)])),
        ("a body with members called new and default", form("application/json", json!({"type": "object", "properties": {
            "part": {"type": "object", "properties": {"new": {"type": "string"}, "default": {"type": "integer"}}}}})), Code(&[])),
        ("a parameter and a member of one name", {
            let mut document = form("application/json", json!({"type": "object", "properties": {"q": {"type": "string"}}}));
            document["paths"]["/things"]["post"]["parameters"] = json!([{"name": "q", "in": "query", "schema": {"type": "string"}}]);
            document
        }, Code(&[])),
        ("objects in place of one name", listing(json!([]), json!({"$ref": "#/components/schemas/Thing"}), json!({
            "Thing": {"type": "object", "properties": {"content": {"type": "object", "properties": {"a": {"type": "string"}}},
                "contents": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string"}}}}}},
            "ThingContent": {"type": "object", "properties": {"c": {"type": "string"}}}})), Code(&[("Thing", r#"{"content":{"a":"x"}}"#)])),
    ]
}

#[rustfmt::skip]
fn calls() -> Vec<(&'static str, Value, Becomes)> {
    let path = |path: &str, more: Value| {
        let mut parameter = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
        parameter.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        with_paths(json!({path: {"get": {"parameters": [parameter], "responses": {"200": {"description": "ok"}}}}}))
    };
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}});
    let answer = |answers: Value| with_paths(json!({"/a": {"get": {"responses": answers}}}));
    let content = |content: Value| answer(json!({"200": {"description": "ok", "content": content}}));

    vec![
        ("path: simple", path("/a/{id}", json!({})), Code(&[])),
        ("path: label", path("/a/{id}", json!({"style": "label"})), Code(&[])),
        ("path: matrix", path("/a/{id}", json!({"style": "matrix"})), Code(&[])),
        ("path: optional", path("/a/{id}", json!({"required": false})), Code(&[])),
        ("path: not in the path", path("/a", json!({})), Code(&[])),
        ("path: not described", path("/a/{id}/{part}", json!({})), Code(&[])),
        ("path: a query of its own", path("/a/{id}?b=c", json!({})), Code(&[])),
        ("path: blanks and other letters", path("a b/{id}/\u{e9}", json!({})), Code(&[])),
        ("path: a fragment", with_paths(json!({"/#a": {"post": {}}, "/#b": {"post": {}}})), Code(&[])),
        ("path: a brace that is not closed", path("/a/{id", json!({})), Fault("are unbalanced or empty", "#/paths/~1a~1{id")),

        ("query: form, not exploded", query(json!({"explode": false, "schema": {"type": "array", "items": {"type": "integer"}}})), Code(&[])),
        ("query: spaces", query(json!({"style": "spaceDelimited", "schema": {"type": "array"}})), Code(&[])),
        ("query: pipes", query(json!({"style": "pipeDelimited", "schema": {"type": "array"}})), Code(&[])),
        ("query: deep", query(json!({"style": "deepObject", "schema": object})), Code(&[])),
        ("query: an object", query(json!({"schema": object})), Code(&[])),
        ("query: a map", query(json!({"schema": {"type": "object"}})), Code(&[])),
        ("query: JSON", query(json!({"content": {"application/json": {"schema": object}}})), Code(&[])),
        ("query: a choice", query(json!({"schema": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}})), Code(&[])),
        ("query: no schema", listing(json!([{"name": "q", "in": "query"}]), json!({}), json!({})), Code(&[])),
        ("query: retired", query(json!({"deprecated": true})), Code(&[])),

        ("header", query(json!({"in": "header", "name": "X-Q"})), Code(&[])),
        ("header: that the client sends", query(json!({"in": "header", "name": "Authorization"})), Code(&[])),
        ("header: no name for one", query(json!({"in": "header", "name": "X Q"})), Fault("`X Q` is not a valid header name", "#/paths/~1things/get/parameters/0/name")),
        ("cookie", query(json!({"in": "cookie"})), Code(&[])),
        ("nowhere", query(json!({"in": "body"})), Fault("the location of the parameter `q` is body, which is not supported", "#/paths/~1things/get/parameters/0")),

        ("body: a form", form("application/x-www-form-urlencoded", object.clone()), Code(&[])),
        ("body: parts", form("multipart/form-data", json!({"type": "object", "required": ["file"], "properties": {
            "file": {"type": "string", "format": "binary"}, "note": {"type": "string"}, "more": {"type": "object", "properties": {"x": {"type": "string"}}}}})), Code(&[])),
        ("body: a list", form("application/json", json!({"type": "array", "items": object})), Code(&[])),
        ("body: a choice", form("application/json", json!({"oneOf": [object, {"type": "string"}]})), Code(&[])),
        ("body: a map", form("application/json", json!({"type": "object", "additionalProperties": {"type": "integer"}})), Code(&[])),
        ("body: a text", form("text/plain", json!({"type": "string"})), Code(&[])),
        ("body: bytes", form("application/octet-stream", json!({"type": "string", "format": "binary"})), Code(&[])),
        ("body: several media types", posting(json!({"content": {"application/xml": {"schema": object}, "application/json": {"schema": object}}})), Code(&[])),

        ("answer: text", content(json!({"text/csv": {"schema": {"type": "string"}}})), Code(&[])),
        ("answer: bytes", content(json!({"image/png": {}})), Code(&[])),
        ("answer: events", content(json!({"text/event-stream": {"schema": {"type": "string"}}})), Code(&[])),
        ("answer: JSON of another name", content(json!({"application/hal+json; charset=utf-8": {"schema": object}})), Code(&[])),
        ("answer: JSON and XML", content(json!({"application/xml": {"schema": object}, "application/json": {"schema": object}})), Code(&[])),
        ("answer: no schema", content(json!({"application/json": {}})), Code(&[])),
        ("answer: an enum", content(json!({"application/json": {"schema": {"type": "string", "enum": ["a"]}}})), Code(&[])),
        ("answer: a number", content(json!({"application/json": {"schema": {"type": "number"}}})), Code(&[])),
        ("answer: a flag", content(json!({"application/json": {"schema": {"type": "boolean"}}})), Code(&[])),
        ("answer: a choice", content(json!({"application/json": {"schema": {"oneOf": [object, {"type": "string"}]}}})), Code(&[])),
        ("answer: a list of lists", content(json!({"application/json": {"schema": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}}})), Code(&[])),
        ("answer: a moment of the runtime's", content(json!({"application/json": {"schema": {"type": "integer", "x-native": "UnixSeconds"}}})), Code(&[])),
        ("answer: a record of the runtime's", listing(json!([]), json!({"$ref": "#/components/schemas/MetricValue"}),
            json!({"MetricValue": {"type": "object", "x-native": "MetricValue", "properties": {"value": {"type": "number"}}}})), Code(&[])),
        ("answer: several successes", answer(json!({"201": {"description": ""}, "200": {"description": "", "content": {"application/json": {"schema": object}}}, "404": {"description": ""}})), Code(&[])),
        ("answer: any status", answer(json!({"default": {"description": "", "content": {"application/json": {"schema": object}}}})), Code(&[])),
        ("answer: 2XX", answer(json!({"2XX": {"description": ""}})), Code(&[])),
        ("answer: none", answer(json!({})), Code(&[])),
    ]
}

#[rustfmt::skip]
fn documents() -> Vec<(&'static str, Value, Becomes)> {
    let mut hooks = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    hooks["openapi"] = "3.1.0".into();
    hooks["webhooks"] = json!({"made": {"post": {"responses": {"200": {"description": ""}}}}});
    hooks["paths"]["/things"]["get"]["callbacks"] = json!({"done": {"{$request.body#/url}": {"post": {"responses": {}}}}});
    let mut deep = member(json!({"$ref": "#/components/schemas/Other/properties/x"}));
    deep["components"]["schemas"]["Other"] = json!({"type": "object", "properties": {"x": {"type": "object", "properties": {"y": {"type": "string"}}}}});
    let mut shared = listing(json!([{"$ref": "#/components/parameters/Id"}]), json!({"type": "string"}), json!({}));
    shared["components"]["parameters"] = json!({"Id": {"name": "id", "in": "query", "schema": {"type": "string"}}});
    shared["paths"]["/again"] = json!({"$ref": "#/paths/~1things"});
    vec![
        ("webhooks and callbacks", hooks, Code(&[])),
        ("a reference into a component", deep, Code(&[("Thing", r#"{"m":{"y":"a"}}"#)])),
        ("references to parameters and path items", shared, Code(&[])),
        ("members beside a reference", with_part(json!({"$ref": "#/components/schemas/Part", "properties": {"q": {"type": "string"}}})), Code(&[("Thing", r#"{"m":{"p":"a","q":"b"}}"#)])),
        ("words beside a reference", with_part(json!({"$ref": "#/components/schemas/Part", "description": "Words."})), Code(&[("Thing", r#"{"m":{"p":"a"}}"#)])),
        ("an external reference", member(json!({"$ref": "other.yaml#/Part"})), Fault("the reference target `other.yaml#/Part` is in another document", "#/components/schemas/Thing/properties/m/$ref")),
        ("a reference that leads nowhere", member(json!({"$ref": "#/components/schemas/None"})), Fault("the reference target `#/components/schemas/None` is not in the document", "#/components/schemas/Thing/properties/m/$ref")),
    ]
}

/// Returns all test cases: a name, an OpenAPI document, and the generator's expected result for this document.
pub(crate) fn corpus() -> Vec<(&'static str, Value, Becomes)> {
    let rows = [nulls(), shapes(), names(), calls(), documents()].into_iter().flatten();
    let once_refused = once_refused::rows().into_iter();
    rows.chain(once_refused.map(|(name, document, values)| (name, document, Code(values))))
        .collect()
}

/// Returns the OpenAPI documents for which the generator writes code, each with its name.
pub(crate) fn accepted() -> impl Iterator<Item = (&'static str, Value)> {
    let rows = corpus().into_iter();
    rows.filter_map(|(name, document, becomes)| {
        matches!(becomes, Code(_)).then_some((name, document))
    })
}
