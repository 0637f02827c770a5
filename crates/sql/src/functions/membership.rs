//! Functions that search for values in arrays.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::collections::HashSet;

use super::arrays::items;
use super::constants::{has_one_value, is_known};
use super::intersect::common;
use super::{Built, FunctionCall, Made, compare, count, maps};
use crate::node::{Kind, Node};
use crate::problem::Result;
use crate::types::{self, BYTE, Type, UINT64};
use crate::value::{Value, default};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    matches!(given.name, "hasAny" | "hasAll").then(|| sets(given))
}

/// Creates the function `has`, `indexOf` or `countEqual`. In these functions, NULL is equal to NULL.
pub(super) fn search(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;

    if let (Type::Map(..), "has") = (&given.types[0], given.name) {
        return maps::contains(given);
    }

    let of = given.element(0)?;
    let fault = || given.fault(&format!("{} and {of} cannot be compared", given.types[1]));
    let are_apart = |a: &Type, b: &Type| a.bare().is_time() && b.bare().is_int();
    if are_apart(&of, &given.types[1]) || are_apart(&given.types[1], &of) {
        return Err(fault());
    }

    // Numbers of at most 64 bits are compared without conversion. Other numbers are compared in a type that contains
    // both. This also applies to a Nullable constant that is searched for in a list that is not constant.
    let is_native = |ty: &Type| (ty.is_int() && !ty.is_wide()) || ty.is_float();
    let are_numbers = of.bare().is_number() && given.types[1].bare().is_number();
    let is_converted =
        given.types[1].is_nullable() && is_known(&given.nodes[1]) && !is_known(&given.nodes[0]);
    if are_numbers
        && (is_converted || !is_native(of.bare()) || !is_native(given.types[1].bare()))
        && types::common(&[of.bare(), given.types[1].bare()]).is_none()
    {
        return Err(fault());
    }

    // Zero bytes at the end of a FixedString are compared if the list is constant. They are also compared if the value
    // is constant and is not converted.
    let [has_list, has_value] = [0, 1].map(|at| has_one_value(&given.nodes[at]));
    let [list_is_fixed, value_is_fixed] =
        [&of, &given.types[1]].map(|ty| matches!(ty.bare(), Type::FixedString(_)));
    let counts_value = has_value && !given.types[1].is_nullable() && !list_is_fixed;
    let is_padded = has_list && (list_is_fixed || value_is_fixed) || counts_value && value_is_fixed;
    // A LowCardinality list has no such zero bytes.
    let is_low =
        matches!(&given.nodes[0].ty, Type::Array(of) if matches!(**of, Type::LowCardinality(_)));
    let is_padded = is_padded && !(is_low && has_value);
    let are_texts = of.bare().is_text() && given.types[1].bare().is_text();
    let [left, right] = if is_padded && are_texts {
        compare::unchanged()
    } else {
        compare::equal_as(&of, &given.types[1]).ok_or_else(fault)?
    };
    let name = given.name.to_owned();

    Built::new(if name == "has" { BYTE } else { UINT64 }, move |v| {
        let wanted = if v[1].is_null() { Value::Null } else { right(&v[1])? };
        let mut found = 0;
        for (at, item) in v[0].items().iter().enumerate() {
            let is_it = match (item.is_null(), wanted.is_null()) {
                (false, false) => left(item)?.equals(&wanted),
                (a, b) => a && b,
            };
            if !is_it {
                continue;
            }
            match name.as_str() {
                "has" => return Ok(Value::Int(1)),
                "indexOf" => return Ok(count(at + 1)),
                _ => found += 1,
            }
        }
        Ok(count(found))
    })
}

/// Creates the function `hasAny` or `hasAll`, which checks whether an array contains any or all elements of another
/// array.
fn sets(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let to = common(given)?;
    let (from, all) = (given.types.clone(), given.name == "hasAll");

    // ClickHouse compares the default value of the type in place of NULL. For a NULL that a lambda computed, it
    // compares another value: `a` for `concat('a', NULL)`.
    let other = default(to.bare());
    let is_computed =
        |node: &Node| matches!(&node.kind, Kind::Lambda { body, .. } if body.ty.is_nullable());
    let is_computed = given.nodes.iter().any(|node| node.any(&is_computed));
    let fault = given.fault("NULL values from a lambda are not supported: use ifNull");
    // In Date32, ClickHouse stores different values for NULL: 1900-01-01 in results of toDate32OrNull, and 1970-01-01
    // in results of other functions.
    let is_day =
        |at: usize| given.element(at).map(|ty| ty.is_nullable() && *ty.bare() == Type::Date32);
    let is_unsure = is_day(0)? || is_day(1)?;
    let days = given.fault("NULL values of type Date32 are not supported: use ifNull");
    let comparable = move |item: Value| match item {
        Value::Null if is_unsure => Err(days.clone()),
        Value::Null if is_computed => Err(fault.clone()),
        Value::Null => Ok(other.clone()),
        item => Ok(item.with_positive_zero()),
    };

    Built::new(BYTE, move |v| {
        let read = |at: usize| -> Result<Vec<Value>> {
            items(&v[at], &from[at], &to)?.into_iter().map(&comparable).collect()
        };
        let known: HashSet<Value> = read(0)?.into_iter().filter(|item| !item.is_nan()).collect();
        let mut wanted = read(1)?.into_iter();
        let holds = |item: Value| known.contains(&item);
        Ok(Value::bool(if all { wanted.all(holds) } else { wanted.any(holds) }))
    })
}
