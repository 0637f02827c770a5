//! Tests of jq programs: their results, their errors, and their limits.

use crypto_intel_mcp::{Settings, estimate_tokens};
use serde_json::json;

use crate::common::{setup, text};

/// Jq programs that exceed the limit on memory (two programs), output or time. The tests of `crates/jq` have more of them.
const BOMBS: &[&str] = &[r#""a" * 10000000000"#, "def f: [f]; f", "repeat(.)", "until(false; .)"];

#[tokio::test]
async fn jq_bombs_fail_and_the_server_answers_the_next_call() {
    let setup = setup().await;
    setup.operation("market-fear-greed", json!({})).await;
    let many_brackets = "[".repeat(8_000);

    for program in BOMBS.iter().copied().chain([many_brackets.as_str()]) {
        let problem = setup.refused("read_result", json!({"handle": "r1", "jq": program})).await;
        assert_eq!(problem["error"], "invalid arguments", "{problem}");
        let answer = setup.ok("read_result", json!({"handle": "r1", "jq": "length"})).await;
        assert!(answer["service_data"].is_number());
    }
    assert_eq!(setup.sandbox.requests_served(), 1);
}

#[tokio::test]
async fn a_program_reads_nothing_but_its_input() {
    let setup = setup().await;
    setup.operation("market-fear-greed", json!({})).await;
    for program in ["input", "halt", "debug"] {
        let problem = setup.refused("read_result", json!({"handle": "r1", "jq": program})).await;
        assert_eq!(problem["error"], "invalid arguments", "{program}: {problem}");
    }

    // The environment is empty, and further inputs do not exist.
    let empty = [
        ("env", json!({})),
        ("$ENV", json!({})),
        ("$ENV.PATH", json!(null)),
        ("[inputs]", json!([])),
    ];
    for (program, expected) in empty {
        let result = setup.ok("read_result", json!({"handle": "r1", "jq": program})).await;
        assert_eq!(result["service_data"], expected, "{program}: {result}");
    }
}

#[tokio::test]
async fn an_error_of_a_program_names_members_and_stays_small() {
    let setup = setup().await;
    let arguments = json!({"symbol": "BTC", "time_range": "365d"});
    let call = json!({"operation": "market-price", "arguments": arguments, "jq": ".foo"});
    let result = setup.call("call_operation", call).await;
    assert_eq!(result.is_error, Some(true));
    assert!(estimate_tokens(text(&result)) < 300, "{}", text(&result));
    assert!(text(&result).contains("timestamp"), "{}", text(&result));
}

#[tokio::test]
async fn a_member_that_no_row_has_is_an_error_and_not_zero() {
    let setup = setup().await;
    let call = |program: &str| json!({"operation": "market-ranking", "jq": program});
    for program in ["sum(.volumes)", "mean(.volumes)"] {
        let problem = setup.refused("call_operation", call(program)).await;
        let message = problem["message"].as_str().expect("text");
        assert!(message.contains("`volumes`") && message.contains("symbol"), "{message}");
    }
    // The field `max_supply` is documented, but it is null in all remaining rows.
    let program = "map(select(.max_supply == null)) | sum(.max_supply)";
    let answer = setup.ok("call_operation", call(program)).await;
    assert!(answer["service_data"].is_null(), "{answer}");
}

#[tokio::test]
async fn a_server_without_a_worker_rejects_programs_and_keeps_the_result() {
    let sandbox = crate::common::sandbox().await;
    let builder = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let server = crypto_intel_mcp::Server::new(builder, Settings::new()).expect("a server");
    let client = crate::common::connect(server.clone(), Default::default()).await;
    let setup = crate::common::Setup { sandbox, client, listener: Default::default(), server };

    let call = json!({"operation": "market-fear-greed", "jq": "length"});
    let problem = setup.refused("call_operation", call).await;
    assert_eq!(problem["error"], "invalid arguments", "{problem}");
    setup.ok("read_result", json!({"handle": "r1"})).await;
}
