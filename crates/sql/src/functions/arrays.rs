//! Array functions that do not take a lambda.
//!
//! The function `make` resolves a call by its function name and argument types. It returns the result type and the
//! implementation, or an error.

use std::collections::HashSet;

use super::conversion::convert;
use super::intersect::common;
use super::{Built, FunctionCall, Made, constants, count, maps, signed, signed_length, slice};
use crate::aggregates;
use crate::problem::{Problem, Result};
use crate::running::check_size;
use crate::types::{self, BYTE, Type, UINT32};
use crate::value::{Value, default, wrap};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "arrayElement" => element(given),
        "arrayIntersect" => super::intersect::intersect(given),
        "range" => range(given),
        "arrayConcat" => concat(given),
        "arrayPopBack" | "arrayPopFront" | "arrayReverse" | "arrayDistinct" | "arrayCompact" => {
            reshape(given)
        }
        "arrayUniq" => uniq(given),
        "arrayEnumerate" => given.element(0).and_then(|_| {
            Built::new(Type::array(UINT32), |v| {
                Ok(Value::list((1..=v[0].items().len()).map(count).collect()))
            })
        }),
        "arrayFlatten" => flatten(given),
        "arrayZip" => zip(given),
        "arrayCumSum" | "arrayDifference" => running(given),
        "emptyArrayUInt8" => Built::new(Type::array(BYTE), |_| Ok(Value::list(Vec::new()))),
        "arrayReduce" => reduce(given),
        _ => return None,
    })
}

/// Creates the function `arrayUniq`, which counts the different elements of an array.
fn uniq(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.element(0)?;
    Built::new(UINT32, |v| Ok(count(v[0].items().iter().collect::<HashSet<_>>().len())))
}

/// Creates the operator `x[n]` for arrays and maps. Array indexes start at 1, and negative indexes count from the end.
/// A missing element is the default value of the element type.
fn element(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;

    if let Type::Map(key, value) = &given.types[0] {
        let result = (**value).clone();
        let fault = || given.fault("the requested key cannot be compared with the keys of the map");
        let [left, right] = maps::key_as(key, &given.types[1]).ok_or_else(fault)?;
        let other = default(&result);
        return Built::new(result, move |v| {
            let wanted = right(&v[1])?;
            for pair in v[0].items() {
                if let [key, value] = pair.items()
                    && left(key)?.equals(&wanted)
                {
                    return Ok(value.clone());
                }
            }
            Ok(other.clone())
        });
    }

    if let Type::Tuple(_) = &given.types[0] {
        return Err(given.fault("write an element of a tuple as `t.1`, not `t[1]`"));
    }
    // Elements are never LowCardinality.
    let of = given.element(0)?.plain().clone();
    given.is_int(1)?;
    if given.constant(1).is_some_and(|n| n.int() == 0) {
        return Err(given.fault("indexes begin at 1"));
    }
    if matches!(of, Type::Tuple(_)) && given.nodes[1].ty.is_nullable() {
        return Err(given.fault("the index into an array of tuples must not be Nullable"));
    }

    // ClickHouse computes some constant indexes, such as `ifNull(0, x)`, before it reads a row.
    let index = &given.nodes[1];
    let rejects_zero = constants::has_one_value(index) && given.constant(0).is_none();
    let fault = given.fault("indexes begin at 1");
    let is_zero = |index: &Value| !index.is_null() && index.int() == 0;
    if rejects_zero && constants::one_constant(index).is_some_and(is_zero) {
        return Err(fault);
    }
    let other = default(&of);
    Built::new(of, move |v| {
        let items = v[0].items();
        let n = v[1].int();
        if n == 0 && rejects_zero {
            return Err(fault.clone());
        }
        let at = if n > 0 { n - 1 } else { i128::try_from(items.len()).unwrap_or(0) + n };
        let found = usize::try_from(at).ok().filter(|_| n != 0).and_then(|at| items.get(at));
        Ok(found.unwrap_or(&other).clone())
    })
}

/// Converts the elements of the array `value` to the type `to`. `from` is the type of the whole array. Returns no
/// elements if `from` is not an array type.
pub(super) fn items(value: &Value, from: &Type, to: &Type) -> Result<Vec<Value>> {
    let Type::Array(from) = from else { return Ok(Vec::new()) };
    value.items().iter().map(|item| convert(item, from, to)).collect()
}

fn range(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=3)?;
    for at in 0..given.count() {
        given.is_int(at)?;
    }

    let types: Vec<&Type> = given.types.iter().collect();
    let of = types::common(&types).ok_or_else(|| given.fault("the values have no common type"))?;

    Built::new(Type::array(of), |v| {
        let n = |at: usize| v[at].int();
        let (start, end, step) = match v.len() {
            1 => (0, n(0), 1),
            2 => (n(0), n(1), 1),
            _ => (n(0), n(1), n(2)),
        };
        if step == 0 {
            return Err(Problem::text("`range` takes a step other than 0"));
        }
        if v.len() == 1 && end < 0 {
            return Err(Problem::text("the end of `range` must be at least 0"));
        }

        let distance = end.saturating_sub(start).saturating_add(step).saturating_sub(step.signum());
        let size = (distance / step).max(0);
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        check_size(size.saturating_mul(size_of::<Value>()))?;

        let mut next = start;
        let mut made = Vec::with_capacity(size);
        while made.len() < size {
            made.push(Value::Int(next));
            next += step;
        }
        Ok(Value::list(made))
    })
}

/// Creates the function `arrayConcat`, which concatenates arrays.
pub(super) fn concat(given: &FunctionCall<'_>) -> Result<Built> {
    let of = common(given)?;
    let (from, to) = (given.types.clone(), of.clone());
    Built::new(Type::array(of), move |v| {
        let mut all = Vec::new();
        for (value, from) in v.iter().zip(&from) {
            all.extend(items(value, from, &to)?);
            check_size(all.len() * size_of::<Value>())?;
        }
        Ok(Value::list(all))
    })
}

/// Creates `arraySlice(list, from, length)`. If `from` is NULL, the slice starts at the first element. If `length` is
/// NULL, the slice ends at the last element.
pub(super) fn array_slice(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    if given.types[0].is_null() {
        return Built::new(Type::Nothing.nullable(), |_| Ok(Value::Null));
    }
    given.element(0)?;
    for at in 1..given.count() {
        given.is(at, "an integer", |ty| ty.bare().is_int() || ty.is_null())?;
    }
    Built::new(given.types[0].clone(), |v| {
        let items = v[0].items();
        let known = |at: usize| v.get(at).filter(|value| !value.is_null());
        let from = known(1).map_or(1, signed);
        if from == 0 {
            return Err(Problem::text("the indexes of `arraySlice` start at 1"));
        }
        let length = known(2).map(signed_length).transpose()?;
        Ok(Value::list(items[slice(items.len(), from, length)].to_vec()))
    })
}

pub(super) fn push(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let of = given.element(0)?;
    let common = types::common(&[&of, &given.types[1]]);
    let common = common.ok_or_else(|| given.fault("the value and array have no common type"))?;
    let (array, one, to) = (given.types[0].clone(), given.types[1].clone(), common.clone());
    let front = given.name == "arrayPushFront";
    Built::new(Type::array(common), move |v| {
        let mut all = items(&v[0], &array, &to)?;
        let at = if front { 0 } else { all.len() };
        all.insert(at, convert(&v[1], &one, &to)?);
        Ok(Value::list(all))
    })
}

fn reshape(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.element(0)?;
    let of: fn(&[Value]) -> Vec<Value> = match given.name {
        "arrayPopBack" => |items| items[..items.len().saturating_sub(1)].to_vec(),
        "arrayPopFront" => |items| items.iter().skip(1).cloned().collect(),
        "arrayReverse" => |items| items.iter().rev().cloned().collect(),
        "arrayDistinct" => |items| {
            let mut seen = HashSet::new();
            items.iter().filter(|item| !item.is_null() && seen.insert(*item)).cloned().collect()
        },
        _ => |items| {
            let mut kept: Vec<Value> = items.to_vec();
            kept.dedup();
            kept
        },
    };
    // `arrayDistinct` drops NULL, so the result is not nullable.
    let element = given.element(0)?;
    let ty = if given.name == "arrayDistinct" { element.bare().clone() } else { element };
    Built::new(Type::array(ty), move |v| Ok(Value::list(of(v[0].items()))))
}

fn flatten(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let mut depth = 0;
    let mut of = given.element(0)?;
    while let Type::Array(inner) = of {
        of = *inner;
        depth += 1;
    }
    Built::new(Type::array(of), move |v| {
        let mut items = v[0].items().to_vec();
        for _ in 0..depth {
            items = items.iter().flat_map(|item| item.items().to_vec()).collect();
        }
        Ok(Value::list(items))
    })
}

fn zip(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=20)?;
    let all: Vec<Type> = (0..given.count()).map(|at| given.element(at)).collect::<Result<_>>()?;
    Built::new(Type::array(Type::tuple(all)), |v| {
        let size = v[0].items().len();
        if v.iter().any(|value| value.items().len() != size) {
            return Err(Problem::text("`arrayZip` takes arrays of equal lengths"));
        }
        let row =
            |at: usize| Value::list(v.iter().map(|value| value.items()[at].clone()).collect());
        Ok(Value::list((0..size).map(row).collect()))
    })
}

pub(super) fn resize(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    let of = given.element(0)?;
    given.is_any_int(1)?;

    let to = given.types.get(2).map_or(Some(of.clone()), |ty| types::common(&[&of, ty]));
    let to = to.ok_or_else(|| given.fault("the value and the array have no common type"))?;
    let (from, result) = (given.types.clone(), to.clone());

    Built::new(Type::array(to), move |v| {
        let mut all = items(&v[0], &from[0], &result)?;
        let size = usize::try_from(v[1].int().unsigned_abs()).unwrap_or(usize::MAX);
        check_size(size.saturating_mul(size_of::<Value>()))?;
        let filler = match v.get(2) {
            Some(value) => convert(value, &from[2], &result)?,
            None => default(&result),
        };

        if v[1].int() >= 0 {
            all.resize(size, filler);
        } else if size <= all.len() {
            all.drain(..all.len() - size);
        } else {
            let added = std::iter::repeat_n(filler, size - all.len());
            all.splice(0..0, added);
        }
        Ok(Value::list(all))
    })
}

pub(super) fn fill(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_int(0)?;
    Built::new(Type::array(given.types[1].clone()), |v| {
        if v[0].is_null() {
            return Err(Problem::text("the size of `arrayWithConstant` must not be NULL"));
        }
        let size = usize::try_from(v[0].int())
            .map_err(|_| Problem::text("the size of `arrayWithConstant` must not be negative"))?;
        check_size(size.saturating_mul(v[1].size()))?;
        Ok(Value::list(vec![v[1].clone(); size]))
    })
}

fn running(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let of = given.element(0)?;
    let is_sum = given.name == "arrayCumSum";
    if of.is_nullable() {
        return Err(given.fault(&format!("elements of type {of} are not supported")));
    }

    let ty = match of.bare() {
        ty if ty.is_float() => Type::Float64,
        Type::Int { bits: 8..=64, signed } if is_sum => Type::int(64, *signed),
        Type::Int { bits: bits @ 8..=64, .. } => Type::int((bits * 2).min(64), true),
        _ => return Err(given.fault("the elements must be numbers")),
    };
    let float = ty == Type::Float64;
    // Sums and differences that are out of range wrap around.
    let is_signed = !matches!(ty, Type::Int { signed: false, .. });
    let bits = if let Type::Int { bits, .. } = ty { bits } else { 64 };
    let fit = move |number: i128| Value::Int(wrap(number, bits, is_signed));

    Built::new(Type::array(ty), move |v| {
        let mut last = Value::Int(0);
        let mut made = Vec::new();
        for (at, item) in v[0].items().iter().enumerate() {
            let before = if at == 0 {
                if is_sum { Value::Int(0) } else { item.clone() }
            } else {
                last.clone()
            };
            let next = match (float, is_sum) {
                (true, true) => Value::Float(before.float() + item.float()),
                (true, false) => Value::Float(item.float() - before.float()),
                (false, true) => fit(before.int() + item.int()),
                (false, false) => fit(item.int() - before.int()),
            };
            last = if is_sum { next.clone() } else { item.clone() };
            made.push(next);
        }
        Ok(Value::list(made))
    })
}

/// Creates `arrayReduce(name, array, ..)`, which runs the aggregate function `name` over the elements of arrays.
fn reduce(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=5)?;
    let name = given.constant_text(0)?;
    let types: Vec<Type> = (1..given.count()).map(|at| given.element(at)).collect::<Result<_>>()?;
    if types.contains(&Type::Nothing) {
        return Err(given.fault("the elements of `[]` have no type"));
    }
    let (base, parameters) = aggregates::split_parameters(&name)?;
    let made = aggregates::make(&base, &parameters, &types)?;
    Built::new(made.ty.clone(), move |v| {
        let mut state = (made.start)();
        let size = v[1..].iter().map(|list| list.items().len()).max().unwrap_or(0);
        for at in 0..size {
            let row: Option<Vec<Value>> =
                v[1..].iter().map(|list| list.items().get(at).cloned()).collect();
            state.add(
                &row.ok_or_else(|| Problem::text("`arrayReduce` takes arrays of equal lengths"))?,
            )?;
        }
        state.finish()
    })
}
