//! Tests of the tool list, the instructions and the resources, which a client receives before its first call.

use crypto_intel::Client;
use crypto_intel::catalogue::{Answer, OPERATIONS, Type};
use crypto_intel_api::generated::tables::record;
use crypto_intel_mcp::{Server, Settings};
use serde_json::{Value, json};

use crate::common::{sandbox, setup, setup_with};

#[tokio::test]
async fn the_tools_are_as_reviewed() {
    let setup = setup().await;
    let tools = setup.client.list_all_tools().await.expect("tools");
    insta::assert_json_snapshot!(tools);
}

#[tokio::test]
async fn every_annotation_of_every_tool_is_set() {
    let setup = setup_with(Settings::new().tool("all")).await;
    let tools = setup.client.list_all_tools().await.expect("tools");
    assert!(tools.len() > 140, "{}", tools.len());

    for tool in tools {
        let hints = tool.annotations.unwrap_or_else(|| panic!("{} has none", tool.name));
        let all = [
            hints.read_only_hint,
            hints.destructive_hint,
            hints.idempotent_hint,
            hints.open_world_hint,
        ];
        assert!(all.iter().all(Option::is_some), "{}: {all:?}", tool.name);
        assert!(tool.output_schema.is_some() && tool.description.is_some(), "{}", tool.name);
    }
}

#[tokio::test]
async fn typed_tools_have_the_schemas_of_the_catalogue() {
    let setup = setup_with(Settings::new().tool("fund").tool("market-price")).await;
    let tools = setup.client.list_all_tools().await.expect("tools");
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).skip(8).collect();
    assert_eq!(names, ["fund_detail", "fund_portfolio", "fund_ranking", "market_price"]);

    let tool = tools.iter().find(|tool| tool.name == "market_price").expect("the tool");
    insta::assert_json_snapshot!("typed_tool", tool);

    let answer = setup.ok("market_price", json!({"symbol": "BTC", "jq": "length"})).await;
    assert!(answer["service_data"].as_u64().expect("a count") > 10);
    let problem = setup.refused("market_price", json!({"symbol": "BTC", "nonsense": 1})).await;
    assert!(problem["message"].as_str().expect("text").contains("no parameter `nonsense`"));
}

#[test]
fn unknown_tool_setting_is_rejected() {
    let builder = crypto_intel::Client::builder().base_url("http://sandbox.invalid");
    let error = crypto_intel_mcp::Server::new(builder, Settings::new().tool("market-prise"))
        .expect_err("unknown");
    assert!(error.message().contains("there is no operation `market-prise`"), "{error}");
}

#[tokio::test]
async fn instructions_name_service_data() {
    let setup = setup_with(Settings::new().sandbox(true)).await;
    let info = setup.client.peer_info().expect("information");
    let instructions = info.instructions.as_ref().expect("instructions");
    assert!(instructions.contains("never an instruction"));
    assert!(instructions.contains("invented"));
}

#[tokio::test]
async fn operations_records_and_results_are_resources() {
    let setup = setup().await;
    let listed = setup.client.list_all_resources().await.expect("resources");
    assert!(listed.iter().any(|one| one.uri == "cintel://domains/prediction-market"));
    let templates = setup.client.list_all_resource_templates().await.expect("templates");
    assert_eq!(templates.len(), 3);

    setup.operation("market-price", json!({"symbol": "BTC"})).await;
    let uris =
        ["domains/market", "operations/market-price", "records/MarketPriceResponse", "results/r1"];
    for uri in uris {
        let params = rmcp::model::ReadResourceRequestParams::new(format!("cintel://{uri}"));
        let read = setup.client.read_resource(params).await.expect("a resource");
        let text = serde_json::to_value(&read.contents[0]).expect("JSON")["text"].clone();
        let parsed: Value = serde_json::from_str(text.as_str().expect("text")).expect("JSON");
        assert!(parsed.is_object(), "{uri}");
    }

    for uri in ["cintel://nothing/x", "http://elsewhere", "cintel://results/r9"] {
        let params = rmcp::model::ReadResourceRequestParams::new(uri);
        assert!(setup.client.read_resource(params).await.is_err(), "{uri}");
    }
}

#[tokio::test]
async fn every_operation_can_be_found_and_described() {
    let setup = setup().await;
    for operation in OPERATIONS {
        let described = setup.ok("describe_operation", json!({"operation": operation.id})).await;
        assert_eq!(described["operation"], operation.id);
        for param in operation.params.iter().filter(|param| param.required) {
            assert!(described["parameters"].get(param.name).is_some(), "{}", operation.id);
        }

        let found =
            setup.ok("search_operations", json!({"query": operation.summary, "limit": 10})).await;
        let found: Vec<_> = found["operations"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["operation"].as_str().expect("a name"))
            .collect();
        assert!(found.contains(&operation.id), "{}: {found:?}", operation.id);
    }
}

#[tokio::test]
async fn retired_members_are_described_as_such() {
    let setup = setup().await;
    let mut retired = 0;
    for operation in OPERATIONS {
        let (Answer::Rows { row: Type::Record(name), .. }
        | Answer::One { data: Type::Record(name), .. }) = operation.answer
        else {
            continue;
        };
        let fields = record(name).map(|record| record.fields).unwrap_or_default();
        let fields: Vec<_> = fields.iter().filter(|field| field.deprecated.is_some()).collect();
        if fields.is_empty() {
            continue;
        }

        let described = setup.ok("describe_operation", json!({"operation": operation.id})).await;
        let members = match &described["answer"] {
            Value::Array(rows) => &rows[0],
            one => one,
        };
        for field in fields {
            let words = members[field.name].as_str().unwrap_or_default();
            let reason = field.deprecated.unwrap_or_default();
            assert!(
                words.ends_with(&format!("; deprecated: {reason}")),
                "{}: {words}",
                operation.id
            );
            retired += 1;
        }
    }
    assert!(retired > 0, "the catalogue has no retired member any more");
}

#[tokio::test]
async fn settings_remove_tools_and_operations() {
    let settings = Settings::new().without("credits").only("market").tool("all").read_only(true);
    let setup = setup_with(settings).await;
    let names: Vec<_> = setup.server.tools().iter().map(|tool| tool.name.to_string()).collect();
    for gone in ["credits", "sql", "ask", "wallet_detail", "responses"] {
        assert!(!names.iter().any(|name| name == gone), "{gone}");
        let params = rmcp::model::CallToolRequestParams::new(gone);
        let result = setup.client.call_tool(params).await.expect("a result");
        assert_eq!(result.is_error, Some(true), "{gone}");
    }
    assert!(names.contains(&"market_price".to_owned()), "{names:?}");

    let found = setup.ok("search_operations", json!({"query": "wallet balance"})).await;
    let found = found["operations"].to_string();
    assert!(!found.contains("wallet-detail"), "{found}");
    let wallet = json!({"operation": "wallet-detail", "arguments": {"address": "0x0"}});
    assert_eq!(setup.refused("call_operation", wallet).await["error"], "not found");
    setup.operation("market-price", json!({"symbol": "BTC"})).await;

    let sandbox = sandbox().await;
    let builder = Client::builder().base_url(sandbox.url());
    for wrong in [Settings::new().without("nothing"), Settings::new().only("nothing")] {
        assert!(Server::new(builder.clone(), wrong).is_err());
    }
}

/// Tests that strict modes of model providers accept the strict schemas. The schemas must not contain lists of types,
/// examples, defaults, optional properties, or objects with arbitrary properties.
#[tokio::test]
async fn strict_schemas_have_only_what_strict_modes_take() {
    fn check(schema: &Value, place: &str) {
        let members = schema.as_object().unwrap_or_else(|| panic!("{place}: {schema}"));
        for (name, member) in members {
            match name.as_str() {
                "type" => assert!(member.is_string(), "{place}: {schema}"),
                "anyOf" => {
                    member.as_array().expect("a list").iter().for_each(|one| check(one, place))
                }
                "items" => check(member, place),
                "properties" => {
                    let names: Vec<_> = member.as_object().expect("an object").keys().collect();
                    assert_eq!(json!(names), members["required"], "{place}: {schema}");
                    assert_eq!(members["additionalProperties"], false, "{place}: {schema}");
                    member
                        .as_object()
                        .into_iter()
                        .flatten()
                        .for_each(|(name, one)| check(one, &format!("{place}.{name}")));
                }
                "description" | "enum" | "required" | "additionalProperties" => {}
                other => panic!("{place}: `{other}` in {schema}"),
            }
        }

        assert!(members.contains_key("type") || members.contains_key("anyOf"), "{place}: {schema}");
        if members.get("type") == Some(&json!("object")) {
            assert!(members.contains_key("properties"), "{place}: {schema}");
        }
    }

    let setup = setup_with(Settings::new().tool("all").strict_schemas(true)).await;
    let tools = setup.client.list_all_tools().await.expect("tools");
    for tool in &tools {
        check(&json!(tool.input_schema), &tool.name);
    }

    // Callers in strict mode send null for omitted arguments, and strings for objects with arbitrary properties.
    let call = json!({"operation": "market-price", "arguments": r#"{"symbol": "BTC"}"#, "jq": "length", "pages": null, "dry_run": null, "max_credits": null, "max_tokens": null});
    assert!(setup.ok("call_operation", call).await["service_data"].is_number());
}

#[tokio::test]
async fn native_tools_replace_those_that_search_and_call() {
    let setup = setup_with(Settings::new().tool("native").only("market").only("token")).await;
    let tools = setup.client.list_all_tools().await.expect("tools");
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names[..2], ["read_result", "credits"], "{names:?}");
    assert!(names.contains(&"market_price") && names.contains(&"token_holders"), "{names:?}");
    assert!(!names.contains(&"fund_ranking") && !names.contains(&"call_operation"), "{names:?}");
    setup.ok("market_price", json!({"symbol": "BTC", "jq": "length"})).await;
    setup.refused("fund_ranking", json!({"metric": "tier"})).await;
}

#[tokio::test]
async fn values_of_a_set_are_known_in_any_case() {
    let setup = setup().await;
    let call = |metric: &str| json!({"operation": "project-defi-ranking", "arguments": {"metric": metric}, "jq": ".[0].name"});
    let exact = setup.ok("call_operation", call("tvl")).await;
    let other = setup.ok("call_operation", call("TVL")).await;
    assert_eq!(exact["service_data"], other["service_data"]);
}
