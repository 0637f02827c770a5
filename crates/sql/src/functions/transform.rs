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
    check(given, &from, &to)?;

    let ty = types::common(&[&to, &other])
        .ok_or_else(|| given.fault("the result values have no common type"))?;
    let fault = || given.fault("the value has no common type with the values to search for");
    if !is_given(ty.bare()) {
        return Err(given.fault(&format!("the function does not return {ty}")));
    }

    let [left, right] = if given.types[0].bare().is_text() && from.bare().is_text() {
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
fn check(given: &Given<'_>, from: &Type, to: &Type) -> Result<()> {
    let list = given.constant(1).map_or(&[][..], |list| list.items());
    if !given.types[0].is_nullable() && list.iter().any(Value::is_null) {
        return Err(
            given.fault("the values to search for contain NULL, which the argument never is")
        );
    }
    let has_null = |ty: &Type| match ty.bare() {
        Type::Tuple(members) => members.iter().any(|(_, ty)| ty.is_null()),
        _ => false,
    };
    if has_null(&given.types[0]) || has_null(from) {
        return Err(given.fault("tuples with a literal NULL are not searched for"));
    }
    if given.count() == 3 && kind(&given.types[0]) != kind(to) {
        let message = format!("the default is missing, because {to} is not {}", given.types[0]);
        return Err(given.fault(&message));
    }
    if let Type::FixedString(size) = &given.types[0]
        && list.iter().any(|item| item.bytes().len() > *size)
    {
        return Err(given.fault("a string to search for is longer than the FixedString"));
    }
    Ok(())
}

/// A group of types. Without a default, ClickHouse requires that the value and its replacements are in the same group.
#[derive(PartialEq)]
enum Kind {
    Number,
    String,
    Other,
}

fn kind(ty: &Type) -> Kind {
    match ty {
        Type::String => Kind::String,
        ty if ty.is_number() || ty.is_date() || ty.is_time() => Kind::Number,
        _ => Kind::Other,
    }
}

/// Returns true for types of values that `transform` can return.
fn is_given(ty: &Type) -> bool {
    match ty {
        Type::Decimal { precision, .. } => *precision <= 18,
        Type::Array(_) | Type::Tuple(_) | Type::Map(..) => false,
        ty => !ty.is_wide(),
    }
}
