//! The two chat endpoints, as JSON and as server-sent events.

use crypto_intel_core::{ModelPrice, Operation, Price};
use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::context::Context;

mod tools;

use tools::Wish;

/// Credits for a call with these parameters. A price that depends on the model is looked up with
/// the effort, and without one with `none`; an unpublished price is charged as 0.
pub(crate) fn price(operation: &Operation, args: &Args) -> i64 {
    match operation.price {
        Price::Free | Price::Unknown => 0,
        Price::Credits(credits) => credits.into(),
        Price::ByModel(table) => {
            let model = args.text("model").unwrap_or_default();
            let effort = args.text("reasoning_effort").or_else(|| {
                args.given("reasoning").and_then(|r| r.get("effort")).and_then(Value::as_str)
            });
            by_model(table, model, effort)
        }
    }
}

fn by_model(table: &[ModelPrice], model: &str, effort: Option<&str>) -> i64 {
    let lines = || table.iter().filter(|line| line.model == model);
    let exact =
        lines().find(|line| line.effort.is_none() || line.effort == Some(effort.unwrap_or("none")));
    // A model priced by effort and asked without one counts as its cheapest line.
    exact.or_else(|| lines().min_by_key(|line| line.credits)).map_or(0, |line| line.credits.into())
}

/// What is said, before it is put into the form of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    text: String,
    /// A tool that is to be run first; there is no text then.
    wish: Option<Wish>,
    input_tokens: usize,
    output_tokens: usize,
}

fn say(args: &Args) -> Said {
    let question = question(args);
    if let Some(wish) = tools::wish(args) {
        let (input_tokens, output_tokens) = (tokens(&question), tokens(&wish.arguments));
        return Said { text: String::new(), wish: Some(wish), input_tokens, output_tokens };
    }
    let mut text =
        format!("The sandbox invents its data, so this is no research. You asked: {question}");
    if let Some(result) = tools::result(args) {
        text.push_str(&format!(" The tool said: {result}"));
    }
    if let Some(earlier) = args.text("previous_response_id") {
        text.push_str(&format!(" This goes on from {earlier}."));
    }
    if let Some(limit) = args.integer("max_output_tokens") {
        text = text.split_inclusive(' ').take(usize::try_from(limit).unwrap_or(0)).collect();
    }
    Said { input_tokens: tokens(&question), output_tokens: tokens(&text), wish: None, text }
}

/// A word is a token here.
fn tokens(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The last thing the user said.
fn question(args: &Args) -> String {
    let last_text = |items: &[Value]| {
        let said = |item: &&Value| item.get("role").is_none_or(|role| role != "tool");
        items.iter().rev().filter(said).find_map(|item| match item.get("content") {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Array(parts)) => {
                parts.iter().find_map(|part| part.get("text")?.as_str().map(str::to_owned))
            }
            _ => None,
        })
    };
    match args.given("input").or_else(|| args.given("messages")) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => last_text(items).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Whether the operation is the endpoint that takes `messages`.
fn is_completions(operation: &Operation) -> bool {
    operation.param("messages").is_some()
}

/// The answer as one document.
pub(crate) fn document(ctx: &Context<'_>, args: &Args) -> Value {
    let said = say(args);
    if is_completions(args.operation) {
        completion(ctx, args, &said)
    } else {
        response(ctx, args, &said, "completed")
    }
}

/// The answer as server-sent events, each ready to be sent.
pub(crate) fn events(ctx: &Context<'_>, args: &Args) -> Vec<String> {
    let said = say(args);
    if is_completions(args.operation) {
        completion_events(ctx, args, &said)
    } else {
        response_events(ctx, args, &said)
    }
}

fn id(ctx: &Context<'_>, prefix: &str) -> String {
    format!("{prefix}{}", ctx.seed.named("chat").at(ctx.nonce).hex(24))
}

fn model(args: &Args) -> &str {
    args.text("model").unwrap_or_default()
}

fn completion(ctx: &Context<'_>, args: &Args, said: &Said) -> Value {
    let (reason, message) = match &said.wish {
        Some(wish) => {
            let call = wish.as_chat(&id(ctx, "call_"));
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            ("tool_calls", message)
        }
        None => ("stop", json!({"role": "assistant", "content": said.text})),
    };
    json!({
        "id": id(ctx, "chatcmpl-"),
        "object": "chat.completion",
        "created": ctx.now,
        "model": model(args),
        "choices": [{
            "index": 0,
            "finish_reason": reason,
            "message": message,
        }],
        "usage": {
            "prompt_tokens": said.input_tokens,
            "completion_tokens": said.output_tokens,
            "total_tokens": said.input_tokens + said.output_tokens,
        },
        "meta": {"credits_used": ctx.credits_used},
    })
}

fn completion_events(ctx: &Context<'_>, args: &Args, said: &Said) -> Vec<String> {
    let (id, call) = (id(ctx, "chatcmpl-"), id(ctx, "call_"));
    let chunk = |delta: Value, finish: Value| {
        let chunk = json!({
            "id": id,
            "object": "chat.completion.chunk",
            "created": ctx.now,
            "model": model(args),
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        });
        format!("data: {chunk}\n\n")
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    events.extend(
        said.text.split_inclusive(' ').map(|word| chunk(json!({"content": word}), Value::Null)),
    );
    let reason = if said.wish.is_some() { "tool_calls" } else { "stop" };
    if let Some(wish) = &said.wish {
        let deltas = wish.as_deltas(&call);
        events.extend(deltas.map(|call| chunk(json!({"tool_calls": [call]}), Value::Null)));
    }
    events.push(chunk(json!({}), reason.into()));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn response(ctx: &Context<'_>, args: &Args, said: &Said, status: &str) -> Value {
    let done = status == "completed";
    let item = match &said.wish {
        Some(wish) => wish.as_item(&id(ctx, "fc_"), &id(ctx, "call_"), status),
        None => json!({
            "id": id(ctx, "msg_"),
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": [{"type": "output_text", "text": said.text}],
        }),
    };
    let metadata = args.given("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    json!({
        "id": id(ctx, "resp_"),
        "object": "response",
        "created_at": ctx.now,
        "status": status,
        "model": model(args),
        "output": if done { json!([item]) } else { json!([]) },
        "output_text": if done { said.text.as_str() } else { "" },
        "usage": {
            "input_tokens": said.input_tokens,
            "output_tokens": if done { said.output_tokens } else { 0 },
            "total_tokens": said.input_tokens + if done { said.output_tokens } else { 0 },
        },
        "metadata": Map::from_iter(metadata),
        "error": null,
        "incomplete_details": null,
        "meta": {"credits_used": if done { ctx.credits_used } else { 0 }},
    })
}

fn response_events(ctx: &Context<'_>, args: &Args, said: &Said) -> Vec<String> {
    let mut sequence = 0_u64;
    let mut event = |kind: &str, mut payload: Value| {
        if let Some(members) = payload.as_object_mut() {
            members.insert("type".to_owned(), kind.into());
            members.insert("sequence_number".to_owned(), sequence.into());
        }
        sequence += 1;
        format!("event: {kind}\ndata: {payload}\n\n")
    };
    let item = id(ctx, "msg_");
    let started = response(ctx, args, said, "in_progress");
    let mut events = vec![event("response.created", json!({"response": started}))];
    for word in said.text.split_inclusive(' ') {
        let delta = json!({"item_id": item, "output_index": 0, "content_index": 0, "delta": word});
        events.push(event("response.output_text.delta", delta));
    }
    match &said.wish {
        Some(wish) => {
            let item = wish.as_item(&id(ctx, "fc_"), &id(ctx, "call_"), "completed");
            let done = json!({"output_index": 0, "item": item});
            events.push(event("response.output_item.done", done));
        }
        None => {
            let place = json!({
                "item_id": item, "output_index": 0, "content_index": 0, "text": said.text,
            });
            events.push(event("response.output_text.done", place));
        }
    }
    let response = response(ctx, args, said, "completed");
    events.push(event("response.completed", json!({"response": response})));
    events
}
