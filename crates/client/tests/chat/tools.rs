//! Tests of tool loops and of structured answers.

use crypto_intel::chat::{Tool, ToolLoopEnd, Tools, user};
use crypto_intel::credits::Credits;
use crypto_intel::{ErrorKind, prelude::*};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::{Do, Server, json_answer, soon};

#[derive(Deserialize, JsonSchema)]
struct Holding {
    /// Ticker, such as `ETH`.
    symbol: String,
}

fn tools() -> Tools {
    Tools::new().with(Tool::new("my_holding", "What I hold", |it: Holding| async move {
        match it.symbol.as_str() {
            "ETH" => Ok(json!({"amount": 2.5})),
            other => Err(format!("there is no {other} in the wallet")),
        }
    }))
}

fn answer(body: &Value) -> Vec<Do> {
    vec![json_answer(200, &body.to_string())]
}

/// Creates a chat response that requests tool calls. Each tool call has a name and arguments.
fn tool_call_answer(id: &str, calls: &[(&str, &str)]) -> Vec<Do> {
    let output: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(n, (name, arguments))| {
            json!({"type": "function_call", "id": format!("fc_{n}"), "call_id": format!("call_{n}"),
                "name": name, "arguments": arguments})
        })
        .collect();
    answer(&json!({"id": id, "status": "completed", "output": output}))
}

fn text_answer(text: &str) -> Vec<Do> {
    answer(&json!({"id": "r9", "status": "completed", "output_text": text}))
}

#[tokio::test]
async fn tools_run_until_the_answer_is_final() {
    let first = tool_call_answer(
        "r1",
        &[
            ("my_holding", r#"{"symbol":"ETH"}"#),
            ("my_holding", r#"{"symbol":"BTC"}"#),
            ("my_holding", r#"{"ticker":"BTC"}"#),
            ("other", "{}"),
        ],
    );
    let server = Server::start([first, text_answer("2.5 ETH")]).await;
    let client = server.client();
    let run = tools().run(client.responses("svc-2.0", "What do I hold?"));
    let done = soon(run.into_future()).await.unwrap();
    assert_eq!(
        (done.answer.text().as_ref(), done.end, done.rounds),
        ("2.5 ETH", ToolLoopEnd::Answered, 2)
    );
    assert_eq!((done.credits, done.runs.len()), (Credits(40), 4));

    let seen = server.requests();
    let offered = &seen[0].body["tools"][0];
    assert_eq!((&offered["type"], &offered["name"]), (&json!("function"), &json!("my_holding")));
    assert_eq!(
        offered["parameters"]["properties"]["symbol"]["description"],
        "Ticker, such as `ETH`."
    );

    let second = &seen[1].body;
    assert_eq!(
        (&second["previous_response_id"], &second["tools"]),
        (&json!("r1"), &seen[0].body["tools"])
    );
    let outputs: Vec<_> = second["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["call_id"].as_str().unwrap(), item["output"].as_str().unwrap()))
        .collect();
    assert_eq!(
        outputs,
        [
            ("call_0", r#"{"amount":2.5}"#),
            ("call_1", r#"{"error":"there is no BTC in the wallet"}"#),
            (
                "call_2",
                r#"{"error":"the argument of `my_holding` does not match the type: missing field `symbol` at line 1 column 16"}"#
            ),
            ("call_3", r#"{"error":"there is no tool `other`; the tools are: my_holding"}"#),
        ]
    );
}

#[tokio::test]
async fn completions_loop_sends_tool_results_as_messages() {
    let call = json!({"id": "call_0", "type": "function",
        "function": {"name": "my_holding", "arguments": "{\"symbol\":\"ETH\"}"}});
    let first = answer(&json!({"id": "c1", "choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]}));
    let last = answer(&json!({"id": "c2", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "2.5 ETH"}}]}));
    let server = Server::start([first, last]).await;
    let client = server.client();
    #[expect(deprecated, reason = "the retired operation is supported")]
    let request = client.chat_completions("svc-1.5-instant", [user("What do I hold?")]);
    let done = soon(tools().run(request).into_future()).await.unwrap();

    assert_eq!(
        (done.answer.text(), done.end, done.credits),
        ("2.5 ETH", ToolLoopEnd::Answered, Credits(4))
    );

    let seen = server.requests();
    assert_eq!(seen[0].body["tools"][0]["function"]["name"], "my_holding");
    assert_eq!(
        seen[1].body["messages"],
        json!([
            {"role": "user", "content": "What do I hold?"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "content": "{\"amount\":2.5}", "tool_call_id": "call_0"},
        ])
    );
}

#[tokio::test]
async fn limits_end_the_loop_with_the_last_answer() {
    let again = || tool_call_answer("r1", &[("my_holding", r#"{"symbol":"ETH"}"#)]);
    let run = async |scripts: Vec<Vec<Do>>, rounds, credits| {
        let server = Server::start(scripts).await;
        let client = server.client();
        let run = tools().run(client.responses("svc-2.0", "q").effort("low"));
        let run = run.max_rounds(rounds).max_credits(credits);
        (soon(run.into_future()).await, server.requests().len())
    };
    let (done, sent) = run(vec![again(), again(), again()], 2, 1000).await;
    let done = done.unwrap();
    assert_eq!((done.end, done.rounds, sent), (ToolLoopEnd::Rounds, 2, 2));
    assert_eq!(done.answer.tool_calls().len(), 1);
    let (done, sent) = run(vec![again(), again(), again()], 9, 149).await;
    let done = done.unwrap();
    assert_eq!((done.end, done.credits, sent), (ToolLoopEnd::Credits, Credits(100), 2));
    let (done, sent) = run(vec![again()], 9, 49).await;
    assert_eq!((done.unwrap_err().kind(), sent), (ErrorKind::OverBudget, 0));
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Verdict {
    bullish: bool,
    reason: String,
}

#[tokio::test]
async fn structured_answer_is_decoded_into_its_type() {
    let good = "Sure:\n```json\n{\"bullish\": true, \"reason\": \"flows\"}\n```";
    let server = Server::start([text_answer(good), text_answer("{\"bullish\":\"yes\"}")]).await;
    let client = server.client();
    let request = || client.responses("svc-2.0", "q").instructions("Be brief.");
    let reply = soon(request().structured::<Verdict>()).await.unwrap();
    assert_eq!(*reply, Verdict { bullish: true, reason: "flows".to_owned() });
    let error = soon(request().structured::<Verdict>()).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Decode, Some("responses")));
    assert!(error.message().contains("at `bullish`"), "{error}");
    assert_eq!(error.body().unwrap().text(), "{\"bullish\":\"yes\"}");
    let instructions = server.requests()[0].body["instructions"].as_str().unwrap().to_owned();
    assert!(instructions.starts_with("Be brief.\n\nAnswer with one JSON value"), "{instructions}");
    assert!(instructions.contains(r#""bullish":{"type":"boolean"}"#), "{instructions}");
}
