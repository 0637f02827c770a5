//! Input for reading the parts of an operation.

use serde_json::Value;

use crate::types::Types;

/// The JSON media type, escaped for a pointer.
pub(super) const JSON: &str = "application~1json";

/// The prepared description, and the types of its schemas.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Value,
    pub(super) types: &'a Types,
}
