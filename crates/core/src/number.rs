//! Decimal numbers that keep their digits.
//!
//! A number is decoded from a JSON number or string, and written back with the same digits.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::{Deserialize, Deserializer, Error as _, Unexpected};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::shape_match::{Mismatch, ShapeMatch};

/// A decimal number with the digits as received, without the rounding of binary floats.
///
/// It is decoded from a JSON number or from a JSON string with a number. A number from a string is written as a string
/// again. The type works only with `serde_json`. Two numbers are equal if their values are equal: `1.0` equals `1` and
/// `10e-1`.
///
/// ```
/// use crypto_intel_core::Number;
///
/// let number: Number = serde_json::from_str("12345678901234567.89")?;
/// assert_eq!(number.as_str(), "12345678901234567.89");
/// assert_eq!(number.to_f64(), 12345678901234568.0);
/// assert_eq!(serde_json::to_string(&number)?, "12345678901234567.89");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Number {
    text: Box<str>,
    /// True if the number was received as a JSON string. It is then also written as a string.
    quoted: bool,
}

impl Number {
    /// Returns the digits as received, without quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the nearest `f64`. The result is infinite if the number is beyond about 1.8e308.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        // `f64` parses each string that `is_number` accepts.
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// Returns the number as an exact decimal, or `None` if it has more than about 28 digits.
    #[cfg(feature = "decimal")]
    #[must_use]
    pub fn to_decimal(&self) -> Option<rust_decimal::Decimal> {
        if !self.text.contains(['e', 'E']) {
            return rust_decimal::Decimal::from_str_exact(&self.text).ok();
        }
        let CanonicalDecimal { negative, digits, exponent } = self.canonical();
        if digits.is_empty() {
            return Some(rust_decimal::Decimal::ZERO);
        }
        let sign = if negative { "-" } else { "" };
        // With more than 40 places, a decimal of 96 bits cannot be exact.
        let shift = usize::try_from(exponent.unsigned_abs()).ok().filter(|shift| *shift <= 40)?;
        let plain = if exponent >= 0 {
            format!("{sign}{digits}{}", "0".repeat(shift))
        } else {
            let digits = format!("{digits:0>width$}", width = shift + 1);
            let (whole, fraction) = digits.split_at(digits.len() - shift);
            format!("{sign}{whole}.{fraction}")
        };
        rust_decimal::Decimal::from_str_exact(&plain).ok()
    }

    fn canonical(&self) -> CanonicalDecimal {
        let (mantissa, exponent) = self.text.split_once(['e', 'E']).unwrap_or((&self.text, "0"));
        // All exponents above the range of `i64` are treated as equal, and so are all exponents below it.
        let beyond = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let exponent = exponent.trim_start_matches('+').parse().unwrap_or(beyond);
        let negative = mantissa.starts_with('-');
        let mantissa = mantissa.trim_start_matches(['-', '+']);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - significant.len()).unwrap_or(0);
        let fraction = i64::try_from(fraction.len()).unwrap_or(0);
        let digits = significant.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return CanonicalDecimal { negative: false, digits, exponent: 0 };
        }

        CanonicalDecimal {
            negative,
            digits,
            exponent: exponent.saturating_sub(fraction).saturating_add(dropped),
        }
    }
}

/// Returns true if `text` is a decimal number such as `-12.5e3`. A plus sign and leading zeros are allowed.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let signed = |text: &str| digits(text.strip_prefix(['-', '+']).unwrap_or(text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    signed(whole) && digits(fraction) && signed(exponent)
}

/// Canonical form of a decimal number. Numbers of equal value have equal forms: `digits` has no zeros at the start or
/// end, and is empty for zero.
#[derive(PartialEq, Eq, Hash)]
struct CanonicalDecimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text || self.canonical() == other.canonical()
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Number { text: number.to_string().into(), quoted: false }
    }
}

#[cfg(feature = "decimal")]
impl From<rust_decimal::Decimal> for Number {
    fn from(number: rust_decimal::Decimal) -> Self {
        Number { text: number.to_string().into(), quoted: false }
    }
}

impl TryFrom<f64> for Number {
    type Error = crate::error::Error;

    /// Returns the shortest decimal that parses to `number`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the number is not finite.
    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if !number.is_finite() {
            return Err(crate::error::Error::invalid(format!(
                "{number} cannot be written as a JSON number"
            )));
        }
        Ok(Number { text: number.to_string().into(), quoted: false })
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        if text.starts_with('"') {
            let inner: String = serde_json::from_str(text)
                .map_err(|error| D::Error::custom(crate::json::reason(&error)))?;
            if is_number(inner.trim()) {
                return Ok(Number { text: inner.trim().into(), quoted: true });
            }
        } else if is_number(text) {
            return Ok(Number { text: raw.into(), quoted: false });
        }
        Err(D::Error::invalid_type(unexpected(text), &"a number"))
    }
}

fn unexpected(text: &str) -> Unexpected<'_> {
    match text.as_bytes().first() {
        Some(b'"') => Unexpected::Str(text.trim_matches('"')),
        Some(b'{') => Unexpected::Map,
        Some(b'[') => Unexpected::Seq,
        Some(b't') => Unexpected::Bool(true),
        Some(b'f') => Unexpected::Bool(false),
        _ => Unexpected::Unit,
    }
}

impl ShapeMatch for Number {
    fn mismatch(value: &serde_json::Value) -> Option<Mismatch> {
        value.is_number().then(Mismatch::default)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error as _;
        if self.quoted {
            return serializer.serialize_str(&self.text);
        }
        RawValue::from_string(self.text.clone().into())
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Number {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn non_numbers_are_rejected_with_a_reason() {
        for (text, reason) in [
            (r#""n/a""#, r#"invalid type: string "n/a", expected a number"#),
            (r#""NaN""#, r#"invalid type: string "NaN", expected a number"#),
            (r#""""#, r#"invalid type: string "", expected a number"#),
            (r#""1.""#, r#"invalid type: string "1.", expected a number"#),
            (r#""1e""#, r#"invalid type: string "1e", expected a number"#),
            ("true", "invalid type: boolean `true`, expected a number"),
            ("[1]", "invalid type: sequence, expected a number"),
            ("{}", "invalid type: map, expected a number"),
        ] {
            let error = serde_json::from_str::<Number>(text).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }

    #[test]
    fn quoted_numbers_stay_quoted() {
        for (text, number) in [(r#""0012.50""#, "0012.50"), (r#""+1e-3""#, "+1e-3")] {
            assert_eq!(read(text).as_str(), number);
            assert_eq!(serde_json::to_string(&read(text)).unwrap(), text);
        }
    }

    #[test]
    fn numbers_are_equal_if_their_values_are() {
        for (a, b, equal) in [
            ("1.0", "1", true),
            ("10e-1", "1", true),
            ("\"1.10\"", "1.1", true),
            ("-0.0", "0e9", true),
            ("0.1", "0.1000000000000000055", false),
            ("1", "-1", false),
            ("100", "10", false),
            ("1e400", "1e401", false),
            ("10e9223372036854775807", "1", false),
            ("1e99999999999999999999", "1e-99999999999999999999", false),
        ] {
            assert_eq!(read(a) == read(b), equal, "{a} {b}");
        }
    }

    #[test]
    fn number_decodes_from_json_value() {
        let number: Number = serde_json::from_value(json!(2.5)).unwrap();
        assert_eq!(number.as_str(), "2.5");
        assert_eq!(serde_json::to_value(&number).unwrap(), json!(2.5));
        assert_eq!(Option::<Number>::deserialize(&json!(null)).unwrap(), None);
    }

    #[cfg(feature = "decimal")]
    #[test]
    fn to_decimal_is_exact_or_none() {
        for (text, plain) in [
            ("0.1", Some("0.1")),
            ("1.50e3", Some("1500")),
            ("-12.5E-3", Some("-0.0125")),
            ("0e99", Some("0")),
            ("79228162514264337593543950335", Some("79228162514264337593543950335")),
            ("79228162514264337593543950336", None),
            ("0.00000000000000000000000000001", None),
            ("1e300", None),
            ("1e99999999999999999999", None),
        ] {
            assert_eq!(read(text).to_decimal().map(|d| d.to_string()).as_deref(), plain, "{text}");
        }
    }

    proptest! {
        #[test]
        fn number_text_round_trips_unchanged(
            text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?",
        ) {
            prop_assert_eq!(serde_json::to_string(&read(&text)).unwrap(), text.clone());
            let quoted = format!("\"{text}\"");
            prop_assert_eq!(serde_json::to_string(&read(&quoted)).unwrap(), quoted);
        }

        #[test]
        fn finite_floats_round_trip(number in proptest::num::f64::NORMAL) {
            let exact = Number::try_from(number).unwrap();
            prop_assert_eq!(exact.to_f64(), number);
            prop_assert_eq!(read(exact.as_str()), exact);
        }

        #[cfg(feature = "decimal")]
        #[test]
        fn decimals_round_trip(number in proptest::num::i64::ANY, scale in 0u32..=18) {
            let decimal = rust_decimal::Decimal::new(number, scale);
            prop_assert_eq!(Number::from(decimal).to_decimal(), Some(decimal));
        }
    }
}
