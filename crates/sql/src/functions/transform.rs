//! `transform`, which replaces some values by others.

use super::{Built, Given, compare, conversion};
use crate::problem::Result;
use crate::types::{self, Type};
use crate::value::Value;

/// Creates `transform(x, [from], [to], default)`.
pub(super) fn transform(given: &Given<'_>) -> Result<Built> {
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
    check(given, &from, &to, &other)?;

    let ty = types::common(&[&to, &other])
        .ok_or_else(|| given.fault("the result values have no common type"))?;
    let fault = || given.fault("the value has no common type with the values to search for");
    if !is_given(ty.bare()) {
        return Err(given.fault(&format!("the function does not return {ty}")));
    }

    let [left, right] = if given.types[0].is_text() && from.is_text() {
        // The zeros of a FixedString count here.
        compare::unchanged()
    } else {
        compare::equal_as(&given.types[0], &from).ok_or_else(fault)?
    };

    // All values are converted first, because one out of range is an error also if no row has it.
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
                !wanted.is_nan() && right(from)? == wanted
            };
            if is_it {
                return Ok(value.clone());
            }
        }
        conversion::convert(if last { &v[3] } else { &v[0] }, &other, &result)
    })
}

/// Returns an error for values that ClickHouse rejects, or does not find because of the zeros of a FixedString.
fn check(given: &Given<'_>, from: &Type, to: &Type, other: &Type) -> Result<()> {
    let list = given.constant(1).map_or(&[][..], |list| list.items());
    if !given.types[0].is_nullable() && list.iter().any(Value::is_null) {
        return Err(
            given.fault("the values to search for contain NULL, which the argument never is")
        );
    }
    if given.count() == 3 && (given.types[0].is_nullable() || to.is_nullable()) {
        return Err(given.fault("the default is missing, because a value is Nullable"));
    }

    let is_fixed = |ty: &Type| matches!(ty.bare(), Type::FixedString(_));
    if given.count() == 3 && is_fixed(other) && !is_fixed(to) {
        return Err(given.fault("the default is missing, because the values are not FixedString"));
    }
    let is_nullable = given.types[0].is_nullable() || from.is_nullable();
    if is_nullable && (is_fixed(&given.types[0]) || is_fixed(from)) {
        return Err(
            given.fault("a FixedString is not searched for among Nullable strings: use toString")
        );
    }
    if let Type::FixedString(size) = &given.types[0]
        && list.iter().any(|item| item.bytes().len() > *size)
    {
        return Err(given.fault("a string to search for is longer than the FixedString"));
    }
    Ok(())
}

/// Returns true for types of values that `transform` can return.
fn is_given(ty: &Type) -> bool {
    match ty {
        Type::Decimal { precision, .. } => *precision <= 18,
        Type::Array(_) | Type::Tuple(_) | Type::Map(..) => false,
        ty => !ty.is_wide(),
    }
}
