//! Parses the JSON text of the service. The text may begin with a byte order mark, and whole numbers may be written as
//! `1.0` or `1e2`.

use std::borrow::Cow;
use std::str::Utf8Error;

use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value;
use serde_json::error::Category;

mod ordered_fields;
mod path;
mod spelling;
mod tokens;

pub use ordered_fields::OrderedFields;
pub use path::path_at;
pub(crate) use spelling::loses_digits;
pub use spelling::spelled_out;
use spelling::{integer_digits, quote_out_of_range};

/// Parses a JSON text. A whole number may be written as `1.0`, `1e2` or `-0`. In a JSON object, a number out of the
/// range of `f64`, such as `1e999`, is read as a string. Otherwise one large number in an unknown field would make the
/// whole response unreadable.
///
/// The text is first parsed unchanged. Numbers are rewritten only if this attempt fails, so most texts take no extra
/// time.
///
/// # Errors
/// Returns errors of `serde_json`.
pub fn from_slice<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    read(text).map_err(|(error, _)| error)
}

/// Parses a JSON text like [`from_slice`]. On failure, returns the error and the path of the wrong value, such as
/// `data[1].price`. The path of the outermost value is empty.
///
/// The function always parses a `str`, and computes the path from the position of the error. So each response type
/// needs only one decoder. With further decoders, for bytes and for recording paths, a program with all operations was
/// a third larger.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, (serde_json::Error, String)> {
    let text = without_byte_order_mark(text);
    let mut text = match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => return Err(utf8_error(text, error)),
    };
    loop {
        let error = match serde_json::from_str(&text) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        match rewrite_numbers(&text, &error) {
            // A rewritten text has no more numbers to rewrite, so the loop ends.
            Some(new) => text = Cow::Owned(new),
            None => return Err(with_path(&text, error)),
        }
    }
}

/// Returns the error for a body that is not UTF-8, and the path of the value with the first invalid byte.
#[cold]
fn utf8_error(text: &[u8], error: Utf8Error) -> (serde_json::Error, String) {
    let before = &text[..error.valid_up_to()];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    let path = path_at(text, line, column);
    // `serde_json` reads line and column of a custom error from the end of the message.
    let message = format!("the JSON text is not UTF-8 at line {line} column {column}");
    (serde_json::Error::custom(message), path)
}

/// Returns a copy of the JSON text with rewritten numbers, if a number may have caused the parse error. For example,
/// `1.0` becomes `1` after an error of the category [`Category::Data`]. Returns `None` for other parse errors, and if
/// the text contains no number to rewrite.
#[cold]
fn rewrite_numbers(text: &str, error: &serde_json::Error) -> Option<String> {
    match error.classify() {
        Category::Syntax if text.trim_ascii_start().starts_with('{') => quote_out_of_range(text),
        Category::Data => spelled_out(text),
        _ => None,
    }
}

#[cold]
fn with_path(text: &str, error: serde_json::Error) -> (serde_json::Error, String) {
    let path = path_at(text.as_bytes(), error.line(), error.column());
    (error, path)
}

/// Returns the message of an error without the line and column. Use this function for an error in a part of a JSON text
/// that was parsed separately. The line and column are a position in this part, not in the whole text.
#[must_use]
pub fn reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// Returns the text without its byte order mark.
pub(crate) fn without_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Returns the JSON value as an integer, if it is a whole number that fits in 64 bits, such as `100`, `1.0` or `1e2`.
#[must_use]
pub fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| integer_digits(&value.as_number()?.to_string())?.parse().ok())
}

/// Parses a JSON value of any type. A number out of the range of `f64` becomes a string, even if it is the outermost
/// value.
pub(crate) fn parse_value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match quote_out_of_range(text) {
        Some(quoted) => serde_json::from_str(&quoted),
        None => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_numbers_parse_in_every_spelling() {
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
    fn out_of_range_number_in_unknown_field_becomes_string() {
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
        fn decimals_parse_to_nearest_float(whole in 0u64..1 << 53, places in 0usize..18) {
            let digits = format!("{whole:018}");
            let text = format!("{}.{}", &digits[..18 - places], &digits[18 - places..]);
            let text = text.trim_start_matches('0').trim_end_matches('.');
            let text = if text.is_empty() || text.starts_with('.') { format!("0{text}") } else { text.into() };

            prop_assert_eq!(from_slice::<f64>(text.as_bytes()).ok(), text.parse().ok(), "{}", text);
        }
    }

    #[test]
    fn error_contains_position_and_path_of_wrong_value() {
        type Rows = Vec<std::collections::BTreeMap<String, i64>>;
        let fault = |text: &[u8]| {
            let (error, path) = read::<Rows>(text).unwrap_err();
            format!("{path}: {error}")
        };
        assert_eq!(
            fault(b"[{\"a\": 1},\n {\"b\": 1.0, \"c\": true}]"),
            "[1].c: invalid type: boolean `true`, expected i64 at line 2 column 19"
        );
        assert_eq!(
            fault(b"[{\"a\": 1}, {\"b"),
            "[1]: EOF while parsing a string at line 1 column 14"
        );
        assert_eq!(
            fault(b"[{\"a\":\n \"\xff\"}]"),
            "[0].a: the JSON text is not UTF-8 at line 2 column 2"
        );
        assert_eq!(
            fault(b"7"),
            ": invalid type: integer `7`, expected a sequence at line 1 column 1"
        );
    }

    #[test]
    fn reason_is_message_without_position() {
        let error = serde_json::from_str::<bool>("\n7").unwrap_err();
        assert_eq!(reason(&error), "invalid type: integer `7`, expected a boolean");
        assert_eq!(reason(&serde_json::Error::custom("no place")), "no place");
    }

    #[test]
    fn byte_order_mark_is_skipped() {
        assert_eq!(from_slice::<Vec<i64>>(b"\xef\xbb\xbf[1]").unwrap(), [1]);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(text in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = spelled_out(&String::from_utf8_lossy(&text));
            let _ = from_slice::<Value>(&text);
        }
    }
}
