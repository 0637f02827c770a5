//! Arithmetic and bit functions. Their result types are the same as in ClickHouse.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::sync::Arc;

use ethnum::{I256, U256};

use super::decimals::zero;
use super::{Built, FunctionCall, Made, shift};
use crate::node::{Node, Run};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::{Value, default, wide, wrap};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "plus" | "minus" | "multiply" | "divide" | "modulo" | "intDiv" | "intDivOrZero"
        | "moduloOrZero" | "positiveModulo" => binary(given),
        "negate" | "abs" => unary(given),
        "gcd" | "lcm" => divisors(given),
        "bitAnd" | "bitOr" | "bitXor" | "bitShiftLeft" | "bitShiftRight" | "bitTest" => bits(given),
        "bitNot" | "bitCount" => bits_of_one(given),
        _ => return None,
    })
}

/// Doubles an integer width in bits, such as 8 to 16. Returns widths of 64 bits and more unchanged.
fn next(bits: u16) -> u16 {
    if bits < 64 { bits * 2 } else { bits }
}

fn binary(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let (left, right) = (&given.types[0], &given.types[1]);
    if let Some(found) = shift::arithmetic(given) {
        return found;
    }

    let fault = || {
        let message = format!("{left} and {right} cannot be combined: both must be numbers");
        given.fault(&message)
    };
    if given.types.contains(&Type::Nothing) {
        return Built::new(Type::Nothing, |_| Ok(Value::Null));
    }
    if !left.is_number() || !right.is_number() {
        return Err(fault());
    }

    let has_decimal = given.types.iter().any(|ty| matches!(ty, Type::Decimal { .. }));
    let has_float = given.types.iter().any(Type::is_float);
    if has_float && given.types.iter().any(Type::is_wide) && given.name != "divide" {
        return Err(fault());
    }
    if given.name == "divide" && !has_decimal || has_float {
        return floats(given);
    }
    if has_decimal {
        return super::decimals::arithmetic(given);
    }

    let (left, right) = (left.int_parts(), right.int_parts());
    let (Some(left), Some(right)) = (left, right) else { return Err(fault()) };
    let is_smallest = |value: &Value| !value.is_null() && value.int() == -(1 << (right.0 - 1));
    if given.name == "modulo"
        && right.0 <= 32
        && given.constant(0).is_none()
        && given.constant(1).is_some_and(is_smallest)
    {
        return Err(given.fault("the divisor must not be the smallest value of its type"));
    }
    ints(given.name, left, right)
}

/// Returns a function that converts a number of the type `ty` to a 64-bit float.
fn as_float(ty: &Type) -> impl Fn(&Value) -> f64 + Send + Sync + 'static {
    let scale = match ty {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    };
    move |value: &Value| if scale == 1.0 { value.float() } else { value.float() / scale }
}

fn floats(given: &FunctionCall<'_>) -> Result<Built> {
    let (a, b) = (as_float(&given.types[0]), as_float(&given.types[1]));
    let of: fn(f64, f64) -> f64 = match given.name {
        "plus" => |a, b| a + b,
        "minus" => |a, b| a - b,
        "multiply" => |a, b| a * b,
        "divide" => |a, b| a / b,
        "modulo" | "moduloOrZero" => remainder,
        "positiveModulo" => |a, b| {
            let rest = remainder(a, b);
            if rest < 0.0 { rest + b.abs() } else { rest }
        },
        _ => {
            let message = "integer division of floats is not supported: round the floats first";
            return Err(given.fault(message));
        }
    };
    Built::new(Type::Float64, move |v| Ok(Value::Float(of(a(&v[0]), b(&v[1])))))
}

/// Computes the remainder of a division with the formula of ClickHouse, `a - trunc(a / b) * b`. The result is less
/// exact than the result of `%` if the quotient is large.
fn remainder(a: f64, b: f64) -> f64 {
    a - (a / b).trunc() * b
}

/// Returns an implementation of the function `name` that runs even if an argument is NULL. Returns `None` for most
/// functions, which are not called for a NULL argument. Their result is then NULL.
///
/// In some calls, such as operations on decimals, ClickHouse replaces a NULL argument by a default value and runs the
/// function. ClickHouse then discards the result and returns NULL, but an error of the function ends the query. The
/// returned implementation does the same.
pub(super) fn run_with_null(name: &str, run: &Run, args: &[Arc<Node>]) -> Option<Run> {
    let is_null = |node: &Arc<Node>| node.as_const().is_some_and(Value::is_null);
    let run = Arc::clone(run);
    match (name, args) {
        ("gcd" | "lcm", args) if !args.iter().any(is_null) => {
            Some(Arc::new(move |v| if v.iter().any(Value::is_null) { Err(zero()) } else { run(v) }))
        }
        (name, args) if computes_with_defaults(name, args) => Some(with_defaults(run, args)),
        ("intDiv" | "modulo" | "positiveModulo" | "divide", [left, right])
            if right.ty.is_nullable() || !is_null(left) =>
        {
            let is_low = matches!(right.ty, Type::LowCardinality(_));
            Some(Arc::new(move |v| match (v[0].is_null(), v[1].is_null()) {
                (_, true) if is_low => Err(zero()),
                (_, true) => Ok(Value::Null),
                (true, _) => run(&[Value::Int(0), v[1].clone()]).map(|_| Value::Null),
                _ => run(v),
            }))
        }
        _ => None,
    }
}

/// Returns true if ClickHouse also runs the function for a row with a NULL argument. ClickHouse then replaces NULL by
/// the default value of the type, and an error of the function ends the query.
fn computes_with_defaults(name: &str, args: &[Arc<Node>]) -> bool {
    match name {
        "bitShiftLeft" | "bitShiftRight" | "bitTest" => true,
        "plus" | "minus" | "equals" | "notEquals" | "less" | "greater" | "lessOrEquals"
        | "greaterOrEquals" => args.iter().any(|arg| matches!(arg.ty.bare(), Type::Decimal { .. })),
        _ => false,
    }
}

/// Returns an implementation that runs the function with the default value of the type in place of each NULL, and then
/// returns NULL.
fn with_defaults(run: Run, args: &[Arc<Node>]) -> Run {
    let defaults: Vec<Value> = args.iter().map(|arg| default(arg.ty.bare())).collect();

    Arc::new(move |v| {
        if !v.iter().any(Value::is_null) {
            return run(v);
        }
        let pairs = v.iter().zip(&defaults);
        let values: Vec<Value> = pairs
            .map(|(value, other)| if value.is_null() { other } else { value }.clone())
            .collect();
        run(&values).map(|_| Value::Null)
    })
}

fn ints(name: &str, left: (u16, bool), right: (u16, bool)) -> Result<Built> {
    let size = left.0.max(right.0);
    let either = left.1 || right.1;
    let (bits, signed) = match name {
        "plus" | "multiply" => (next(size), either),
        "minus" => (next(size), true),
        "intDiv" | "intDivOrZero" => (left.0, either),
        "positiveModulo" => (right.0, false),
        _ => (if left.1 { next(right.0) } else { right.0 }, left.1),
    };
    let ty = Type::int(bits, signed);
    // Like ClickHouse, `intDiv` treats both sides as signed numbers if at least one side is signed.
    let as_signed = name.starts_with("intDiv") && either;
    let divides = !matches!(name, "plus" | "minus" | "multiply");

    if size > 64 {
        let name = name.to_owned();
        return Built::new(ty, move |v| {
            let result = match name.as_str() {
                "plus" => v[0].wide().wrapping_add(v[1].wide()),
                "minus" => v[0].wide().wrapping_sub(v[1].wide()),
                "multiply" => v[0].wide().wrapping_mul(v[1].wide()),
                _ => divide_wide(&name, v, left, right)?,
            };
            Ok(wide(result, bits, signed))
        });
    }

    let of: fn(i128, i128) -> Result<i128> = match name {
        "plus" => |a, b| Ok(a + b),
        "minus" => |a, b| Ok(a - b),
        "multiply" => |a, b| Ok(a.wrapping_mul(b)),
        "intDiv" => |a, b| if b == 0 { Err(zero()) } else { Ok(a / b) },
        "intDivOrZero" => |a, b| Ok(if b == 0 { 0 } else { a / b }),
        "moduloOrZero" => |a, b| Ok(if b == 0 { 0 } else { a % b }),
        "positiveModulo" => |a, b| if b == 0 { Err(zero()) } else { Ok(a.rem_euclid(b)) },
        _ => |a, b| if b == 0 { Err(zero()) } else { Ok(a % b) },
    };

    let or_zero = name.ends_with("OrZero");
    let smallest = |bits: u16| -(1_i128 << (bits - 1));
    let (smallest_left, smallest_right) = (smallest(left.0), smallest(right.0));
    let rejects_smallest = name == "positiveModulo" && right.1;

    Built::new(ty, move |v| {
        let (mut a, mut b) = (v[0].int(), v[1].int());
        if as_signed {
            (a, b) = (wrap(a, left.0, true), wrap(b, size, true));
        }
        let are_signed = as_signed || left.1 && right.1;
        if divides && are_signed && a == smallest_left && b == -1 {
            return if or_zero { Ok(Value::Int(0)) } else { Err(smallest_by_minus_one()) };
        }
        if rejects_smallest && b == smallest_right {
            return Err(Problem::text(
                "the divisor of `positiveModulo` must not be the smallest value of its type",
            ));
        }
        Ok(Value::Int(wrap(of(a, b)?, bits, signed)))
    })
}

/// Returns the signed integer with the width `bits` that has the same bits as `value`.
fn as_signed_of(value: &Value, bits: u16) -> I256 {
    match bits {
        0..=64 => wrap(value.int(), bits, true).into(),
        128 => value.wide().as_i128().into(),
        _ => value.wide(),
    }
}

/// Returns true for a negative integer, and the absolute value of the integer.
fn sign_and_size(value: &Value) -> (bool, U256) {
    let number = value.wide();
    match value {
        // A number above the signed maximum is negative if its bits are read as a signed number.
        Value::UWide(_) => (false, number.as_u256()),
        _ => (number < I256::ZERO, number.unsigned_abs()),
    }
}

/// Computes the quotient or the remainder of two integers of up to 256 bits. `left` and `right` are the types of the
/// two integers: the number of bits, and true if the type is signed.
fn divide_wide(name: &str, v: &[Value], left: (u16, bool), right: (u16, bool)) -> Result<I256> {
    let or_zero = |problem: Problem| match name.ends_with("OrZero") {
        true => Ok(I256::ZERO),
        false => Err(problem),
    };
    if v[1].wide() == I256::ZERO {
        return or_zero(zero());
    }

    let as_signed = name.starts_with("intDiv") && (left.1 || right.1);
    let dividend = as_signed_of(&v[0], left.0);
    let divisor = as_signed_of(&v[1], left.0.max(right.0));
    let smallest = I256::MIN >> (256 - u32::from(left.0));
    if (as_signed || left.1 && right.1) && dividend == smallest && divisor == -I256::ONE {
        return or_zero(smallest_by_minus_one());
    }
    if as_signed {
        return Ok(dividend / divisor);
    }

    let ((is_negative, dividend), (_, divisor)) = (sign_and_size(&v[0]), sign_and_size(&v[1]));
    if name.starts_with("intDiv") {
        return Ok((dividend / divisor).as_i256());
    }
    let rest = dividend % divisor;
    Ok(match is_negative && rest != U256::ZERO {
        true if name == "positiveModulo" => (divisor - rest).as_i256(),
        true => rest.as_i256().wrapping_neg(),
        false => rest.as_i256(),
    })
}

fn smallest_by_minus_one() -> Problem {
    Problem::text("the smallest value of a signed type (-128 for Int8) cannot be divided by -1")
}

fn unary(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let ty = given.types[0].clone();
    let is_abs = given.name == "abs";
    if let (Type::Interval(_), false) = (&ty, is_abs) {
        return Built::new(ty, |v| Ok(Value::Int(wrap(-v[0].int(), 64, true))));
    }
    given.is_number(0)?;
    if ty.is_float() {
        return Built::new(ty, move |v| {
            Ok(Value::Float(if is_abs { v[0].float().abs() } else { -v[0].float() }))
        });
    }
    let Some((bits, signed)) = ty.int_parts() else {
        return Built::new(ty, move |v| {
            Ok(Value::Int(if is_abs { v[0].int().abs() } else { -v[0].int() }))
        });
    };

    let (bits, result_signed) = match (is_abs, signed) {
        (true, _) => (bits, false),
        (false, true) => (bits, true),
        (false, false) => (next(bits), true),
    };
    let result = Type::int(bits, result_signed);
    if bits > 64 {
        return Built::new(result, move |v| {
            let number = v[0].wide();
            let negative = signed && number < I256::ZERO;
            let flipped = I256::ZERO.wrapping_sub(number);
            Ok(wide(if is_abs && !negative { number } else { flipped }, bits, result_signed))
        });
    }
    Built::new(result, move |v| {
        let number = if is_abs { v[0].int().abs() } else { -v[0].int() };
        Ok(Value::Int(wrap(number, bits, result_signed)))
    })
}

fn divisors(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_int(0)?;
    given.is_int(1)?;
    let is_lcm = given.name == "lcm";
    let parts = |at: usize| given.types[at].int_parts().unwrap_or((64, true));
    let (left, right) = (parts(0), parts(1));
    let size = left.0.max(right.0);
    if size > 64 {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }

    let ty = Type::int(next(size), left.1 || right.1);
    let (bits, signed) = (next(size), left.1 || right.1);
    Built::new(ty, move |v| {
        let (mut a, mut b) =
            (wrap(v[0].int(), bits, signed).abs(), wrap(v[1].int(), bits, signed).abs());
        if signed && (a.max(b)) >> (bits - 1) != 0 {
            return Err(Problem::text(
                "gcd and lcm do not accept a number whose absolute value does not fit in the result type",
            ));
        }
        if a == 0 || b == 0 {
            return Err(zero());
        }
        let (left, right) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let result = if is_lcm { (left / a).wrapping_mul(right) } else { a };
        Ok(Value::Int(wrap(result, bits, signed)))
    })
}

fn bits(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_int(0)?;
    given.is_int(1)?;
    let parts = |at: usize| given.types[at].int_parts().unwrap_or((64, true));
    let (left, right) = (parts(0), parts(1));
    if left.0.max(right.0) > 64 {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }

    let is_shift = given.name.starts_with("bitShift");
    let (bits, signed) = match given.name {
        "bitTest" => (8, false),
        _ => (left.0.max(right.0), left.1 || right.1),
    };
    let most = i128::from(left.0);
    let name = given.name.to_owned();

    Built::new(Type::int(bits, signed), move |v| {
        let (a, b) = (v[0].int(), v[1].int());
        if is_shift && b < 0 {
            return Err(Problem::text(format!("`{name}` cannot shift by {b} bits: use 0 or more")));
        }
        if name == "bitTest" && !(0..most).contains(&b) {
            let message = format!("`bitTest` takes a bit number from 0 to {}, not {b}", most - 1);
            return Err(Problem::text(message));
        }

        let places = u32::try_from(b).unwrap_or(0);
        // Bits are shifted in the result type, so a large unsigned number can become negative.
        let a = if is_shift { wrap(a, bits, signed) } else { a };
        let number = match name.as_str() {
            "bitAnd" => a & b,
            "bitOr" => a | b,
            "bitXor" => a ^ b,
            "bitShiftLeft" | "bitShiftRight" if b >= most => 0,
            "bitShiftLeft" => a.checked_shl(places).unwrap_or(0),
            "bitShiftRight" => a.checked_shr(places).unwrap_or(0),
            _ => a.checked_shr(places).unwrap_or(0) & 1,
        };
        Ok(Value::Int(wrap(number, bits, signed)))
    })
}

fn bits_of_one(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_int(0)?;
    let (bits, signed) = given.types[0].int_parts().unwrap_or((64, true));
    if bits > 64 {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }
    if given.name == "bitNot" {
        return Built::new(Type::int(bits, signed), move |v| {
            Ok(Value::Int(wrap(!v[0].int(), bits, signed)))
        });
    }
    Built::new(crate::types::BYTE, move |v| {
        Ok(Value::Int(wrap(v[0].int(), bits, false).count_ones().into()))
    })
}
