//! What the parts of an operation are read from.

use serde_json::Value;

use crate::types::Types;

/// The media type, as it stands in a pointer.
pub(super) const JSON: &str = "application~1json";

/// The prepared description, and the types of its places.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Value,
    pub(super) types: &'a Types,
}
