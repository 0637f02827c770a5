//! Tests of OpenAPI constructs for which progenitor, a public generator of API clients, fails or generates wrong code.
//! Our generator rewrites the document in several passes. Most tests show that progenitor fails without these passes.
//! All tests show that progenitor does not fail after the passes.

use serde_json::{Value, json};

use crate::small::{code, listing, posting, thing, treated, untreated};

/// Asserts that `text` contains each string in `parts`.
#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

/// Asserts that `text` contains no string in `parts`.
#[track_caller]
fn lacks(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(!text.contains(part), "`{part}` is in\n{text}");
    }
}

fn query(name: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "schema": schema})
}

#[test]
fn openapi_3_1_is_refused() {
    let members = [
        ("version", json!({"type": "string"})),
        ("null type", json!({"type": ["string", "null"]})),
        ("exclusive bound", json!({"type": "integer", "exclusiveMinimum": 0})),
    ];
    for (what, member) in members {
        let mut document = thing(json!({"type": "object", "properties": {"m": member}}));
        if what == "version" {
            document["openapi"] = "3.1.0".into();
        }
        assert!(untreated(&document).is_err(), "{what}");
        holds(&code(&document), &["rt::record!(Thing { 0 optional m \"m\", });"]);
    }
}

#[test]
fn constants_and_examples_of_3_1_are_not_understood() {
    let member = json!({"type": "string", "const": "function", "examples": ["function"]});
    let document = thing(json!({"type": "object", "properties": {"kind": member}}));
    lacks(&untreated(&document).unwrap(), &["\"function\""]);
    holds(&code(&document), &["ThingKind { /// `function` Function = \"function\", }"]);
}

#[test]
fn success_beside_a_default_of_another_type_panics() {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    let error = json!({"description": "e", "content": {"application/json": {"schema":
        {"type": "object", "properties": {"error": {"type": "string"}}}}}});
    let answers = &mut document["paths"]["/things"]["get"]["responses"];
    answers["default"] = error;
    holds(&untreated(&document).unwrap_err(), &["response_types.len() <= 1"]);
    let output = treated(&document);
    holds(
        &output.sources["things.rs"],
        &["rt::request!(ThingsListRequest, &catalogue::THINGS_LIST, Thing);"],
    );
    holds(
        &output.report,
        &[
            "the schema of an error body is ignored; the client selects the error kind by the HTTP status",
        ],
    );
}

#[test]
fn several_error_schemas_panic() {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    for (status, name) in [("400", "Reason"), ("402", "Balance"), ("503", "Queue")] {
        document["components"]["schemas"][name] =
            json!({"type": "object", "properties": {"about": {"type": "string"}}});
        document["paths"]["/things"]["get"]["responses"][status] = json!({"description": "e",
            "content": {"application/json": {"schema":
                {"$ref": format!("#/components/schemas/{name}")}}}});
    }
    holds(&untreated(&document).unwrap_err(), &["response_types.len() <= 1"]);
    holds(
        &treated(&document).report,
        &[
            "the schema of an error body is ignored; the client selects the error kind by the HTTP status",
        ],
    );
}

#[test]
fn enum_values_that_differ_in_case_only_panic() {
    let document = listing(
        json!([query("interval", json!({"type": "string", "enum": ["1m", "1h", "1M"]}))]),
        json!({"type": "string"}),
        json!({}),
    );
    holds(&untreated(&document).unwrap_err(), &["unique variant names"]);
    holds(&code(&document), &["Minute1 = \"1m\"", "Hour1 = \"1h\"", "Month1 = \"1M\""]);
}

#[test]
fn component_names_with_blanks_break_references() {
    let name = "DataResponseInterface {}";
    let document = listing(
        json!([]),
        json!({"$ref": format!("#/components/schemas/{}", "DataResponseInterface%20%7B%7D")}),
        json!({name: {"type": "object", "properties": {"a": {"type": "string"}}}}),
    );
    assert!(untreated(&document).is_err());
    let output = treated(&document);
    holds(&output.sources["things.rs"], &["pub struct DataResponseInterface {"]);
    holds(&output.report, &["`DataResponseInterface {}` is `DataResponseInterface`"]);
}

#[test]
fn closed_records_fail_with_the_first_new_member() {
    let document = thing(json!({"type": "object", "additionalProperties": false,
        "properties": {"a": {"type": "string"}}}));
    holds(&untreated(&document).unwrap(), &["deny_unknown_fields"]);
    let ours = code(&document);
    lacks(&ours, &["deny_unknown_fields"]);
    holds(&ours, &["pub extra: rt::Extra"]);
}

#[test]
fn closed_enums_fail_the_whole_page() {
    let document = thing(json!({"type": "object", "required": ["side"],
        "properties": {"side": {"type": "string", "enum": ["buy", "sell"]}}}));
    let theirs = untreated(&document).unwrap();
    holds(&theirs, &["pub enum ThingSide", "Err (\"invalid value\""]);
    holds(&code(&document), &["rt::open_enum! {", "ThingSide { /// `buy` Buy = \"buy\","]);
}

#[test]
fn a_required_member_that_may_be_null_fails_when_it_is_absent() {
    let document = thing(json!({"type": "object", "required": ["price"],
        "properties": {"price": {"type": "number", "nullable": true}}}));
    // Without the attribute `default`, serde requires the field.
    let theirs = untreated(&document).unwrap();
    holds(&theirs, &["pub price : :: std :: option :: Option < f64 >"]);
    lacks(&theirs, &["# [serde (default"]);
    holds(&code(&document), &["0 nullable price \"price\"", "pub price: Option<f64>"]);
}

#[test]
fn null_for_an_optional_list_fails() {
    let document = thing(json!({"type": "object", "properties": {
        "tags": {"type": "array", "items": {"type": "string"}}}}));
    // serde uses `default` only for an absent field, and rejects null in place of a list.
    holds(&untreated(&document).unwrap(), &["pub tags : :: std :: vec :: Vec"]);
    holds(&code(&document), &["0 optional_list tags \"tags\"", "pub tags: Vec<String>"]);
}

#[test]
fn bounds_become_types_nobody_can_write() {
    let bounded = json!({"type": "integer", "minimum": 1, "maximum": 100});
    let document = listing(json!([query("limit", bounded)]), json!({"type": "string"}), json!({}));
    holds(&untreated(&document).unwrap(), &["NonZeroU64"]);
    let ours = code(&document);
    lacks(&ours, &["NonZero"]);
    holds(
        &ours,
        &[
            "pub fn limit(mut self, limit: impl Into<rt::WholeNumber>) -> Self",
            "rt::ParamKind::Integer { min: Some(1), max: Some(100) }",
            "Range: 1 to 100.",
        ],
    );
}

#[test]
fn defaults_of_a_body_are_always_sent() {
    let document = posting(json!({"required": true, "content": {"application/json": {"schema": {
        "type": "object", "properties": {"max_rows": {"type": "integer", "default": 1000}}}}}}));
    holds(&untreated(&document).unwrap(), &["defaults :: default_u64"]);
    let ours = code(&document);
    lacks(&ours, &["serde(default"]);
    holds(&ours, &[".default(\"1000\")", "The default of the service is `1000`."]);
}

#[test]
fn an_enum_or_any_string_becomes_a_struct_that_never_decodes() {
    for keyword in ["anyOf", "oneOf"] {
        let either = json!({keyword: [{"type": "string", "enum": ["x", "y"]}, {"type": "string"}]});
        let document = thing(json!({"type": "object", "properties": {"kind": either}}));
        if keyword == "anyOf" {
            holds(&untreated(&document).unwrap(), &["pub struct ThingKind", "subtype_0"]);
        }
        holds(&code(&document), &["pub kind: Option<ThingKind>", "X = \"x\"", "Y = \"y\""]);
    }
}

#[test]
fn the_stream_beside_json_is_forgotten() {
    let mut document =
        posting(json!({"required": true, "content": {"application/json": {"schema": {
        "type": "object", "properties": {"stream": {"type": "boolean"}}}}}}));
    document["paths"]["/things"]["post"]["responses"]["200"]["content"]["text/event-stream"] =
        json!({"schema": {"type": "string"}});
    lacks(&untreated(&document).unwrap(), &["ResponseValue < ByteStream >"]);
    let ours = code(&document);
    holds(
        &ours,
        &[
            "rt::request!(ThingsMakeRequest, &catalogue::THINGS_MAKE, String);",
            "rt::stream_request!(ThingsMakeStreamRequest, &catalogue::THINGS_MAKE_STREAM);",
            "impl rt::Streaming for ThingsMakeRequest",
            "rt::ParamKind::Constant(true)",
        ],
    );
    // The request that decodes JSON has no method for a stream.
    lacks(&ours, &["pub fn stream("]);
}

#[test]
fn explode_is_ignored() {
    let list = |explode: Option<bool>| {
        let mut ids = query("ids", json!({"type": "array", "items": {"type": "string"}}));
        if let Some(explode) = explode {
            ids["explode"] = explode.into();
        }
        listing(json!([ids]), json!({"type": "string"}), json!({}))
    };
    assert_eq!(untreated(&list(Some(false))), untreated(&list(Some(true))));
    holds(&code(&list(Some(false))), &["rt::ParamKind::List { repeated: false }"]);
    holds(&code(&list(Some(true))), &["rt::ParamKind::List { repeated: true }"]);
    // Without `explode`, OpenAPI's default for query parameters applies.
    holds(&code(&list(None)), &["rt::ParamKind::List { repeated: true }"]);
}

#[test]
fn members_that_rust_spells_alike_give_code_that_does_not_compile() {
    let document = thing(json!({"type": "object", "properties": {
        "a-b": {"type": "string"}, "aB": {"type": "string"}}}));
    let theirs = untreated(&document).unwrap();
    assert!(theirs.matches("pub a_b :").count() > 1, "{theirs}");
    holds(&code(&document), &["pub a_b: Option<String>", "pub a_b2: Option<String>"]);
}

#[test]
fn builders_are_made_of_records_nobody_builds() {
    let document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    holds(
        &untreated(&document).unwrap(),
        &["pub mod builder", "pub fn builder () -> builder :: Thing"],
    );
    lacks(&code(&document), &["builder", "impl Thing {"]);

    // Records that callers build have a constructor and setters.
    let body = json!({"required": true, "content": {"application/json": {"schema": {
        "type": "object", "properties": {"part": {"type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}}}}}});
    holds(
        &code(&posting(body)),
        &[
            "pub fn new(name: impl Into<String>) -> Self",
            "pub fn size(mut self, size: impl Into<i128>) -> Self",
        ],
    );
}

#[test]
fn the_client_it_makes_cuts_streams_after_15_seconds() {
    let document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    holds(&untreated(&document).unwrap(), &["Duration :: from_secs (15"]);
    // Generated code does not use an HTTP client or a clock.
    lacks(&code(&document), &["reqwest", "Duration", "timeout"]);
}

#[test]
fn an_error_that_is_not_json_loses_its_status() {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    document["paths"]["/things"]["get"]["responses"]["503"] = json!({"description": "busy",
        "content": {"application/json": {"schema": {"type": "object", "properties": {}}}}});
    // A documented error is decoded as JSON before its status is visible.
    holds(
        &untreated(&document).unwrap(),
        &["503u16 => { Err (Error :: ErrorResponse (ResponseValue :: from_response"],
    );
    lacks(&code(&document), &["from_response", "503"]);
}

#[test]
fn its_hooks_and_errors_belong_to_another_crate() {
    let document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    // The generated hook is implemented only for the generated client, and its error prints headers and bodies.
    holds(&untreated(&document).unwrap(), &["impl ClientHooks", "Error <"]);
    let ours = code(&document);
    lacks(&ours, &["ClientHooks", "progenitor", "Error<"]);
    holds(&ours, &["use crypto_intel_core as rt;", "rt::request!("]);
}

#[test]
fn the_version_of_the_description_is_sent_as_a_header() {
    let document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    holds(&untreated(&document).unwrap(), &["api-version"]);
    let ours = code(&document);
    lacks(&ours, &["api-version", "api_version"]);
    holds(&ours, &["pub const VERSION: &str = \"7.7.7\";"]);
}

#[test]
fn an_optional_body_is_treated_as_required() {
    let body = |required: Value| {
        posting(json!({"required": required, "content": {"application/json": {"schema": {
            "type": "object", "properties": {"query": {"type": "string"}}}}}}))
    };
    assert_eq!(untreated(&body(json!(false))), untreated(&body(json!(true))));
    holds(&code(&body(json!(false))), &["body: rt::Body::Optional"]);
    holds(&code(&body(json!(true))), &["body: rt::Body::Required"]);
}

// The following faults were found later.

#[test]
fn formats_become_types_that_want_crates_and_refuse_other_spellings() {
    let document = thing(json!({"type": "object", "properties": {
        "at": {"type": "string", "format": "date-time"},
        "id": {"type": "string", "format": "uuid"}}}));
    holds(&untreated(&document).unwrap(), &["chrono", "uuid"]);
    let ours = code(&document);
    lacks(&ours, &["chrono", "uuid ::", "Uuid"]);
    holds(&ours, &["pub at: Option<String>", "pub id: Option<String>"]);
}

#[test]
fn patterns_and_lengths_become_types_of_their_own() {
    let document = thing(json!({"type": "object", "properties": {
        "code": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3}}}));
    holds(&untreated(&document).unwrap(), &["pub struct ThingCode", "regress"]);
    holds(&code(&document), &["pub code: Option<String>"]);
}

#[test]
fn named_lists_become_types_of_their_own() {
    let document = listing(
        json!([]),
        json!({"$ref": "#/components/schemas/Things"}),
        json!({"Things": {"type": "array", "items": {"type": "string"}}}),
    );
    holds(&untreated(&document).unwrap(), &["pub struct Things"]);
    holds(&code(&document), &["&catalogue::THINGS_LIST, Vec<String>"]);
}

#[test]
fn the_address_of_a_record_s_own_schema_is_a_member() {
    let document = thing(json!({"type": "object", "properties": {
        "$schema": {"type": "string", "format": "uri", "readOnly": true}, "a": {"type": "string"}}}));
    holds(&untreated(&document).unwrap(), &["\"$schema\""]);
    lacks(&code(&document), &["schema"]);
}

#[test]
fn unions_fail_with_the_first_new_shape() {
    let document = thing(json!({"type": "object", "properties": {
        "rows": {"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "integer"}]}}}));
    holds(&untreated(&document).unwrap(), &["pub enum ThingRows", "untagged"]);
    holds(
        &code(&document),
        &["pub rows: Option<ThingRows>", "rt::union! {", "value TextList(Vec<String>)"],
    );
}

#[test]
fn an_answer_without_a_schema_panics() {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    document["paths"]["/things"]["get"]["responses"]["200"]["content"] =
        json!({"application/json": {}});
    assert!(untreated(&document).is_err());
    holds(&code(&document), &["&catalogue::THINGS_LIST, rt::Json"]);
}

#[test]
fn paging_needs_rows() {
    let paged = |answer: Value| {
        let query =
            |name: &str, ty: &str| json!({"name": name, "in": "query", "schema": {"type": ty}});
        let mut document = listing(
            json!([query("limit", "integer"), query("offset", "integer")]),
            answer,
            json!({}),
        );
        document["paths"]["/things"]["get"]["x-paging"] =
            json!({"kind": "offset", "limit": "limit", "offset": "offset"});
        treated(&document)
    };
    let meta = json!({"type": "object", "properties": {"total": {"type": "string"}, "next_cursor": {"type": "integer"}}});
    let data = json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let page = json!({"type": "object", "required": ["data", "meta"], "properties": {"data": data, "meta": meta}});
    holds(
        &paged(page.clone()).sources["things.rs"],
        &["impl rt::PagedRequest for ThingsListRequest"],
    );

    let mut third = page.clone();
    third["properties"]["more"] = json!({"type": "string"});
    let mut optional = page.clone();
    optional["required"] = json!(["data"]);
    let mut object = page;
    object["properties"]["data"] =
        json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let items =
        json!({"type": "object", "properties": {"items": data, "total": {"type": "integer"}}});
    for answer in [third, optional, object, items] {
        let output = paged(answer);
        lacks(&output.sources["things.rs"], &["PagedRequest"]);
        holds(&output.report, &["because the response has no rows in `data`"]);
    }
}

#[test]
fn answers_that_are_not_json_are_bytes() {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    document["paths"]["/things"]["get"]["responses"]["200"]["content"] = json!({"text/csv": {}});
    holds(&code(&document), &["rt::bytes_request!(ThingsListRequest", "answer: rt::Answer::Bytes"]);
}

#[test]
fn what_is_retired_says_so() {
    let retired =
        json!({"name": "q", "in": "query", "deprecated": true, "schema": {"type": "string"}});
    let document = listing(
        json!([retired]),
        json!({"$ref": "#/components/schemas/Thing"}),
        json!({"Thing": {"type": "object", "properties": {"a": {"type": "string", "deprecated": true}}}}),
    );
    let note = "#[deprecated(note = \"the service recommends against it\")]";
    holds(
        &code(&document),
        &[
            &format!("{note} pub fn q(mut self"),
            &format!("{note} pub a: Option<String>"),
            ".deprecated(\"the service recommends against it\")",
            "rt::Field::new(\"a\", rt::Type::String).deprecated(\"the service recommends against it\")",
        ],
    );
}
