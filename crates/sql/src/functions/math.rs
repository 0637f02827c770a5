//! Mathematical functions that return floats.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use super::{Built, FunctionCall, Made};
use crate::problem::Result;
use crate::types::{BYTE, Type, UINT64};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    if let Some(of) = of_one(given.name) {
        return Some(unary(given, of));
    }
    let of_two: fn(f64, f64) -> f64 = match given.name {
        "pow" => f64::powf,
        "atan2" => f64::atan2,
        "hypot" => f64::hypot,
        "pi" | "e" => {
            let value = if given.name == "pi" { std::f64::consts::PI } else { std::f64::consts::E };
            return Some(
                given
                    .takes(0..=0)
                    .and_then(|()| Built::new(Type::Float64, move |_| Ok(Value::Float(value)))),
            );
        }
        "isNaN" | "isFinite" | "isInfinite" => return Some(finite(given)),
        "sign" => return Some(sign(given)),
        "factorial" => return Some(factorial(given)),
        _ => return None,
    };
    Some(binary(given, of_two))
}

fn of_one(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sqrt" => f64::sqrt,
        "cbrt" => f64::cbrt,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "exp10" => exp10,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,

        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,

        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        // ClickHouse uses this formula.
        "tanh" => |x| 2.0 / (1.0 + (-2.0 * x).exp()) - 1.0,
        "sigmoid" => |x| 1.0 / (1.0 + (-x).exp()),
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,

        "degrees" => f64::to_degrees,
        "radians" => f64::to_radians,
        _ => return None,
    })
}

/// Computes a power of ten with the same rounding as the C library that ClickHouse uses.
fn exp10(x: f64) -> f64 {
    let (whole, part) = (x.trunc(), x.fract());
    if whole.abs() >= 16.0 || x.is_nan() {
        return 10_f64.powf(x);
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 15")]
    let power: f64 = format!("1e{}", whole as i32).parse().unwrap_or(f64::NAN);
    if part == 0.0 { power } else { (std::f64::consts::LOG2_10 * part).exp2() * power }
}

/// Returns the divisor that converts the stored integer of a decimal to its value: 100 for two digits after the decimal
/// point. Returns 1 for other types.
fn fraction(ty: &Type) -> f64 {
    match ty {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    }
}

fn narrow(given: &FunctionCall<'_>, at: usize) -> Result<f64> {
    given.is_number(at)?;
    if given.types[at].is_wide() {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }
    Ok(fraction(&given.types[at]))
}

fn unary(given: &FunctionCall<'_>, of: fn(f64) -> f64) -> Result<Built> {
    given.takes(1..=1)?;
    let scale = narrow(given, 0)?;
    Built::new(Type::Float64, move |v| Ok(Value::Float(of(v[0].float() / scale))))
}

fn binary(given: &FunctionCall<'_>, of: fn(f64, f64) -> f64) -> Result<Built> {
    given.takes(2..=2)?;
    let (left, right) = (narrow(given, 0)?, narrow(given, 1)?);
    Built::new(Type::Float64, move |v| {
        Ok(Value::Float(of(v[0].float() / left, v[1].float() / right)))
    })
}

fn finite(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is(0, "an integer of up to 64 bits or a float", |ty| {
        ty.is_int() && !ty.is_wide() || ty.is_float()
    })?;
    let of: fn(f64) -> bool = match given.name {
        "isNaN" => f64::is_nan,
        "isFinite" => f64::is_finite,
        _ => f64::is_infinite,
    };
    Built::new(BYTE, move |v| Ok(Value::bool(of(v[0].float()))))
}

fn sign(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_number(0)?;
    Built::new(Type::int(8, true), |v| {
        let number = v[0].float();
        // ClickHouse treats NaN as a positive number.
        Ok(Value::Int(if number == 0.0 { 0 } else { 1 - 2 * i128::from(number < 0.0) }))
    })
}

fn factorial(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_int(0)?;
    Built::new(UINT64, |v| {
        let n = v[0].int();
        if n > 20 {
            return Err(crate::problem::Problem::text("`factorial` takes numbers up to 20"));
        }
        Ok(Value::Int((1..=n.max(0)).product()))
    })
}
