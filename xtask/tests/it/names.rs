//! Names and texts that Rust, Cargo or rustdoc would stumble over.

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

/// The first two lines of a fault in one.
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
    insta::assert_snapshot!(short(&fault(&tagged("市場"))), @"the tag `市場` has no letters to make a name of at #/paths/~1things/get/tags");
    insta::assert_snapshot!(short(&fault(&tagged(""))), @"the tag `` has no letters to make a name of at #/paths/~1things/get/tags");
    insta::assert_snapshot!(short(&fault(&tagged("Shared"))), @"the tag `Shared` would be the module `shared`, which is taken at #/tags");
    insta::assert_snapshot!(short(&fault(&tagged("all"))), @"the tag `all` would be the module `all`, which is taken at #/tags");
    let mut two = tagged("Big Things");
    two["paths"]["/more"] = two["paths"]["/things"].clone();
    two["paths"]["/more"]["get"]["operationId"] = "more".into();
    two["paths"]["/more"]["get"]["tags"] = json!(["big-things"]);
    insta::assert_snapshot!(short(&fault(&two)), @"the tags `big-things` and `Big Things` would share the module `big_things` at #/tags");
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
    for id in ["new", "call", "version", "operations", "…", ""] {
        let told = fault(&identified(id));
        assert!(told.contains("#/paths/~1things/get"), "{told}");
    }
    let mut twins = identified("1m");
    twins["paths"]["/more"] = twins["paths"]["/things"].clone();
    twins["paths"]["/more"]["get"]["operationId"] = "minute-1".into();
    insta::assert_snapshot!(short(&fault(&twins)), @"the operation `1m` would be called like the one at /paths/~1more/get at #/paths/~1things/get");
}

#[test]
fn parameters_that_rust_spells_alike() {
    let query = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    let two = |a: &str, b: &str| {
        listing(json!([query(a), query(b)]), json!({"type": "string"}), json!({}))
    };
    insta::assert_snapshot!(short(&fault(&two("pageSize", "page_size"))), @"`page_size` and another parameter would both be called `page_size` at #/paths/~1things/get/parameters/1");
    insta::assert_snapshot!(short(&fault(&two("q", "q"))), @"`q` and another parameter would both be called `q` at #/paths/~1things/get/parameters/1");
    insta::assert_snapshot!(short(&fault(&two("q", "?"))), @"the parameter has no name at #/paths/~1things/get/parameters/1");
    // A parameter and a member of the body are arguments of one method.
    let mut both = posting(json!({"content": {"application/json": {"schema": {
        "type": "object", "properties": {"q": {"type": "string"}}}}}}));
    both["paths"]["/things"]["post"]["parameters"] = json!([query("q")]);
    insta::assert_snapshot!(short(&fault(&both)), @"`q` and another parameter would both be called `q` at #/paths/~1things/post/requestBody/content");
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
    for (text, names) in [
        ("/{a", &["a"][..]),
        ("/{}", &[]),
        ("/{a}", &[]),
        ("/b", &["a"]),
        ("/{a}", &["a", "a"]),
        ("b", &[]),
        ("/b?c=1", &[]),
        ("/b#stream", &[]),
        ("/b c", &[]),
        ("/\u{e9}", &[]),
        ("/b\n", &[]),
    ] {
        let told = fault(&path(text, names));
        assert!(told.contains("   at: #/paths/"), "{told}");
    }
}

#[test]
fn records_enums_and_their_members() {
    let members = |members: Value| thing(json!({"type": "object", "properties": members}));
    // A record may be called like no type that generated code names.
    for name in ["Option", "result", "Self", "Vec", "Into", "MetricValue"] {
        let document = listing(
            json!([]),
            json!({"$ref": format!("#/components/schemas/{name}")}),
            json!({name: {"type": "object", "properties": {"a": {"type": "string"}}}}),
        );
        assert!(fault(&document).contains("#/components/schemas/"), "{name}");
    }
    for name in ["", "-", "extra", "Extra"] {
        let told = fault(&members(json!({name: {"type": "string"}})));
        assert!(told.contains(&format!("#/components/schemas/Thing/properties/{name}")), "{told}");
    }
    assert!(
        code(&members(json!({"self": {}, "crate": {}, "2nd": {}, "gen": {}})))
            .contains("pub self_:")
    );
    // Enough members for more bits than the runtime has.
    let many: serde_json::Map<_, _> = (0..257).map(|n| (format!("m{n}"), json!({}))).collect();
    insta::assert_snapshot!(short(&fault(&members(Value::Object(many)))), @"a record with more than 256 members at #/components/schemas/Thing");
    // Values of an enum that are no names, and values that break out of a comment.
    let values = |values: Value| members(json!({"kind": {"type": "string", "enum": values}}));
    insta::assert_snapshot!(short(&fault(&values(json!(["+", "-"])))), @"`+` has no letters to make a name of at #/components/schemas/Thing/properties/kind");
    insta::assert_snapshot!(short(&fault(&values(json!(["other"])))), @"`other` would be called like the unknown arm at #/components/schemas/Thing/properties/kind");
    let ours = code(&values(json!(["self", "a`b\nc\u{202e}"])));
    assert!(
        ours.contains(r#"/// `self` Self_ = "self", /// `a'b\nc` ABC = "a`b\nc\u{202e}","#),
        "{ours}"
    );
    let mut named = values(json!(["a"]));
    named["components"]["schemas"]["Thing"]["properties"]["kind"]["x-enum-names"] =
        json!({"a": "not a name"});
    insta::assert_snapshot!(short(&fault(&named)), @"`not a name` is not a name that Rust can spell at #/components/schemas/ThingKind");
    named["components"]["schemas"]["Thing"]["properties"]["kind"] =
        json!({"type": "string", "enum": ["a"], "x-enum": "Result"});
    insta::assert_snapshot!(short(&fault(&named)), @"`Result` is a name that generated code uses itself at #/components/schemas/Result");
    // Only what people build has constructors to clash with.
    let part = |member: &str| {
        posting(
            json!({"content": {"application/json": {"schema": {"type": "object", "properties": {
            "part": {"type": "object", "properties": {member: {"type": "string"}}}}}}}}),
        )
    };
    assert!(fault(&part("new")).contains("properties/new"));
    assert!(code(&members(json!({"new": {"type": "string"}}))).contains("pub new:"));
}

#[test]
fn an_answer_with_a_member_like_a_method_of_its_reply_is_a_fault() {
    let members = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    for name in ["http", "body", "credits_used", "operation", "map"] {
        let told = fault(&thing(members(name)));
        assert!(told.contains(&format!("#/components/schemas/Thing/properties/{name}")), "{told}");
    }
    insta::assert_snapshot!(fault(&thing(members("creditsUsed"))), @"
    error: the answer `Thing` would have a member `credits_used`, and `Reply` has a method of that name
       at: #/components/schemas/Thing/properties/creditsUsed
     hint: remove it in the overlay, so that it is kept among the unknown members, or rename the method in crates/core/src/reply.rs
    ");
    // What a reply has no method for, and what is not an answer itself, is free.
    assert!(code(&thing(members("status"))).contains("pub status:"));
    let inner = json!({"type": "object", "properties": {"inner": members("body")}});
    assert!(code(&thing(inner)).contains("pub body:"));
}

#[test]
fn two_enums_of_one_name_at_different_places_are_a_fault() {
    let query = |name: &str, values: Value| json!({"name": name, "in": "query", "schema": {"type": "string", "enum": values}});
    // `things-list` with `kind`, and `things` with `list-kind`.
    let mut document =
        listing(json!([query("kind", json!(["a"]))]), json!({"type": "string"}), json!({}));
    let mut other = document["paths"]["/things"]["get"].clone();
    other["operationId"] = "things".into();
    other["parameters"] = json!([query("list-kind", json!(["b"]))]);
    document["paths"]["/other"] = json!({"get": other});
    insta::assert_snapshot!(fault(&document), @"
    error: this enum would be called `ThingsListKind` like another
       at: #/paths/~1things/get/parameters/0/schema
     hint: give both `x-enum` in the overlay: the same name to share one enum, or two names
    ");
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
