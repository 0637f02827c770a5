//! Formats the parts that are missing in a successful response, as text such as `prices (timeout)`.

use crypto_intel::DynamicAnswer;
use crypto_intel::prelude::PartialAnswer;

/// Returns the missing parts of a response and the reason for each, as text such as `prices (timeout), news
/// (timeout)`. Returns `None` if no part is missing.
pub(crate) fn missing(reply: &DynamicAnswer) -> Option<String> {
    let whole = serde_json::to_value(reply).unwrap_or_default();
    let missing = whole.partial_failures();
    let parts: Vec<_> =
        missing.iter().map(|failure| format!("{} ({})", failure.part, failure.reason)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
