//! Parses exact numbers, dates and timestamps. The functions of this module are pure.
//!
//! The input is text. The output is an integer with a fixed scale or unit, or `None` if the text has another format.

use chrono::{DateTime, Datelike, NaiveDate};

/// Returns the text of a JSON number. A JSON string that contains a number is accepted too: `"1.50"` returns `1.50`.
/// Returns `None` for any other JSON.
pub(crate) fn digits(raw: &str) -> Option<&str> {
    let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let text = inner.map_or(raw, str::trim);
    is_number(text).then_some(text)
}

/// Returns true if `crypto_intel::values::Number` accepts the text, such as `-12.5e3`, `+1` or `007`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let signed = |text: &str| digits(text.strip_prefix(['-', '+']).unwrap_or(text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    signed(whole) && digits(fraction) && signed(exponent)
}

/// Largest integer with 38 digits.
const MOST: i128 = 10_i128.pow(crate::plan::DIGITS as u32) - 1;

/// Multiplies a decimal number by 10 to the power of `scale`: `1.50` with scale 2 returns 150. Returns `None` if the
/// result is not an integer or has more than 38 digits.
pub(crate) fn decimal(text: &str, scale: u8) -> Option<i128> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.trim_start_matches(['-', '+']);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    let all = whole.bytes().chain(fraction.bytes());
    let mut digits: Vec<u8> = all.skip_while(|digit| *digit == b'0').collect();
    if digits.is_empty() {
        return Some(0);
    }

    // Number of zeros to append. A negative number means zeros to remove.
    let exponent: i64 = exponent.parse().ok()?;
    let places = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let shift = places.checked_add(i64::from(scale))?;
    for _ in shift..0 {
        if digits.pop() != Some(b'0') {
            return None;
        }
    }
    let appended = usize::try_from(shift.max(0)).ok()?;
    if digits.len().checked_add(appended)? > usize::from(crate::plan::DIGITS) {
        return None;
    }

    let value = digits.iter().fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
    let value = (0..appended).fold(value, |value, _| value * 10);
    (value <= MOST).then_some(if negative { -value } else { value })
}

/// Converts a date such as `2026-01-31` to the number of days since 1970-01-01. Returns `None` for any other text.
pub(crate) fn days(text: &str) -> Option<i32> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let part = |text: &str, length| {
        let is_plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| text.parse::<u16>().ok()).flatten()
    };
    let (year, month, day) = (part(year, 4)?, part(month, 2)?, part(day, 2)?);
    let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())?;
    Some(date.num_days_from_ce() - DAYS_TO_1970)
}

/// Day number of 1970-01-01 in `chrono`. Day 1 is 0001-01-01.
const DAYS_TO_1970: i32 = 719_163;

/// Converts an RFC 3339 timestamp to Unix microseconds. Returns `None` for any other text, for leap seconds, and for
/// timestamps that are more precise than a microsecond.
pub(crate) fn micros(text: &str) -> Option<i64> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    let nanos = time.timestamp_subsec_nanos();
    (nanos < 1_000_000_000 && nanos % 1_000 == 0).then(|| time.timestamp_micros())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimals_are_exact_or_none() {
        for (text, scale, value) in [
            ("0", 2, Some(0)),
            ("-0.0", 0, Some(0)),
            ("0e99", 2, Some(0)),
            ("1.5", 2, Some(150)),
            ("-1.50", 1, Some(-15)),
            ("1.55", 1, None),
            ("+012e-1", 1, Some(12)),
            ("1e3", 0, Some(1_000)),
            ("1200e-2", 0, Some(12)),
            ("99999999999999999999999999999999999999", 0, Some(MOST)),
            ("100000000000000000000000000000000000000", 0, None),
            ("1e38", 0, None),
            ("1e999999999", 0, None),
            ("1e-999999999", 0, None),
            ("1e9223372036854775807", 2, None),
            ("1e99999999999999999999", 2, None),
        ] {
            assert_eq!(decimal(text, scale), value, "{text} of {scale} places");
        }
    }

    #[test]
    fn texts_of_times_are_exact_or_none() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2024-02-29", Some(19_782)),
            ("1969-12-31", Some(-1)),
            ("2023-02-29", None),
            ("2024-2-9", None),
            ("20240-02-29", None),
            ("+024-02-29", None),
            ("2024-02-29T00:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(days(text), expected, "{text}");
        }
        for (text, expected) in [
            ("1970-01-01T00:00:01Z", Some(1_000_000)),
            ("1970-01-01T01:00:00.000001+01:00", Some(1)),
            ("1969-12-31T23:59:59.5Z", Some(-500_000)),
            ("1970-01-01T00:00:00.0000001Z", None),
            ("1972-06-30T23:59:60Z", None),
            ("1970-01-01", None),
            ("soon", None),
        ] {
            assert_eq!(micros(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for raw in ["\"n/a\"", "\"\"", "true", "[1]", "\"1.\"", "\"1e\"", "null", "\"NaN\""] {
            assert_eq!(digits(raw), None, "{raw}");
        }
        assert_eq!(digits("\" 1.50 \""), Some("1.50"));
    }

    proptest! {
        #[test]
        fn a_decimal_is_the_number_it_was_written_as(value in -MOST..=MOST, scale in 0_u8..=38) {
            let digits = format!("{:0>39}", value.unsigned_abs());
            let (whole, fraction) = digits.split_at(39 - usize::from(scale));
            let sign = if value < 0 { "-" } else { "" };
            let point = if scale == 0 { "" } else { "." };
            prop_assert_eq!(decimal(&format!("{sign}{whole}{point}{fraction}"), scale), Some(value));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}", scale in 0_u8..=38) {
            if let Some(digits) = digits(&text) {
                let _ = decimal(digits, scale);
            }
        }
    }
}
