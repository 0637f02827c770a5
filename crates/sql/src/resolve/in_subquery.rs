//! Converts values that IN compares with the rows of a subquery.
//!
//! The input is the types of both sides. The output is one conversion per side. ClickHouse converts the left value to
//! the type of the subquery, so IN can differ from `=`. For example, the Decimal 1.5 is IN a subquery that returns the
//! integer 1, because the conversion drops the fraction.

use std::sync::Arc;

use crate::functions::conversion::{convert, explicit};
use crate::functions::convert::exactly;
use crate::functions::{self, Convert};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::Value;

/// Returns the conversion of the left side and the conversion of the values of the subquery.
///
/// # Errors
/// Returns an error if values of these types can never be equal. Also returns an error if ClickHouse compares them in a
/// way that this engine does not support.
pub(super) fn converters(left: &Type, right: &Type) -> Result<(Convert, Convert)> {
    let fault = || Problem::text(format!("values of {left} and {right} cannot be compared by IN"));
    let (Type::Tuple(from), Type::Tuple(to)) = (left.bare(), right.bare()) else {
        return pair(left.bare(), right.bare()).ok_or_else(fault);
    };
    if from.len() != to.len() {
        return Err(fault());
    }
    let pairs = from.iter().zip(to).map(|((_, from), (_, to))| pair(from.bare(), to.bare()));
    let pairs: Option<Vec<_>> = pairs.collect();
    let (lefts, rights) = pairs.ok_or_else(fault)?.into_iter().unzip();
    Ok((convert_tuple(lefts), convert_tuple(rights)))
}

/// Returns a function that converts a tuple. Each function in `members` converts one element of the tuple. The result
/// is NULL if an element is NULL before or after its conversion. A tuple with NULL is not equal to any tuple.
fn convert_tuple(members: Vec<Convert>) -> Convert {
    Arc::new(move |tuple| {
        let mut items = Vec::with_capacity(members.len());
        for (item, convert) in tuple.items().iter().zip(&members) {
            let item = if item.is_null() { Value::Null } else { convert(item)? };
            if item.is_null() {
                return Ok(Value::Null);
            }
            items.push(item);
        }
        Ok(Value::list(items))
    })
}

/// Returns the conversion of left values and the conversion of right values, for two types that are not tuples. Returns
/// `None` if this engine cannot compare the two types.
fn pair(left: &Type, right: &Type) -> Option<(Convert, Convert)> {
    let is_decimal = |ty: &Type| matches!(ty, Type::Decimal { .. });
    let is_inexact = |ty: &Type| ty.is_float() || is_decimal(ty);

    let is_unsupported = left.is_time() && *right == Type::Bool
        || left.is_wide() && is_inexact(right)
        || left.is_float() && right.is_wide()
        || (left.is_list() || right.is_list()) && left != right;
    if is_unsupported {
        return None;
    }

    let loses_digits = left.is_number() && *right == Type::Bool
        || is_decimal(left) && right.is_int()
        || matches!(left, Type::DateTime(_)) && (right.is_date() || right.is_whole());
    if loses_digits {
        return Some((converter(left, right), identity()));
    }

    let is_exact = is_inexact(left) && is_decimal(right)
        || left.is_int() && right.is_int()
        || left.is_whole() && right.is_float()
        || left.is_float() && right.is_whole();
    if is_exact {
        return Some((to_exactly(left, right), identity()));
    }

    let common = functions::ordered(left, right)?;
    Some((converter(left, &common), converter(right, &common)))
}

fn identity() -> Convert {
    Arc::new(|value| Ok(value.clone()))
}

/// Returns a conversion that can lose digits of the value. It fails if the value is out of the range of the type `to`.
fn converter(from: &Type, to: &Type) -> Convert {
    let (from, to) = (from.clone(), to.clone());
    let convert = if to == Type::Bool { explicit(&from, &to) } else { convert };
    Arc::new(move |value| convert(value, &from, &to))
}

/// Returns a function that converts numbers to the type `to`. The function returns NULL for a number that is not a
/// value of `to`, such as 300 for `UInt8`. However, a conversion of a float or a decimal to a decimal can lose digits
/// after the decimal point.
fn to_exactly(from: &Type, to: &Type) -> Convert {
    let (from, to) = (from.clone(), to.clone());
    Arc::new(move |value| Ok(exactly(value, &from, &to)?.unwrap_or(Value::Null)))
}
