//! JSON texts in which numbers keep the digits that the service sent.

use serde::Serialize;
use serde_json::value::RawValue;

/// JSON text in which numbers keep the digits that the service sent.
pub(crate) type Json = Box<RawValue>;

/// Converts a text to [`Json`]. Invalid JSON becomes `null`, so that the server never sends invalid JSON.
pub(crate) fn json_from_text(json: String) -> Json {
    RawValue::from_string(json).unwrap_or_else(|_| to_json(&()))
}

/// Serializes a value as JSON text.
pub(crate) fn to_json(value: &impl Serialize) -> Json {
    // Plain data always serializes.
    serde_json::value::to_raw_value(value).unwrap_or_default()
}
