//! Rewrites numbers in a JSON text if `serde_json` would reject them: `1e999`, or `1.0` for an integer type. Also
//! finds numbers whose digits `serde_json` would change, such as `1.10`.

use super::tokens::{number_end, string_end};

/// Returns a copy of the JSON text in which whole numbers are plain digits: `1.0` becomes `1`. Returns `None` if the
/// text needs no change.
#[must_use]
pub fn spelled_out(text: &str) -> Option<String> {
    replace_numbers(text, integer_digits)
}

/// Returns true if a number in the JSON text would change its digits when it is read as a [`Value`](serde_json::Value)
/// and written again. An example is `1.10`, which becomes `1.1`.
pub(crate) fn loses_digits(text: &str) -> bool {
    let keeps_digits = |number: &str| {
        if number.len() < 19 && number.bytes().all(|byte| byte.is_ascii_digit()) {
            return true;
        }
        let value = serde_json::from_str::<serde_json::Number>(number);
        value.is_ok_and(|value| value.to_string().as_str() == number)
    };
    replace_numbers(text, |number| (!keeps_digits(number)).then(String::new)).is_some()
}

/// Puts quotes around each number of a JSON text that is outside the range of `f64`: `1e999` becomes `"1e999"`. Returns
/// `None` if the text contains no number outside this range.
pub(super) fn quote_out_of_range(text: &str) -> Option<String> {
    replace_numbers(text, |number| {
        number.parse::<f64>().is_ok_and(f64::is_infinite).then(|| format!("\"{number}\""))
    })
}

/// Replaces the numbers outside strings in a JSON text. For each number, `replacement` returns the new text, or `None`
/// to keep the number. If no number changes, `replace_numbers` returns `None`.
fn replace_numbers(text: &str, replacement: impl Fn(&str) -> Option<String>) -> Option<String> {
    let bytes = text.as_bytes();
    let mut plain = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let is_number = matches!(byte, b'-' | b'0'..=b'9');
        let end = match byte {
            b'"' => string_end(bytes, at),
            _ if is_number => number_end(bytes, at),
            _ => at + 1,
        };
        if is_number
            && let number = &text[at..end]
            && let Some(digits) = replacement(number)
            && digits != number
        {
            plain.push_str(&text[copied..at]);
            plain.push_str(&digits);
            copied = end;
        }
        at = end;
    }

    if copied == 0 {
        return None;
    }
    plain.push_str(&text[copied..]);
    Some(plain)
}

/// Maximum number of digits that [`integer_digits`] returns. The function does not convert longer numbers, such as
/// `1e40`. An `i128` or `u128` has at most 39 digits.
const MOST_DIGITS: usize = 39;

/// Converts a JSON number to plain digits without rounding: `1.5e1` becomes `15`. Returns `None` if the number is not
/// whole, or if the result would have more than [`MOST_DIGITS`] digits.
pub(super) fn integer_digits(number: &str) -> Option<String> {
    let (sign, number) = match number.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", number),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }

    let significant = format!("{whole}{fraction}");
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }

    // Decimal places that remain after applying the exponent.
    let places = i64::try_from(fraction.len()).ok()?.checked_sub(exponent.parse().ok()?)?;
    let places_of_zero = significant.len() - significant.trim_end_matches('0').len();
    let digits = match usize::try_from(places) {
        Ok(places) if places <= places_of_zero => {
            significant[..significant.len() - places].to_owned()
        }
        Ok(_) => return None,
        Err(_) => {
            let zeros = usize::try_from(places.unsigned_abs()).ok()?;
            if zeros > MOST_DIGITS {
                return None;
            }
            format!("{significant}{}", "0".repeat(zeros))
        }
    };
    (digits.len() <= MOST_DIGITS).then(|| format!("{sign}{digits}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Number;

    #[test]
    fn spelled_out_leaves_strings_and_invalid_json_unchanged() {
        for (text, plain) in [
            (
                r#"{"a":1.0,"b":"1.0 \" 2.0","c":[1e1,-0]}"#,
                r#"{"a":1,"b":"1.0 \" 2.0","c":[10,0]}"#,
            ),
            ("[1.5,1.0]", "[1.5,1]"),
        ] {
            assert_eq!(spelled_out(text).as_deref(), Some(plain));
        }
        for text in ["", "\"", "\"\\", "{", "1-2.0e", "-", "..", "é1.5", "[1,2]", "1.e"] {
            assert_eq!(spelled_out(text), None, "{text}");
        }
    }

    /// Tests that the replacement function receives each number, also in nested lists, but not the string `"2.5"`.
    #[test]
    fn replace_numbers_finds_nested_numbers_but_no_strings() {
        let offered = std::cell::RefCell::new(Vec::new());
        let text = r#"[[[{"a":[1.5,"2.5",true,null]}]]] -3"#;
        let offer = |number: &str| {
            offered.borrow_mut().push(number.to_owned());
            None
        };
        assert_eq!(replace_numbers(text, offer), None);
        assert_eq!(offered.into_inner(), ["1.5", "-3"]);
    }

    proptest! {
        #[test]
        fn spelled_out_keeps_values_of_numbers(
            text in "-?(0|[1-9][0-9]{0,22})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
        ) {
            if let Some(plain) = spelled_out(&text) {
                let number = |text: &str| serde_json::from_str::<Number>(text).unwrap();
                prop_assert_eq!(number(&plain), number(&text));
                prop_assert!(plain.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()));
            }
        }

        #[test]
        fn spelled_out_never_panics(text in "\\PC{0,60}") {
            let _ = spelled_out(&text);
        }
    }
}
