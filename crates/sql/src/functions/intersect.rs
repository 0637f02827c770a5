//! The function `arrayIntersect`. Its element type depends on the types of all argument arrays.

use std::collections::HashSet;

use super::conversion::convert;
use super::{Built, FunctionCall};
use crate::problem::Result;
use crate::types::{self, BYTE, Type};
use crate::value::Value;

pub(super) fn intersect(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=20)?;
    let elements: Vec<Type> =
        (0..given.count()).map(|at| given.element(at)).collect::<Result<_>>()?;
    let has = |test: fn(&Type) -> bool| elements.iter().any(|ty| test(ty.bare()));
    let differ = |ty: &Type| ty.bare() != elements[0].bare() && !ty.is_null();
    let has_only_null = elements.iter().any(|ty| ty.is_null() && ty.is_nullable());
    let is_nested = |ty: &Type| matches!(ty, Type::Tuple(_) | Type::Array(_));
    let is_decimal = |ty: &Type| matches!(ty, Type::Decimal { .. });
    // ClickHouse converts decimals to the smaller type, in which large values overflow.
    let is_mixed = has(is_decimal) && has(Type::is_int)
        || has(|ty| matches!(ty, Type::Decimal { precision: 19.., .. }))
        || has(|ty| matches!(ty, Type::Date32 | Type::Map(..)))
        || has(Type::is_time) && *elements[0].bare() != Type::Date
        || narrowest(&given.types).is_none();
    // For members of tuples and lists, ClickHouse uses the smallest type. Larger values wrap around: `[[1]]` and
    // `[[257]]` have the common element `[1]`.
    let mut nested = elements.iter().map(Type::bare).filter(|ty| is_nested(ty));
    let first = nested.next();
    let nested_differ = nested.any(|ty| Some(ty) != first) && !elements.contains(&Type::Nothing);
    let is_mixed = is_mixed && elements.iter().any(differ);
    if is_mixed || nested_differ || has_only_null && !elements.iter().all(Type::is_null) {
        return Err(given.fault("the arrays have no common element type"));
    }

    if elements.contains(&Type::Nothing) {
        return Built::new(Type::array(Type::Nothing), |_| Ok(Value::list(Vec::new())));
    }

    // Floats are first converted to the result type. Integers of up to 64 bits are compared without conversion. All
    // other values are converted to a common type.
    let is_native =
        |ty: &Type| ty.is_int() && !ty.is_wide() || ty.is_float() || *ty == Type::Nothing;
    let are_native = elements.iter().all(|ty| is_native(ty.bare()));
    let of = if are_native { None } else { Some(common(given)?) };
    let result = narrowest(&given.types).or_else(|| of.clone());
    let result = result.ok_or_else(|| given.fault("the arrays have no common type"))?;
    let of = match result.bare() {
        // Digits after the smallest scale are ignored.
        Type::FixedString(_) | Type::Decimal { .. } => Some(result.clone().nullable()),
        _ => of,
    };
    let (common, element) = (of.clone(), result.clone());
    let comparable = move |list: &Value, at: usize| -> Result<Vec<Value>> {
        let to = match &of {
            Some(of) => of.clone(),
            None if elements[at].bare().is_float() => element.bare().clone().nullable(),
            None => return Ok(list.items().to_vec()),
        };
        list.items().iter().map(|item| convert(item, &elements[at], &to)).collect()
    };

    let element = result.clone();
    Built::new(Type::array(result), move |v| {
        let mut seen = HashSet::new();
        let mut kept = comparable(&v[0], 0)?;
        kept.retain(|item| seen.insert(item.clone()));
        for (at, list) in v.iter().enumerate().skip(1) {
            let known: HashSet<Value> = comparable(list, at)?.into_iter().collect();
            kept.retain(|item| known.contains(item));
        }
        let Some(common) = &common else { return Ok(Value::list(kept)) };
        let kept = kept.iter().map(|item| convert(item, common, &element));
        Ok(Value::list(kept.collect::<Result<_>>()?))
    })
}

/// Returns the element type of the array that `arrayIntersect` returns. Returns `None` if the argument arrays have
/// different FixedString types.
///
/// - If all element types are integers or floats, the result is the smallest of these types. All integers are smaller
///   than all floats. Among integers or among floats, types with fewer bits are smaller. An unsigned integer is smaller
///   than a signed integer with the same number of bits. If the smallest type is Bool and another type is neither Bool
///   nor UInt8, the result is UInt8.
/// - If an element type is a decimal, the result is the decimal type that [`smallest_decimal`] returns.
/// - In all other cases, the result is the FixedString type if an array has FixedString elements. Otherwise it is the
///   element type of the first array.
///
/// The result is Nullable only if all element types are Nullable.
fn narrowest(arrays: &[Type]) -> Option<Type> {
    let elements: Vec<&Type> = arrays
        .iter()
        .map(|array| match array {
            Type::Array(of) => Some(&**of),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let rank = |ty: &Type| match ty.bare() {
        Type::Nothing => Some((0, false)),
        Type::Bool => Some((8, false)),
        Type::Int { bits, signed } => Some((u32::from(*bits), *signed)),
        Type::Float32 => Some((1_000, false)),
        Type::Float64 => Some((1_001, false)),
        _ => None,
    };

    let narrowest = match elements.iter().map(|ty| rank(ty)).collect::<Option<Vec<_>>>() {
        Some(ranks) => *elements.iter().zip(ranks).min_by_key(|(_, rank)| *rank)?.0,
        None => {
            let mut fixed = elements.iter().filter(|ty| matches!(ty.bare(), Type::FixedString(_)));
            let known = fixed.next().copied();
            if fixed.any(|ty| Some(ty.bare()) != known.map(Type::bare)) {
                return None;
            }
            known.or(elements.first().copied())?
        }
    };
    let all_nullable = elements.iter().all(|ty| ty.is_nullable());
    // Among other number types, a Bool counts as a number.
    let is_number =
        |ty: &&Type| !matches!(ty.bare(), Type::Bool | Type::Int { bits: 8, signed: false });
    let is_bool = *narrowest.bare() == Type::Bool && !elements.iter().any(is_number);
    let bare = if *narrowest.bare() == Type::Bool && !is_bool { &BYTE } else { narrowest.bare() };
    let bare = smallest_decimal(&elements).unwrap_or_else(|| bare.clone());
    Some(bare.nullable_if(all_nullable))
}

/// Returns a decimal type with the smallest precision and the smallest scale of all decimal types in `types`. For
/// example, `Decimal(9, 4)` and `Decimal(18, 2)` give `Decimal(9, 2)`. Returns `None` if no type is a decimal.
fn smallest_decimal(types: &[&Type]) -> Option<Type> {
    let decimals = types.iter().filter_map(|ty| match ty.bare() {
        Type::Decimal { precision, scale } => Some((*precision, *scale)),
        _ => None,
    });
    let smallest = decimals.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
    smallest.map(|(precision, scale)| Type::Decimal { precision, scale })
}

/// Returns the common element type of all arguments. Returns an error if an argument is not an array, or if the element
/// types have no common type.
pub(super) fn common(given: &FunctionCall<'_>) -> Result<Type> {
    let all: Vec<Type> = (0..given.count()).map(|at| given.element(at)).collect::<Result<_>>()?;
    let common = types::common(&all.iter().collect::<Vec<_>>());
    common.ok_or_else(|| given.fault("the arrays have no common type"))
}
