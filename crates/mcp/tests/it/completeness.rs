//! Tests that an incomplete result contains the completeness state of the list, such as `more_available`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::tower_service::Service as _;
use crypto_intel::{RetryPolicy, http};
use crypto_intel_mcp::Settings;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::json;

use crate::common::{Setup, connect, jq_worker, setup};

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
    assert_eq!(answer["incomplete"]["state"], "stopped_by_budget", "{answer}");
    assert_eq!(answer["incomplete"]["problem"]["error"], "insufficient credits", "{answer}");
}

/// Tests a list of several pages, in which the third request fails. The result contains the rows before the failure,
/// the error, and an instruction how to continue. The test runs with and without a jq program.
#[tokio::test]
async fn rows_before_a_failing_third_page_come_with_the_way_on() {
    for (jq, data) in
        [(None, None), (Some("length"), Some(40)), (Some("map(.id) | unique | length"), Some(40))]
    {
        let setup = failing_at(2).await;
        let mut call = json!({"operation": "news-feed", "pages": 5});
        if let Some(program) = jq {
            call["jq"] = program.into();
        }
        let answer = setup.ok("call_operation", call).await;
        assert_eq!(answer["rows"], 40, "{answer}");
        if let Some(count) = data {
            assert_eq!(answer["service_data"], count, "{answer}");
        }
        let incomplete = &answer["incomplete"];
        assert_eq!(incomplete["state"], "failed", "{answer}");
        assert_eq!(incomplete["problem"]["status"], 500, "{answer}");
        assert!(
            incomplete["next"].as_str().is_some_and(|next| next.contains("next_page")),
            "{answer}"
        );

        // The third page follows without a gap.
        let more = json!({"handle": answer["handle"], "next_page": true, "jq": "map(.id) | unique | length"});
        let more = setup.ok("read_result", more).await;
        assert_eq!((&more["rows"], &more["service_data"]), (&json!(60), &json!(60)), "{more}");
        assert_eq!(more["incomplete"]["state"], "more_available", "{more}");
    }
}

/// Tests a list of several pages, in which the first request fails. The tool then returns an error, because there are
/// no rows.
#[tokio::test]
async fn a_failing_first_page_is_an_error() {
    let setup = failing_at(0).await;
    let problem =
        setup.refused("call_operation", json!({"operation": "news-feed", "pages": 5})).await;
    assert_eq!(problem["status"], 500, "{problem}");
}

#[tokio::test]
async fn total_of_the_service_is_told_with_every_reading() {
    let setup = setup().await;
    let call = json!({"operation": "market-ranking", "arguments": {"limit": 5}, "pages": 2, "jq": "length"});
    let answer = setup.ok("call_operation", call).await;
    assert_eq!(
        (&answer["rows"], &answer["incomplete"]["total"]),
        (&json!(10), &json!(26)),
        "{answer}"
    );
    let query =
        format!("SELECT count() AS n FROM {}", answer["handle"].as_str().expect("a handle"));
    let counted = setup.ok("sql", json!({"query": query, "over_results": true})).await;
    assert_eq!(counted["incomplete"]["total"], 26, "{counted}");
    let read =
        setup.ok("read_result", json!({"handle": answer["handle"], "jq": ".[0].symbol"})).await;
    assert_eq!(read["incomplete"]["state"], "more_available", "{read}");
}

/// Creates a test setup with a service that responds to one request with HTTP status 500. `request` is the index of
/// this request, counted from 0.
async fn failing_at(request: usize) -> Setup {
    let sandbox = crate::common::sandbox().await;
    let (service, count) = (sandbox.service(), Arc::new(AtomicUsize::new(0)));
    let failing = service_fn(move |sent: http::Request<Body>| {
        let (mut service, number) = (service.clone(), count.fetch_add(1, Ordering::SeqCst));
        async move {
            if number == request {
                let body = Body::from(r#"{"error":{"code":"INTERNAL_ERROR","message":"broken"}}"#);
                let mut response = http::Response::new(body);
                *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
                return Ok(response);
            }
            service.call(sent).await.map(|response| response.map(Body::new))
        }
    });
    let builder = crypto_intel::Client::builder()
        .base_url(sandbox.url())
        .api_key(sandbox.key())
        .http_service(failing)
        .retry(RetryPolicy::new().attempts(1));
    let settings = Settings::new().jq_worker(jq_worker());
    let server = crypto_intel_mcp::Server::new(builder, settings).expect("a server");
    let client = connect(server.clone(), Default::default()).await;
    Setup { sandbox, client, listener: Default::default(), server }
}
