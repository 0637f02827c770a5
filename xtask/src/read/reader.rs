//! Common input of the functions that read the operations of an OpenAPI document.

use serde_json::Value;

use crate::types::Types;

/// The media type `application/json`, escaped for a JSON pointer.
pub(super) const JSON: &str = "application~1json";

/// The OpenAPI document after all passes, and the Rust types of its schemas.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Value,
    pub(super) types: &'a Types,
}
