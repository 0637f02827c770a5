//! The function `transform`, which replaces some values by other values.

use super::{Built, FunctionCall, compare, conversion};
use crate::problem::Result;
use crate::types::{self, Type};
use crate::value::Value;

/// Creates `transform(x, from, to, default)`. If `x` is an element of the array `from`, the function returns the
/// element of the array `to` at this index. If `x` is not an element of `from`, the function returns `default`, or `x`
/// if the call has no `default`.
pub(super) fn transform(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=4)?;
    let element = |at: usize| match &given.types[at] {
        Type::Array(of) => Ok((**of).clone()),
        _ => Err(given.fault(&format!("argument {} must be an array", at + 1))),
    };
    let (from, to) = (element(1)?, element(2)?);
    let size = |at: usize| given.constant(at).map(|list| list.items().len());
    if size(1).is_none() || size(1) != size(2) {
        return Err(given.fault("the two arrays must be constants of equal lengths"));
    }
    let other = given.types[if given.count() == 4 { 3 } else { 0 }].clone();
    check(given, &from, &to)?;

    let ty = types::common(&[&to, &other])
        .ok_or_else(|| given.fault("the result values have no common type"))?;
    let fault = || given.fault("the value has no common type with the values to search for");
    if !is_given(ty.bare()) {
        return Err(given.fault(&format!("the result type {ty} is not supported")));
    }

    let [left, right] = if given.types[0].bare().is_text() && from.bare().is_text() {
        // Zero bytes at the end of a FixedString are compared here.
        compare::unchanged()
    } else {
        let both = compare::equal_as(&given.types[0], &from);
        both.filter(|_| compares_like_equals(&given.types[0], &from)).ok_or_else(fault)?
    };
    // 0 and -0 are different, also if 0 is an integer.
    let is_float = given.types[0].bare().is_float();
    let is_negative = move |value: &Value| is_float && value.float().is_sign_negative();

    // All replacement values are converted first. A value out of range is an error even if no row needs it.
    let values = given.constant(2).map_or(&[][..], |list| list.items());
    let values = values.iter().map(|value| conversion::convert(value, &to, &ty));
    let values: Vec<Value> = values.collect::<Result<_>>()?;
    let result = ty.clone();
    let last = given.count() == 4;
    Built::new(ty, move |v| {
        let wanted = if v[0].is_null() { Value::Null } else { left(&v[0])? };
        for (from, value) in v[1].items().iter().zip(&values) {
            let is_it = if from.is_null() {
                wanted.is_null()
            } else {
                !wanted.is_nan()
                    && right(from)? == wanted
                    && is_negative(from) == is_negative(&wanted)
            };
            if is_it {
                return Ok(value.clone());
            }
        }
        conversion::convert(if last { &v[3] } else { &v[0] }, &other, &result)
    })
}

/// Returns true if `transform` and CASE compare values of the two types like `=`. For other types, for example a Date
/// and a String, `transform` and CASE often find no equal value.
pub(crate) fn compares_like_equals(left: &Type, right: &Type) -> bool {
    let are_members_alike = |a: &Type, b: &Type| {
        let (a, b) = (a.bare(), b.bare());
        let signed = |ty: &Type| ty.int_parts().map(|(_, signed)| signed);
        let are_whole = a.is_whole() && b.is_whole() && signed(a) == signed(b);
        if a.is_list() { compares_like_equals(a, b) } else { are_whole || a == b && !a.is_float() }
    };

    let both = |test: fn(&Type) -> bool| test(left.bare()) && test(right.bare());
    match (left.bare(), right.bare()) {
        (Type::Nothing, _) | (_, Type::Nothing) => true,
        (Type::Array(a), Type::Array(b)) => are_members_alike(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((_, a), (_, b))| are_members_alike(a, b))
        }
        (Type::Decimal { .. }, other) => other.is_number() && !other.is_float(),
        (Type::DateTime(_), other) | (other, Type::DateTime(_)) => {
            other.is_time() || other.is_int()
        }
        (left, right) => {
            left == right || both(Type::is_number) || both(Type::is_date) || both(Type::is_time)
        }
    }
}

/// Returns an error if ClickHouse rejects the arguments, for example a string in `from` that is longer than the
/// FixedString `x`. Also returns an error for tuples with a literal NULL, because this engine does not support such
/// tuples.
fn check(given: &FunctionCall<'_>, from: &Type, to: &Type) -> Result<()> {
    let list = given.constant(1).map_or(&[][..], |list| list.items());
    if !given.types[0].is_nullable() && list.iter().any(Value::is_null) {
        return Err(
            given.fault("the values to search for contain NULL, but argument 1 is not Nullable")
        );
    }

    let has_null = |ty: &Type| match ty.bare() {
        Type::Tuple(members) => members.iter().any(|(_, ty)| ty.is_null()),
        _ => false,
    };
    if has_null(&given.types[0]) || has_null(from) {
        return Err(given.fault("tuples with a literal NULL are not supported"));
    }
    if given.count() == 3 && kind(&given.types[0]) != kind(to) {
        let message = format!(
            "add a default value as argument 4: values that are not in the list would keep the type {}, but the results have the type {to}",
            given.types[0]
        );
        return Err(given.fault(&message));
    }
    if let Type::FixedString(size) = &given.types[0]
        && list.iter().any(|item| item.bytes().len() > *size)
    {
        return Err(
            given.fault("a string to search for is longer than the FixedString of argument 1")
        );
    }
    Ok(())
}

/// Group of types: numbers with dates and times, String, or other types. In a call of `transform` without a default,
/// the type of `x` and the element type of the array `to` must be in the same group.
#[derive(PartialEq)]
enum TypeGroup {
    Number,
    String,
    Other,
}

fn kind(ty: &Type) -> TypeGroup {
    match ty {
        Type::String => TypeGroup::String,
        ty if ty.is_number() || ty.is_date() || ty.is_time() => TypeGroup::Number,
        _ => TypeGroup::Other,
    }
}

/// Returns true if `transform` can return values of the type.
fn is_given(ty: &Type) -> bool {
    match ty {
        Type::Decimal { precision, .. } => *precision <= 18,
        Type::Array(_) | Type::Tuple(_) | Type::Map(..) => false,
        ty => !ty.is_wide(),
    }
}
