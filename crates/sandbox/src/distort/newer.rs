//! Changes error responses as a later release of the service might change them, for example by adding a field.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::fault::Action;

/// Name of the field that faults add to responses. No release of the service has this field.
pub(super) const NEW_MEMBER: &str = "sandbox_new_member";
/// Enum value that faults write into responses. No release of the service has this value.
pub(super) const NEW_VALUE: &str = "sandbox_new_value";

/// Error fields with an enum value. A later release of the service may add values to these enums.
const REASONS: [&str; 2] = ["financial_serving_reason", "recommended_action"];
/// Fields of an error response that contain the error code. A later release of the service does not change the codes of
/// known errors, so the fault `next-release` does not change these fields.
const CODES: [&str; 2] = ["code", "error_code"];

/// Applies the fault `action` to the JSON body of an error response. If the body is not a JSON object, returns it
/// without changes.
pub(super) fn refused(action: &Action, bytes: Bytes) -> Bytes {
    let Ok(Value::Object(mut outer)) = serde_json::from_slice::<Value>(&bytes) else {
        return bytes;
    };
    // Errors of chat completions have no `error` object.
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
