//! The forms of the completions: one document, or chunks of it.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;

use super::{Said, id, model};

/// The answer as one document.
pub(super) fn document(ctx: &Context<'_>, args: &Args, said: &Said) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text.text});
    let reason = if said.wishes.is_empty() { "stop" } else { "tool_calls" };
    if let Some(members) = message.as_object_mut() {
        if !said.wishes.is_empty() {
            members.insert("content".to_owned(), Value::Null);
            let calls = said.wishes.iter().enumerate();
            let calls: Vec<_> =
                calls.map(|(index, wish)| wish.as_chat(&call_id(ctx, index))).collect();
            members.insert("tool_calls".to_owned(), calls.into());
        }
        if !said.text.citations.is_empty() {
            members.insert("annotations".to_owned(), annotations(said));
        }
        if said.thinks {
            members.insert("reasoning".to_owned(), said.text.thoughts.as_str().into());
        }
    }
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
            "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
        },
        "meta": {"credits_used": ctx.credits_used},
    })
}

/// Where the figures are from.
fn annotations(said: &Said) -> Value {
    let citations = said.text.citations.iter().map(|citation| {
        json!({"type": "url_citation", "url_citation": {
            "start_index": citation.start, "end_index": citation.end,
            "url": citation.url, "title": citation.title,
        }})
    });
    citations.collect()
}

fn call_id(ctx: &Context<'_>, index: usize) -> String {
    super::numbered(ctx, "call_", index)
}

/// The answer as events, and how many of them leave before the answer begins.
pub(super) fn events(ctx: &Context<'_>, args: &Args, said: &Said) -> (Vec<String>, usize) {
    let id = id(ctx, "chatcmpl-");
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
    events.extend(said.pieces().map(|piece| chunk(json!({"content": piece}), Value::Null)));
    let reason = if said.wishes.is_empty() { "stop" } else { "tool_calls" };
    for (index, wish) in said.wishes.iter().enumerate() {
        let deltas = wish.as_deltas(index, &call_id(ctx, index));
        events.extend(deltas.map(|call| chunk(json!({"tool_calls": [call]}), Value::Null)));
    }
    events.push(chunk(json!({}), reason.into()));
    events.push("data: [DONE]\n\n".to_owned());
    (events, 1)
}
