//! Functions on tuples and maps.
//!
//! The function `make` resolves a call by the name of the called function and the argument types. It returns the result
//! type and the implementation of the function, or an error.

use super::compare::{self, Convert};
use super::conversion::convert;
use super::{Built, FunctionCall, Made, arith};
use crate::problem::{Problem, Result};
use crate::types::{self, Type};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "plus" | "minus" if matches!(given.types.as_slice(), [Type::Tuple(_), Type::Tuple(_)]) => {
            arithmetic(given)
        }
        "tupleElement" => element(given),
        "tupleConcat" => concat(given),
        "untuple" => Err(given.fault("write the elements as columns: `t.1, t.2`")),
        "mapFromArrays" => from_arrays(given),
        "mapKeys" | "mapValues" => keys_or_values(given),
        _ => return None,
    })
}

fn element(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let (members, in_array) = match &given.types[0] {
        Type::Tuple(members) => (members.clone(), false),
        Type::Array(of) => match &**of {
            Type::Tuple(members) => (members.clone(), true),
            other => return Err(given.fault(&format!("{other} is not a tuple"))),
        },
        other => return Err(given.fault(&format!("{other} is not a tuple"))),
    };

    let at = if given.types[1].is_text() {
        let name = given.constant_text(1)?;
        members
            .iter()
            .position(|(known, _)| known.as_deref() == Some(&name))
            .ok_or_else(|| given.fault(&format!("the tuple has no element `{name}`")))?
    } else {
        let n = given.constant_int(1)?;
        let size = i64::try_from(members.len()).unwrap_or(0);
        let at = if n < 0 { size + n } else { n - 1 };
        usize::try_from(at)
            .ok()
            .filter(|at| *at < members.len())
            .ok_or_else(|| given.fault(&format!("the tuple has no element {n}")))?
    };

    let ty = members[at].1.clone();
    if in_array {
        return Built::new(Type::array(ty), move |v| {
            let part = |tuple: &Value| tuple.items().get(at).cloned().unwrap_or_default();
            Ok(Value::list(v[0].items().iter().map(part).collect()))
        });
    }
    Built::new(ty, move |v| Ok(v[0].items().get(at).cloned().unwrap_or_default()))
}

/// Creates the function `concat` for maps. If several maps contain the same key, the result contains this key several
/// times.
pub(super) fn concat_maps(given: &FunctionCall<'_>) -> Result<Built> {
    let common = types::common(&given.types.iter().collect::<Vec<_>>());
    let ty = common.ok_or_else(|| given.fault("the maps have no common type"))?;
    let (from, to) = (given.types.clone(), ty.clone());
    Built::new(ty, move |v| {
        let mut pairs = Vec::new();
        for (map, from) in v.iter().zip(&from) {
            pairs.extend_from_slice(convert(map, from, &to)?.items());
        }
        Ok(Value::list(pairs))
    })
}

pub(super) fn concat(given: &FunctionCall<'_>) -> Result<Built> {
    let mut members = Vec::new();
    for ty in &given.types {
        let Type::Tuple(some) = ty else {
            return Err(given.fault(&format!("{ty} is not a tuple")));
        };
        members.extend(some.iter().map(|(_, ty)| (None, ty.full())));
    }
    Built::new(Type::Tuple(members), |v| {
        Ok(Value::list(v.iter().flat_map(|tuple| tuple.items().to_vec()).collect()))
    })
}

/// Creates the operator `+` or `-` for two tuples. The operator is applied to the elements at equal positions.
fn arithmetic(given: &FunctionCall<'_>) -> Result<Built> {
    let (Type::Tuple(left), Type::Tuple(right)) = (&given.types[0], &given.types[1]) else {
        return Err(given.fault("both arguments must be tuples"));
    };
    if left.len() != right.len() || !matches!(given.name, "plus" | "minus") {
        return Err(given.fault("the tuples must have equal lengths"));
    }
    let mut made = Vec::new();
    for ((_, left), (_, right)) in left.iter().zip(right) {
        let types = vec![left.clone(), right.clone()];
        let part = FunctionCall { name: given.name, types, nodes: &[], now: given.now };
        made.push(arith::make(&part).unwrap_or_else(|| Err(given.fault("a tuple is missing")))?);
    }
    let ty = Type::tuple(made.iter().map(|part| part.ty.clone()).collect());
    Built::new(ty, move |v| {
        let pairs = v[0].items().iter().zip(v[1].items()).zip(&made);
        let parts = pairs.map(|((a, b), part)| (part.run)(&[a.clone(), b.clone()]));
        Ok(Value::list(parts.collect::<Result<_>>()?))
    })
}

pub(super) fn map(given: &FunctionCall<'_>) -> Result<Built> {
    if !given.count().is_multiple_of(2) {
        return Err(given.fault("the arguments must be pairs of a key and a value"));
    }
    let all: Vec<&Type> = given.nodes.iter().map(|node| &node.ty).collect();
    let every = |from: usize| all.iter().skip(from).step_by(2).copied().collect::<Vec<_>>();
    let common = |from: usize| {
        types::common(&every(from)).ok_or_else(|| given.fault("keys or values have no common type"))
    };
    let (key, value) = (common(0)?, common(1)?);
    if key.is_nullable() {
        return Err(given.fault(&format!("a map cannot have keys of type {key}")));
    }
    let from: Vec<Type> = all.into_iter().cloned().collect();
    let (k, w) = (key.clone(), value.clone());
    Built::new(Type::Map(Box::new(key), Box::new(value)), move |v| {
        let pair = |at: usize| -> Result<Value> {
            let key = convert(&v[at], &from[at], &k)?;
            Ok(Value::list(vec![key, convert(&v[at + 1], &from[at + 1], &w)?]))
        };
        Ok(Value::list((0..v.len()).step_by(2).map(pair).collect::<Result<_>>()?))
    })
}

fn from_arrays(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let (key, value) = (given.element(0)?, given.element(1)?);
    let bare = key.bare().clone();
    let is_low = matches!(key, Type::LowCardinality(_));
    let key = if is_low { Type::LowCardinality(Box::new(bare)) } else { bare };
    if key == Type::Nothing && given.element(0)?.is_nullable() {
        return Err(given.fault("keys must not be NULL"));
    }
    Built::new(Type::Map(Box::new(key), Box::new(value)), |v| {
        if v[0].items().iter().any(Value::is_null) {
            return Err(Problem::text("`mapFromArrays`: keys must not be NULL"));
        }
        if v[0].items().len() != v[1].items().len() {
            return Err(Problem::text("`mapFromArrays` takes arrays of equal lengths"));
        }
        let pairs = v[0].items().iter().zip(v[1].items());
        Ok(Value::list(pairs.map(|(k, v)| Value::list(vec![k.clone(), v.clone()])).collect()))
    })
}

fn keys_or_values(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let Type::Map(key, value) = &given.types[0] else { return Err(given.fault("expected a map")) };
    let at = usize::from(given.name == "mapValues");
    let ty = if at == 0 { key } else { value };
    Built::new(Type::array(ty.plain().clone()), move |v| {
        let part = |pair: &Value| pair.items().get(at).cloned().unwrap_or_default();
        Ok(Value::list(v[0].items().iter().map(part).collect()))
    })
}

/// Returns two conversions to comparable values: one for map keys of the type `key`, and one for a requested key of the
/// type `wanted`. If `wanted` is String, the FixedString map key `a\0` differs from the requested key `a`. Returns
/// `None` if the types cannot be compared.
pub(super) fn key_as(key: &Type, wanted: &Type) -> Option<[Convert; 2]> {
    match (key.bare(), wanted.bare()) {
        (Type::FixedString(_), Type::String) => Some(compare::unchanged()),
        _ => compare::equal_as(key, wanted),
    }
}

pub(super) fn contains(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let Type::Map(key, _) = &given.types[0] else { return Err(given.fault("expected a map")) };
    let fault = || given.fault("the requested key cannot be compared with the keys of the map");
    let [left, right] = key_as(key, &given.types[1]).ok_or_else(fault)?;
    Built::new(types::BYTE, move |v| {
        if v[1].is_null() {
            return Ok(Value::Int(0));
        }
        let wanted = right(&v[1])?;
        for pair in v[0].items() {
            if left(&pair.items()[0])?.equals(&wanted) {
                return Ok(Value::Int(1));
            }
        }
        Ok(Value::Int(0))
    })
}
