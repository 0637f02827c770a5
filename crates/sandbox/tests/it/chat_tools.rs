//! Tests of tool calls in the chat: the tool that is called, its arguments, and the use of its result in the
//! answer.

use serde_json::{Value, json};

use crate::support::{Bench, Seen, seen};

const RESPONSES: &str = "/gateway/v1/responses";
const COMPLETIONS: &str = "/v1/chat/completions";

async fn post(bench: &Bench, path: &str, body: &Value) -> Seen {
    let url = format!("{}{path}", bench.sandbox.url());
    seen(bench.http.post(url).bearer_auth(bench.sandbox.key()).json(body)).await
}

fn function(name: &str, description: &str, properties: Value) -> Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({"name": name, "description": description, "parameters": {
        "type": "object", "properties": properties, "required": required,
    }})
}

/// Returns the definitions of three tools: for weather, holdings and wallet labels.
fn functions() -> Vec<Value> {
    let text = json!({"type": "string"});
    vec![
        function("weather", "The weather of a city", json!({"city": text})),
        function(
            "my_holding",
            "How much I hold of an asset",
            json!({"symbol": text, "days": {"type": "integer", "minimum": 7}}),
        ),
        function("label_of", "Label of a wallet address", json!({"address": text, "query": text})),
    ]
}

fn chat_tools() -> Value {
    functions()
        .into_iter()
        .map(|function| json!({"type": "function", "function": function}))
        .collect()
}

fn flat_tools() -> Value {
    let mut tools = functions();
    tools.iter_mut().for_each(|tool| tool["type"] = "function".into());
    tools.into()
}

/// Asks a question and returns the name and the arguments of each tool call in the response.
async fn calls(bench: &Bench, question: &str, more: Value) -> Vec<(String, Value)> {
    let mut body = json!({"model": "svc-1.5-instant", "tools": chat_tools(),
        "messages": [{"role": "user", "content": question}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let seen = post(bench, COMPLETIONS, &body).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    let choice = &seen.json["choices"][0];
    let calls = choice["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
    let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    assert_eq!(choice["finish_reason"], reason);
    assert_eq!(choice["message"]["content"].is_null(), !calls.is_empty());
    let arguments = |call: &Value| {
        serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap()
    };
    let name = |call: &Value| call["function"]["name"].as_str().unwrap().to_owned();
    calls.iter().map(|call| (name(call), arguments(call))).collect()
}

#[tokio::test]
async fn the_tool_that_suits_the_question_is_called_with_what_it_names() {
    let bench = Bench::start().await;
    let holding = |symbol: &str| ("my_holding".to_owned(), json!({"symbol": symbol, "days": 7}));
    let address = format!("0x{}", "2".repeat(40));
    let wallet = format!("label of the wallet {address}");
    let label = ("label_of".to_owned(), json!({"address": address, "query": wallet}));
    let of = async |question: &str, more: Value| calls(&bench, question, more).await;

    assert_eq!(of("How much SOL do I hold?", json!({})).await, [holding("SOL")]);
    assert_eq!(of(&wallet, json!({})).await, [label]);
    assert_eq!(
        of("How much BTC and ETH do I hold?", json!({})).await,
        [holding("BTC"), holding("ETH")]
    );

    let single = json!({"parallel_tool_calls": false});
    assert_eq!(of("How much BTC and ETH do I hold?", single).await, [holding("BTC")]);
    assert_eq!(of("How much SOL do I hold?", json!({"tool_choice": "none"})).await, []);

    let required = json!({"tool_choice": "required"});
    assert_eq!(of("hold SOL", required).await, [holding("SOL")]);

    let named = json!({"tool_choice": {"type": "function", "function": {"name": "weather"}}});
    assert_eq!(of("hold SOL", named).await[0].0, "weather");
}

#[tokio::test]
async fn the_result_of_a_tool_is_in_the_answer_of_either_endpoint() {
    let bench = Bench::start().await;
    let call = json!({"id": "call_1", "type": "function",
        "function": {"name": "my_holding", "arguments": "{}"}});
    let body = json!({"model": "svc-1.5", "tools": chat_tools(), "messages": [
        {"role": "user", "content": "How much SOL do I hold?"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "{\"amount\":2.5}"},
    ]});
    let seen = post(&bench, COMPLETIONS, &body).await.json;
    let content = seen["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(content.contains("The tool `my_holding` gave: {\"amount\":2.5}"), "{content}");
    assert!(content.contains("Solana"), "{content}");

    let ask = json!({"model": "svc-2.0", "tools": flat_tools(), "input": "How much BTC and ETH do I hold?"});
    let asked = post(&bench, RESPONSES, &ask).await.json;
    let items = asked["output"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert!(items.iter().all(|item| item["type"] == "function_call"), "{items:?}");
    assert_ne!(items[0]["call_id"], items[1]["call_id"]);
    let outputs: Vec<_> = items
        .iter()
        .map(|item| json!({"type": "function_call_output", "call_id": item["call_id"], "output": "7 pieces"}))
        .collect();
    let go_on = json!({"model": "svc-2.0", "tools": flat_tools(), "input": outputs,
        "previous_response_id": asked["id"]});
    let said = post(&bench, RESPONSES, &go_on).await.json;
    let text = said["output_text"].as_str().unwrap();
    assert!(text.contains("`my_holding` gave: 7 pieces") && text.contains("BTC"), "{text}");
    // A streamed answer contains the same tool calls.
    let mut streamed = ask.clone();
    streamed["stream"] = true.into();
    let streamed = post(&bench, RESPONSES, &streamed).await.text;
    assert_eq!(streamed.matches("event: response.output_item.done").count(), 2);
    assert!(streamed.contains("event: response.completed"));
}

#[tokio::test]
async fn tools_that_cannot_be_called_are_refused() {
    let bench = Bench::start().await;
    for (more, says) in [
        (json!({"tools": 5}), "`tools`"),
        (json!({"tools": [{"type": "function"}]}), "`tools[0]`"),
        (json!({"tools": flat_tools(), "tool_choice": "sometimes"}), "`tool_choice`"),
        (
            json!({"tools": flat_tools(), "tool_choice": {"type": "function", "name": "x"}}),
            "`tool_choice`",
        ),
        (json!({"tool_choice": "required"}), "`tool_choice`"),
    ] {
        let mut body = json!({"model": "svc-2.0", "input": "q"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let seen = post(&bench, RESPONSES, &body).await;
        assert_eq!(seen.status, 400, "{more}");
        assert!(seen.text.contains(says), "{}", seen.text);
    }

    // The completions endpoint accepts only tools of the type `function`, and requires their names.
    for (tool, says) in [
        (json!({"type": "search", "function": {"name": "f"}}), "`tools[0].type`"),
        (json!({"type": "function", "function": {"description": "d"}}), "`tools[0].function.name`"),
    ] {
        let messages = json!([{"role": "user", "content": "q"}]);
        let body = json!({"model": "svc-1.5", "messages": messages, "tools": [tool]});
        let seen = post(&bench, COMPLETIONS, &body).await;
        assert_eq!(seen.status, 400, "{body}");
        assert!(seen.text.contains(says), "{}", seen.text);
    }
}
