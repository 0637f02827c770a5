//! Successful responses in which some sections are missing.

use crate::envelope::Envelope;

/// A section that is missing from a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialFailure<'a> {
    /// Name of the missing section, such as `nft` or `staking`.
    pub part: &'a str,
    /// Reason why the section is missing, in words for people.
    pub reason: &'a str,
}

/// A response in which sections can be missing although its HTTP status is 200. The field `errors` of the response
/// lists these sections. Generated code implements this trait for each record with such a field. The methods can also
/// be called on a [`Reply`](crate::Reply), because it dereferences to the response.
///
/// ```
/// use crypto_intel_core::PartialAnswer;
///
/// let answer = serde_json::json!({"data": {"errors": [{"field": "nft", "message": "timed out"}]}});
/// assert!(!answer.is_whole());
/// for failure in answer.partial_failures() {
///     println!("without {}: {}", failure.part, failure.reason);
/// }
/// ```
pub trait PartialAnswer {
    /// Returns the missing sections. The list is empty if the response is complete.
    fn partial_failures(&self) -> Vec<PartialFailure<'_>>;

    /// Returns true if no section is missing.
    fn is_whole(&self) -> bool {
        self.partial_failures().is_empty()
    }
}

impl<D: PartialAnswer, M> PartialAnswer for Envelope<D, M> {
    fn partial_failures(&self) -> Vec<PartialFailure<'_>> {
        self.data.partial_failures()
    }
}

/// Finds missing sections in a response of any structure, for programs that choose operations at run time. Each item of
/// the list `data.errors` describes one missing section. Without `data.errors`, the list `errors` is read. An item
/// contains the name of the section in `section` or `field`, and the reason in `reason` or `message`. An item without a
/// name or reason is ignored.
impl PartialAnswer for serde_json::Value {
    fn partial_failures(&self) -> Vec<PartialFailure<'_>> {
        let errors = self.pointer("/data/errors").or_else(|| self.get("errors"));
        let errors = errors.and_then(serde_json::Value::as_array).into_iter().flatten();
        errors
            .filter_map(|error| {
                let text =
                    |names: [&str; 2]| names.iter().find_map(|name| error.get(name)?.as_str());
                let (part, reason) = (text(["section", "field"])?, text(["reason", "message"])?);
                Some(PartialFailure { part, reason })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn partial_failures_are_found_in_untyped_json() {
        let answer = json!({"data": {"errors": [
            {"field": "nft", "message": "timed out"},
            {"section": "staking", "reason": "no source", "new": 1},
            {"other": true},
        ]}});
        let expected = [
            PartialFailure { part: "nft", reason: "timed out" },
            PartialFailure { part: "staking", reason: "no source" },
        ];
        assert_eq!(answer.partial_failures(), expected);
        assert_eq!(answer["data"].partial_failures(), expected);
        for whole in [json!({}), json!({"data": {"errors": null}}), json!([])] {
            assert!(whole.is_whole());
        }
    }
}
