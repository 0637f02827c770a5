//! Tests of chat requests: the bytes that are sent, requests that the client rejects, and costs.

use std::time::Duration;

use crypto_intel::chat::{Effort, Model, ResponseInput, user};
use crypto_intel::credits::{Credits, Estimate};
use crypto_intel::{Client, ErrorKind, api, prelude::*};
use serde_json::json;

use crate::server::{Server, json_answer, soon};

const ANSWER: &str = r#"{"id":"resp_1","object":"response","status":"completed","model":"svc-2.0","output":[
    {"type":"message","id":"m","status":"completed","role":"assistant","content":[
        {"type":"output_text","text":"Hel"},{"type":"output_text","text":"lo"}]}],
    "usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3},"metadata":{"k":"v"},"error":null,
    "incomplete_details":null,"meta":{"credits_used":120}}"#;
const COMPLETION: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"svc-1.5",
    "choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hello","reasoning":"Hm"}}],
    "usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3},"error":null}"#;

#[tokio::test]
async fn every_setter_of_a_question_reaches_the_body() {
    let server =
        Server::start([vec![json_answer(200, ANSWER)], vec![json_answer(200, ANSWER)]]).await;
    let client = server.client();
    let reply = soon(client.responses("svc-2.0-instant", "q").into_future()).await.unwrap();
    assert_eq!(reply.text(), "Hello");
    assert_eq!(reply.credits_used(), Some(120));

    let input = ResponseInput::new().system("Be brief.").user("q").tool_output("c1", "{}");
    let request = client
        .responses(Model::Svc20, input)
        .effort(Effort::Medium)
        .instructions("In French.")
        .include(["sources"])
        .max_output_tokens(100)
        .metadata(json!({"k": "v"}))
        .prompt(json!({"id": "p"}))
        .after(&reply);
    soon(request.into_future()).await.unwrap();

    let seen = server.requests();
    assert_eq!(seen[0].body, json!({"model": "svc-2.0-instant", "input": "q"}));
    assert_eq!(
        seen[1].body,
        json!({
            "model": "svc-2.0",
            "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "q"},
                {"type": "function_call_output", "call_id": "c1", "output": "{}"}],
            "reasoning": {"effort": "medium"},
            "instructions": "In French.",
            "include": ["sources"],
            "max_output_tokens": 100,
            "metadata": {"k": "v"},
            "prompt": {"id": "p"},
            "previous_response_id": "resp_1",
        })
    );

    let by_model = client.ledger().by_model();
    let seen: Vec<_> = by_model
        .iter()
        .map(|(m, s)| (m.model.as_str(), m.effort.as_deref(), s.list_price.0, s.reported.0))
        .collect();
    assert_eq!(seen, [("svc-2.0", Some("medium"), 120, 120), ("svc-2.0-instant", None, 20, 120)]);
}

#[tokio::test]
async fn flat_effort_is_rejected_before_sending() {
    let server = Server::start([]).await;
    let client = server.client();
    let request = || client.responses("svc-2.0", "q").extra_param("reasoning_effort", "high");
    let whole = soon(request().into_future()).await.unwrap_err();
    let streamed = soon(request().stream()).await.unwrap_err();
    for error in [whole, streamed] {
        assert_eq!(error.kind(), ErrorKind::InvalidRequest);
        assert!(
            error
                .message()
                .contains("`reasoning_effort` is only a parameter of `chat-completions`"),
            "{error}"
        );
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn chat_completions_use_the_configured_prefix() {
    for (prefix, path) in [
        (None, "/v1"),
        (Some("/gateway/v1"), "/gateway/v1"),
        (Some("product/"), "/product"),
        (Some(""), ""),
    ] {
        let server =
            Server::start([vec![json_answer(200, COMPLETION)], vec![json_answer(200, ANSWER)]])
                .await;

        let mut builder = Client::builder().base_url(&server.url);
        if let Some(prefix) = prefix {
            builder = builder.chat_prefix(prefix);
        }
        let client = builder.build().unwrap();

        #[expect(deprecated, reason = "the retired operation is supported")]
        let request = client.chat_completions("svc-1.5", [user("q")]).reasoning_effort("low");
        assert_eq!(request.estimate(), Estimate::Exactly(Credits(3)));
        let reply = soon(request.into_future()).await.unwrap();
        assert_eq!((reply.text(), reply.reasoning()), ("Hello", Some("Hm")));
        soon(client.responses("svc-2.0", "q").into_future()).await.unwrap();

        let seen = server.requests();
        assert!(
            seen[0].head.starts_with(&format!("post {path}/chat/completions http")),
            "{seen:?}"
        );
        assert!(seen[1].head.starts_with("post /gateway/v1/responses http"), "{seen:?}");
    }
}

#[test]
fn estimate_returns_list_price_of_question() {
    let client = Client::builder().base_url("http://localhost").build().unwrap();
    for (model, effort, credits) in [
        ("svc-2.0-instant", None, Some(20)),
        ("svc-2.0-instant", Some("xhigh"), Some(20)),
        ("svc-2.0", None, Some(20)),
        ("svc-2.0", Some("none"), Some(20)),
        ("svc-2.0", Some("minimal"), Some(30)),
        ("svc-2.0", Some("low"), Some(50)),
        ("svc-2.0", Some("medium"), Some(120)),
        ("svc-2.0", Some("high"), Some(150)),
        ("svc-2.0", Some("xhigh"), Some(200)),
        ("svc-3.0", None, None),
    ] {
        let mut request = client.responses(model, "q");
        if let Some(effort) = effort {
            request = request.effort(effort);
        }
        assert_eq!(request.estimate().credits(), credits.map(Credits), "{model} {effort:?}");
    }
}

#[tokio::test]
async fn budget_rejects_stream_above_limit() {
    let server = Server::start([]).await;
    let budget = crypto_intel::credits::Budget::credits(100);
    let client = Client::builder().base_url(&server.url).budget(budget).build().unwrap();
    let error = soon(client.responses("svc-2.0", "q").effort("high").stream()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OverBudget);
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn constant_of_streamed_request_cannot_be_set() {
    let server = Server::start([]).await;
    let client = Client::builder().base_url(&server.url).build().unwrap();
    let request = client.responses("svc-2.0", "q").extra_param("stream", false);
    let error = soon(request.stream()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.message().contains("`stream` is always `true`"), "{error}");
    assert!(server.requests().is_empty());
}

#[test]
fn chat_operations_wait_ten_minutes_for_data() {
    for operation in [
        &api::generated::catalogue::RESPONSES,
        &api::generated::catalogue::RESPONSES_STREAM,
        &api::generated::catalogue::CHAT_COMPLETIONS,
        &api::generated::catalogue::CHAT_COMPLETIONS_STREAM,
    ] {
        let patience = operation.patience.map(|seconds| Duration::from_secs(seconds.into()));
        assert!(patience >= Some(Duration::from_secs(600)), "{}", operation.id);
    }
}
