//! Tests how the generator changes names and texts of OpenAPI documents that would cause errors in Rust, Cargo or
//! rustdoc.

use serde_json::{Value, json};

use crate::small::{code, fault, listing, posting, thing, treated};

fn tagged(tag: &str) -> Value {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    document["paths"]["/things"]["get"]["tags"] = json!([tag]);
    document
}

fn identified(id: &str) -> Value {
    let mut document = thing(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    document["paths"]["/things"]["get"]["operationId"] = id.into();
    document
}

/// Joins the message and the location of a fault to one line.
fn short(fault: &str) -> String {
    let lines: Vec<_> = fault.lines().take(2).map(|line| line[7..].trim()).collect();
    lines.join(" at ")
}

#[test]
fn tags_become_modules_and_features() {
    for (tag, module) in [
        ("Prediction Market", "prediction_market"),
        ("on-chain & DeFi", "on_chain_de_fi"),
        ("24h", "hour_24"),
        ("2nd Layer", "n2nd_layer"),
        ("type", "type_"),
        ("self", "self_"),
        ("X", "x"),
    ] {
        let model = treated(&tagged(tag)).model;
        assert_eq!(model.tags[0].module, module);
        let feature = model.tags[0].feature();
        assert!(feature.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{feature}");
    }

    for (tag, module) in [
        ("\u{5e02}\u{5834}", "shi_chang"),
        ("", "things"),
        ("Shared", "shared_domain"),
        ("all", "all_domain"),
        ("Default", "default_domain"),
    ] {
        assert_eq!(treated(&tagged(tag)).model.tags[0].module, module);
    }

    let mut two = tagged("Big Things");
    two["paths"]["/more"] = two["paths"]["/things"].clone();
    two["paths"]["/more"]["get"]["operationId"] = "more".into();
    two["paths"]["/more"]["get"]["tags"] = json!(["big-things"]);
    let output = treated(&two);
    assert_eq!(output.model.tags.len(), 1);
    assert!(output.report.contains("share the module `big_things`"), "{}", output.report);
}

/// Tests that the generated module of an OpenAPI tag never has the name of a module of the client. For example, the
/// client has a module `extend`, so the module of a tag `extend` is `extend_domain`. The name `chat` is an exception,
/// because the client's module `chat` re-exports the generated module.
#[test]
fn domains_never_have_the_name_of_a_module_of_the_client() {
    let root = std::fs::read_to_string("../crates/client/src/lib.rs").unwrap();
    let modules = root.lines().filter_map(|line| {
        let name = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?;
        Some(name.trim_end_matches([';', '{', '}', ' ']))
    });
    let modules: Vec<&str> = modules.filter(|name| *name != "chat").collect();
    assert!(modules.contains(&"extend") && modules.len() > 20, "{modules:?}");
    for module in modules {
        assert_eq!(treated(&tagged(module)).model.tags[0].module, format!("{module}_domain"));
    }
}

#[test]
fn operations_become_methods_requests_and_rows() {
    for (id, method, request, row) in [
        ("things-list", "things_list", "ThingsListRequest", "THINGS_LIST"),
        ("get", "get", "GetRequest", "GET"),
        ("type", "type_", "TypeRequest", "TYPE"),
        ("24h", "hour_24", "N24hRequest", "N24H"),
        (
            "listThings_v2.beta",
            "list_things_v2_beta",
            "ListThingsV2BetaRequest",
            "LIST_THINGS_V2_BETA",
        ),
    ] {
        let ours = code(&identified(id));
        for part in [
            format!("pub fn {method}("),
            format!("pub struct {request} "),
            format!("pub static {row}:"),
        ] {
            assert!(ours.contains(&part), "{part}");
        }
    }

    for (id, method) in [
        ("new", "new_operation"),
        ("call", "call_operation"),
        ("version", "version_operation"),
        ("\u{2026}", "get_things"),
        ("", "get_things"),
    ] {
        let output = treated(&identified(id));
        let ours: String = output.sources.values().map(String::as_str).collect();
        assert!(ours.contains(&format!("pub fn {method}(")), "{id}: {method}");
        assert!(output.report.contains("## Decided"), "{id}");
    }

    let mut twins = identified("1m");
    twins["paths"]["/more"] = twins["paths"]["/things"].clone();
    twins["paths"]["/more"]["get"]["operationId"] = "minute-1".into();
    let ids: Vec<String> =
        treated(&twins).model.operations.into_iter().map(|operation| operation.id).collect();
    assert_eq!(ids, ["get-things", "minute-1"]);
}

#[test]
fn parameters_that_rust_spells_alike() {
    let query = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    let two = |a: &str, b: &str| {
        listing(json!([query(a), query(b)]), json!({"type": "string"}), json!({}))
    };
    let idents = |document: &Value| -> Vec<String> {
        let model = treated(document).model;
        model.operations[0].params.iter().map(|param| param.ident.clone()).collect()
    };
    assert_eq!(idents(&two("pageSize", "page_size")), ["page_size", "page_size_query"]);
    assert_eq!(idents(&two("q", "q")), ["q"]);
    assert_eq!(idents(&two("q", "?")), ["q", "parameter"]);
    insta::assert_snapshot!(short(&fault(&two("q", ""))), @"the parameter has no name at #/paths/~1things/get/parameters/1");
    assert_eq!(idents(&two("with_options", "a")), ["with_options_query", "a"]);
    // A parameter and a field of the body are arguments of the same method.
    let mut both = posting(json!({"content": {"application/json": {"schema": {
        "type": "object", "properties": {"q": {"type": "string"}}}}}}));
    both["paths"]["/things"]["post"]["parameters"] = json!([query("q")]);
    assert_eq!(idents(&both), ["q", "q_body"]);
    assert!(
        code(&two("self", "match")).contains("pub fn self_(mut self, self_: impl Into<String>)")
    );
}

#[test]
fn headers_and_path_parameters_are_sent_in_their_place_and_wrong_paths_are_faults() {
    let header = json!([{"name": "X-Request-Id", "in": "header", "schema": {"type": "string"}}]);
    let ours = code(&listing(header, json!({"type": "string"}), json!({})));
    assert!(ours.contains("\"X-Request-Id\", rt::In::Header"), "{ours}");

    let path = |path: &str, names: &[&str]| {
        let parameters: Vec<_> = names
            .iter()
            .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
            .collect();
        let mut document = listing(json!(parameters), json!({"type": "string"}), json!({}));
        let paths = document["paths"].as_object_mut().unwrap();
        let item = paths.remove("/things").unwrap();
        paths.insert(path.to_owned(), item);
        document
    };

    assert!(
        code(&path("/{a}{b}", &["a", "b"])).contains("a: impl Into<String>, b: impl Into<String>")
    );
    assert!(code(&path("/{a}/{a}", &["a"])).contains("path: \"/{a}/{a}\""));
    for (text, names) in [("/{a", &["a"][..]), ("/{}", &[]), ("/a}", &[])] {
        let told = fault(&path(text, names));
        assert!(told.contains("   at: #/paths/"), "{told}");
    }

    for (text, names, called) in [
        ("/{a}", &[][..], "/{a}"),
        ("/b", &["a"], "/b"),
        ("/{a}", &["a", "a"], "/{a}"),
        ("b", &[], "/b"),
        ("/b?c=1", &[], "/b?c=1"),
        ("/b#stream", &[], "/b"),
        ("/b c", &[], "/b%20c"),
        ("/\u{e9}", &[], "/%C3%A9"),
        ("/b\n", &[], "/b%0A"),
    ] {
        assert_eq!(treated(&path(text, names)).model.operations[0].path, called);
    }
}

#[test]
fn records_enums_and_their_members() {
    let members = |members: Value| thing(json!({"type": "object", "properties": members}));

    // A record gets another name if generated code uses a type of this name.
    for (name, record) in [
        ("Option", "OptionRecord"),
        ("result", "ResultRecord"),
        ("Self", "SelfRecord"),
        ("Into", "IntoRecord"),
        ("MetricValue", "MetricValueRecord"),
    ] {
        let document = listing(
            json!([]),
            json!({"$ref": format!("#/components/schemas/{name}")}),
            json!({name: {"type": "object", "properties": {"a": {"type": "string"}}}}),
        );
        assert!(treated(&document).model.records.contains_key(record), "{name}");
    }

    for (name, field) in [("", "member"), ("-", "member"), ("extra", "extra_"), ("Extra", "extra_")]
    {
        let model = treated(&members(json!({name: {"type": "string"}}))).model;
        assert_eq!(model.records["Thing"].fields[0].ident, field);
    }
    assert!(
        code(&members(json!({"self": {}, "crate": {}, "2nd": {}, "gen": {}})))
            .contains("pub self_:")
    );

    // More fields than the runtime can number.
    let many: serde_json::Map<_, _> = (0..257).map(|n| (format!("m{n}"), json!({}))).collect();
    let output = treated(&members(Value::Object(many)));
    assert_eq!(output.model.records["Thing"].fields.len(), 256);
    assert!(output.report.contains("a record has more than 256 fields"));

    // Tests enum values that are not valid Rust names, and values that would end a comment.
    let values = |values: Value| members(json!({"kind": {"type": "string", "enum": values}}));
    assert!(
        code(&values(json!(["+", "-", "other"])))
            .contains(r#"Plus = "+", /// `-` Minus = "-", /// `other` OtherValue = "other","#)
    );
    let ours = code(&values(json!(["self", "a`b\nc\u{202e}"])));
    assert!(
        ours.contains(r#"/// `self` Self_ = "self", /// `a'b\nc` ABC = "a`b\nc\u{202e}","#),
        "{ours}"
    );

    let mut named = values(json!(["a"]));
    named["components"]["schemas"]["Thing"]["properties"]["kind"]["x-enum-names"] =
        json!({"a": "not a name"});
    insta::assert_snapshot!(short(&fault(&named)), @"`not a name` cannot be the name of the value `a`, because the name is invalid or taken at #/components/schemas/Thing/properties/kind");
    named["components"]["schemas"]["Thing"]["properties"]["kind"] =
        json!({"type": "string", "enum": ["a"], "x-enum": "Result"});
    insta::assert_snapshot!(short(&fault(&named)), @"the generated code already uses the name `Result` at #/components/schemas/Thing/properties/kind");

    // A record that callers build has a constructor `new`, so the setter of the field `new` is `new_`.
    let part = |member: &str| {
        posting(
            json!({"content": {"application/json": {"schema": {"type": "object", "properties": {
            "part": {"type": "object", "properties": {member: {"type": "string"}}}}}}}}),
        )
    };
    assert!(code(&part("new")).contains("pub fn new_(mut self"));
}

#[test]
fn a_member_of_an_answer_like_a_method_of_its_reply_gets_another_name() {
    let members = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    for name in ["http", "body", "credits_used", "operation", "map"] {
        let output = treated(&thing(members(name)));
        assert_eq!(output.model.records["Thing"].fields[0].ident, format!("{name}_"));
        assert!(output.report.contains("because `Reply` has a method of the same name"), "{name}");
    }
    // A field keeps its name if `Reply` has no such method, or if its record is not a response.
    assert!(code(&thing(members("status"))).contains("pub status:"));
    let inner = json!({"type": "object", "properties": {"inner": members("body")}});
    assert!(code(&thing(inner)).contains("pub body:"));
}

#[test]
fn two_enums_of_one_name_at_different_places_are_told_apart() {
    let query = |name: &str, values: Value| json!({"name": name, "in": "query", "schema": {"type": "string", "enum": values}});
    // The enums of `things-list` with `kind` and of `things` with `list-kind` would have the same name.
    let mut document =
        listing(json!([query("kind", json!(["a"]))]), json!({"type": "string"}), json!({}));
    let mut other = document["paths"]["/things"]["get"].clone();
    other["operationId"] = "things".into();
    other["parameters"] = json!([query("list-kind", json!(["b"]))]);
    document["paths"]["/other"] = json!({"get": other});
    let output = treated(&document);
    let names: Vec<&String> = output.model.enums.keys().collect();
    assert_eq!(names, ["ThingsListKind", "ThingsListKind2"]);
    let hint = "to merge both enums, give them the same `x-enum`";
    assert!(output.report.contains(hint), "{}", output.report);
}

#[test]
fn odd_texts_stay_comments() {
    let texts = [
        "long ".repeat(20_000),
        "<script>alert(1)</script> [a](b) [c] `d".to_owned(),
        "*/ #[cfg(x)] \"#\n```\nlet x = ;\n    indented\n".to_owned(),
        "a\r\nb\rc\u{0}\u{202e}d".to_owned(),
        "see https://a.example/x.".to_owned(),
    ];
    for text in texts {
        let mut document = thing(json!({"type": "object", "description": text, "properties": {
            "a": {"type": "string", "description": text, "enum": ["x"]}}}));
        document["info"]["title"] = text.clone().into();
        document["tags"] = json!([{"name": "Things", "description": text}]);
        document["paths"]["/things"]["get"]["summary"] = text.clone().into();
        document["paths"]["/things"]["get"]["description"] = text.into();
        for (name, source) in treated(&document).sources {
            syn::parse_file(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!source.contains('\u{202e}'), "{name}");
            assert!(!source.contains('\r'), "{name}");
        }
    }
}
