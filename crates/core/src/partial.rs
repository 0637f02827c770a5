//! Successful answers that lack parts.

use crate::envelope::Envelope;

/// A part that a successful answer lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialFailure<'a> {
    /// Name of the part, such as `nft` or `staking`.
    pub part: &'a str,
    /// Why it is missing, for people.
    pub reason: &'a str,
}

/// An answer that may lack parts although its status is 200. Generated for every record that
/// lists its own `errors`; a [`Reply`](crate::Reply) has the method too, as it derefs to its
/// answer.
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
    /// The parts that are missing. Empty when the answer is whole.
    fn partial_failures(&self) -> Vec<PartialFailure<'_>>;

    /// Whether nothing is missing.
    fn is_whole(&self) -> bool {
        self.partial_failures().is_empty()
    }
}

impl<D: PartialAnswer, M> PartialAnswer for Envelope<D, M> {
    fn partial_failures(&self) -> Vec<PartialFailure<'_>> {
        self.data.partial_failures()
    }
}

/// An answer of any shape, for programs that know records only at run time: a list `errors` in
/// `data`, or in the answer itself, of objects with a `reason` or `message` and the name of the
/// part.
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
