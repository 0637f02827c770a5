//! Applies a [`Fault`](crate::Fault) to event streams.

use bytes::Bytes;
use serde_json::{Value, json};

use super::newer::{NEW_MEMBER, NEW_VALUE};
use crate::fault::Action;

/// Applies the fault `action` to the events of a stream. The faults are:
/// - `malformed` makes the JSON of the middle event invalid. All other faults change the JSON of every event.
/// - `unknown-values` replaces finish reasons, and adds an event of an unknown kind.
/// - `null-lists` replaces empty lists by `null`.
/// - `unknown-members` adds a field to each JSON object.
/// - `next-release` adds a field to each JSON object, and adds an event of an unknown kind.
pub(super) fn changed(action: &Action, bytes: &Bytes) -> Bytes {
    let text = String::from_utf8_lossy(bytes);
    let events: Vec<_> = text.split_inclusive("\n\n").collect();
    // The middle event becomes invalid, so that some valid events come before it.
    let broken = events.len() / 2;
    let mut changed = String::with_capacity(text.len());
    for (index, event) in events.iter().enumerate() {
        match action {
            Action::Malformed if index == broken => changed.push_str(&malformed(event)),
            Action::Malformed => changed.push_str(event),
            _ => changed.push_str(&unfamiliar(action, event)),
        }
    }
    if matches!(action, Action::UnknownValues | Action::NextRelease) {
        // Adds an event of an unknown kind before the first event.
        let event = json!({"type": NEW_VALUE, NEW_MEMBER: 1});
        changed.insert_str(0, &format!("event: {NEW_VALUE}\ndata: {event}\n\n"));
    }
    changed.into()
}

/// Makes the JSON of an event invalid by removing its last brackets.
fn malformed(event: &str) -> String {
    format!("{}\n\n", event.trim_end().trim_end_matches(['}', ']']))
}

fn unfamiliar(action: &Action, event: &str) -> String {
    let Some((head, data)) = event.trim_end().rsplit_once("data: ") else {
        return event.to_owned();
    };
    let Ok(mut value) = serde_json::from_str::<Value>(data) else { return event.to_owned() };
    change(action, &mut value);
    format!("{head}data: {value}\n\n")
}

fn change(action: &Action, value: &mut Value) {
    match value {
        Value::Array(items) if items.is_empty() && *action == Action::NullLists => {
            *value = Value::Null;
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change(action, item)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| change(action, member));
            let reason = members.get_mut("finish_reason").filter(|reason| reason.is_string());
            if let (Action::UnknownValues, Some(reason)) = (action, reason) {
                *reason = NEW_VALUE.into();
            }
            if matches!(action, Action::UnknownMembers | Action::NextRelease) {
                members.insert(NEW_MEMBER.to_owned(), json!([1, null]));
            }
        }
        _ => {}
    }
}
