//! Splits an operation that can return JSON or a stream of events into two operations: the original and its streaming
//! variant.
//!
//! Each of the two operations has one kind of response. A field of the request body selects the stream. Its default
//! name is `stream`; the overlay can set another name in `x-streaming`. The streaming variant always sends this field
//! as true. The original operation never sends it. In both operations, the key `x-stream-member` stores the field name
//! and whether the field is sent.

use serde_json::{Value, json};

use crate::report::{Change, Report};
use crate::schemas::{self, escape};

const EVENTS: &str = "text/event-stream";

/// Suffix of the path of a streaming variant. A path item can contain only one operation per HTTP method, so the
/// variant needs a path of its own. The suffix is never sent.
pub const TWIN_PATH: &str = "#stream";

pub fn streaming(document: &mut Value, report: &mut Report) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    let mut twins = Vec::new();
    for (path, item) in paths.iter_mut() {
        for method in schemas::METHODS {
            let Some(operation) = item.get_mut(*method) else { continue };
            if let Some(twin) = split(operation) {
                report.note(
                    Change::Rewritten,
                    format!("an operation with JSON and `{EVENTS}` becomes two operations"),
                    format!("/paths/{}/{method}", escape(path)),
                );
                twins.push((format!("{path}{TWIN_PATH}"), *method, twin));
            }
        }
    }
    for (path, method, twin) in twins {
        paths.insert(path, json!({ method: twin }));
    }
}

fn split(operation: &mut Value) -> Option<Value> {
    let content = operation.pointer_mut("/responses/200/content")?.as_object_mut()?;
    if !content.contains_key(EVENTS) || content.len() < 2 {
        return None;
    }
    let events = content.remove(EVENTS)?;
    let streaming = operation.as_object_mut()?.remove("x-streaming");
    let member = streaming.as_ref().and_then(Value::as_str).unwrap_or("stream");
    let mut twin = operation.clone();
    operation["x-stream-member"] = json!({"name": member, "sent": false});
    twin["x-stream-member"] = json!({"name": member, "sent": true});
    twin["responses"]["200"]["content"] = json!({ EVENTS: events });
    let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
    twin["operationId"] = format!("{id}-stream").into();
    twin["x-twin-of"] = id.into();
    let summary = operation.get("summary").and_then(Value::as_str).unwrap_or_default();
    twin["summary"] = format!("{summary}, as a stream of events").into();
    Some(twin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::show;

    #[test]
    fn the_twin_asks_for_the_stream_and_the_original_cannot() {
        insta::assert_snapshot!(show(
            json!({"paths": {"/ask": {"post": {"operationId": "ask", "summary": "Ask",
                "responses": {"200": {"content": {
                    "application/json": {"schema": {"type": "object"}},
                    "text/event-stream": {"schema": {"type": "string"}}}}}}}}}),
            streaming
        ));
    }
}
