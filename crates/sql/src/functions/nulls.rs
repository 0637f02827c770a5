//! Functions that handle NULL arguments themselves, such as `isNull`, `CAST` and `array`.

use super::{Built, FunctionCall, Made, compare, constants, conversion, convert};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::types::{self, BYTE, Type};
use crate::value::{Value, default};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "isNull" | "isNotNull" | "isZeroOrNull" => tests(given),
        "assumeNotNull" => assume(given),
        "toNullable" => to_nullable(given),
        "nullIf" => null_if(given),
        "isDistinctFrom" | "isNotDistinctFrom" => distinct(given),
        "greatest" | "least" => compare::extreme(given),
        "ifNotFinite" if given.types.iter().any(Type::is_null) => {
            Err(given.fault("NULL is not supported: use ifNull"))
        }
        "ifNotFinite" => if_not_finite(given),

        // ClickHouse does not treat this call as a constant while it resolves the query. It computes the value when the
        // query starts.
        "identity" if constants::are_known(given.nodes) => Err(given
            .fault("the argument must not be a constant: write the constant without `identity`")),
        "materialize" | "identity" => given
            .takes(1..=1)
            .and_then(|()| Built::new(given.nodes[0].ty.clone(), |v| Ok(v[0].clone()))),
        "toTypeName" => {
            let name = given.nodes.first().map_or_else(String::new, |node| node.ty.on_lines());
            given
                .takes(1..=1)
                .and_then(|()| Built::new(Type::String, move |_| Ok(Value::text(&name))))
        }
        "ignore" => Built::new(BYTE, |_| Ok(Value::Int(0))),
        "transform" => super::transform::transform(given),
        "finalizeAggregation" => finalize(given),

        "array" => array(given),
        "tuple" => {
            let types = given.nodes.iter().map(|node| node.ty.clone()).collect();
            Built::new(Type::tuple(types), |v| Ok(Value::list(v.to_vec())))
        }
        "map" => super::maps::map(given),
        "mapContains" | "mapContainsKey" => super::maps::contains(given),
        "has" | "indexOf" | "countEqual" => super::membership::search(given),
        "arraySlice" => super::arrays::array_slice(given),
        "arrayPushBack" | "arrayPushFront" => super::arrays::push(given),
        "arrayWithConstant" => super::arrays::fill(given),
        "arrayResize" => super::arrays::resize(given),

        "CAST" => cast(given),
        "toLowCardinality" => to_low_cardinality(given),
        "toBool" if given.types.first().is_some_and(Type::is_null) => {
            given.takes(1..=1).and_then(|()| Built::new(Type::Bool.nullable(), |_| Ok(Value::Null)))
        }
        "toDateTime64" if given.types.first().is_some_and(is_nullable_text) => time_of_text(given),
        name if name.ends_with("OrDefault") => return convert::or_default(given),
        _ => return None,
    })
}

fn is_nullable_text(ty: &Type) -> bool {
    ty.is_nullable() && ty.bare().is_text()
}

fn to_nullable(given: &FunctionCall<'_>) -> Result<Built> {
    if let Some(Type::Array(_) | Type::Map(..) | Type::Tuple(_)) = given.types.first() {
        return Err(given.fault("arrays, maps and tuples cannot be NULL"));
    }
    given.takes(1..=1)?;
    Built::new(given.nodes[0].ty.clone().nullable(), |v| Ok(v[0].clone()))
}

fn to_low_cardinality(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let of = given.types[0].bare();
    let is_taken = of.is_int()
        || of.is_float()
        || of.is_text()
        || of.is_date()
        || matches!(of, Type::DateTime(_));
    if !is_taken {
        return Err(given.fault("the argument must be a number, string, date or DateTime"));
    }
    let ty = Type::LowCardinality(Box::new(given.types[0].clone()));
    Built::new(ty, |v| Ok(v[0].clone()))
}

/// Creates the function `toDateTime64` for Nullable strings. For NULL, the created function returns an error.
/// ClickHouse would parse an empty string in place of NULL.
fn time_of_text(given: &FunctionCall<'_>) -> Result<Built> {
    let types = given.types.iter().map(|ty| ty.bare().clone()).collect();
    let bare = FunctionCall { name: given.name, types, nodes: given.nodes, now: given.now };
    let made = convert::make(&bare).unwrap_or_else(|| Err(given.fault("a string is required")))?;
    Built::new(made.ty.nullable(), move |v| {
        if v[0].is_null() {
            return Err(Problem::text(
                "`toDateTime64` does not convert NULL: use toDateTime64OrNull",
            ));
        }
        (made.run)(v)
    })
}

/// Creates `finalizeAggregation`, which computes the result of an aggregate function from its state.
fn finalize(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let Type::Partial(partial) = &given.types[0] else {
        return Err(given.fault("the argument must be an aggregate state such as sumState(x)"));
    };
    let made = crate::aggregates::partial::function_of(partial)?;
    Built::new(made.ty.clone(), move |v| {
        let mut state = (made.start)();
        state.add(v)?;
        state.finish()
    })
}

fn tests(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let bare = given.types[0].bare();
    let is_simple = bare.is_int() && !bare.is_wide() || bare.is_float() || bare.is_null();
    if given.name == "isZeroOrNull" && !is_simple {
        return Err(
            given.fault(&format!("the argument must be a number of at most 64 bits, not {bare}"))
        );
    }
    let of: fn(&Value) -> bool = match given.name {
        "isNull" => Value::is_null,
        "isNotNull" => |value| !value.is_null(),
        _ => |value| value.is_null() || !value.is_true(),
    };
    Built::new(BYTE, move |v| Ok(Value::bool(of(&v[0]))))
}

fn assume(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    if given.types[0].is_null() {
        return Err(given.fault("the argument must not be the literal NULL"));
    }
    let bare = given.types[0].bare().clone();
    let node = &given.nodes[0];
    let is_low = matches!(node.ty, Type::LowCardinality(_));
    let is_stored = stores_default(node) && (is_low || bare != Type::Date32);
    let other = default(&bare);
    let ty = if is_low { Type::LowCardinality(Box::new(bare)) } else { bare };

    Built::new(ty, move |v| match &v[0] {
        Value::Null if is_stored => Ok(other.clone()),
        // ClickHouse computes a value from the defaults of the arguments, such as 1 for `assumeNotNull(NULL + 1)`.
        Value::Null => Err(Problem::text(
            "`assumeNotNull` supports NULL only from a column, or from a function such as toInt8OrNull: use ifNull",
        )),
        value => Ok(value.clone()),
    })
}

/// Returns true if ClickHouse stores the default value of the type in place of NULL in the results of this node, as for
/// columns and for functions such as `toInt8OrNull`. Returns false for constants, because a constant node does not
/// contain the function that computed the constant.
fn stores_default(node: &Node) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Lazy(..) | Kind::Lambda { .. } => false,
        Kind::Call { propagates, args, .. } => !propagates && node.is_lazy_itself(args),
        _ => true,
    }
}

/// Creates `ifNotFinite(x, y)`, which returns `x` if it is a finite number, otherwise `y`. NULL is not finite.
fn if_not_finite(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let is_simple = |ty: &Type| ty.is_float() || ty.is_int() && !ty.is_wide();
    if !is_simple(given.types[0].bare()) || !given.types[1].bare().is_number() {
        return Err(given.fault("the argument must be an integer of at most 64 bits or a float"));
    }
    let common = types::common(&given.types.iter().collect::<Vec<_>>());
    let ty = common.ok_or_else(|| given.fault("the values have no common type"))?;
    let (from, to) = (given.types.clone(), ty.clone());
    Built::new(ty, move |v| {
        let is_finite = !v[0].is_null() && v[0].float().is_finite();
        let chosen = usize::from(!is_finite);
        conversion::convert(&v[chosen], &from[chosen], &to)
    })
}

fn null_if(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    if matches!(given.types[0], Type::Array(_) | Type::Map(..) | Type::Tuple(_)) {
        return Err(given.fault("arrays, maps and tuples cannot be NULL"));
    }
    let fault = || given.fault("the values cannot be compared");
    let are_equal = compare::equality(&given.types[0], &given.types[1]).ok_or_else(fault)?;
    Built::new(given.types[0].clone().nullable(), move |v| {
        if v[0].is_null() || v[1].is_null() {
            return Ok(v[0].clone());
        }
        Ok(if are_equal(v)? { Value::Null } else { v[0].clone() })
    })
}

fn distinct(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let fault = || given.fault("the values cannot be compared");
    let are_equal = compare::equality(&given.types[0], &given.types[1]).ok_or_else(fault)?;
    let wants_equal = given.name == "isNotDistinctFrom";
    Built::new(BYTE, move |v| {
        let equal = match (v[0].is_null(), v[1].is_null()) {
            (false, false) => are_equal(v)?,
            (a, b) => a == b,
        };
        Ok(Value::bool(equal == wants_equal))
    })
}

fn cast(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let ty = Type::read(&given.constant_text(1)?)?;
    let from = given.types[0].clone();
    if let (Type::Array(_) | Type::Tuple(_), Type::String, Some(_)) =
        (&ty, &from, given.constant(0))
    {
        let value = super::list_text::read(&given.constant_text(0)?, &ty)?;
        return Built::new(ty, move |_| Ok(value.clone()));
    }
    conversion::can(&from, &ty)?;
    let convert = conversion::explicit(&from, &ty);
    // A time keeps its time zone.
    let ty = match (from.bare().is_time(), ty) {
        (true, Type::DateTime(zone)) => Type::DateTime(zone.or(from.zone())),
        (true, Type::DateTime64(scale, zone)) => Type::DateTime64(scale, zone.or(from.zone())),
        (_, ty) => ty,
    };
    // Functions such as `toInt32` return NULL for a FixedString that is not a number. CAST fails.
    let is_fixed = matches!(from.bare(), Type::FixedString(_));
    let to = if is_fixed { ty.bare().clone() } else { ty.clone() };
    Built::new(ty, move |v| convert(&v[0], &from, &to))
}

fn array(given: &FunctionCall<'_>) -> Result<Built> {
    let types: Vec<&Type> = given.nodes.iter().map(|node| &node.ty).collect();
    let of = types::common(&types);
    let of = of.ok_or_else(|| given.fault("the elements have no common type"))?;
    let from: Vec<Type> = types.into_iter().cloned().collect();
    let to = of.clone();
    Built::new(Type::array(of), move |v| {
        let items = v.iter().zip(&from).map(|(value, from)| conversion::convert(value, from, &to));
        Ok(Value::list(items.collect::<Result<_>>()?))
    })
}
