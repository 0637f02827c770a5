//! Tests of each MCP tool.

use crypto_intel::Client;
use crypto_intel::catalogue::{Answer, OPERATIONS, ParamKind, Price};
use crypto_intel_mcp::Settings;
use crypto_intel_sandbox::example;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult};
use rmcp::service::PeerRequestOptions;
use serde_json::{Map, Value, json};

use crate::common::{objects, setup, setup_with};

#[tokio::test]
async fn an_answer_is_that_of_the_typed_client() {
    let setup = setup().await;
    let typed = Client::builder().base_url(setup.sandbox.url()).api_key(setup.sandbox.key());
    let typed = typed.build().expect("a client").market_price("BTC").await.expect("an answer");

    let answer = setup
        .ok(
            "call_operation",
            json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "max_tokens": 100_000}),
        )
        .await;
    let rows = objects(&answer["service_data"]);
    assert_eq!(answer["rows"], typed.data.len());
    // A whole number that the service writes as `5.0` is `5` in a table.
    assert_eq!(plain(json!(rows)), plain(json!(typed.data[..rows.len()])));
    assert_eq!(answer["credits"]["list_price"], 2);
    assert!(!answer.to_string().contains("$schema"), "{answer}");
    // This call repeats another call within the free-repeat window: the list price stays, and the charge is 0.
    assert_eq!(answer["credits"]["charged"], 0);
}

/// Converts all numbers of a JSON value to floats.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, plain(value)));
            members.collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

#[tokio::test]
async fn every_readable_operation_can_be_called_with_its_example() {
    let setup = setup_with(Settings::new().allow_unpriced(true).max_credits(5_000)).await;
    let mut called = 0;
    for operation in OPERATIONS {
        if operation.method != crypto_intel::Method::GET || operation.answer == Answer::Stream {
            continue;
        }
        let arguments: Map<String, Value> = example::parameters(operation)
            .into_iter()
            .filter(|(name, _)| {
                let kind = operation.param(name).map(|(_, param)| param.kind);
                !matches!(kind, Some(ParamKind::Constant(_)))
            })
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        // Jobs exist only after queries.
        if arguments.contains_key("job_id") {
            continue;
        }

        let answer = setup
            .ok("call_operation", json!({"operation": operation.id, "arguments": arguments}))
            .await;
        assert!(answer.get("service_data").is_some(), "{}", operation.id);
        if let Price::Credits(price) = operation.price {
            let credits = &answer["credits"];
            // The list price is shown only if the charge differs.
            let price = json!(price);
            assert!(credits["list_price"] == price || credits["charged"] == price, "{answer}");
        }
        called += 1;
    }
    assert!(called > 120, "{called}");
}

#[tokio::test]
async fn operations_that_write_name_their_own_tool() {
    let setup = setup().await;
    let problem = setup.refused("call_operation", json!({"operation": "responses"})).await;
    assert_eq!(problem["next_step"], "use the tool `ask`");
    let problem =
        setup.refused("call_operation", json!({"operation": "onchain-sql-job-cancel"})).await;
    assert!(
        problem["next_step"].as_str().expect("text").contains("--tools onchain-sql-job-cancel")
    );
}

#[tokio::test]
async fn invalid_arguments_are_rejected_before_a_request() {
    let setup = setup().await;
    let of_operations = [
        (json!({"operation": "market-prise"}), "there is no operation `market-prise`"),
        (json!({"operation": "market-price"}), "`symbol` is required"),
        (
            json!({"operation": "market-price", "arguments": {"symbol": "BTC", "days": 3}}),
            "no parameter `days`",
        ),
        (
            json!({"operation": "token-holders", "arguments": {"address": "vitalik.eth", "chain": "eth"}}),
            "did you mean `ethereum`",
        ),
    ];

    let of_the_tool = [
        (json!({"operation": "market-fear-greed", "pages": 3}), "single page"),
        (
            json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "color": "red"}),
            "unknown field `color`",
        ),
        (
            json!({"operation": "market-fear-greed", "max_tokens": -1}),
            "`max_tokens`: invalid value: integer `-1`, expected a whole number of at least 0",
        ),
        (json!({"operation": "market-fear-greed", "dry_run": "yes"}), "`dry_run`: "),
        (json!({"operation": "market-fear-greed", "jq": ".["}), "not valid jq"),
        (json!({}), "missing field `operation`"),
    ];

    for (arguments, expected) in of_operations.into_iter().chain(of_the_tool) {
        let problem = setup.refused("call_operation", arguments.clone()).await;
        assert!(
            problem["message"].as_str().expect("text").contains(expected),
            "{arguments}: {problem}"
        );
    }

    // An empty question would be charged like any other.
    let problem = setup.refused("ask", json!({"question": " "})).await;
    assert!(problem["message"].as_str().expect("text").contains("`question`"), "{problem}");
    assert_eq!(setup.sandbox.requests_served(), 0);

    let problem = setup.refused("no_such_tool", json!({})).await;
    assert!(problem["next_step"].as_str().expect("text").contains("call_operation"));
}

#[tokio::test]
async fn several_calls_run_side_by_side_and_one_fault_stops_none() {
    let setup = setup().await;
    let price = |symbol: &str| json!({"operation": "market-price", "arguments": {"symbol": symbol}, "jq": ".[-1].value", "label": symbol});
    let calls = json!({"calls": [price("BTC"), price("NOSUCHCOIN"), price("ETH"), {"operation": "market-price"}]});

    let answer = setup.ok("call_side_by_side", calls).await;
    let results = answer["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    assert!(results[0]["service_data"].is_number() && results[2]["service_data"].is_number());
    assert_eq!(results[1]["error"], "not found");
    assert_eq!(results[3]["error"], "invalid arguments");
    assert_eq!(results[2]["label"], "ETH");
}

#[tokio::test]
async fn queries_are_answered_checked_and_explained() {
    let setup = setup().await;
    let query = "SELECT number, number * 2 AS twice FROM numbers(50)";
    let answer = setup.ok("sql", json!({"query": query})).await;
    let rows = objects(&answer["service_data"]);
    assert_eq!(rows[49], json!({"number": 49, "twice": 98}));
    assert!(answer["credits"]["charged"].is_number());

    let answer = setup.ok("sql", json!({"query": query, "jq": "sum(.twice)"})).await;
    assert_eq!(answer["service_data"], 2450);
    let checked = setup.ok("sql", json!({"query": query, "preflight": true})).await;
    assert!(checked["service_data"].is_object(), "{checked}");
    let problem = setup.refused("sql", json!({"query": "SELECT nothing FROM nowhere"})).await;
    assert_eq!(problem["error"], "invalid arguments");
}

#[tokio::test]
async fn a_question_is_answered_and_gone_on_from() {
    let setup = setup().await;
    let answer = setup.ok("ask", json!({"question": "What is the price of ETH?"})).await;
    assert!(answer["service_data"]["text"].as_str().expect("text").len() > 20);
    assert_eq!(answer["credits"]["charged"], 20);
    let cited = &answer["service_data"]["citations"][0];
    assert!(cited["url"].as_str().is_some_and(|url| url.starts_with("/gateway/")), "{answer}");
    assert!(cited["characters"][1].is_number() && cited["title"].is_string(), "{answer}");

    let served = setup.sandbox.requests_served();
    let misspelt = json!({"question": "What of ETH?", "model": "svc-2.0-instnat"});
    let problem = setup.refused("ask", misspelt).await;
    assert!(problem["message"].as_str().expect("text").contains("svc-2.0-instant"), "{problem}");
    assert_eq!(setup.sandbox.requests_served(), served);

    let id = answer["id"].as_str().expect("an id");
    let more = setup.ok("ask", json!({"question": "And its supply?", "continue_from": id})).await;
    assert_ne!(more["id"], answer["id"]);
}

#[tokio::test]
async fn credits_are_counted_by_operation_and_by_the_account() {
    let setup = setup().await;
    setup.operation("market-price", json!({"symbol": "BTC"})).await;
    let credits = setup.ok("credits", json!({})).await;
    assert_eq!(credits["connection"]["operations"]["market-price"]["calls"], 1);
    assert_eq!(credits["connection"]["left"], 498);
    assert_eq!(credits["connection"]["reported"], 2);
    assert!(credits["balance"]["service_data"].is_object());
    assert_eq!(setup.sandbox.charged(setup.sandbox.key()), Some(2));
}

#[tokio::test]
async fn progress_is_sent_to_callers_with_a_progress_token() {
    let setup = setup().await;
    let params = CallToolRequestParams::new("call_operation").with_arguments(
        json!({"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 5}, "pages": 3})
            .as_object()
            .expect("an object")
            .clone(),
    );
    // The client library adds a progress token to every request.
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = setup
        .client
        .send_cancellable_request(request, PeerRequestOptions::no_options())
        .await
        .expect("sent");
    let ServerResult::CallToolResult(_) = handle.await_response().await.expect("a result") else {
        panic!("a tool's result")
    };

    let told = setup.listener.0.lock().expect("no panic").clone();
    let progress: Vec<_> = told.iter().map(|one| (one.progress, one.total)).collect();
    assert_eq!(progress, [(1.0, Some(3.0)), (2.0, Some(3.0)), (3.0, Some(3.0))]);
}

#[tokio::test]
async fn a_cancelled_call_ends_and_leaves_the_server_in_order() {
    use crypto_intel_sandbox::Fault;

    let setup = setup().await;
    // A response that takes much longer than the test.
    setup
        .sandbox
        .inject("stall; times=1; operation=market-fear-greed".parse::<Fault>().expect("a fault"))
        .expect("a fault");
    let params = CallToolRequestParams::new("call_operation").with_arguments(
        json!({"operation": "market-fear-greed"}).as_object().expect("an object").clone(),
    );
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = setup
        .client
        .send_cancellable_request(request, PeerRequestOptions::no_options())
        .await
        .expect("sent");
    while setup.sandbox.requests_served() == 0 {
        tokio::task::yield_now().await;
    }

    handle.cancel(Some("not wanted any more".to_owned())).await.expect("told");
    let answer = setup.ok("credits", json!({})).await;
    // The request was sent before the call was cancelled, so it may have been charged.
    assert!(answer["connection"]["perhaps_charged"].is_number());
}

#[tokio::test]
async fn resolve_lists_candidates_and_chooses_none() {
    let setup = setup().await;
    let found = |arguments: Value| json!({"operation": "resolve", "arguments": arguments});
    let answer =
        setup.ok("call_operation", found(json!({"name": "USDC", "kind": "contract"}))).await;
    let candidates = answer["service_data"].as_array().expect("candidates");
    assert!(candidates.len() > 1, "{answer}");
    assert_eq!(candidates[0]["kind"], "contract");
    assert!(answer["next"].as_str().expect("advice").contains("do not guess"), "{answer}");
    assert_eq!(answer["credits"]["list_price"], 1);

    let mut call = found(json!({"name": "AAVE", "operation": "token-holders"}));
    let answer = setup.ok("call_operation", call.clone()).await;
    assert!(answer["next"].is_null(), "{answer}");
    let identifier = answer["service_data"][0]["identifier"].as_array().expect("parts").clone();
    let arguments = json!({"address": identifier[0], "chain": identifier[1]});
    setup.operation("token-holders", arguments).await;

    let served = setup.sandbox.requests_served();
    call["dry_run"] = true.into();
    call["arguments"]["name"] = "LINK".into();
    let plan = setup.ok("call_operation", call.clone()).await;
    assert_eq!((&plan["searches"], &plan["list_price"]), (&json!(["search-token"]), &json!(1)));
    call["max_credits"] = 0.into();
    call["dry_run"] = false.into();
    setup.refused("call_operation", call).await;
    setup.refused("call_operation", found(json!({"name": "LINK"}))).await;
    assert_eq!(setup.sandbox.requests_served(), served);
}
