//! Tests that results are truncated, continued, filtered and paged.

use crypto_intel_mcp::estimate_tokens;
use serde_json::{Value, json};

use crate::common::{objects, setup, text};

#[tokio::test]
async fn a_large_result_is_cut_and_read_on_to_its_end() {
    let setup = setup().await;
    let arguments = json!({"operation": "market-price", "arguments": {"symbol": "BTC", "time_range": "365d"}, "max_tokens": 600});
    let first = setup.call("call_operation", arguments).await;
    assert!(estimate_tokens(text(&first)) < 900, "{}", text(&first));

    let first = first.structured_content.expect("content");
    let handle = first["handle"].as_str().expect("a handle").to_owned();
    let total = usize::try_from(first["rows"].as_u64().expect("a count")).expect("small");
    let mut rows = objects(&first["service_data"]);
    while rows.len() < total {
        let more = setup.ok("read_result", json!({"handle": handle, "from": rows.len()})).await;
        assert!(more.get("credits").is_none(), "reading on is free: {more}");
        rows.extend(objects(&more["service_data"]));
    }

    let all = setup.ok("read_result", json!({"handle": handle, "jq": "map(.value) | add"})).await;
    let sum: f64 = rows.iter().map(|row| row["value"].as_f64().expect("a number")).sum();
    assert!((all["service_data"].as_f64().expect("a number") - sum).abs() < 1e-3 * sum.abs());
    assert_eq!(setup.sandbox.requests_served(), 1);
}

#[tokio::test]
async fn the_next_page_costs_and_follows_the_first() {
    let setup = setup().await;
    let page = |handle: &str| json!({"handle": handle, "next_page": true, "max_tokens": 4000});
    let arguments = json!({"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 5}, "jq": "map(.tweet_id)"});
    let first = setup.ok("call_operation", arguments).await;
    let handle = first["handle"].as_str().expect("a handle").to_owned();

    let second = setup.ok("read_result", page(&handle)).await;
    assert_eq!(second["rows"], 10);
    assert!(second["credits"]["list_price"].as_u64().expect("a price") > 0);
    let ids = setup.ok("read_result", json!({"handle": handle, "jq": "map(.tweet_id)"})).await;
    let ids = ids["service_data"].as_array().expect("ids").clone();
    assert_eq!(ids[..5], first["service_data"].as_array().expect("ids")[..]);

    let whole = json!({"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 10}, "jq": "map(.tweet_id)"});
    assert_eq!(json!(ids), setup.ok("call_operation", whole).await["service_data"]);
}

#[tokio::test]
async fn pages_at_once_are_those_one_by_one() {
    let setup = setup().await;
    let arguments = |pages: u64, limit: u64| json!({"operation": "market-ranking", "arguments": {"limit": limit}, "pages": pages, "jq": "map(.symbol)"});
    let three = setup.ok("call_operation", arguments(3, 4)).await;
    let one = setup.ok("call_operation", arguments(1, 12)).await;
    assert_eq!(three["service_data"], one["service_data"]);
    assert_eq!(three["rows"], 12);
}

#[tokio::test]
async fn result_is_stored_despite_a_wrong_filter() {
    let setup = setup().await;
    let arguments =
        json!({"operation": "market-price", "arguments": {"symbol": "BTC"}, "jq": ".nonsense"});
    let problem = setup.refused("call_operation", arguments).await;
    assert!(
        problem["next_step"].as_str().expect("text").contains(r#"read_result {"handle":"r1"}"#)
    );
    let answer = setup.ok("read_result", json!({"handle": "r1", "jq": "length"})).await;
    assert!(answer["service_data"].is_number());
    assert_eq!(setup.sandbox.requests_served(), 1);
}

#[tokio::test]
async fn handles_that_are_not_there_and_lists_at_their_end_say_so() {
    let setup = setup().await;
    let problem = setup.refused("read_result", json!({"handle": "r7"})).await;
    assert_eq!(problem["error"], "not found");

    setup.operation("market-price", json!({"symbol": "BTC"})).await;
    let problem = setup.refused("read_result", json!({"handle": "r1", "next_page": true})).await;
    assert!(problem["message"].as_str().expect("text").contains("no next page"), "{problem}");
}

#[tokio::test]
async fn digits_of_the_service_are_in_the_text() {
    let setup = setup().await;
    let arguments = json!({"operation": "market-price", "arguments": {"symbol": "BTC"}});
    let result = setup.call("call_operation", arguments).await;
    let url = format!("{}/gateway/v1/market/price?symbol=BTC", setup.sandbox.url());
    let sent = reqwest::Client::new().get(url).bearer_auth(setup.sandbox.key()).send().await;
    let sent: Value = sent.expect("an answer").json().await.expect("JSON");
    let first = sent["data"][0]["value"].to_string();
    assert!(text(&result).contains(&first), "{first}");
}

/// Tests a call that is repeated within the free-repeat window: the result of the second call has the field `cached`.
#[tokio::test]
async fn metadata_of_the_service_stand_beside_the_rows() {
    let setup = setup().await;
    let first = setup.operation("market-fear-greed", json!({})).await;
    assert!(first["service_data_meta"].get("cached").is_none(), "{first}");
    let again = setup.operation("market-fear-greed", json!({})).await;
    assert_eq!(again["service_data_meta"]["cached"], true);
    assert_eq!(again["credits"]["charged"], 0);
}

#[tokio::test]
async fn equal_values_pictures_and_links_are_written_once_or_left_out() {
    let setup = setup().await;
    let price = setup.operation("market-price", json!({"symbol": "BTC"})).await;
    let data = &price["service_data"];
    assert_eq!(data["same_in_all_rows"]["symbol"], "BTC");
    assert_eq!(data["columns"], json!(["value"]));
    assert_eq!(data["steps"]["timestamp"]["step"], 3600, "{data}");
    assert!(data["rows"][0].is_number(), "{data}");
    assert!(data["summary"]["value"]["max"].is_number(), "{data}");

    let posts = setup.operation("social-user-posts", json!({"handle": "eth_daily"})).await;
    let data = &posts["service_data"];
    let left_out = data["left_out"].as_array().expect("columns");
    assert!(left_out.contains(&json!("media")) && left_out.contains(&json!("url")), "{data}");
    let arguments = json!({"handle": posts["handle"], "jq": "map(.url)"});
    let urls = setup.ok("read_result", arguments).await["service_data"].clone();
    assert!(urls[0].as_str().is_some_and(|url| url.starts_with("https://")), "{urls}");
}

/// Tests SQL queries that join stored results.
#[tokio::test]
async fn stored_results_are_tables_of_free_queries() {
    let setup = setup().await;
    setup.operation("market-ranking", json!({"limit": 5})).await;
    setup.operation("social-ranking", json!({})).await;
    let served = setup.sandbox.requests_served();

    let query = "SELECT r1.symbol AS symbol, r1.price_usd AS price, r2.sentiment_score AS mood \
                 FROM r1 JOIN r2 ON r1.symbol = r2.token_symbol ORDER BY r1.rank";
    let joined = setup.ok("sql", json!({"query": query, "over_results": true})).await;
    let rows = objects(&joined["service_data"]);
    assert!(!rows.is_empty() && rows.iter().all(|row| row["price"].is_number()), "{joined}");
    assert!(joined.get("credits").is_none(), "{joined}");
    // Both lists have more pages, so the join is incomplete too.
    assert!(joined["incomplete"].is_object(), "{joined}");

    let handle = joined["handle"].as_str().expect("a handle");
    let again = format!("SELECT count() AS n FROM {handle}");
    let count = setup.ok("sql", json!({"query": again, "over_results": true})).await;
    assert_eq!(objects(&count["service_data"])[0]["n"], rows.len());
    assert_eq!(setup.sandbox.requests_served(), served);

    for bad in ["SELECT 1 FROM r9", "SELECT nothing FROM r1", "DROP TABLE r1"] {
        let problem = setup.refused("sql", json!({"query": bad, "over_results": true})).await;
        assert_eq!(problem["error"], "invalid arguments", "{bad}");
    }
}

/// Tests several calls of one operation. Their rows become one table for SQL queries. A missing metric is NULL in the
/// table.
#[tokio::test]
async fn results_of_one_operation_side_by_side_are_one_table() {
    let setup = setup().await;
    let one = |symbol: &str| json!({"operation": "equity-income-statement", "arguments": {"symbol": symbol, "limit": 1}, "jq": "length", "label": symbol});
    let calls = json!({"calls": [one("AAPL"), one("JPM"), one("NOSUCH")]});
    let answer = setup.ok("call_side_by_side", calls).await;
    assert!(answer["results"][2]["error"].is_string(), "{answer}");
    let together = answer["together"].as_str().expect("a handle");

    let query =
        format!("SELECT label, gross_profit, gross_profit_status FROM {together} ORDER BY label");
    let rows = setup.ok("sql", json!({"query": query, "over_results": true})).await;
    let rows = objects(&rows["service_data"]);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0]["gross_profit"].is_number() && rows[0]["label"] == "AAPL", "{rows:?}");
    assert_eq!(rows[1]["gross_profit"], Value::Null);
    assert_eq!(rows[1]["gross_profit_status"], "not_applicable");

    let mixed =
        json!({"calls": [{"operation": "market-ranking"}, {"operation": "market-futures"}]});
    assert!(setup.ok("call_side_by_side", mixed).await.get("together").is_none());
}
