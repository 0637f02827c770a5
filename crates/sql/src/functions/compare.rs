//! Comparison operators, and the functions `greatest` and `least`.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::cmp::Ordering;
use std::sync::Arc;

use super::constants::are_known;
use super::{Built, FunctionCall, Made, conversion};
use crate::problem::{Problem, Result};
use crate::text;
use crate::types::{self, BYTE, Type};
use crate::value::Value;

/// Returns true if the function is a comparison operator such as `equals` or `less`.
pub(super) fn is_comparison(name: &str) -> bool {
    test(name).is_some()
}

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let is_equality = matches!(given.name, "equals" | "notEquals");
    test(given.name).map(|holds| compare(given, holds, is_equality))
}

fn test(name: &str) -> Option<fn(Ordering) -> bool> {
    Some(match name {
        "equals" => Ordering::is_eq,
        "notEquals" => Ordering::is_ne,
        "less" => Ordering::is_lt,
        "lessOrEquals" => Ordering::is_le,
        "greater" => Ordering::is_gt,
        "greaterOrEquals" => Ordering::is_ge,
        _ => return None,
    })
}

fn compare(
    given: &FunctionCall<'_>,
    holds: fn(Ordering) -> bool,
    is_equality: bool,
) -> Result<Built> {
    given.takes(2..=2)?;
    let [left, right] = unify(given)?;
    let negated = given.name == "notEquals";
    let check_scaled = scaled(&given.types[0], &given.types[1]);

    if let [Type::Tuple(a), Type::Tuple(b)] = given.types.as_slice() {
        let members = || a.iter().chain(b).map(|(_, ty)| ty);
        let is_nested = |ty: &Type| matches!(ty, Type::Tuple(_)) && ty.has_nullable_member();
        if members().any(is_nested) {
            return Err(given.fault("nested tuples with Nullable elements cannot be compared"));
        }
        // If a member is a literal NULL, every result is NULL. The exception is a test for equality in which an
        // argument is not constant: if two other members differ, the tuples are not equal.
        let is_constant = are_known(given.nodes);
        let is_open = members().any(Type::is_null) && (is_constant || !is_equality);
        let ty = BYTE.nullable_if(members().any(Type::is_nullable));
        let checks = a.iter().zip(b).map(|((_, a), (_, b))| scaled(a.bare(), b.bare()));
        let checks: Vec<_> = checks.collect();

        return Built::new(ty, move |v| {
            for ((a, b), check) in v[0].items().iter().zip(v[1].items()).zip(&checks) {
                if !a.is_null() && !b.is_null() {
                    check(&[a.clone(), b.clone()])?;
                }
            }
            let (a, b) = (left(&v[0])?, right(&v[1])?);
            let order = if is_open { None } else { member_order(&a, &b, is_equality) };
            Ok(order.map_or(Value::Null, |order| Value::bool(order.map_or(negated, holds))))
        });
    }

    Built::new(BYTE, move |v| {
        check_scaled(v)?;
        let (a, b) = (left(&v[0])?, right(&v[1])?);
        if a.is_nan() || b.is_nan() {
            return Ok(Value::bool(negated));
        }
        Ok(Value::bool(holds(a.order(&b))))
    })
}

/// Returns a function that checks a pair of numbers before they are compared. ClickHouse scales both numbers to the
/// larger decimal scale. The returned function fails if a number is too large for this scaling.
fn scaled(left: &Type, right: &Type) -> impl Fn(&[Value]) -> Result<()> + Send + Sync + use<> {
    let checked = match (left, right) {
        (Type::Decimal { precision, scale }, Type::Int { bits, .. }) => {
            Some((1, *precision, *scale, *bits))
        }
        (Type::Int { bits, .. }, Type::Decimal { precision, scale }) => {
            Some((0, *precision, *scale, *bits))
        }
        (
            Type::Decimal { precision: p1, scale: s1 },
            Type::Decimal { precision: p2, scale: s2 },
        ) => Some((usize::from(s1 > s2), *p1.max(p2), s1.abs_diff(*s2), 0)),
        _ => None,
    };
    let checked = checked.filter(|(_, precision, _, bits)| *precision <= 18 || *bits > 64);
    let checked = checked.map(|(at, precision, scale, _)| {
        let largest = match precision {
            ..=9 => i128::from(i32::MAX),
            10..=18 => i128::from(i64::MAX),
            _ => i128::MAX,
        };
        (at, 10_i128.pow(u32::from(scale)), largest)
    });

    move |v| {
        let overflows = checked.is_some_and(|(at, one, largest)| {
            let whole = match &v[at] {
                Value::Int(number) => Some(*number),
                Value::UWide(number) => i128::try_from(**number).ok(),
                other => i128::try_from(other.wide()).ok(),
            };
            let scaled = whole.and_then(|number| number.checked_mul(one));
            scaled.is_none_or(|scaled| !(-largest - 1..=largest).contains(&scaled))
        });
        if overflows {
            return Err(Problem::text("a number is too large to be compared with a decimal"));
        }
        Ok(())
    }
}

/// Compares two tuples, member by member, until two members differ.
///
/// Returns `Some(None)` if a compared member is NaN, because NaN has no order. Returns `None` if a NULL member makes
/// the result unknown. With `is_equality`, the members after a NULL are compared too: `(NULL, 1)` and `(NULL, 2)` are
/// not equal, because 1 and 2 differ.
fn member_order(a: &Value, b: &Value, is_equality: bool) -> Option<Option<Ordering>> {
    let mut is_known = true;
    for (a, b) in a.items().iter().zip(b.items()) {
        if a.is_null() || b.is_null() {
            if !is_equality {
                return None;
            }
            is_known = false;
        } else if a.is_nan() || b.is_nan() {
            return Some(None);
        } else if a.order(b).is_ne() {
            return Some(Some(a.order(b)));
        }
    }
    is_known.then_some(Some(Ordering::Equal))
}

/// Function that converts a value before it is compared. For IN, it returns NULL if the value cannot be equal to any
/// value of the other side.
pub(crate) type Convert = Arc<dyn Fn(&Value) -> Result<Value> + Send + Sync>;

/// Returns conversions for comparing a String with a FixedString. They remove the zero bytes at the end of both values.
/// Returns `None` for other types.
fn without_zeros(left: &Type, right: &Type) -> Option<[Convert; 2]> {
    let is_fixed = |ty: &Type| matches!(ty, Type::FixedString(_));
    let both_text = left.is_text() && right.is_text();
    let strip: Convert = Arc::new(|v: &Value| Ok(Value::text(text::without_padding(v.bytes()))));
    (both_text && is_fixed(left) != is_fixed(right)).then(|| [Arc::clone(&strip), strip])
}

/// Returns the conversions that make the left and the right argument comparable.
fn unify(given: &FunctionCall<'_>) -> Result<[Convert; 2]> {
    let (left, right) = (&given.types[0], &given.types[1]);
    if let Some(both) = without_zeros(left, right) {
        return Ok(both);
    }
    // A string literal is parsed as the type of the other side.
    for (at, other) in [(0, right), (1, left)] {
        let is_read = given.types[at].is_text() && !other.is_text() && *other != Type::Nothing;
        if let (true, Some(value)) = (is_read, given.constant(at)) {
            let value = literal(value.bytes(), other)?;
            let same: Convert = Arc::new(|value| Ok(value.clone()));
            let fixed: Convert = Arc::new(move |_| Ok(value.clone()));
            return Ok(if at == 0 { [fixed, same] } else { [same, fixed] });
        }
    }
    let fault = || {
        let hint = if left.is_text() || right.is_text() {
            ": convert one of the values first, for example with toString"
        } else {
            ""
        };
        given.fault(&format!("{left} and {right} cannot be compared{hint}"))
    };
    let common = ordered(left, right).ok_or_else(fault)?;
    Ok([converter(left, &common), converter(right, &common)])
}

/// Returns the common type of two values for a comparison such as `<`. Both values are converted to this type before
/// the comparison. Returns `None` if the types have no common type.
pub(crate) fn ordered(left: &Type, right: &Type) -> Option<Type> {
    let (left, right) = (left.bare(), right.bare());
    if left == right || *left == Type::Nothing || *right == Type::Nothing {
        return Some(if *left == Type::Nothing { right.clone() } else { left.clone() });
    }

    let both = |test: fn(&Type) -> bool| test(left) && test(right);
    if both(Type::is_number) {
        let has_float = left.is_float() || right.is_float();
        let decimal = [left, right].iter().any(|ty| matches!(ty, Type::Decimal { .. }));
        let signed = |ty: &Type| ty.int_parts().is_some_and(|(_, signed)| signed);
        return Some(match (has_float, decimal) {
            (true, _) => Type::Float64,
            (false, true) => {
                let scale =
                    |ty: &Type| if let Type::Decimal { scale, .. } = ty { *scale } else { 0 };
                Type::Decimal { precision: 38, scale: scale(left).max(scale(right)) }
            }
            // A type of more than 64 bits contains all 64-bit numbers, signed and unsigned.
            (false, false) if left.is_wide() || right.is_wide() => {
                Type::int(256, signed(left) || signed(right))
            }
            (false, false) => Type::int(64, true),
        });
    }

    let is_temporal = |ty: &Type| ty.is_date() || ty.is_time();
    if both(is_temporal) {
        return types::common(&[left, right]);
    }

    // A time can be compared with an integer, which is in Unix seconds.
    if matches!((left, right), (Type::DateTime(_), ty) | (ty, Type::DateTime(_)) if ty.is_int()) {
        return Some(Type::int(64, true));
    }

    types::common(&[left, right]).map(|ty| ty.bare().clone())
}

/// Returns a function that converts values of the type `from` to `common`, the common type of a comparison. If both
/// types store their values in the same way, such as `Int8` and `Int64`, the returned function does not change the
/// values.
fn converter(from: &Type, common: &Type) -> Convert {
    let held_alike = from == common
        || (from.is_int() && common.is_int() && !common.is_wide())
        || (*from == Type::String && common.is_text())
        || (from.is_date() && common.is_date())
        || matches!((from, common), (Type::DateTime(_), Type::DateTime(_) | Type::Int { .. }))
        // Integers are compared with floats exactly, because a conversion can lose digits.
        || ((from.is_float() || from.is_int()) && common.is_float())
        // UInt256 values are compared without a conversion, because they can be above the signed maximum.
        || (*from == Type::int(256, false) && common.is_wide())
        || *from == Type::Nothing;
    if held_alike {
        return Arc::new(|value| Ok(value.clone()));
    }
    if let (Type::FixedString(_), Type::FixedString(_)) = (from, common) {
        let from = from.clone();
        return Arc::new(move |value| conversion::convert(value, &from, &Type::String));
    }
    let (from, common) = (from.clone(), common.clone());
    Arc::new(move |value| conversion::convert(value, &from, &common))
}

/// Parses a string literal that is compared with a value of the type `ty`. The result has the type `ty`. If `ty` is a
/// date type, the text must not contain a clock time.
pub(crate) fn literal(text: &[u8], ty: &Type) -> Result<Value> {
    let shown = String::from_utf8_lossy(text);
    if ty.is_date() && text.len() > "2026-01-31".len() {
        let message = format!("'{shown}' is compared with a {ty}, but is not a date");
        return Err(Problem::text(message));
    }
    let found = text::read(text, ty);
    found.map_err(|_| {
        Problem::text(if ty.is_date() || ty.is_time() {
            format!("'{shown}' is not a date or time")
        } else if ty.is_number() {
            format!("'{shown}' is compared with a number, but is not a number")
        } else {
            format!("'{shown}' is not a {ty}")
        })
    })
}

/// Returns the conversions that are required to test values of the two types for equality. Returns `None` if the types
/// cannot be compared.
pub(crate) fn equal_as(left: &Type, right: &Type) -> Option<[Convert; 2]> {
    let common = ordered(left, right)?;
    let (left, right) = (left.bare(), right.bare());
    Some(
        without_zeros(left, right)
            .unwrap_or_else(|| [converter(left, &common), converter(right, &common)]),
    )
}

/// Returns a function that tests two values for equality. The values must not be NULL. Returns `None` if the two types
/// cannot be compared.
pub(super) fn equality(
    left: &Type,
    right: &Type,
) -> Option<impl Fn(&[Value]) -> Result<bool> + Send + Sync + use<>> {
    let check_scaled = scaled(left.bare(), right.bare());
    let [left, right] = equal_as(left, right)?;
    Some(move |v: &[Value]| {
        check_scaled(v)?;
        Ok(left(&v[0])?.equals(&right(&v[1])?))
    })
}

/// Returns two conversions that return their values unchanged.
pub(super) fn unchanged() -> [Convert; 2] {
    [Arc::new(|value: &Value| Ok(value.clone())), Arc::new(|value: &Value| Ok(value.clone()))]
}

/// Creates the function `greatest` or `least`. Both functions ignore NULL arguments.
pub(super) fn extreme(given: &FunctionCall<'_>) -> Result<Built> {
    if given.count() == 0 {
        return Err(given.fault("the function needs at least one argument"));
    }

    let full: Vec<Type> = given.types.iter().map(Type::full).collect();
    let types: Vec<&Type> = full.iter().collect();
    let ty = match types.as_slice() {
        [Type::Bool, Type::Bool | Type::Int { bits: 8, signed: false }] => Some(BYTE),
        // An integer does not increase the precision of the decimal here.
        [Type::Int { bits: ..=64, .. } | Type::Bool, decimal @ Type::Decimal { .. }]
        | [decimal @ Type::Decimal { .. }, Type::Int { bits: ..=64, .. } | Type::Bool] => {
            Some((*decimal).clone())
        }
        // As in arithmetic, the result has the maximum precision of the type that stores the decimal.
        [Type::Decimal { precision: a, scale: s1 }, Type::Decimal { precision: b, scale: s2 }] => {
            let precision = super::decimals::class(*a.max(b));
            Some(Type::Decimal { precision, scale: *s1.max(s2) })
        }
        types => types::common(types),
    };
    let ty = ty.ok_or_else(|| given.fault("the values have no common type"))?;
    let wanted = if given.name == "greatest" { Ordering::Greater } else { Ordering::Less };

    // If one of two plain numbers is NaN, or if they are 0 and -0, ClickHouse returns the second argument. Otherwise it
    // ignores NaN.
    let is_low = given.nodes.iter().any(|node| matches!(node.ty, Type::LowCardinality(_)));
    let takes_later = given.count() == 2 && !ty.is_nullable() && !is_low;
    let (from, to) = (given.types.clone(), ty.clone());

    Built::new(ty, move |v| {
        let mut best: Option<Value> = None;
        for (value, from) in v.iter().zip(&from) {
            if value.is_null() {
                continue;
            }
            let value = conversion::convert(value, from, &to)?;
            let is_better = |best: &Value| {
                if best.is_nan() || value.is_nan() {
                    takes_later || !value.is_nan()
                } else {
                    let order = value.order_as_key(best, false, wanted.is_gt());
                    order == wanted || takes_later && order.is_eq()
                }
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(value);
            }
        }
        Ok(best.unwrap_or_default())
    })
}
