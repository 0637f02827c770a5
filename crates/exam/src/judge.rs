//! Compares the answer of an examined program, or of a scripted strategy, with the right answer.

use serde_json::Value;

/// Relative tolerance of a comparison between two numbers. An answer may be rounded.
const TOLERANCE: f64 = 1e-3;

/// Returns true if the answer `given` is right. The rules are:
///
/// - The given number may differ from the right number by at most a thousandth of the right number. The given number
///   may be a string such as `"$1,200"`.
/// - Strings are compared without case and surrounding spaces.
/// - Lists are compared item by item.
/// - If the data are missing, the right answer is `null`. The number 0 is then wrong.
#[must_use]
pub fn agrees(given: &Value, right: &Value) -> bool {
    match (given, right) {
        (Value::Array(given), Value::Array(right)) => {
            given.len() == right.len()
                && given.iter().zip(right).all(|(one, other)| agrees(one, other))
        }
        (_, Value::Number(right)) => match (number(given), right.as_f64()) {
            (Some(given), Some(right)) => (given - right).abs() <= TOLERANCE * right.abs(),
            _ => false,
        },
        (Value::String(given), Value::String(right)) => {
            given.trim().eq_ignore_ascii_case(right.trim())
        }
        (given, right) => given == right,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().replace([',', '$', '%'], "").parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn agreement_of_answers() {
        let right = [
            (json!(100.05), json!(100)),
            (json!("$1,234.5"), json!(1234.5)),
            (json!(" eth"), json!("ETH")),
            (json!(["a", 1]), json!(["A", 1.0])),
            (json!(null), json!(null)),
            (json!(0), json!(0)),
        ];
        let wrong = [
            (json!(101), json!(100)),
            (json!(0), json!(null)),
            (json!(null), json!(0)),
            (json!("missing"), json!(null)),
            (json!("BTC"), json!("ETH")),
            (json!([1]), json!([1, 2])),
        ];
        assert!(right.iter().all(|(given, right)| agrees(given, right)));
        assert!(!wrong.iter().any(|(given, right)| agrees(given, right)));
    }
}
