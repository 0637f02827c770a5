//! Additions of an imagined next release of the service.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::fault::Action;

/// A field that no release has.
pub(super) const NEW_MEMBER: &str = "sandbox_new_member";
/// An enum value that no release has.
pub(super) const NEW_VALUE: &str = "sandbox_new_value";

/// Fields of errors with enum values.
const REASONS: [&str; 2] = ["financial_serving_reason", "recommended_action"];
/// Fields that identify an error. A later release does not change them for known errors.
const CODES: [&str; 2] = ["code", "error_code"];

/// Changes the body of an error. A body that is not JSON stays unchanged.
pub(super) fn refused(action: &Action, bytes: Bytes) -> Bytes {
    let Ok(Value::Object(mut outer)) = serde_json::from_slice::<Value>(&bytes) else {
        return bytes;
    };
    // Errors of chat completions have no inner object.
    if let Some(Value::Object(inner)) = outer.get_mut("error") {
        change(action, inner);
    }
    change(action, &mut outer);
    Bytes::from(Value::Object(outer).to_string())
}

fn change(action: &Action, members: &mut Map<String, Value>) {
    let codes: &[&str] = if *action == Action::UnknownValues { &CODES } else { &[] };
    if matches!(action, Action::UnknownValues | Action::NextRelease) {
        for name in REASONS.iter().chain(codes) {
            if let Some(value) = members.get_mut(*name).filter(|value| value.is_string()) {
                *value = NEW_VALUE.into();
            }
        }
    }
    if matches!(action, Action::UnknownMembers | Action::NextRelease) {
        members.insert(NEW_MEMBER.to_owned(), json!([1, null]));
    }
}
