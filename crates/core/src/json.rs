//! Parses the JSON of the service, which may have a byte order mark and whole numbers in any spelling.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Parses `text`. A whole number may be written as `1.0`, `1e2` or `-0`. A number out of the range of doubles, such
/// as `1e999`, is read as a string. So one such number in an unknown field does not make the whole response
/// unreadable.
///
/// The text is first parsed unchanged, and rewritten only if that fails. So valid responses cost nothing more.
///
/// # Errors
/// Errors of `serde_json`.
pub fn from_slice<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    let text = content(text);
    let error = match parse(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };

    if error.is_syntax()
        && text.trim_ascii_start().starts_with(b"{")
        && let Some(text) = quoted_out_of_range(text)
    {
        // The new text has no number out of range, so the recursion ends.
        return from_slice(&text);
    }
    match error.is_data().then(|| spelled_out(text)).flatten() {
        Some(text) => serde_json::from_slice(&text),
        None => Err(error),
    }
}

/// Parses the text unchanged. UTF-8 is checked once for the whole text, which costs much less than a check of each
/// string. In a text that is not UTF-8, only the strings that are read are checked.
fn parse<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    match std::str::from_utf8(text) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(text),
    }
}

/// Returns the text without its byte order mark.
pub(crate) fn content(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Returns the value as a whole number, if it is one.
#[must_use]
pub fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| integer(&value.as_number()?.to_string())?.parse().ok())
}

/// Returns the text with whole numbers as plain digits, or `None` if nothing changes.
#[must_use]
pub fn spelled_out(text: &[u8]) -> Option<Vec<u8>> {
    replaced(text, integer)
}

/// Parses a value of any type. A number out of the range of doubles becomes a string, also if it is the whole value.
pub(crate) fn any_value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match quoted_out_of_range(text.as_bytes()) {
        Some(quoted) => serde_json::from_slice(&quoted),
        None => Err(error),
    })
}

/// Returns true if a number of the text loses digits when it is read as a [`Value`].
pub(crate) fn has_lost_digits(text: &str) -> bool {
    let same = |number: &str| {
        if number.len() < 19 && number.bytes().all(|byte| byte.is_ascii_digit()) {
            return true;
        }
        let value = serde_json::from_str::<serde_json::Number>(number);
        value.is_ok_and(|value| value.to_string().as_str() == number)
    };
    replaced(text.as_bytes(), |number| (!same(number)).then(String::new)).is_some()
}

/// Returns the text with quotes around numbers out of the range of doubles, or `None` if there are none.
fn quoted_out_of_range(text: &[u8]) -> Option<Vec<u8>> {
    replaced(text, |number| {
        number.parse::<f64>().is_ok_and(f64::is_infinite).then(|| format!("\"{number}\""))
    })
}

/// Replaces numbers outside of strings. `None` if nothing changes.
fn replaced(text: &[u8], replacement: impl Fn(&str) -> Option<String>) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        let end = match byte {
            b'"' => string_end(text, at),
            b'-' | b'0'..=b'9' => number_end(text, at),
            _ => at + 1,
        };

        let digits = match byte {
            b'-' | b'0'..=b'9' => std::str::from_utf8(&text[at..end]).ok().and_then(&replacement),
            _ => None,
        };
        if let Some(digits) = digits.filter(|digits| digits.as_bytes() != &text[at..end]) {
            plain.extend_from_slice(&text[copied..at]);
            plain.extend_from_slice(digits.as_bytes());
            copied = end;
        }
        at = end;
    }

    if copied == 0 {
        return None;
    }
    plain.extend_from_slice(&text[copied..]);
    Some(plain)
}

/// Returns the end of the string that begins at `start`.
fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn number_end(text: &[u8], start: usize) -> usize {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    start + text[start..].iter().take_while(|byte| part(byte)).count()
}

/// Digits of the largest whole number that a field can have.
const MOST_DIGITS: usize = 39;

/// Converts a JSON number to plain digits, if it is whole. The result is exact.
fn integer(number: &str) -> Option<String> {
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
    fn whole_numbers_are_read_in_every_spelling() {
        for (text, number) in [
            ("1.0", Some(1)),
            ("1e2", Some(100)),
            ("1.50E1", Some(15)),
            ("1200e-2", Some(12)),
            ("-0", Some(0)),
            ("-0.0", Some(0)),
            ("0e99999999999999999999", Some(0)),
            ("-2.0", Some(-2)),
            ("9223372036854775807.0", Some(i64::MAX)),
            ("-9223372036854775808e0", Some(i64::MIN)),
            ("9223372036854775808.0", None),
            ("0.5", None),
            ("12e-1", None),
            ("1e400", None),
            ("1e99999999999999999999", None),
            ("1e-99999999999999999999", None),
            ("\"1.0\"", None),
        ] {
            assert_eq!(from_slice::<i64>(text.as_bytes()).ok(), number, "{text}");
        }
    }

    #[test]
    fn number_out_of_range_in_an_unknown_field_is_text() {
        let long = "9".repeat(400);
        for number in ["1e999999999999", "-1e400", long.as_str()] {
            let text =
                format!(r#"{{"value":5.5,"status":"available","new":[{number},"1e400",2]}}"#);
            let metric: crate::MetricValue = from_slice(text.as_bytes()).expect("a figure");
            assert_eq!(
                metric.extra.get("new").map(|json| &**json),
                Some(&serde_json::json!([number, "1e400", 2]))
            );
        }
        assert!(from_slice::<f64>(b"1e999").is_err());
    }

    proptest! {
        #[test]
        fn decimals_become_the_nearest_binary_fraction(whole in 0u64..1 << 53, places in 0usize..18) {
            let digits = format!("{whole:018}");
            let text = format!("{}.{}", &digits[..18 - places], &digits[18 - places..]);
            let text = text.trim_start_matches('0').trim_end_matches('.');
            let text = if text.is_empty() || text.starts_with('.') { format!("0{text}") } else { text.into() };

            prop_assert_eq!(from_slice::<f64>(text.as_bytes()).ok(), text.parse().ok(), "{}", text);
        }
    }

    #[test]
    fn strings_are_left_alone_and_so_is_what_is_no_json() {
        for (text, plain) in [
            (
                r#"{"a":1.0,"b":"1.0 \" 2.0","c":[1e1,-0]}"#,
                r#"{"a":1,"b":"1.0 \" 2.0","c":[10,0]}"#,
            ),
            ("[1.5,1.0]", "[1.5,1]"),
        ] {
            assert_eq!(spelled_out(text.as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        for text in ["", "\"", "\"\\", "{", "1-2.0e", "-", "..", "é1.5", "[1,2]", "1.e"] {
            assert_eq!(spelled_out(text.as_bytes()), None, "{text}");
        }
    }

    /// Tests that a text with many brackets costs one look at each byte.
    #[test]
    fn only_numbers_are_offered_for_replacement() {
        let offered = std::cell::RefCell::new(Vec::new());
        let text = br#"[[[{"a":[1.5,"2.5",true,null]}]]] -3"#;
        let offer = |number: &str| {
            offered.borrow_mut().push(number.to_owned());
            None
        };
        assert_eq!(replaced(text, offer), None);
        assert_eq!(offered.into_inner(), ["1.5", "-3"]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(from_slice::<Vec<i64>>(b"\xef\xbb\xbf[1]").unwrap(), [1]);
    }

    proptest! {
        #[test]
        fn no_number_changes_its_value(
            text in "-?(0|[1-9][0-9]{0,22})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
        ) {
            if let Some(plain) = spelled_out(text.as_bytes()) {
                let plain = String::from_utf8(plain).unwrap();
                let number = |text: &str| serde_json::from_str::<Number>(text).unwrap();
                prop_assert_eq!(number(&plain), number(&text));
                prop_assert!(plain.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = spelled_out(&text);
        }
    }
}
