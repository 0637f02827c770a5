//! Writes responses of the `responses` endpoint, as one JSON object or as a stream of events.

use serde_json::{Map, Value, json};

use crate::context::Context;
use crypto_intel_world::args::Args;

use super::chat_answer::{ChatAnswer, id, numbered};
use super::compose::Citation;

/// Returns the response to a chat request as one JSON object.
pub(super) fn document(ctx: &Context<'_>, args: &Args, said: &ChatAnswer) -> Value {
    response(ctx, args, said, said.status())
}

fn response(ctx: &Context<'_>, args: &Args, said: &ChatAnswer, status: &str) -> Value {
    let ended = status != "in_progress";
    let metadata = args.given("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let incomplete = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));

    let mut response = json!({
        "id": id(ctx, "resp_"),
        "object": "response",
        "created_at": ctx.now,
        "status": status,
        "model": said.model,
        "output": if ended { output(ctx, said, status) } else { Vec::new() },
        "output_text": if ended { said.text.text.as_str() } else { "" },
        "usage": usage(said, ended),
        "metadata": Map::from_iter(metadata),
        "error": null,
        "incomplete_details": incomplete,
        "instructions": args.given("instructions"),
        "tools": args.given("tools").cloned().unwrap_or_else(|| json!([])),
        "tool_choice": args.given("tool_choice").cloned().unwrap_or_else(|| "auto".into()),
        "parallel_tool_calls": args.given("parallel_tool_calls").is_none_or(|flag| *flag != false),
        "meta": {"credits_used": if ended { ctx.credits_used } else { 0 }},
    });

    if let (Some(members), Some(earlier)) =
        (response.as_object_mut(), args.text("previous_response_id"))
    {
        members.insert("previous_response_id".to_owned(), earlier.into());
    }
    response
}

/// Returns the token usage of a chat answer. The number of output tokens is 0 until the answer has ended.
fn usage(said: &ChatAnswer, ended: bool) -> Value {
    let (output, reasoning) =
        if ended { (said.output_tokens, said.reasoning_tokens) } else { (0, 0) };
    json!({
        "input_tokens": said.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": output,
        "total_tokens": said.input_tokens + output,
        "output_tokens_details": {"reasoning_tokens": reasoning},
    })
}

/// Returns the output items of the response: one message, or one item per tool call.
fn output(ctx: &Context<'_>, said: &ChatAnswer, status: &str) -> Vec<Value> {
    if !said.wishes.is_empty() {
        return calls(ctx, said).collect();
    }
    vec![message(ctx, status, &[text_part(said)])]
}

fn message(ctx: &Context<'_>, status: &str, content: &[Value]) -> Value {
    json!({
        "id": id(ctx, "msg_"),
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": content,
    })
}

fn text_part(said: &ChatAnswer) -> Value {
    json!({"type": "output_text", "text": said.text.text, "annotations": annotations(said)})
}

/// Returns the citations of a chat answer as JSON. Each citation contains the URL of a request to a data endpoint, and
/// the range of the answer's text that shows values from this request.
fn annotations(said: &ChatAnswer) -> Vec<Value> {
    let citations = said.text.citations.iter().map(Citation::fields);
    citations
        .map(|mut citation| {
            citation["type"] = "url_citation".into();
            citation
        })
        .collect()
}

fn calls(ctx: &Context<'_>, said: &ChatAnswer) -> impl Iterator<Item = Value> {
    said.wishes.iter().enumerate().map(|(index, wish)| {
        let (item, call) = (numbered(ctx, "fc_", index), numbered(ctx, "call_", index));
        wish.as_item(&item, &call, "completed")
    })
}

/// Events of one stream. Each event is numbered in the order of its creation.
#[derive(Default)]
struct Events(Vec<String>);

impl Events {
    fn push(&mut self, kind: &str, mut payload: Value) {
        if let Some(members) = payload.as_object_mut() {
            members.insert("type".to_owned(), kind.into());
            members.insert("sequence_number".to_owned(), self.0.len().into());
        }
        self.0.push(format!("event: {kind}\ndata: {payload}\n\n"));
    }
}

/// Writes the response as server-sent events. Also returns the number of events before the content of the answer: 2,
/// for `response.created` and `response.in_progress`.
///
/// The API documentation of the service does not describe the events. The stream contains all events that standard
/// clients expect, because some clients do not find a tool call without them.
pub(super) fn events(ctx: &Context<'_>, args: &Args, said: &ChatAnswer) -> (Vec<String>, usize) {
    let mut events = Events::default();
    let started = response(ctx, args, said, "in_progress");
    events.push("response.created", json!({"response": started}));
    events.push("response.in_progress", json!({"response": started}));
    let opening = events.0.len();

    if said.wishes.is_empty() {
        message_events(ctx, said, &mut events);
    } else {
        call_events(ctx, said, &mut events);
    }

    let ended = response(ctx, args, said, said.status());
    events.push(&format!("response.{}", said.status()), json!({"response": ended}));
    (events.0, opening)
}

fn message_events(ctx: &Context<'_>, said: &ChatAnswer, events: &mut Events) {
    let item = id(ctx, "msg_");
    let at = |name: &str, value: Value| json!({"item_id": item, "output_index": 0, "content_index": 0, name: value});
    let added = message(ctx, "in_progress", &[]);
    events.push("response.output_item.added", json!({"output_index": 0, "item": added}));
    let empty = json!({"type": "output_text", "text": "", "annotations": []});
    events.push("response.content_part.added", at("part", empty));

    for piece in said.pieces() {
        let mut delta = at("delta", piece.into());
        delta["logprobs"] = json!([]);
        events.push("response.output_text.delta", delta);
    }

    for (index, annotation) in annotations(said).into_iter().enumerate() {
        let mut event = at("annotation", annotation);
        event["annotation_index"] = index.into();
        events.push("response.output_text.annotation.added", event);
    }
    let mut done = at("text", said.text.text.as_str().into());
    done["logprobs"] = json!([]);
    events.push("response.output_text.done", done);
    events.push("response.content_part.done", at("part", text_part(said)));
    let done = message(ctx, said.status(), &[text_part(said)]);
    events.push("response.output_item.done", json!({"output_index": 0, "item": done}));
}

fn call_events(ctx: &Context<'_>, said: &ChatAnswer, events: &mut Events) {
    for (index, (wish, done)) in said.wishes.iter().zip(calls(ctx, said)).enumerate() {
        let item = numbered(ctx, "fc_", index);
        let mut added = done.clone();
        added["status"] = "in_progress".into();
        added["arguments"] = "".into();
        events.push("response.output_item.added", json!({"output_index": index, "item": added}));
        let delta = json!({"item_id": item, "output_index": index, "delta": wish.arguments});
        events.push("response.function_call_arguments.delta", delta);
        let whole = json!({
            "item_id": item, "output_index": index,
            "name": wish.name, "arguments": wish.arguments,
        });
        events.push("response.function_call_arguments.done", whole);
        events.push("response.output_item.done", json!({"output_index": index, "item": done}));
    }
}
