//! Tests the client `async-openai` against the sandbox. The first argument is the URL of the sandbox. The second
//! argument is an API key. Prints one line for each endpoint and feature. `.ci/chat-clients` compares these lines
//! with the table in `docs/chat-clients.md`.

use std::process::ExitCode;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{CreateChatCompletionRequest, CreateChatCompletionResponse};
use async_openai::types::responses::{CreateResponse, Response, ResponseStreamEvent};
use futures_util::StreamExt;
use serde_json::{Value, json};

const CHAT: &str = "svc-1.5-instant";
const RESPONSES: &str = "svc-2.0-instant";
const QUESTION: &str = "What is the price of ETH?";
const HOLDING: &str = "How much ETH do I hold?";

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn at(base: &str, key: &str) -> Client<OpenAIConfig> {
    Client::with_config(OpenAIConfig::new().with_api_base(base).with_api_key(key))
}

fn request<T: serde::de::DeserializeOwned>(body: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(body)
}

/// If the condition is false, returns an error that contains the observed value.
fn holds(condition: bool, seen: &impl std::fmt::Debug) -> Outcome {
    if condition { Ok(()) } else { Err(format!("{seen:?}").into()) }
}

fn is_price(text: &str) -> Outcome {
    let price: Value = serde_json::from_str(text)?;
    holds(price["symbol"] == "ETH" && price["price"].as_f64() > Some(100.0), &price)
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"symbol": {"type": "string"}, "price": {"type": "number"}},
        "required": ["symbol", "price"], "additionalProperties": false})
}

fn parameters() -> Value {
    json!({"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]})
}

/// Sends a chat completion request with the messages and additional fields, and returns the response.
async fn complete(
    client: &Client<OpenAIConfig>,
    messages: Value,
    more: Value,
) -> Result<CreateChatCompletionResponse, Box<dyn std::error::Error>> {
    let mut body = json!({"model": CHAT, "messages": messages});
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    let request: CreateChatCompletionRequest = request(body)?;
    Ok(client.chat().create(request).await?)
}

fn content(answer: &CreateChatCompletionResponse) -> String {
    answer.choices[0].message.content.clone().unwrap_or_default()
}

fn question() -> Value {
    json!([{"role": "user", "content": QUESTION}])
}

async fn chat_json(client: &Client<OpenAIConfig>) -> Outcome {
    let answer = complete(client, question(), json!({})).await?;
    holds(content(&answer).contains("Ethereum") && answer.usage.is_some(), &answer)
}

async fn chat_stream(client: &Client<OpenAIConfig>) -> Outcome {
    let body = json!({"model": CHAT, "messages": question(),
        "stream_options": {"include_usage": true}});
    let request: CreateChatCompletionRequest = request(body)?;
    let mut stream = client.chat().create_stream(request).await?;
    let (mut text, mut has_usage) = (String::new(), false);
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        has_usage |= chunk.usage.is_some();
        for choice in chunk.choices {
            text.push_str(choice.delta.content.as_deref().unwrap_or_default());
        }
    }
    holds(has_usage && text == content(&complete(client, question(), json!({})).await?), &text)
}

async fn chat_tools(client: &Client<OpenAIConfig>) -> Outcome {
    let tools = json!({"tools": [{"type": "function", "function": {"name": "my_holding",
        "description": "How much I hold of an asset", "parameters": parameters()}}]});
    let ask = json!({"role": "user", "content": HOLDING});
    let asked = complete(client, json!([ask]), tools.clone()).await?;
    let message = serde_json::to_value(&asked.choices[0].message)?;
    let call = &message["tool_calls"][0];
    holds(call["function"]["arguments"] == "{\"symbol\":\"ETH\"}", &message)?;
    let result = json!({"role": "tool", "tool_call_id": call["id"], "content": "42 pieces"});
    let said = complete(client, json!([ask, message, result]), tools).await?;
    holds(content(&said).contains("42 pieces"), &said)
}

async fn chat_structured(client: &Client<OpenAIConfig>) -> Outcome {
    let form = json!({"response_format": {"type": "json_schema",
        "json_schema": {"name": "price", "strict": true, "schema": schema()}}});
    is_price(&content(&complete(client, question(), form).await?))
}

async fn respond(
    client: &Client<OpenAIConfig>,
    input: Value,
    more: Value,
) -> Result<Response, Box<dyn std::error::Error>> {
    let mut body = json!({"model": RESPONSES, "input": input});
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    let request: CreateResponse = request(body)?;
    Ok(client.responses().create(request).await?)
}

fn said(answer: &Response) -> String {
    answer.output_text().unwrap_or_default()
}

async fn responses_json(client: &Client<OpenAIConfig>) -> Outcome {
    let answer = respond(client, QUESTION.into(), json!({})).await?;
    holds(said(&answer).contains("Ethereum") && answer.usage.is_some(), &answer)
}

async fn responses_stream(client: &Client<OpenAIConfig>) -> Outcome {
    let request: CreateResponse = request(json!({"model": RESPONSES, "input": QUESTION}))?;
    let mut stream = client.responses().create_stream(request).await?;
    let (mut text, mut is_whole) = (String::new(), false);
    while let Some(event) = stream.next().await {
        match event? {
            ResponseStreamEvent::ResponseOutputTextDelta(delta) => text.push_str(&delta.delta),
            ResponseStreamEvent::ResponseCompleted(_) => is_whole = true,
            _ => {}
        }
    }
    holds(is_whole && text == said(&respond(client, QUESTION.into(), json!({})).await?), &text)
}

async fn responses_tools(client: &Client<OpenAIConfig>) -> Outcome {
    let tools = json!({"tools": [{"type": "function", "name": "my_holding", "strict": false,
        "description": "How much I hold of an asset", "parameters": parameters()}]});
    let asked = respond(client, HOLDING.into(), tools.clone()).await?;
    let items = serde_json::to_value(&asked.output)?;
    holds(items[0]["arguments"] == "{\"symbol\":\"ETH\"}", &items)?;
    let result = json!({"type": "function_call_output", "call_id": items[0]["call_id"],
        "output": "42 pieces"});
    let ask = json!({"type": "message", "role": "user", "content": HOLDING});
    let answer = respond(client, json!([ask, items[0], result]), tools).await?;
    holds(said(&answer).contains("42 pieces"), &answer)
}

async fn responses_structured(client: &Client<OpenAIConfig>) -> Outcome {
    let form = json!({"text": {"format": {"type": "json_schema", "name": "price", "strict": true,
        "schema": schema()}}});
    is_price(&said(&respond(client, QUESTION.into(), form).await?))
}

async fn error(wrong: Client<OpenAIConfig>, is_chat: bool) -> Outcome {
    let refused = if is_chat {
        let request: CreateChatCompletionRequest =
            request(json!({"model": CHAT, "messages": question()}))?;
        wrong.chat().create(request).await.map(|_| ())
    } else {
        let request: CreateResponse = request(json!({"model": RESPONSES, "input": QUESTION}))?;
        wrong.responses().create(request).await.map(|_| ())
    };
    match refused {
        Err(error @ OpenAIError::ApiError(_)) => {
            holds(format!("{error:?}").contains("not valid"), &error)
        }
        other => Err(format!("{other:?}").into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(url), Some(key)) = (args.next(), args.next()) else {
        eprintln!("usage: chat_client URL KEY");
        return ExitCode::from(2);
    };
    let (chat_url, gateway_url) = (format!("{url}/v1"), format!("{url}/gateway/v1"));
    let (chat, gateway) = (at(&chat_url, &key), at(&gateway_url, &key));
    let outcomes = [
        ("chat", "JSON", chat_json(&chat).await),
        ("chat", "stream", chat_stream(&chat).await),
        ("chat", "tool loop", chat_tools(&chat).await),
        ("chat", "structured", chat_structured(&chat).await),
        ("chat", "error", error(at(&chat_url, "sk-wrong"), true).await),
        ("responses", "JSON", responses_json(&gateway).await),
        ("responses", "stream", responses_stream(&gateway).await),
        ("responses", "tool loop", responses_tools(&gateway).await),
        ("responses", "structured", responses_structured(&gateway).await),
        ("responses", "error", error(at(&gateway_url, "sk-wrong"), false).await),
    ];

    for (endpoint, feature, outcome) in outcomes {
        let mark = if outcome.is_ok() { "yes" } else { "no" };
        println!("async-openai 0.43 | {endpoint} | {feature} | {mark}");
        if let Err(error) = outcome {
            eprintln!("{error}");
        }
    }
    ExitCode::SUCCESS
}
