//! Compares values with the constant list of IN.
//!
//! The input is the type of the left side, and the constants of the list with their types. The output is a set in which
//! the query looks up the left value of each row.

use std::collections::HashSet;

use crate::functions;
use crate::functions::conversion::convert;
use crate::functions::convert::exactly;
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::Value;

/// Constants of an IN list, converted to types that can be compared with the left side.
pub(super) struct ConstantSet {
    is_tuple: bool,
    /// Type of the left side, or types of its elements if it is a tuple.
    left: Vec<Type>,
    /// For each type in `left`, the type in which both sides are compared.
    common: Vec<Type>,
    values: HashSet<Vec<Value>>,
}

impl ConstantSet {
    /// Creates the set from the constants of an IN list. `left` is the type of the left side.
    ///
    /// # Errors
    /// Returns an error if ClickHouse cannot compare a constant with the left side of IN. Also returns an error if this
    /// engine does not support the comparison.
    pub(super) fn new(left: &Type, constants: &[(&Value, &Type)]) -> Result<Self> {
        let (is_tuple, left) = match left.bare() {
            Type::Tuple(members) => (true, members.iter().map(|(_, ty)| ty.clone()).collect()),
            ty => (false, vec![ty.clone()]),
        };
        let mut set = ConstantSet { is_tuple, common: left.clone(), left, values: HashSet::new() };

        let mut rows = Vec::new();
        for (value, ty) in constants {
            rows.push(set.members(value, ty)?);
        }
        for row in &rows {
            for (at, (value, ty)) in row.iter().enumerate() {
                let ty = if value.is_null() { &Type::Nothing } else { ty };
                set.common[at] = common(&set.common[at], ty, &set.left[at])?;
            }
        }
        for row in rows {
            let members = row.iter().enumerate();
            let members = members
                .map(|(at, (value, ty))| constant(value, ty, &set.left[at], &set.common[at]));
            let members: Result<Option<Vec<Value>>> = members.collect();
            set.values.extend(members?);
        }
        Ok(set)
    }

    /// Returns true if the set contains `value`, which is the value of the left side of IN for one row. Returns false
    /// if `value` is NULL or a tuple that contains NULL.
    pub(super) fn contains(&self, value: &Value) -> Result<bool> {
        let single = std::slice::from_ref(value);
        let members = if self.is_tuple { value.items() } else { single };
        if members.iter().any(Value::is_null) {
            return Ok(false);
        }
        let types = self.left.iter().zip(&self.common);
        let members = members.iter().zip(types).map(|(value, (from, to))| {
            let (from, to) = (from.bare(), to.bare());
            if from == to { Ok(value.clone()) } else { convert(value, from, to) }
        });
        Ok(self.values.contains(&members.collect::<Result<Vec<_>>>()?))
    }

    /// Returns the elements of a constant tuple on the right side of `IN`, each with its type. If the left side is not
    /// a tuple, the constant itself is the only element. For the literal NULL, returns one NULL for each type in
    /// `left`.
    ///
    /// # Errors
    /// Returns an error if the two tuples have different lengths, or if only one side is a tuple. The literal NULL is
    /// accepted in place of a tuple. Also returns an error if the left side is an empty tuple.
    fn members(&self, value: &Value, ty: &Type) -> Result<Vec<(Value, Type)>> {
        let members = match ty.bare() {
            Type::Nothing => self.left.iter().map(|_| (Value::Null, Type::Nothing)).collect(),
            Type::Tuple(types) if self.is_tuple && types.len() == self.left.len() => {
                let types = types.iter().map(|(_, ty)| ty.clone());
                value.items().iter().cloned().zip(types).collect()
            }
            Type::Tuple(_) => Vec::new(),
            _ if self.is_tuple => Vec::new(),
            ty => vec![(value.clone(), ty.clone())],
        };
        if members.is_empty() {
            return Err(Problem::text("IN needs tuples of equal length on both sides"));
        }
        Ok(members)
    }
}

/// Returns the common type of an IN comparison: both sides are converted to this type. The caller calls this function
/// once per constant. `ty` is the type of the constant, and `left` is the type of the left side. `known` is the result
/// for the previous constants, or `left` for the first constant.
fn common(known: &Type, ty: &Type, left: &Type) -> Result<Type> {
    let (bare, to) = (ty.bare(), left.bare());
    let fault = || Problem::text(format!("values of {ty} and {left} cannot be compared by IN"));
    let is_text = bare.is_text() && !to.is_text();
    if ty.is_null() || is_text || is_exact(bare, to) || bare.is_time() && to.is_date() {
        return if is_rejected(bare, to) { Err(fault()) } else { Ok(known.clone()) };
    }
    let common = functions::ordered(known, ty).filter(|_| !is_rejected(bare, to));
    common.ok_or_else(fault)
}

/// Returns true if IN rejects constants of the type `from` for a left side of the type `to`. Either ClickHouse rejects
/// these types, or this engine cannot convert the constants.
fn is_rejected(from: &Type, to: &Type) -> bool {
    let is_unsigned = matches!(from, Type::Int { bits: ..=64, signed: false });
    match (from, to) {
        (Type::Nothing, other) | (other, Type::Nothing) => other.is_list(),
        (from, to) if from.is_list() || to.is_list() => !are_alike(from, to),
        (Type::Decimal { .. }, to) => !matches!(to, Type::Decimal { .. }),
        (Type::Bool, Type::Decimal { .. }) => true,
        (from, Type::DateTime(_)) if from.is_number() => !is_unsigned,
        (Type::DateTime64(..), to) => !matches!(to, Type::DateTime64(..)),
        _ => false,
    }
}

/// Returns true if the two list types are equal, or if they differ only in the type of integers. For example, IN can
/// compare `Array(Int8)` with `Array(Int64)`. This engine supports no other conversion between list types.
fn are_alike(from: &Type, to: &Type) -> bool {
    let is_whole = |ty: &Type| ty.is_whole() && *ty != Type::Bool;
    match (from.bare(), to.bare()) {
        (Type::Array(from), Type::Array(to)) => are_alike(from, to),
        (Type::Map(k1, v1), Type::Map(k2, v2)) => are_alike(k1, k2) && are_alike(v1, v2),
        (from, to) => from == to || is_whole(from) && is_whole(to),
    }
}

/// Returns true if constants of the type `from` are converted to the type `to` of the left side. A constant without an
/// equal value of the type `to` is ignored, because no row can match.
fn is_exact(from: &Type, to: &Type) -> bool {
    match to {
        Type::Decimal { .. } => true,
        Type::DateTime(_) => from.is_date() || from.is_whole(),
        // ClickHouse drops digits that the left side does not have.
        Type::DateTime64(..) => matches!(from, Type::DateTime64(..)),
        to => [from, to].iter().all(|ty| ty.is_int() || ty.is_float()),
    }
}

/// Converts a constant to the common type. Returns `None` if the constant cannot be equal to any value of the left
/// side.
fn constant(value: &Value, ty: &Type, left: &Type, common: &Type) -> Result<Option<Value>> {
    if value.is_null() || left.is_null() {
        return Ok(None);
    }
    let (from, to, common) = (ty.bare(), left.bare(), common.bare());

    match (from, to) {
        (from, Type::FixedString(size)) if from.is_text() && value.bytes().len() > *size => {
            Err(Problem::text(format!("a string in the IN list does not fit in {to}")))
        }
        // The zero bytes of a FixedString are compared.
        (Type::FixedString(_), Type::String) => Ok(Some(Value::text(value.bytes()))),
        (from, to) if from.is_text() && !to.is_text() => {
            // ClickHouse accepts a date, a time without a fraction, or Unix seconds.
            let is_number = value.bytes().iter().all(u8::is_ascii_digit);
            if matches!(to, Type::DateTime(_))
                && !is_number
                && ![10, 19].contains(&value.bytes().len())
            {
                return Err(Problem::text(format!("IN needs a {to} like '2026-01-31 10:00:00'")));
            }
            let read = functions::literal(value.bytes(), to)?;
            convert(&read, to, common).map(Some)
        }
        (from, to) if from.is_time() && to.is_date() => convert(value, from, to).map(Some),
        (Type::Date | Type::Date32, Type::DateTime(_))
        | (Type::DateTime64(..), Type::DateTime64(..)) => convert(value, from, to).map(Some),

        (from, Type::Decimal { .. }) => {
            // ClickHouse rejects numbers that do not fit into the decimal type.
            let decimal = convert(value, from, to)?;
            let is_equal = convert(&decimal, to, from)? == *value;
            Ok(is_equal.then_some(decimal))
        }
        (from, Type::DateTime(_)) if from.is_int() => exactly(value, from, &Type::int(32, false)),
        (from, to) if is_exact(from, to) => {
            // A Bool is compared as a number: 3 is not equal to `true`.
            let number = if *to == Type::Bool { &Type::int(8, false) } else { to };
            let Some(value) = exactly(value, from, number)? else { return Ok(None) };
            convert(&value, number, common).map(Some)
        }
        _ => convert(value, from, common).map(Some),
    }
}
