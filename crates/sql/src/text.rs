//! Conversions between values and their text form.
//!
//! Values are written in the format of ClickHouse. Text is parsed as a value of a given type.

use ethnum::{I256, U256};

use crate::basic_time::basic_day;
use crate::best_effort::{Parsed, best_effort};
use crate::problem::{Problem, Result};
use crate::time::{self, DAY};
use crate::types::{Type, Zone};
use crate::value::Value;

/// Formats a float as ClickHouse does, with the fewest digits that parse to the same number. If several texts are
/// equally short, returns the text nearest to the number. If two texts are equally near, returns the text with an even
/// last digit. `std` does not always follow these rules.
pub(crate) fn float(number: f64) -> String {
    let mut buffer = zmij::Buffer::new();
    match number {
        _ if number.is_nan() => "nan".to_owned(),
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        number => respelled(buffer.format_finite(number)),
    }
}

/// Formats a 32-bit float with the fewest digits that parse to the same number.
#[expect(clippy::cast_possible_truncation, reason = "the number has 32 bits")]
pub(crate) fn float32(number: f64) -> String {
    let single = number as f32;
    let mut buffer = zmij::Buffer::new();
    if single.is_finite() { respelled(buffer.format_finite(single)) } else { float(single.into()) }
}

/// Rewrites a number in the notation of ClickHouse: `1e3` becomes `1000`. Very large and very small numbers have one
/// digit before the decimal point and an exponent: `1.5e-7`.
fn respelled(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |number| ("-", number));
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let plain = all.trim_matches('0');
    if plain.is_empty() {
        return format!("{sign}0");
    }

    let size = |text: &str| i32::try_from(text.len()).unwrap_or(i32::MAX);
    let zeros_before = size(&all) - size(all.trim_start_matches('0'));
    let power = exponent.parse::<i32>().unwrap_or(0) + size(whole) - 1 - zeros_before;

    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let places = usize::try_from(power + 1).unwrap_or(0);
    match power {
        -6..0 => format!("{sign}0.{}{plain}", zeros(-power - 1)),
        0..21 => match plain.split_at_checked(places) {
            Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
            _ => format!("{sign}{plain}{}", zeros(power + 1 - size(plain))),
        },
        _ => {
            let (first, rest) = plain.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e{power}")
        }
    }
}

/// Formats a decimal without trailing zeros. `digits` is the unscaled integer: 150 with scale 2 becomes `1.5`.
pub(crate) fn decimal(digits: i128, scale: u8) -> String {
    let text = fixed(digits, scale);
    if scale == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a decimal with all its digits. `digits` is the unscaled integer: 150 with scale 2 becomes `1.50`.
fn fixed(digits: i128, scale: u8) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let plain = digits.unsigned_abs().to_string();
    let scale = usize::from(scale);
    if scale == 0 {
        return format!("{sign}{plain}");
    }
    let padded = format!("{plain:0>width$}", width = scale + 1);
    let (whole, rest) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{rest}")
}

/// Appends a value to `out` in the format of `toString`. Strings, dates and times inside arrays, tuples and maps are
/// quoted.
pub(crate) fn write(value: &Value, ty: &Type, out: &mut Vec<u8>) {
    match (value, ty) {
        (Value::Null, _) => out.extend_from_slice("NULL".as_bytes()),
        (value, Type::Nullable(of) | Type::LowCardinality(of)) => write(value, of, out),
        (Value::Text(bytes), _) => out.extend_from_slice(bytes),

        (value, Type::Array(of)) => {
            out.push(b'[');
            separated(value.items(), out, |item, out| write_inside(item, of, out));
            out.push(b']');
        }
        (value, Type::Tuple(members)) => {
            out.push(b'(');
            for (at, (item, (_, ty))) in value.items().iter().zip(members).enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write_inside(item, ty, out);
            }
            out.push(b')');
        }

        (value, Type::Map(key, of)) => {
            out.push(b'{');
            separated(value.items(), out, |pair, out| {
                if let [k, v] = pair.items() {
                    write_inside(k, key, out);
                    out.push(b':');
                    write_inside(v, of, out);
                }
            });
            out.push(b'}');
        }

        (value, ty) => out.extend_from_slice(simple(value, ty).as_bytes()),
    }
}

fn separated(items: &[Value], out: &mut Vec<u8>, one: impl Fn(&Value, &mut Vec<u8>)) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        one(item, out);
    }
}

fn write_inside(value: &Value, ty: &Type, out: &mut Vec<u8>) {
    let bare = ty.bare();
    let is_quoted = !value.is_null() && (bare.is_text() || bare.is_date() || bare.is_time());
    if !is_quoted {
        return write(value, ty, out);
    }
    let mut text = Vec::new();
    write(value, ty, &mut text);
    out.push(b'\'');
    for byte in text {
        if matches!(byte, b'\'' | b'\\') {
            out.push(b'\\');
        }
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            0 => out.extend_from_slice(b"\\0"),
            byte => out.push(byte),
        }
    }
    out.push(b'\'');
}

/// Formats a number, a date or a time.
fn simple(value: &Value, ty: &Type) -> String {
    match (value, ty) {
        (Value::Float(number), Type::Float32) => float32(*number),
        (Value::Float(number), _) => float(*number),
        (Value::Wide(number), _) => number.to_string(),
        (Value::UWide(number), _) => number.to_string(),
        (Value::Int(number), ty) => {
            let seconds = i64::try_from(*number).unwrap_or(0);
            match ty {
                Type::Bool => if *number != 0 { "true" } else { "false" }.to_owned(),
                Type::Decimal { scale, .. } => decimal(*number, *scale),
                Type::Date => time::date_text(seconds),
                Type::Date32 => time::date_text(time::in_calendar(seconds)),
                Type::DateTime(zone) => time::time_text(zone.local(seconds)),
                Type::DateTime64(scale, zone) => ticks(seconds, *scale, *zone),
                _ => number.to_string(),
            }
        }
        _ => String::new(),
    }
}

fn ticks(ticks: i64, scale: u8, zone: Zone) -> String {
    let whole = 10_i64.pow(u32::from(scale.min(9)));
    let text = time::time_text(zone.local(ticks.div_euclid(whole)));
    if scale == 0 {
        return text;
    }
    format!("{text}.{:0width$}", ticks.rem_euclid(whole), width = usize::from(scale))
}

/// Formats a value in the format of `toString`. Bytes that are not UTF-8 are replaced by U+FFFD.
pub(crate) fn string(value: &Value, ty: &Type) -> String {
    let mut out = Vec::new();
    write(value, ty, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the bytes of a FixedString without the zero bytes at its end.
pub(crate) fn without_padding(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    &bytes[..end]
}

/// Parses an integer of `bits` bits. Numbers out of range wrap around as in ClickHouse. Returns `None` if the text is
/// not an integer, or if it has a minus sign and the type is unsigned.
pub(crate) fn read_int(text: &str, bits: u16, signed: bool) -> Option<Value> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let negative = text.starts_with('-');
    if negative && !signed {
        return None;
    }

    if bits > 64 {
        let mut number = U256::ZERO;
        for digit in digits.bytes() {
            number = number.wrapping_mul(U256::from(10_u8)).wrapping_add(U256::from(digit - b'0'));
        }
        let number = number.as_i256();
        let number = if negative { I256::ZERO.wrapping_sub(number) } else { number };
        return Some(crate::value::wide(number, bits, signed));
    }
    let mut number = 0_u64;
    for digit in digits.bytes() {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
    }
    let number = if negative { -i128::from(number) } else { i128::from(number) };
    Some(Value::Int(crate::value::wrap(number, bits, signed)))
}

/// Parses a float, including `nan` and `inf`. Returns `None` if the text is not a number.
pub(crate) fn read_float(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let is_number = lower.bytes().all(|b| b.is_ascii_digit() || b"+-.e".contains(&b));
    let is_word = matches!(lower.trim_start_matches(['+', '-']), "nan" | "inf" | "infinity");
    if is_number || is_word { lower.parse().ok() } else { None }
}

/// Parses a decimal and returns its unscaled integer: `1.5` with scale 2 becomes 150. Digits beyond the scale are cut
/// off. Returns `None` if the text is not a decimal, or if the unscaled integer does not fit into 128 bits.
pub(crate) fn read_decimal(text: &str, scale: u8) -> Option<i128> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (mantissa, power) = match rest.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // Like ClickHouse, the parser accepts a sign or a point alone as 0, and ignores further points.
    let fraction = fraction.replace('.', "");
    let digits = format!("{whole}{fraction}");
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }

    let mut shift = i32::from(scale) + power - i32::try_from(fraction.len()).ok()?;
    let mut number: i128 = 0;
    let keep = if shift < 0 {
        let cut = usize::try_from(-shift).ok()?;
        shift = 0;
        &digits[..digits.len().saturating_sub(cut)]
    } else {
        digits.as_str()
    };
    for digit in keep.bytes() {
        number = number.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    if number != 0 {
        number = number.checked_mul(10_i128.checked_pow(u32::try_from(shift).ok()?)?)?;
    }
    Some(sign * number)
}

/// Parses the text form of a value of the type `ty`.
///
/// # Errors
/// Returns an error if the text is not a value of this type.
pub(crate) fn read(text: &[u8], ty: &Type) -> Result<Value> {
    let fault = || {
        let text = String::from_utf8_lossy(text);
        Problem::text(format!("'{text}' is not a value of type {ty}"))
    };

    if let Type::String = ty {
        return Ok(Value::text(text));
    }
    let text = std::str::from_utf8(text).map_err(|_| fault())?;

    let value = match ty {
        Type::Nullable(of) => {
            if text == "NULL" || text == "\\N" {
                Some(Value::Null)
            } else {
                Some(read(text.as_bytes(), of)?)
            }
        }
        Type::LowCardinality(of) => Some(read(text.as_bytes(), of)?),

        Type::Int { bits, signed } => read_int(text, *bits, *signed),
        Type::Bool => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "t" | "yes" | "y" | "on" => Some(Value::Int(1)),
            "false" | "0" | "f" | "no" | "n" | "off" => Some(Value::Int(0)),
            _ => None,
        },
        Type::Float64 => read_float(text).map(Value::Float),
        #[expect(clippy::cast_possible_truncation, reason = "the result has 32 bits")]
        Type::Float32 => read_float(text).map(|number| Value::Float(f64::from(number as f32))),
        Type::Decimal { scale, precision } => {
            let most = 10_i128.checked_pow(u32::from(*precision));
            read_decimal(text, *scale)
                .filter(|number| most.is_none_or(|most| number.abs() < most))
                .map(Value::Int)
        }

        Type::Date | Type::Date32 => basic_day(text.as_bytes(), true).map(|day| clamp_day(day, ty)),
        Type::DateTime(zone) | Type::DateTime64(_, zone) => match best_effort(text, *zone) {
            Parsed::Time(seconds, fraction) => time_of(seconds, fraction, ty),
            other => return Err(other.problem(text)),
        },
        _ => None,
    };

    value.ok_or_else(fault)
}

/// Creates a time value from Unix seconds and the digits of the fraction of a second. Returns `None` if a `DateTime64`
/// does not fit into 64 bits.
fn time_of(seconds: i64, fraction: &str, ty: &Type) -> Option<Value> {
    let Type::DateTime64(scale, _) = ty else {
        return Some(Value::Int(seconds.clamp(0, i64::from(u32::MAX)).into()));
    };
    let digits = fraction.chars().chain(std::iter::repeat('0')).take(usize::from(*scale));
    let part = digits.collect::<String>().parse::<i64>().unwrap_or(0);
    let whole = seconds.checked_mul(10_i64.pow(u32::from(*scale)))?;
    Some(Value::Int(whole.checked_add(part)?.into()))
}

pub(crate) fn clamp_day(day: i64, ty: &Type) -> Value {
    let day = if *ty == Type::Date { day.clamp(0, 65_535) } else { day };
    Value::Int(day.into())
}

/// Last day of `Date`, in days since 1970.
pub(crate) const LAST_DAY: i64 = 65_535;
/// Smallest number that is treated as Unix seconds when it is converted to a `Date`. Smaller numbers are days.
pub(crate) const SECONDS_FROM: i64 = LAST_DAY + 1;

/// Converts an integer to days since 1970. Numbers below [`SECONDS_FROM`] are days. Larger numbers are Unix seconds.
/// Negative numbers become day 0. Times after the end of the type `DateTime` become its last day.
pub(crate) fn date_of(number: i64) -> i64 {
    if number < SECONDS_FROM { number.max(0) } else { number.min(i64::from(u32::MAX)) / DAY }
}

impl Type {
    /// Parses the text form of a value of this type.
    ///
    /// # Errors
    /// Returns an error if the text is not a value of this type.
    pub fn value(&self, text: &str) -> Result<Value> {
        read(text.as_bytes(), self)
    }
}
