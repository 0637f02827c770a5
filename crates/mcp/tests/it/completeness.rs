//! Results that lack rows report their state.

use std::time::Duration;

use crypto_intel_mcp::Settings;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::json;

use crate::common::{Setup, connect, setup};

#[tokio::test]
async fn a_query_with_more_rows_says_so() {
    let setup = setup().await;
    let query = "SELECT number FROM numbers(100000)";
    let answer = setup.ok("sql", json!({"query": query, "jq": "length"})).await;
    assert_eq!(answer["service_data"], 1000);
    assert_eq!(answer["incomplete"]["state"], "more_available", "{answer}");

    let whole = setup.ok("sql", json!({"query": "SELECT 1 AS one"})).await;
    assert!(whole.get("incomplete").is_none(), "{whole}");
    let most = json!({"query": query, "max_rows": 10_000, "jq": "length"});
    assert_eq!(setup.ok("sql", most).await["service_data"], 10_000);
}

#[tokio::test]
async fn a_list_with_more_pages_says_so_with_and_without_a_filter() {
    let setup = setup().await;
    for extra in [json!({}), json!({"jq": "length"})] {
        let mut call = json!({"operation": "market-ranking", "arguments": {"limit": 5}});
        call.as_object_mut().expect("an object").extend(extra.as_object().expect("one").clone());
        let answer = setup.ok("call_operation", call).await;
        assert_eq!(answer["incomplete"]["state"], "more_available", "{answer}");
        let next = answer["incomplete"]["next"].as_str().expect("a next step");
        assert!(next.contains("next_page"), "{next}");
    }

    let calls = json!({"calls": [{"operation": "market-ranking", "jq": "length"}]});
    let answer = setup.ok("call_side_by_side", calls).await;
    assert_eq!(answer["results"][0]["incomplete"]["state"], "more_available", "{answer}");
}

#[tokio::test]
async fn an_answer_that_its_own_limit_cuts_says_so() {
    let setup = setup().await;
    let arguments = json!({"symbol": "BTC", "limit": 3});
    let call = json!({"operation": "market-liquidation-chart", "arguments": arguments});
    let cut = setup.ok("call_operation", call).await;
    assert_eq!(cut["incomplete"]["state"], "cut_at_limit", "{cut}");
    assert!(cut["incomplete"]["next"].is_string(), "{cut}");
}

#[tokio::test]
async fn pages_before_a_failed_page_are_stored_with_the_error() {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    // The account can pay for two pages, and no repeat is free.
    let sandbox = Sandbox::builder().clock(clock).free_repeats(Duration::ZERO);
    let sandbox = sandbox.key("sk-two-pages-0123456789", 2).start().await.expect("a free port");
    let builder =
        crypto_intel::Client::builder().base_url(sandbox.url()).api_key("sk-two-pages-0123456789");
    let server = crypto_intel_mcp::Server::new(builder, Settings::new()).expect("a server");
    let client = connect(server.clone(), Default::default()).await;
    let setup = Setup { sandbox, client, listener: Default::default(), server };

    let call = json!({"operation": "news-feed", "arguments": {}, "pages": 5});
    let answer = setup.ok("call_operation", call).await;
    assert_eq!(answer["rows"], 40, "{answer}");
    assert_eq!(answer["incomplete"]["state"], "failed", "{answer}");
    assert_eq!(answer["incomplete"]["problem"]["error"], "insufficient credits", "{answer}");
}
