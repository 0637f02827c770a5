//! Test streams that contain the same message in different formats.

use serde_json::{Value, json};

use super::{message, response};

/// Returns pairs of a stream's name and its events. Every stream contains the same message. The streams differ in three
/// ways: the indexes and identifiers of their events, the events that announce the message, and the events that repeat
/// its text.
pub(super) fn shapes() -> Vec<(String, Vec<Value>)> {
    let ids = ["same", "rotating", "none"];
    let repeats = ["none", "part", "part item", "part item answer", "answer", "early part"];
    let indexes = ["counted", "zero", "none"];
    let mut shapes = Vec::new();
    for id in ids {
        for repeat in repeats {
            for index in indexes {
                for announced in [true, false] {
                    let name = format!("{id} ids, {repeat} repeated, {index} index, {announced}");
                    shapes.push((name, shape(id, repeat, index, announced)));
                }
            }
        }
    }
    shapes
}

/// Text of the message in each stream.
pub(super) const SAID: &str = "The price of ETH is 漢 3,400 USD.";

fn shape(id: &str, repeat: &str, index: &str, announced: bool) -> Vec<Value> {
    let mut events = Vec::new();
    let mut push = |kind: &str, mut event: Value| {
        event["type"] = kind.into();
        match id {
            "same" => event["item_id"] = "msg_1".into(),
            "rotating" => event["item_id"] = format!("msg_{}", events.len()).into(),
            _ => {}
        }
        match index {
            "counted" => event["output_index"] = 1.into(),
            "zero" => event["output_index"] = 0.into(),
            _ => {}
        }
        if let Some(item_id) = event.get("item_id").cloned()
            && let Some(item) = event.get_mut("item")
        {
            item["id"] = item_id;
        }
        events.push(event);
    };
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    let item = |content: Value| json!({"type": "message", "role": "assistant", "content": content});

    push("response.created", json!({"response": response("in_progress", &[])}));
    if announced {
        push("response.output_item.added", json!({"item": item(json!([]))}));
        push("response.content_part.added", json!({"content_index": 0, "part": part("")}));
    }
    if repeat == "early part" {
        push("response.output_text.done", json!({"content_index": 0, "text": SAID}));
    }
    for delta in SAID.split_inclusive(' ') {
        push("response.output_text.delta", json!({"content_index": 0, "delta": delta}));
    }
    if repeat.starts_with("part") {
        push("response.output_text.done", json!({"content_index": 0, "text": SAID}));
        push("response.content_part.done", json!({"content_index": 0, "part": part(SAID)}));
    }
    if repeat.contains("item") {
        push("response.output_item.done", json!({"item": item(json!([part(SAID)]))}));
    }
    let output = if repeat.ends_with("answer") { vec![message(SAID)] } else { Vec::new() };
    push("response.completed", json!({"response": response("completed", &output)}));
    events
}
