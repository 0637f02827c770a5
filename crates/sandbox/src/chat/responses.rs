//! The forms of the responses: one document, or events that add up to it.

use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::context::Context;

use super::{Said, id, model, numbered};

/// The answer as one document.
pub(super) fn document(ctx: &Context<'_>, args: &Args, said: &Said) -> Value {
    response(ctx, args, said, said.status())
}

fn response(ctx: &Context<'_>, args: &Args, said: &Said, status: &str) -> Value {
    let ended = status != "in_progress";
    let metadata = args.given("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let output_tokens = if ended { said.output_tokens } else { 0 };
    let incomplete = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));
    let mut response = json!({
        "id": id(ctx, "resp_"),
        "object": "response",
        "created_at": ctx.now,
        "status": status,
        "model": model(args),
        "output": if ended { output(ctx, said, status) } else { Vec::new() },
        "output_text": if ended { said.text.text.as_str() } else { "" },
        "usage": {
            "input_tokens": said.input_tokens,
            "output_tokens": output_tokens,
            "total_tokens": said.input_tokens + output_tokens,
            "output_tokens_details": {
                "reasoning_tokens": if ended { said.reasoning_tokens } else { 0 },
            },
        },
        "metadata": Map::from_iter(metadata),
        "error": null,
        "incomplete_details": incomplete,
        "meta": {"credits_used": if ended { ctx.credits_used } else { 0 }},
    });
    if let (Some(members), Some(earlier)) =
        (response.as_object_mut(), args.text("previous_response_id"))
    {
        members.insert("previous_response_id".to_owned(), earlier.into());
    }
    response
}

/// The items: a message, or the calls of tools.
fn output(ctx: &Context<'_>, said: &Said, status: &str) -> Vec<Value> {
    if !said.wishes.is_empty() {
        return calls(ctx, said).collect();
    }
    let annotations: Vec<_> = said
        .text
        .citations
        .iter()
        .map(|citation| {
            json!({
                "type": "url_citation",
                "start_index": citation.start, "end_index": citation.end,
                "url": citation.url, "title": citation.title,
            })
        })
        .collect();
    let part = json!({"type": "output_text", "text": said.text.text, "annotations": annotations});
    vec![json!({
        "id": id(ctx, "msg_"),
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": [part],
    })]
}

fn calls(ctx: &Context<'_>, said: &Said) -> impl Iterator<Item = Value> {
    said.wishes.iter().enumerate().map(|(index, wish)| {
        let (item, call) = (numbered(ctx, "fc_", index), numbered(ctx, "call_", index));
        wish.as_item(&item, &call, "completed")
    })
}

/// The answer as events, and how many of them leave before the answer begins.
pub(super) fn events(ctx: &Context<'_>, args: &Args, said: &Said) -> (Vec<String>, usize) {
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
    for piece in said.pieces() {
        let delta = json!({"item_id": item, "output_index": 0, "content_index": 0, "delta": piece});
        events.push(event("response.output_text.delta", delta));
    }
    for (index, call) in calls(ctx, said).enumerate() {
        let done = json!({"output_index": index, "item": call});
        events.push(event("response.output_item.done", done));
    }
    if said.wishes.is_empty() {
        let place = json!({
            "item_id": item, "output_index": 0, "content_index": 0, "text": said.text.text,
        });
        events.push(event("response.output_text.done", place));
    }
    let ended = response(ctx, args, said, said.status());
    events.push(event(&format!("response.{}", said.status()), json!({"response": ended})));
    (events, 1)
}
