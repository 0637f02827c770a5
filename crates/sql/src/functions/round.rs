//! Rounding functions, such as `round` and `floor`.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::cmp::Ordering;

use super::{Built, FunctionCall, Made};
use crate::problem::Result;
use crate::types::Type;
use crate::value::{Value, wrap};

/// Rounding method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Rounds to the nearest number. A tie is a number in the middle between two results, such as 2.5. Ties of type
    /// float are rounded to even. Integer and decimal ties are rounded away from zero.
    Nearest,
    Even,
    Down,
    Up,
    Cut,
}

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let way = match given.name {
        "round" => Way::Nearest,
        "roundBankers" => Way::Even,
        "floor" => Way::Down,
        "ceil" => Way::Up,
        "trunc" => Way::Cut,
        _ => return None,
    };
    Some(build(given, way))
}

fn build(given: &FunctionCall<'_>, way: Way) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_number(0)?;
    let ty = given.types[0].clone();
    if given.count() == 2 {
        given.is_int(1)?;
    }

    let fault = given.fault("the number of digits is too large");
    let digits = move |v: &[Value]| -> Result<i128> {
        let digits = v.get(1).map_or(0, Value::int);
        i16::try_from(digits).map_err(|_| fault.clone())?;
        Ok(digits.clamp(-400, 400))
    };
    if ty.is_float() {
        let single = ty == Type::Float32;
        return Built::new(ty, move |v| {
            Ok(Value::Float(float(v[0].float(), digits(v)?, way, single)))
        });
    }
    if ty.is_wide() {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }

    if let Some((bits, signed)) = ty.int_parts() {
        // ClickHouse computes the power of ten for each row, even if the row does not need it.
        let is_row = given.constant(0).is_none();
        let fault = given.fault("an integer can be rounded to at most 19 digits");
        return Built::new(ty, move |v| {
            let digits = digits(v)?;
            if is_row && digits > 19 {
                return Err(fault.clone());
            }
            Ok(Value::Int(int(v[0].int(), -digits, way, bits, signed)))
        });
    }
    let scale = if let Type::Decimal { scale, .. } = ty { i128::from(scale) } else { 0 };
    Built::new(ty, move |v| Ok(Value::Int(round_decimal(v[0].int(), scale - digits(v)?, way))))
}

/// Rounds an integer of `bits` bits (at most 64) to a multiple of 10^`places`. As in ClickHouse, an intermediate result
/// that does not fit into `bits` bits wraps around. There is one exception: for `Way::Nearest` and `Way::Even`, the sum
/// of the number and half of 10^`places` has at least 32 bits.
fn int(number: i128, places: i128, way: Way, bits: u16, signed: bool) -> i128 {
    let Ok(places @ 1..) = u32::try_from(places) else { return number };
    let largest = (1_i128 << (bits - u16::from(signed))) - 1;
    let Some(unit) = 10_i128.checked_pow(places).filter(|unit| *unit <= largest) else { return 0 };

    let fit = |number: i128| wrap(number, bits, signed);
    let sum = |a: i128, b: i128| wrap(a + b, bits.max(32), signed || bits < 32);
    let rounded = match way {
        Way::Cut => number / unit * unit,
        Way::Down if number < 0 => fit(number - (unit - 1)) / unit * unit,
        Way::Up if number >= 0 => fit(number + (unit - 1)) / unit * unit,
        Way::Down | Way::Up => number / unit * unit,
        Way::Nearest | Way::Even => {
            let start = if number < 0 { fit(number - unit) } else { number };
            let middle = sum(start, unit / 2);
            let quotient = middle / unit;
            let is_half =
                way == Way::Even && quotient * unit == if signed { fit(middle) } else { middle };
            let even = (quotient + i128::from(start < 0)) & !1;
            unit * if is_half { even } else { quotient }
        }
    };
    fit(rounded)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the exponent is at most 308, and `single` marks a Float32 result"
)]
fn float(number: f64, digits: i128, way: Way, single: bool) -> f64 {
    let of = |number: f64| match way {
        Way::Nearest | Way::Even => number.round_ties_even(),
        Way::Down => number.floor(),
        Way::Up => number.ceil(),
        Way::Cut => number.trunc(),
    };
    // An operation in 64 bits, followed by rounding to 32 bits, gives the same result as the operation in 32 bits.
    let fit = |number: f64| if single { f64::from(number as f32) } else { number };
    let power = fit(10_f64.powi(digits.abs().min(308) as i32));
    if digits == 0 {
        of(number)
    } else if digits > 0 {
        let scaled = fit(number * power);
        if scaled.is_finite() { fit(of(scaled) / power) } else { number }
    } else {
        fit(of(fit(number / power)) * power)
    }
}

/// Rounds the stored integer of a decimal to a multiple of 10^`places`.
fn round_decimal(number: i128, places: i128, way: Way) -> i128 {
    let Ok(places @ 1..) = u32::try_from(places) else { return number };
    let Some(unit) = 10_i128.checked_pow(places) else { return 0 };

    let (down, rest) = (number.div_euclid(unit) * unit, number.rem_euclid(unit));
    if rest == 0 {
        return number;
    }

    let is_up = match way {
        Way::Down => false,
        Way::Up => true,
        Way::Cut => number < 0,
        Way::Nearest | Way::Even => match rest.cmp(&(unit - rest)) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal if way == Way::Even => down / unit % 2 != 0,
            Ordering::Equal => number >= 0,
        },
    };
    if is_up { down + unit } else { down }
}
