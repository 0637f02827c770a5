//! Tests the credit limits. The server rejects calls above a limit, and free tools stay usable.

use std::time::Duration;

use crypto_intel_mcp::Settings;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::json;

use crate::common::{Setup, connect, server, setup, setup_with};

#[tokio::test]
async fn dry_run_shows_the_price_and_sends_nothing() {
    let setup = setup().await;
    let arguments =
        json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "dry_run": true});
    let plan = setup.ok("call_operation", arguments).await;
    assert_eq!(plan["list_price"], 2);
    assert_eq!(plan["request"], "GET /gateway/v1/market/price?symbol=BTC");
    assert_eq!(setup.sandbox.requests_served(), 0);
}

#[tokio::test]
async fn call_above_a_cap_is_rejected_before_it_is_sent() {
    let setup = setup_with(Settings::new().max_credits_per_call(3).max_credits(5)).await;
    let call = |pages: u64, own: u64| json!({"operation": "market-ranking", "pages": pages, "max_credits": own});
    let price = setup.ok("describe_operation", json!({"operation": "market-ranking"})).await;
    assert!(price["price"].as_u64().expect("a price") <= 3, "{price}");

    let problem = setup.refused("call_operation", call(9, 100)).await;
    assert_eq!(problem["error"], "over the credit cap", "{problem}");
    let problem = setup.refused("call_operation", call(1, 0)).await;
    assert!(problem["message"].as_str().expect("text").contains("`max_credits`"), "{problem}");
    let question = setup.refused("ask", json!({"question": "What is ETH?"})).await;
    assert_eq!(question["error"], "over the credit cap");
    assert_eq!(setup.sandbox.requests_served(), 0);
}

/// Creates a test setup. `window` is the time for which the sandbox of the setup does not charge for repeats of a paid
/// call. Zero disables free repeats.
async fn with_repeats(window: Duration, settings: Settings) -> Setup {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).free_repeats(window).start();
    let sandbox = sandbox.await.expect("a free port");
    let server = server(&sandbox, settings);
    let client = connect(server.clone(), Default::default()).await;
    Setup { sandbox, client, listener: Default::default(), server }
}

/// Tests repeated calls for which the service reports 0 credits. The credit limit counts the credits that the service
/// reports, so these calls do not reduce the remaining credits.
#[tokio::test]
async fn repeats_that_the_service_reports_as_cached_leave_the_cap() {
    let setup = with_repeats(Duration::from_secs(180), Settings::new().max_credits(5)).await;
    let call = json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "jq": "length"});
    for _ in 0..6 {
        let answer = setup.ok("call_operation", call.clone()).await;
        assert_eq!(answer["credits"]["left"], 3, "{answer}");
    }
    assert_eq!(setup.sandbox.requests_served(), 6);
}

#[tokio::test]
async fn the_cap_of_the_connection_holds_over_all_calls() {
    let setup = with_repeats(Duration::ZERO, Settings::new().max_credits(5)).await;
    let call = json!({"operation": "market-price", "arguments": {"symbol": "BTC"}});
    setup.ok("call_operation", call.clone()).await;
    let second = setup.ok("call_operation", call.clone()).await;
    assert_eq!(second["credits"]["left"], 1);

    let problem = setup.refused("call_operation", call.clone()).await;
    assert_eq!(problem["error"], "over the credit cap", "{problem}");
    let calls = json!({"calls": [call.clone(), call]});
    setup.refused("call_side_by_side", calls).await;
    // Free tools still work.
    setup.ok("read_result", json!({"handle": "r1", "jq": "length"})).await;
    assert_eq!(setup.sandbox.requests_served(), 2);
}

#[tokio::test]
async fn operations_without_published_price_need_permission() {
    let operation = json!({"operation": "portfolio-wallets"});
    let setup_strict = setup().await;
    let problem = setup_strict.refused("call_operation", operation.clone()).await;
    assert!(problem["next_step"].as_str().expect("text").contains("--allow-unpriced"));
    let setup = setup_with(Settings::new().allow_unpriced(true)).await;
    setup.ok("call_operation", operation).await;
}
