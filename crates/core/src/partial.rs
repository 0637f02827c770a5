//! Successful responses with missing parts.

use crate::envelope::Envelope;

/// A missing part of a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialFailure<'a> {
    /// Name of the part, such as `nft` or `staking`.
    pub part: &'a str,
    /// Reason why the part is missing, for people.
    pub reason: &'a str,
}

/// A response that may have missing parts although its status is 200. It is generated for each record with its own
/// `errors`. A [`Reply`](crate::Reply) has the methods too, as it derefs to the response.
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
    /// Returns the missing parts. Empty if the response is complete.
    fn partial_failures(&self) -> Vec<PartialFailure<'_>>;

    /// Returns true if no part is missing.
    fn is_whole(&self) -> bool {
        self.partial_failures().is_empty()
    }
}

impl<D: PartialAnswer, M> PartialAnswer for Envelope<D, M> {
    fn partial_failures(&self) -> Vec<PartialFailure<'_>> {
        self.data.partial_failures()
    }
}

/// A response of any shape, for programs that choose operations at run time. It must have a list `errors`, in `data`
/// or at the top, of objects with a `reason` or `message` and the name of the part.
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
    fn parts_are_found_in_an_answer_of_any_shape() {
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
