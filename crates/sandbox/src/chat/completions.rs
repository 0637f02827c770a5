//! Writes responses of the chat completions endpoint, as one JSON object or as a stream of chunks.
//!
//! The input is the content of a chat answer. The output is the JSON of the response, or of its events.

use serde_json::{Value, json};

use crate::context::Context;
use crypto_intel_world::args::Args;

use super::chat_answer::{ChatAnswer, id, numbered};
use super::compose::Citation;

/// Returns the response to a chat request as one JSON object.
pub(super) fn document(ctx: &Context<'_>, said: &ChatAnswer) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text.text});
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
        "model": said.model,
        "choices": [{
            "index": 0,
            "finish_reason": reason(said),
            "message": message,
        }],
        "usage": usage(said),
        "meta": {"credits_used": ctx.credits_used},
    })
}

/// Returns the citations of a chat answer as JSON. Each citation contains the URL of a data endpoint call, and the
/// range of the text that shows the values of this call.
fn annotations(said: &ChatAnswer) -> Value {
    let citations = said.text.citations.iter().map(Citation::fields);
    citations.map(|citation| json!({"type": "url_citation", "url_citation": citation})).collect()
}

fn call_id(ctx: &Context<'_>, index: usize) -> String {
    numbered(ctx, "call_", index)
}

/// Writes the response as server-sent events. Also returns the number of events that are sent before the first delay:
/// 1, the event with the role of the message.
///
/// The last chunks of a stream are assumptions, because the API documentation does not describe them. By default, the
/// last chunk contains the finish reason, the usage and the credits. If `stream_options.include_usage` is true, the
/// usage and the credits are in a separate last chunk. If it is false, the stream does not contain the usage.
pub(super) fn events(ctx: &Context<'_>, args: &Args, said: &ChatAnswer) -> (Vec<String>, usize) {
    let id = id(ctx, "chatcmpl-");
    let chunk = |choices: Value, more: Value| {
        let mut chunk = json!({
            "id": id,
            "object": "chat.completion.chunk",
            "created": ctx.now,
            "model": said.model,
            "choices": choices,
        });
        if let (Some(members), Value::Object(more)) = (chunk.as_object_mut(), more) {
            members.extend(more);
        }
        format!("data: {chunk}\n\n")
    };
    let choice = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    let delta = |delta: Value| chunk(choice(delta, Value::Null), json!({}));

    let mut events = vec![delta(json!({"role": "assistant", "content": ""}))];
    if said.thinks {
        events.push(delta(json!({"reasoning": said.text.thoughts})));
    }
    events.extend(said.pieces().map(|piece| delta(json!({"content": piece}))));
    for (index, wish) in said.wishes.iter().enumerate() {
        let deltas = wish.as_deltas(index, &call_id(ctx, index));
        events.extend(deltas.map(|call| delta(json!({"tool_calls": [call]}))));
    }

    let mut last = json!({});
    if !said.text.citations.is_empty() {
        last["annotations"] = annotations(said);
    }
    let reason = choice(last, reason(said).into());
    let meta = json!({"credits_used": ctx.credits_used});
    let include = args.given("stream_options").and_then(|options| options.get("include_usage"));
    match include.and_then(Value::as_bool) {
        Some(true) => {
            events.push(chunk(reason, json!({})));
            events.push(chunk(json!([]), json!({"usage": usage(said), "meta": meta})));
        }
        Some(false) => events.push(chunk(reason, json!({"meta": meta}))),
        None => events.push(chunk(reason, json!({"usage": usage(said), "meta": meta}))),
    }
    events.push("data: [DONE]\n\n".to_owned());
    (events, 1)
}

/// Returns the finish reason of the answer: `stop` or `tool_calls`.
fn reason(said: &ChatAnswer) -> &'static str {
    if said.wishes.is_empty() { "stop" } else { "tool_calls" }
}

fn usage(said: &ChatAnswer) -> Value {
    json!({
        "prompt_tokens": said.input_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.input_tokens + said.output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
    })
}
