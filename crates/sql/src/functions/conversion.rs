//! Conversions of values from one type to another.
//!
//! The input is a value, its type and the wanted type. The output is the value that `CAST` returns in ClickHouse, or an
//! error. [`can`] checks whether a conversion between two types exists.

use ethnum::I256;

use super::dates::{day_of, unix_seconds};
use super::lenient;
use crate::problem::{Problem, Result};
use crate::text;
use crate::time::{DAY, LAST_DATE32, in_calendar, tick_range};
use crate::types::{Type, Zone};
use crate::value::{Value, machine_int, wide, wrap};

/// Returns an error if no conversion from the type `from` to the type `to` exists.
pub(crate) fn can(from: &Type, to: &Type) -> Result<()> {
    let fault = || Err(Problem::text(format!("{from} cannot be converted to {to}")));
    let (bare_from, bare_to) = (from.bare(), to.bare());
    if bare_from == bare_to || *bare_from == Type::Nothing || *bare_to == Type::String {
        return Ok(());
    }

    let is_temporal = |ty: &Type| ty.is_date() || ty.is_time();
    match (bare_from, bare_to) {
        (Type::Array(from), Type::Array(to)) if !have_same_depth(from, to) => fault(),
        (Type::Array(from), Type::Array(to)) => can(from, to),
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            from.iter().zip(to).try_for_each(|((_, from), (_, to))| can(from, to))
        }
        (Type::Map(k1, v1), Type::Map(k2, v2)) => can(k1, k2).and_then(|()| can(v1, v2)),
        (Type::Array(_) | Type::Tuple(_) | Type::Map(..), _) => fault(),
        (_, Type::Array(_) | Type::Tuple(_) | Type::Map(..)) => fault(),
        (_, Type::FixedString(_)) if !bare_from.is_text() => fault(),
        (Type::Interval(_), to) if !to.is_int() => fault(),
        (_, Type::Interval(_)) => fault(),
        (from, Type::Bool) if is_temporal(from) => fault(),
        (Type::Decimal { .. }, Type::DateTime(_)) => fault(),
        (from, Type::Decimal { .. }) if is_temporal(from) || from.is_wide() => fault(),
        (Type::Decimal { .. }, to) if to.is_date() => fault(),
        _ => Ok(()),
    }
}

/// Compares the element types `from` and `to` of two arrays. Returns true if both element types are arrays, or if
/// neither is an array. Also returns true if `from` is `Nothing`, the element type of the empty array `[]`.
fn have_same_depth(from: &Type, to: &Type) -> bool {
    let is_list = |ty: &Type| matches!(ty, Type::Array(_));
    *from == Type::Nothing || is_list(from) == is_list(to)
}

/// Returns the conversion function of `CAST` and of functions such as `toDateTime`. It differs from [`convert`] in two
/// conversions. From UInt8 to Bool, it changes the number to 0 or 1. From Date to DateTime, dates after 2106-02-06 wrap
/// around: 2106-02-08 becomes a time in 1970. [`convert`] replaces these dates by 2106-02-06.
pub(crate) fn explicit(from: &Type, to: &Type) -> fn(&Value, &Type, &Type) -> Result<Value> {
    match (from.bare(), to.bare()) {
        (Type::Date, Type::DateTime(_)) => |value, from, to| match value {
            Value::Null => convert(value, from, to),
            _ => Ok(wrapped_moment(value, from.bare(), to.bare())),
        },
        _ => cast,
    }
}

/// Converts a value from one type to another. The caller must check the types with [`can`] first. A UInt8 that becomes
/// a Bool keeps its number: 2 is displayed as `true`, but is not equal to `true`.
pub(crate) fn convert(value: &Value, from: &Type, to: &Type) -> Result<Value> {
    let becomes_nullable = to.is_nullable() && !from.is_nullable();
    if !value.is_null() && !becomes_nullable && from.bare().is_stored_like(to.bare()) {
        return Ok(value.clone());
    }
    cast(value, from, to)
}

fn cast(value: &Value, from: &Type, to: &Type) -> Result<Value> {
    if value.is_null() {
        if to.is_nullable() || *to == Type::Nothing {
            return Ok(Value::Null);
        }
        return Err(Problem::text(format!("NULL cannot be converted to {to}")));
    }

    let is_nullable = to.is_nullable();
    let (from, to) = (from.bare(), to.bare());
    if is_nullable && from.is_text() && lenient::becomes_null(to) {
        let is_fixed = matches!(from, Type::FixedString(_));
        let text = if is_fixed { text::without_padding(value.bytes()) } else { value.bytes() };
        return lenient::read_nullable(text, to);
    }

    if *to != Type::Bool && from.is_stored_like(to) {
        return Ok(value.clone());
    }

    match (from, to) {
        (Type::FixedString(_), Type::String) => {
            Ok(Value::text(text::without_padding(value.bytes())))
        }
        (_, Type::String) => {
            let mut out = Vec::new();
            text::write(value, from, &mut out);
            Ok(Value::Text(out.into()))
        }
        (Type::String | Type::FixedString(_), Type::FixedString(size)) => {
            let mut bytes = value.bytes().to_vec();
            if bytes.len() > *size {
                return Err(Problem::text(format!("a string does not fit in FixedString({size})")));
            }
            bytes.resize(*size, 0);
            Ok(Value::Text(bytes.into()))
        }
        (Type::FixedString(_), to) => text::read(text::without_padding(value.bytes()), to),
        (Type::String, to) => text::read(value.bytes(), to),

        (Type::Array(from), Type::Array(to)) => {
            let items = value.items().iter().map(|item| cast(item, from, to));
            Ok(Value::list(items.collect::<Result<_>>()?))
        }
        (Type::Tuple(from), Type::Tuple(to)) => {
            let pairs = value.items().iter().zip(from.iter().zip(to));
            let items = pairs.map(|(item, ((_, from), (_, to)))| cast(item, from, to));
            Ok(Value::list(items.collect::<Result<_>>()?))
        }
        (Type::Map(k1, v1), Type::Map(k2, v2)) => {
            let pair = |pair: &Value| match pair.items() {
                [k, v] => Ok(Value::list(vec![cast(k, k1, k2)?, cast(v, v1, v2)?])),
                _ => Ok(pair.clone()),
            };
            Ok(Value::list(value.items().iter().map(pair).collect::<Result<_>>()?))
        }

        (_, to)
            if (to.is_date() || to.is_time())
                && matches!(value, Value::Float(n) if !n.is_finite()) =>
        {
            Err(Problem::text(format!("NaN or infinity cannot be converted to {to}")))
        }
        (from, to) if to.is_date() || to.is_time() => to_date_or_time(value, from, to),
        (from, to) => number(value, from, to),
    }
}

/// Returns the Unix seconds of a time, or of the start of a date in the time zone `zone`.
fn start(value: &Value, from: &Type, zone: Zone) -> i64 {
    match from {
        // Fractions of a second are cut off, also in times before 1970.
        Type::DateTime64(scale, _) => {
            i64::try_from(value.int() / power(*scale)).unwrap_or(i64::MAX)
        }
        // A `Date` whose day starts before 1970 in this time zone becomes the next day.
        Type::Date => zone.first_from_1970(unix_seconds(value, from)),
        from if from.is_date() => zone.unix(unix_seconds(value, from)),
        _ => unix_seconds(value, from),
    }
}

/// Last complete day of `DateTime`, 2106-02-06, in days since 1970.
const LAST_TIME_DAY: i128 = 49_709;

/// Converts a number, a date or a time to a date type or a time type.
fn to_date_or_time(value: &Value, from: &Type, to: &Type) -> Result<Value> {
    if let (Type::Date, Type::DateTime(_)) = (from, to) {
        let day = Value::Int(value.int().min(LAST_TIME_DAY));
        return Ok(wrapped_moment(&day, from, to));
    }
    let found = wrapped_moment(value, from, to);
    let Type::DateTime64(scale, _) = to else { return Ok(found) };
    let range = tick_range(*scale);
    // Integers, floats and dates out of range become the first or the last time. ClickHouse stores decimals out of
    // range and displays them as other times, so they are errors here.
    match from {
        from if from.is_int() || from.is_float() || from.is_date() => {
            let (first, last) =
                (*range.start().max(&i64::MIN.into()), *range.end().min(&i64::MAX.into()));
            Ok(Value::Int(found.int().clamp(first, last)))
        }
        Type::Decimal { .. } if !range.contains(&found.int()) => Err(out_of_range()),
        _ => i64::try_from(found.int()).map(|_| found).map_err(|_| out_of_range()),
    }
}

fn out_of_range() -> Problem {
    Problem::text("a number is out of the range of DateTime64")
}

fn wrapped_moment(value: &Value, from: &Type, to: &Type) -> Value {
    let is_number = from.is_number();
    match to {
        Type::Date if is_number => {
            // A float between the last day and the next number is already treated as seconds.
            let above = matches!(value, Value::Float(number) if number.fract() > 0.0);
            let whole = whole_number(value, from);
            let is_last = above && whole == text::LAST_DAY;
            Value::Int(if is_last { 0 } else { text::date_of(whole).into() })
        }
        Type::Date32 if is_number => {
            let number = whole_number(value, from);
            let day = if number > LAST_DATE32 { number / DAY } else { number };
            Value::Int(in_calendar(day).into())
        }

        // Dates outside the range of the type wrap around.
        Type::Date => {
            let local = from.zone().local(start(value, from, from.zone()));
            let local = if let Type::DateTime(_) = from { local.max(0) } else { local };
            let days = if from.is_date() { day_of(value, from) } else { local.div_euclid(DAY) };
            Value::Int(days.rem_euclid(1 << 16).into())
        }
        Type::Date32 => Value::Int(day_of(value, from).into()),

        Type::DateTime(_) if is_number => {
            Value::Int(whole_number(value, from).clamp(0, i64::from(u32::MAX)).into())
        }
        Type::DateTime(zone) => {
            let local = start(value, from, *zone);
            let seconds = if from.is_date() { local } else { unix_seconds(value, from) };
            Value::Int(seconds.rem_euclid(1 << 32).into())
        }
        Type::DateTime64(scale, zone) => Value::Int(ticks(value, from, *scale, *zone)),
        _ => value.clone(),
    }
}

/// Returns the part of a number before the decimal point, limited to Int64.
fn whole_number(value: &Value, from: &Type) -> i64 {
    let whole = match from {
        Type::Decimal { scale, .. } => value.int() / power(*scale),
        _ => value.int(),
    };
    i64::try_from(whole).unwrap_or(if whole < 0 { i64::MIN } else { i64::MAX })
}

/// Converts a number, a date or a time to the integer that a DateTime64 with `scale` digits contains. For example, a
/// DateTime64 with 3 digits contains milliseconds since 1970.
fn ticks(value: &Value, from: &Type, scale: u8, zone: Zone) -> i128 {
    let factor = power(scale);
    match from {
        Type::DateTime64(before, _) if scale >= *before => value.int() * power(scale - before),
        Type::DateTime64(before, _) => value.int() / power(before - scale),
        Type::Decimal { scale: before, .. } => {
            value.int().checked_mul(factor).unwrap_or(i128::MAX) / power(*before)
        }
        from if from.is_float() => {
            #[expect(clippy::cast_precision_loss, reason = "a power of ten")]
            let product = value.float() * factor as f64;
            float(product, from).int()
        }
        from if from.is_number() => i128::from(whole_number(value, from)) * factor,
        from => i128::from(start(value, from, zone)) * factor,
    }
}

fn number(value: &Value, from: &Type, to: &Type) -> Result<Value> {
    match (from, to) {
        (Type::Decimal { .. }, Type::Bool) => return Ok(Value::bool(value.int() != 0)),
        (Type::Decimal { scale, .. }, to) if !matches!(to, Type::Decimal { .. }) => {
            return from_decimal(value, *scale, to);
        }
        (Type::DateTime64(scale, _), to) if to.is_float() => {
            #[expect(clippy::cast_precision_loss, reason = "a power of ten")]
            return Ok(float(value.float() / power(*scale) as f64, to));
        }
        (Type::DateTime64(..), to) => {
            let whole: i128 = start(value, from, Zone::SERVER).into();
            if let Type::Int { bits: bits @ ..=64, signed } = to
                && wrap(whole, *bits, *signed) != whole
            {
                return Err(Problem::text(format!("a time is out of the range of {to}")));
            }
            let seconds = Value::Int(whole);
            return number(&seconds, &Type::int(64, true), to);
        }
        _ => {}
    }

    match (to, value) {
        (Type::Bool, _) => Ok(Value::bool(value.is_true())),
        (Type::Float32 | Type::Float64, _) => Ok(float(value.float(), to)),
        (Type::Int { .. }, Value::Float(number)) => float_to_int(*number, from, to),
        (Type::Int { bits: bits @ 65.., signed }, _) => Ok(wide(value.wide(), *bits, *signed)),
        (Type::Int { bits, signed }, Value::Int(number)) => {
            Ok(Value::Int(wrap(*number, *bits, *signed)))
        }
        (Type::Int { bits, signed }, other) => {
            Ok(Value::Int(wrap(other.wide().as_i128(), *bits, *signed)))
        }
        (Type::Decimal { precision, scale }, _) => decimal(value, from, *precision, *scale),
        _ => Err(Problem::text(format!("{from} cannot be converted to {to}"))),
    }
}

/// Returns 10^`scale`.
fn power(scale: u8) -> i128 {
    10_i128.pow(u32::from(scale))
}

/// Converts a decimal to a number of another type.
fn from_decimal(value: &Value, scale: u8, to: &Type) -> Result<Value> {
    if to.is_float() {
        let exact = text::read_float(&text::decimal(value.int(), scale));
        #[expect(clippy::cast_precision_loss, reason = "a power of ten")]
        let rounded = value.float() / power(scale) as f64;
        // The digits of this number do not fit into a float.
        let is_long = value.int().unsigned_abs() >> 64 != 0;
        let number = if is_long { rounded } else { exact.unwrap_or(f64::NAN) };
        return Ok(float(number, to));
    }

    let whole = value.int() / power(scale);
    if let Type::Int { bits, signed } = to
        && (whole < 0 && !signed || *bits <= 64 && wrap(whole, *bits, *signed) != whole)
    {
        return Err(Problem::text(format!("a decimal is out of the range of {to}")));
    }
    number(&Value::Int(whole), &Type::int(64, true), to)
}

/// Converts a float to an integer. Returns an error for NaN and infinity. Also returns an error for numbers that
/// ClickHouse converts to a wrong or varying result.
fn float_to_int(number: f64, from: &Type, to: &Type) -> Result<Value> {
    let (bits, signed) = to.int_parts().unwrap_or((64, true));
    if !number.is_finite() {
        let message = format!("{} is not a value of type {to}", text::float(number));
        return Err(Problem::text(message));
    }
    if bits <= 64 {
        return Ok(Value::Int(wrap(machine_int(number, bits, signed), bits, signed)));
    }

    let is_short = *from == Type::Float32;
    // ClickHouse returns a wrong, large number here.
    if is_short && number < 0.0 && number > -1.0 {
        let message = format!("{number} cannot become {to}: use toFloat64 first");
        return Err(Problem::text(message));
    }
    // ClickHouse converts a Float32 to Int64 first. Its result for larger numbers varies.
    if is_short && number < 9.2e18 {
        #[expect(clippy::cast_possible_truncation, reason = "limited to Int64")]
        let whole = number as i64;
        return Ok(wide(whole.into(), bits, signed));
    }
    // For larger numbers, the error of ClickHouse depends on its algorithm.
    if is_short || number.abs() >= 1.8e19 {
        let message = format!("{} is too large for {to}", text::float(number));
        return Err(Problem::text(message));
    }
    Ok(wide(of_float(number), bits, signed))
}

/// Converts a float to a 256-bit integer. The fraction is truncated.
fn of_float(number: f64) -> I256 {
    I256::from_str_radix(&format!("{:.0}", number.trunc()), 10).unwrap_or(I256::ZERO)
}

/// Creates a Float32 or Float64 value. For Float32, the number is rounded to 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the result has 32 bits")]
pub(super) fn float(number: f64, to: &Type) -> Value {
    Value::Float(if *to == Type::Float32 { f64::from(number as f32) } else { number })
}

fn decimal(value: &Value, from: &Type, precision: u8, scale: u8) -> Result<Value> {
    let fault = || Problem::text(format!("a number does not fit in Decimal({precision}, {scale})"));

    let digits = match (value, from) {
        #[expect(clippy::cast_precision_loss, reason = "ClickHouse converts numbers like this")]
        (Value::Float(number), _) => {
            let scaled = number * power(scale) as f64;
            // ClickHouse multiplies 32-bit floats with 32-bit precision.
            let scaled = match from {
                Type::Float32 => float(scaled, from).float(),
                _ => scaled,
            };
            if !scaled.is_finite() || scaled.abs() >= 1e38 {
                return Err(fault());
            }
            // ClickHouse rounds the digits of larger numbers by other rules.
            if scaled.abs() >= 9.2e18 {
                let message = "a float has more than 18 digits: use toString before the conversion";
                return Err(Problem::text(message));
            }
            Value::Float(scaled).int()
        }

        (Value::Int(digits), Type::Decimal { scale: before, .. }) if *before > scale => {
            digits / power(before - scale)
        }
        (Value::Int(digits), Type::Decimal { scale: before, .. }) => {
            digits.checked_mul(power(scale - before)).ok_or_else(fault)?
        }
        (Value::Int(digits), _) => digits.checked_mul(power(scale)).ok_or_else(fault)?,
        (other, _) => {
            let whole = i128::try_from(other.wide()).map_err(|_| fault())?;
            whole.checked_mul(power(scale)).ok_or_else(fault)?
        }
    };

    let most = 10_i128.checked_pow(u32::from(precision)).unwrap_or(i128::MAX);
    if digits.abs() >= most { Err(fault()) } else { Ok(Value::Int(digits)) }
}
