//! Functions that handle NULL themselves: conditions, tests for NULL, CAST, and constructors of
//! lists.

use std::sync::Arc;

use super::{Built, Given, Made, compare, conversion, convert};
use crate::node::{Kind, Lazy, Node};
use crate::problem::{Problem, Result};
use crate::types::{self, BYTE, Type};
use crate::value::{Value, default};

pub(super) fn make(given: &Given<'_>) -> Made {
    Some(match given.name {
        "isNull" | "isNotNull" | "isZeroOrNull" => tests(given),
        "assumeNotNull" => assume(given),
        "toNullable"
            if matches!(
                given.types.first(),
                Some(Type::Array(_) | Type::Map(..) | Type::Tuple(_))
            ) =>
        {
            Err(given.fault("lists are never NULL"))
        }
        "toNullable" => {
            let ty = given.nodes.first().map_or(Type::Nothing, |node| node.ty.clone());
            given.takes(1..=1).and_then(|()| Built::new(ty.nullable(), |v| Ok(v[0].clone())))
        }
        "toLowCardinality" => given.takes(1..=1).and_then(|()| {
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
        }),
        "materialize" | "identity" => given
            .takes(1..=1)
            .and_then(|()| Built::new(given.nodes[0].ty.clone(), |v| Ok(v[0].clone()))),
        "toTypeName" => {
            let name = given.nodes.first().map_or_else(String::new, |node| node.ty.to_string());
            given
                .takes(1..=1)
                .and_then(|()| Built::new(Type::String, move |_| Ok(Value::text(&name))))
        }
        "ignore" => Built::new(BYTE, |_| Ok(Value::Int(0))),
        "nullIf" => null_if(given),
        "CAST" => cast(given),
        "array" => array(given),
        "tuple" => {
            let types = given.nodes.iter().map(|node| node.ty.clone()).collect();
            Built::new(Type::tuple(types), |v| Ok(Value::list(v.to_vec())))
        }
        "isDistinctFrom" | "isNotDistinctFrom" => distinct(given),
        "transform" => transform(given),
        "map" => super::maps::map(given),
        "mapContains" | "mapContainsKey" => super::maps::contains(given),
        "has" | "indexOf" | "countEqual" => super::arrays::search(given),
        "arrayPushBack" | "arrayPushFront" => super::arrays::push(given),
        "arrayWithConstant" => super::arrays::fill(given),
        "arrayResize" => super::arrays::resize(given),
        "finalizeAggregation" => finalize(given),
        "toDateTime64" if given.types.first().is_some_and(is_nullable_text) => time_of_text(given),
        "greatest" | "least" => compare::extreme(given),
        "ifNotFinite" if given.types.iter().all(|ty| !ty.is_null()) => if_not_finite(given),
        name if name.ends_with("OrDefault") => return convert::or_default(given),
        _ => return None,
    })
}

fn is_nullable_text(ty: &Type) -> bool {
    ty.is_nullable() && ty.bare().is_text()
}

/// Creates `toDateTime64` of strings that can be NULL. ClickHouse reads NULL as an empty string, which it rejects.
fn time_of_text(given: &Given<'_>) -> Result<Built> {
    let types = given.types.iter().map(|ty| ty.bare().clone()).collect();
    let bare = Given { name: given.name, types, nodes: given.nodes, now: given.now };
    let made = convert::make(&bare).unwrap_or_else(|| Err(given.fault("a text is required")))?;
    Built::new(made.ty.nullable(), move |v| {
        if v[0].is_null() {
            return Err(Problem::text(
                "`toDateTime64`: NULL is not a date or time: use toDateTime64OrNull",
            ));
        }
        (made.run)(v)
    })
}

/// Creates `finalizeAggregation`: the result of an aggregate function, from its state.
fn finalize(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let Type::Partial(partial) = &given.types[0] else {
        return Err(given
            .fault("expected the state of an aggregate function, such as the result of sumState"));
    };
    let made = crate::aggregates::partial::function_of(partial)?;
    Built::new(made.ty.clone(), move |v| {
        let mut state = (made.start)();
        state.add(v)?;
        state.finish()
    })
}

fn tests(given: &Given<'_>) -> Result<Built> {
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

fn assume(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    if given.types[0].is_null() {
        return Err(given.fault("NULL is the only value of this type"));
    }
    let bare = given.types[0].bare().clone();
    let other = default(&bare);
    let is_low = matches!(given.nodes[0].ty, Type::LowCardinality(_));
    let ty = if is_low { Type::LowCardinality(Box::new(bare)) } else { bare };
    Built::new(ty, move |v| Ok(if v[0].is_null() { other.clone() } else { v[0].clone() }))
}

/// Creates `isFinite(x) ? x : y`. NULL is not finite.
fn if_not_finite(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    if !given.types.iter().all(|ty| ty.bare().is_number()) {
        return Err(given.fault("the argument must be a number"));
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

fn null_if(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    if matches!(given.types[0], Type::Array(_) | Type::Map(..) | Type::Tuple(_)) {
        return Err(given.fault("lists are never NULL"));
    }
    let fault = || given.fault("the values cannot be compared");
    let [left, right] = compare::equal_as(&given.types[0], &given.types[1]).ok_or_else(fault)?;
    Built::new(given.types[0].clone().nullable(), move |v| {
        if v[0].is_null() || v[1].is_null() {
            return Ok(v[0].clone());
        }
        Ok(if left(&v[0])? == right(&v[1])? { Value::Null } else { v[0].clone() })
    })
}

fn distinct(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let fault = || given.fault("the values cannot be compared");
    let [left, right] = compare::equal_as(&given.types[0], &given.types[1]).ok_or_else(fault)?;
    let wants_equal = given.name == "isNotDistinctFrom";
    Built::new(BYTE, move |v| {
        let equal = match (v[0].is_null(), v[1].is_null()) {
            (false, false) => left(&v[0])? == right(&v[1])?,
            (a, b) => a == b,
        };
        Ok(Value::bool(equal == wants_equal))
    })
}

fn cast(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let ty = Type::read(&given.constant_text(1)?)?;
    let from = given.types[0].clone();
    conversion::can(&from, &ty)?;
    let convert = conversion::explicit(&from, &ty);
    // A time keeps its time zone.
    let ty = match (from.bare().is_time(), ty) {
        (true, Type::DateTime(zone)) => Type::DateTime(zone.or(from.zone())),
        (true, Type::DateTime64(scale, zone)) => Type::DateTime64(scale, zone.or(from.zone())),
        (_, ty) => ty,
    };
    let to = ty.clone();
    Built::new(ty, move |v| convert(&v[0], &from, &to))
}

fn array(given: &Given<'_>) -> Result<Built> {
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

/// Creates `transform(x, [from], [to], default)`.
fn transform(given: &Given<'_>) -> Result<Built> {
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
    let ty = types::common(&[&to, &other])
        .ok_or_else(|| given.fault("the result values have no common type"))?;
    let fault = || given.fault("the value has no common type with the values to search for");
    if !is_given(ty.bare()) {
        return Err(given.fault(&format!("the function does not return {ty}")));
    }

    let is_fixed = |ty: &Type| matches!(ty.bare(), Type::FixedString(_));
    if given.count() == 3 && is_fixed(&other) && !is_fixed(&to) {
        return Err(given.fault("the default is missing, because the values are not FixedString"));
    }
    if let (Type::FixedString(size), Some(list)) = (&given.types[0], given.constant(1))
        && list.items().iter().any(|item| item.bytes().len() > *size)
    {
        return Err(given.fault("a string to search for is longer than the FixedString"));
    }
    let [left, right] = if given.types[0].is_text() && from.is_text() {
        // The zeros of a FixedString count here.
        compare::unchanged()
    } else {
        compare::equal_as(&given.types[0], &from).ok_or_else(fault)?
    };

    let result = ty.clone();
    let last = given.count() == 4;
    Built::new(ty, move |v| {
        let wanted = if v[0].is_null() { Value::Null } else { left(&v[0])? };
        for (from, value) in v[1].items().iter().zip(v[2].items()) {
            let is_it = if from.is_null() { wanted.is_null() } else { right(from)? == wanted };
            if is_it {
                return conversion::convert(value, &to, &result);
            }
        }
        conversion::convert(if last { &v[3] } else { &v[0] }, &other, &result)
    })
}

/// Returns true for types of values that `transform` can return.
fn is_given(ty: &Type) -> bool {
    match ty {
        Type::Decimal { precision, .. } => *precision <= 18,
        Type::Array(_) | Type::Tuple(_) | Type::Map(..) => false,
        ty => !ty.is_wide(),
    }
}

/// Creates conditions and logical operators, which evaluate only the arguments that they need.
pub(crate) fn lazy(name: &str, args: &[Arc<Node>]) -> Option<Result<Arc<Node>>> {
    let lower = name.to_ascii_lowercase();
    Some(match lower.as_str() {
        "and" | "or" => logic(&lower, args),
        "not" => not(args),
        "xor" => xor(args),
        "if" => choice(name, args, args.len() == 3),
        "multiif" | "casewithexpression" => {
            choice(name, args, args.len() >= 3 && args.len() % 2 == 1)
        }
        "coalesce" => coalesce(args),
        "ifnull" => match args.len() {
            2 => coalesce(args),
            n => Err(Problem::text(format!("`ifNull` takes 2 values, not {n}"))),
        },
        _ => return None,
    })
}

fn checked(name: &str, args: &[Arc<Node>]) -> Result<bool> {
    for arg in args {
        let ty = arg.ty.bare();
        let is_condition = (ty.is_int() && !ty.is_wide()) || ty.is_float() || arg.ty.is_null();
        if !is_condition {
            return Err(Problem::text(format!("`{name}` takes conditions, not {ty}")));
        }
        // ClickHouse reads a constant as a Bool, which rejects other numbers.
        let constant = arg.as_const().filter(|_| ty.is_float() && name != "not").map(Value::float);
        if constant.is_some_and(|number| number.is_finite() && !(0.0..=1.0).contains(&number)) {
            return Err(Problem::text(format!("`{name}`: a constant float must be from 0 to 1")));
        }
    }
    Ok(args.iter().any(|arg| arg.ty.is_nullable()))
}

fn logic(name: &str, args: &[Arc<Node>]) -> Result<Arc<Node>> {
    if args.len() < 2 {
        return Err(Problem::text(format!("`{name}` takes at least 2 values")));
    }
    let nullable = checked(name, args)?;
    let lazy = if name == "and" { Lazy::And } else { Lazy::Or };
    // `Nullable(Bool)` does not make the result a `Bool`.
    let is_bool = args.iter().any(|arg| arg.ty == Type::Bool);
    Node::make(Kind::Lazy(lazy, args.to_vec()), logic_type(is_bool, nullable), name).map(fold)
}

/// Returns the type of a logical operator.
fn logic_type(is_bool: bool, nullable: bool) -> Type {
    if is_bool { Type::Bool } else { BYTE }.nullable_if(nullable)
}

fn has_bool(args: &[Arc<Node>]) -> bool {
    args.iter().any(|arg| *arg.ty.bare() == Type::Bool)
}

fn not(args: &[Arc<Node>]) -> Result<Arc<Node>> {
    let [one] = args else { return Err(Problem::text("`not` takes 1 value")) };
    let nullable = checked("not", args)?;
    let ty = logic_type(has_bool(args), nullable);
    let is_low = matches!(one.ty, Type::LowCardinality(_));
    let ty = if is_low { Type::LowCardinality(Box::new(ty)) } else { ty };
    let run: crate::node::Run = Arc::new(|v| Ok(Value::bool(!v[0].is_true())));
    let kind = Kind::Call { run, args: vec![Arc::clone(one)], propagates: true };
    Node::make(kind, ty, "not").map(fold)
}

fn xor(args: &[Arc<Node>]) -> Result<Arc<Node>> {
    let nullable = checked("xor", args)?;
    let run: crate::node::Run =
        Arc::new(|v| Ok(Value::bool(v.iter().filter(|v| v.is_true()).count() % 2 == 1)));
    let kind = Kind::Call { run, args: args.to_vec(), propagates: true };
    Node::make(kind, logic_type(has_bool(args), nullable), "xor").map(fold)
}

/// Replaces a constant expression by its value.
fn fold(node: Arc<Node>) -> Arc<Node> {
    let values: Option<Vec<Value>> =
        node.children().iter().map(|child| child.as_const().cloned()).collect();
    let Some(values) = values else { return node };
    let value = match &node.kind {
        Kind::Call { run, .. } if !values.iter().any(Value::is_null) => run(&values).ok(),
        Kind::Call { .. } => Some(Value::Null),
        Kind::Lazy(lazy @ (Lazy::And | Lazy::Or), _) => {
            let ends_at = *lazy == Lazy::Or;
            let ends = values.iter().any(|v| !v.is_null() && v.is_true() == ends_at);
            let has_null = values.iter().any(Value::is_null);
            Some(if ends {
                Value::bool(ends_at)
            } else if has_null {
                Value::Null
            } else {
                Value::bool(!ends_at)
            })
        }
        _ => None,
    };
    value.map_or(node.clone(), |value| Node::constant(value, node.ty.clone()))
}

fn choice(name: &str, args: &[Arc<Node>], fits: bool) -> Result<Arc<Node>> {
    if !fits {
        let count = args.len();
        return Err(Problem::text(format!("`{name}` does not take {count} values")));
    }
    let is_condition = |at: usize| at.is_multiple_of(2) && at + 1 < args.len();
    for (at, arg) in args.iter().enumerate().filter(|(at, _)| is_condition(*at)) {
        let ty = arg.ty.bare();
        if !matches!(ty, Type::Int { bits: 8, .. } | Type::Bool | Type::Nothing) {
            let message = format!("`{name}`: its condition {} must be UInt8, not {ty}", at / 2 + 1);
            return Err(Problem::text(message));
        }
    }

    let values: Vec<&Arc<Node>> =
        args.iter().enumerate().filter(|(at, _)| !is_condition(*at)).map(|(_, arg)| arg).collect();
    let types: Vec<&Type> = values.iter().map(|value| &value.ty).collect();
    let ty = types::common(&types).ok_or_else(|| {
        let names: Vec<String> = types.iter().map(ToString::to_string).collect();
        Problem::text(format!("`{name}`: {} have no common type", names.join(", ")))
    })?;
    let ty = ty.full();
    same_scale(name, &types)?;
    let is_folded = (0..args.len()).any(|at| is_condition(at) && args[at].as_const().is_some());
    if is_folded && has_zones(&types) {
        return Err(Problem::text(format!("`{name}`: its times have different time zones")));
    }
    // ClickHouse replaces `multiIf` with a single condition by `if`, which keeps the zeros of a FixedString.
    let is_constant = args.iter().all(|arg| arg.as_const().is_some());
    let is_if = match name.to_ascii_lowercase().as_str() {
        "if" => true,
        "multiif" => args.len() == 3 && !is_constant,
        _ => false,
    };
    let loses_zeros = is_folded && matches!(ty, Type::Tuple(_));
    let as_result = if is_if && !loses_zeros { as_type } else { without_zeros };
    let converted: Result<Vec<Arc<Node>>> = args
        .iter()
        .enumerate()
        .map(|(at, arg)| if is_condition(at) { Ok(Arc::clone(arg)) } else { as_result(arg, &ty) })
        .collect();
    let converted = converted?;

    // A constant condition is decided here.
    let decided = if is_if || is_constant { converted.chunks(2) } else { [].chunks(2) };
    for (at, pair) in decided.enumerate() {
        match pair {
            [condition, value] => match condition.as_const() {
                Some(known) if known.is_true() => {
                    if at == 0 && value.as_const().is_some() {
                        return Ok(Arc::clone(value));
                    }
                    break;
                }
                Some(_) => {}
                None => break,
            },
            [last] if last.as_const().is_some() => return Ok(Arc::clone(last)),
            _ => break,
        }
    }
    Node::make(Kind::Lazy(Lazy::MultiIf, converted), ty, "multiIf")
}

/// Returns true if some types are times of different zones. ClickHouse then chooses the zone by constants.
fn has_zones(types: &[&Type]) -> bool {
    let mut times = types.iter().filter(|ty| ty.bare().is_time());
    let first = times.next().map(|ty| ty.zone());
    times.any(|ty| Some(ty.zone()) != first)
}

/// Returns an error if decimals have different scales.
fn same_scale(name: &str, types: &[&Type]) -> Result<()> {
    let scale = |ty: &&Type| match ty.bare() {
        Type::Decimal { scale, .. } => Some(*scale),
        _ => None,
    };
    let mut scales = types.iter().filter_map(scale);
    let first = scales.next();
    if scales.any(|scale| Some(scale) != first) {
        let message = format!("`{name}`: the decimals have different scales");
        return Err(Problem::text(message));
    }
    Ok(())
}

/// Converts a node to a type. A FixedString keeps its zeros, unless it is a member of a list or a map.
pub(crate) fn as_type(node: &Arc<Node>, ty: &Type) -> Result<Arc<Node>> {
    converted(node, ty, with_bytes(node.ty.plain()), with_bytes(ty.plain()))
}

/// Converts a node to a type. A FixedString loses the zeros at its end.
pub(crate) fn without_zeros(node: &Arc<Node>, ty: &Type) -> Result<Arc<Node>> {
    converted(node, ty, node.ty.plain().clone(), ty.plain().clone())
}

fn converted(node: &Arc<Node>, ty: &Type, from: Type, to: Type) -> Result<Arc<Node>> {
    if node.ty == *ty {
        return Ok(Arc::clone(node));
    }
    let run: crate::node::Run = Arc::new(move |v| conversion::convert(&v[0], &from, &to));
    if let Some(value) = node.as_const() {
        return Ok(Node::constant(run(std::slice::from_ref(value))?, ty.clone()));
    }
    let kind = Kind::Call { run, args: vec![Arc::clone(node)], propagates: false };
    Node::make(kind, ty.clone(), "as")
}

/// Returns the type with String in place of FixedString, except in lists and maps.
fn with_bytes(ty: &Type) -> Type {
    match ty {
        Type::FixedString(_) => Type::String,
        Type::Nullable(of) => with_bytes(of).nullable(),
        Type::Tuple(members) => Type::tuple(members.iter().map(|(_, ty)| with_bytes(ty)).collect()),
        ty => ty.clone(),
    }
}

/// Creates a node that evaluates all of `others` before `node`, so that their errors appear, and that is not constant
/// if one of `others` is not.
fn after(node: Arc<Node>, others: &[Arc<Node>]) -> Result<Arc<Node>> {
    let is_constant = others.iter().all(|other| other.as_const().is_some());
    if is_constant { Ok(node) } else { unfolded(node, others) }
}

/// Creates a node that is not constant, and that evaluates all of `others` before `node`.
fn unfolded(node: Arc<Node>, others: &[Arc<Node>]) -> Result<Arc<Node>> {
    let ty = node.ty.clone();
    let others = others.iter().filter(|other| other.as_const().is_none()).cloned();
    let args = std::iter::once(node).chain(others).collect();
    let run: crate::node::Run = Arc::new(|v| Ok(v[0].clone()));
    Node::make(Kind::Call { run, args, propagates: false }, ty, "after")
}

/// Evaluates all branches of a condition, as ClickHouse does for `CASE x WHEN ...`, which is never a constant.
pub(crate) fn eagerly(made: Arc<Node>, branches: &[Arc<Node>]) -> Result<Arc<Node>> {
    let Kind::Lazy(Lazy::MultiIf, args) = &made.kind else { return unfolded(made, branches) };
    let run: crate::node::Run = Arc::new(|v| {
        let chosen = v.chunks(2).find_map(|pair| match pair {
            [condition, value] => condition.is_true().then_some(value),
            pair => pair.first(),
        });
        Ok(chosen.cloned().unwrap_or_default())
    });
    Node::make(Kind::Call { run, args: args.clone(), propagates: false }, made.ty.clone(), "case")
}

/// Creates `coalesce` and `ifNull`. All arguments are evaluated.
fn coalesce(all: &[Arc<Node>]) -> Result<Arc<Node>> {
    // Arguments after the first one that is never NULL have no influence on the type.
    let known = |arg: &&Arc<Node>| !arg.ty.is_null();
    let mut args: Vec<&Arc<Node>> = all.iter().filter(known).collect();
    let is_low = one_low_cardinality(&args);
    if let Some(first) = args.iter().position(|arg| !arg.ty.is_nullable()) {
        args.truncate(first + 1);
    }
    let Some(last) = args.last() else {
        return Ok(Node::constant(Value::Null, Type::Nothing.nullable()));
    };
    if let [only] = args.as_slice() {
        let plain = only.ty.plain();
        let bare = plain.bare();
        let is_time = bare.is_date() || matches!(bare, Type::DateTime(_));
        let fits = bare.is_text() || bare.is_number() || is_time;
        let low = || Type::LowCardinality(Box::new(plain.clone()));
        let made = as_type(only, &if is_low && fits { low() } else { plain.full() })?;
        let others: Vec<Arc<Node>> =
            all.iter().filter(|one| !Arc::ptr_eq(one, only)).cloned().collect();
        return after(made, &others);
    }

    let nullable = last.ty.is_nullable();
    let stripped: Vec<Type> = args.iter().map(|arg| without_null(&arg.ty)).collect();
    let ty = types::common(&stripped.iter().collect::<Vec<_>>());
    let ty = ty.ok_or_else(|| Problem::text("`coalesce`: the values have no common type"))?;
    same_scale("coalesce", &args.iter().map(|arg| &arg.ty).collect::<Vec<_>>())?;
    let ty = ty.full();
    let ty = if is_low && ty.is_text() { Type::LowCardinality(Box::new(ty)) } else { ty };
    let ty = if nullable { ty.nullable() } else { ty };
    let inner = ty.clone().nullable();
    let values: Vec<Arc<Node>> =
        args.iter().map(|arg| as_type(arg, &inner)).collect::<Result<_>>()?;
    let run: crate::node::Run =
        Arc::new(|v| Ok(v.iter().find(|v| !v.is_null()).cloned().unwrap_or_default()));
    let constants: Option<Vec<Value>> = values.iter().map(|v| v.as_const().cloned()).collect();
    let made = match constants {
        Some(constants) => Node::constant(run(&constants)?, ty),
        None => Node::make(Kind::Call { run, args: values, propagates: false }, ty, "coalesce")?,
    };
    let is_used = |one: &Arc<Node>| args.iter().any(|arg| Arc::ptr_eq(arg, one));
    let unused: Vec<Arc<Node>> = all.iter().filter(|one| !is_used(one)).cloned().collect();
    after(made, &unused)
}

/// Returns true if exactly one argument is not constant, and this argument is a LowCardinality column. If all are
/// constants, one of them must be of this type.
fn one_low_cardinality(args: &[&Arc<Node>]) -> bool {
    let mut rows = args.iter().filter(|arg| arg.as_const().is_none());
    let is_low = |arg: &Arc<Node>| matches!(arg.ty, Type::LowCardinality(_));
    match rows.next() {
        Some(first) => is_low(first) && rows.next().is_none(),
        None => args.iter().any(|arg| is_low(arg)),
    }
}

fn without_null(ty: &Type) -> Type {
    match ty {
        Type::LowCardinality(of) => Type::LowCardinality(Box::new(of.bare().clone())),
        other => other.bare().clone(),
    }
}
