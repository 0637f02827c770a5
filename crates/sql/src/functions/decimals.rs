//! Arithmetic operators for decimals.

use super::{Built, FunctionCall};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::{Value, wrap};

/// Returns the precision and the scale of a type in decimal arithmetic. Integers count as decimals with precision 9 and
/// scale 0.
fn decimal_parts(ty: &Type) -> Option<(u8, u8)> {
    Some(match ty {
        Type::Decimal { precision, scale } => (class(*precision), *scale),
        Type::Int { bits: 8..=64, .. } | Type::Bool => (9, 0),
        _ => return None,
    })
}

/// Returns the maximum precision of the smallest storage type for decimals with `precision` digits. The result is 9 for
/// 32 bits, 18 for 64 bits, or 38 for 128 bits.
pub(super) fn class(precision: u8) -> u8 {
    [9, 18, 38].into_iter().find(|class| precision <= *class).unwrap_or(38)
}

pub(super) fn overflow() -> Problem {
    Problem::text("decimal arithmetic overflows")
}

/// Creates the operator `plus`, `minus`, `multiply` or `divide` for decimals.
pub(super) fn arithmetic(given: &FunctionCall<'_>) -> Result<Built> {
    let parts = |at: usize| {
        decimal_parts(&given.types[at])
            .ok_or_else(|| given.fault("arguments must be decimals or integers of up to 64 bits"))
    };
    let ((p1, s1), (p2, s2)) = (parts(0)?, parts(1)?);

    // If one side is an integer, the result has the precision of the decimal.
    let precision = match (&given.types[0], &given.types[1]) {
        (Type::Decimal { .. }, Type::Decimal { .. }) => p1.max(p2),
        (Type::Decimal { precision, .. }, _) | (_, Type::Decimal { precision, .. }) => *precision,
        _ => p1.max(p2),
    };
    // Integers are converted to the width in bits of the decimal.
    let bits = match p1.max(p2) {
        0..=9 => 32,
        10..=18 => 64,
        _ => 128,
    };
    let digits = move |value: &Value| wrap(value.int(), bits, true);
    let is_decimal = |at: usize| matches!(given.types[at], Type::Decimal { .. });
    let power = |n: u8| 10_i128.pow(u32::from(n));

    match given.name {
        "plus" | "minus" => {
            let scale = s1.max(s2);
            let (f1, f2) = (power(scale - s1), power(scale - s2));
            let sign = if given.name == "minus" { -1 } else { 1 };
            Built::new(Type::Decimal { precision, scale }, move |v| {
                let a = digits(&v[0]).checked_mul(f1).ok_or_else(overflow)?;
                let b = digits(&v[1]).checked_mul(f2 * sign).ok_or_else(overflow)?;
                checked(a.checked_add(b), precision)
            })
        }

        "multiply" => {
            let scale = s1 + s2;
            if scale > precision {
                return Err(given.fault("the result has too many digits for a Decimal"));
            }
            Built::new(Type::Decimal { precision, scale }, move |v| {
                checked(digits(&v[0]).checked_mul(digits(&v[1])), precision)
            })
        }

        "divide" => {
            // The result has the scale of the left side. If only the right side is a decimal, the result has its scale.
            if is_decimal(0) && s1 < s2 {
                return Err(given.fault("the divisor has a larger scale than the dividend"));
            }
            let scale = if is_decimal(0) { s1 } else { s2 };
            let shift = if is_decimal(0) { s2 } else { 2 * s2 };
            if shift > 38 {
                return Err(given.fault("the scale of the divisor is too large"));
            }
            let factor = power(shift);

            Built::new(Type::Decimal { precision, scale }, move |v| {
                if digits(&v[1]) == 0 {
                    return Err(zero());
                }
                // ClickHouse checks the scaled left side for overflow, except in 128 bits, where it wraps around.
                let scaled = digits(&v[0]).wrapping_mul(factor);
                if wrap(scaled, bits, true) != scaled {
                    return Err(overflow());
                }
                checked(Some(scaled / digits(&v[1])), precision)
            })
        }
        _ => Err(given.fault("decimals can only be added, multiplied and divided")),
    }
}

/// Creates a value from `number`, the unscaled result of decimal arithmetic. Returns an error if `number` is `None`, or
/// if it is too large for the integer that stores the decimal. The size of this integer depends on `precision`, the
/// number of digits. For example, 9 digits are stored in 32 bits.
fn checked(number: Option<i128>, precision: u8) -> Result<Value> {
    let most = match class(precision) {
        9 => i128::from(i32::MAX),
        18 => i128::from(i64::MAX),
        _ => i128::MAX,
    };
    match number {
        Some(number) if number.unsigned_abs() <= most.unsigned_abs() => Ok(Value::Int(number)),
        _ => Err(overflow()),
    }
}

/// Returns the error for a division by zero.
pub(super) fn zero() -> Problem {
    Problem::text("an integer is divided by zero")
}
