//! Conditions such as `if`, and logical operators such as `and`.
//!
//! `if`, `multiIf`, `and` and `or` evaluate only the arguments that a row needs. For example, `if(x > 0, a, b)` does
//! not need `b` if `x` is 1. Some calls, such as `factorial(x)`, are evaluated for all rows, as in ClickHouse. If one
//! of these calls fails, the query fails (see [`demand`](crate::demand)). The other functions of this module evaluate
//! all arguments.

use std::sync::Arc;

use super::branches::{as_type, same_scale, unfolded, without_zeros};
use super::coalesce::coalesce;
use super::constants::{are_known, has_one_value, one_constant};
use crate::node::{Kind, Lazy, Node};
use crate::problem::{Problem, Result};
use crate::types::{self, BYTE, Type};
use crate::value::Value;

/// Creates a call of a conditional function such as `if`, or of a logical operator such as `and`. Returns `None` for
/// other functions.
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

/// Checks the arguments of a logical operator, such as `and`. Returns true if at least one argument is Nullable.
///
/// # Errors
/// Returns an error for these arguments:
///
/// - An argument that cannot be a condition, such as a string.
/// - A constant float that ClickHouse cannot convert to a Bool, such as 2.5 in `x AND 2.5`.
/// - A float from a subquery that has only one value for all rows. ClickHouse may treat this value as a constant, but
///   this engine does not know the value when it checks the arguments.
pub(crate) fn checked(name: &str, args: &[Arc<Node>]) -> Result<bool> {
    // If one constant decides the result, ClickHouse does not convert the other arguments, unless all are constants.
    let is_open = name == "xor" || are_known(args) || !has_deciding(name == "or", args);
    let is_converted = |ty: &Type| ty.is_float() && name != "not" && is_open;

    for arg in args {
        let ty = arg.ty.bare();
        let is_condition = (ty.is_int() && !ty.is_wide()) || ty.is_float() || arg.ty.is_null();
        if !is_condition {
            return Err(Problem::text(format!("`{name}` takes conditions, not {ty}")));
        }

        // ClickHouse converts a constant float to a Bool, which accepts only numbers from 0 to 1.
        let constant = one_constant(arg).filter(|_| is_converted(ty)).map(Value::float);
        if constant.is_some_and(|number| number.is_finite() && !(0.0..=1.0).contains(&number)) {
            return Err(Problem::text(format!("`{name}`: a constant float must be from 0 to 1")));
        }
        if is_converted(ty)
            && constant.is_none()
            && one_constant(arg).is_none()
            && has_one_value(arg)
        {
            return Err(Problem::text(format!(
                "`{name}`: compare the float with 0, as in `x != 0`"
            )));
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
    let is_bool = args.iter().any(|arg| *arg.ty.plain() == Type::Bool);
    Node::make(Kind::Lazy(lazy, args.to_vec()), logic_type(is_bool, nullable), name).map(fold)
}

/// Returns the result type of a logical operator: Bool or UInt8. The type is Nullable if `nullable` is true.
fn logic_type(is_bool: bool, nullable: bool) -> Type {
    if is_bool { Type::Bool } else { BYTE }.nullable_if(nullable)
}

/// Returns the result type of `not` and `xor`. These functions return NULL if an argument is NULL.
fn strict_type(args: &[Arc<Node>], nullable: bool) -> Type {
    if args.iter().any(|arg| arg.ty.is_null()) {
        return Type::Nothing.nullable();
    }
    logic_type(args.iter().any(|arg| *arg.ty.bare() == Type::Bool), nullable)
}

fn not(args: &[Arc<Node>]) -> Result<Arc<Node>> {
    let [one] = args else { return Err(Problem::text("`not` takes 1 value")) };
    let nullable = checked("not", args)?;
    let ty = strict_type(args, nullable);
    let is_low = matches!(one.ty, Type::LowCardinality(_));
    let ty = if is_low { Type::LowCardinality(Box::new(ty)) } else { ty };
    let run: crate::node::Run = Arc::new(|v| Ok(Value::bool(!v[0].is_true())));
    let kind = Kind::Call { run, args: vec![Arc::clone(one)], propagates: true, per_row: false };
    Node::make(kind, ty, "not").map(fold)
}

fn xor(args: &[Arc<Node>]) -> Result<Arc<Node>> {
    let nullable = checked("xor", args)?;
    let run: crate::node::Run =
        Arc::new(|v| Ok(Value::bool(v.iter().filter(|v| v.is_true()).count() % 2 == 1)));
    let kind = Kind::Call { run, args: args.to_vec(), propagates: true, per_row: false };
    Node::make(kind, strict_type(args, nullable), "xor").map(fold)
}

/// Returns a constant node if constant operands decide the result of a logical operator, as in `x AND 0` or `NOT 1`.
/// Otherwise returns the node itself.
fn fold(node: Arc<Node>) -> Arc<Node> {
    let value = match &node.kind {
        Kind::Lazy(lazy, parts) => constant_result(*lazy == Lazy::Or, parts),
        Kind::Call { run, args, .. } => values(args).and_then(|all| {
            let has_null = all.iter().any(Value::is_null);
            if has_null { Some(Value::Null) } else { run(&all).ok() }
        }),
        _ => None,
    };
    value.map_or(node.clone(), |value| Node::constant(value, node.ty.clone()))
}

/// Returns the result of AND or OR if one constant decides the result, as in `x AND 0`, or if all conditions are
/// constants. Otherwise returns `None`.
fn constant_result(is_or: bool, parts: &[Arc<Node>]) -> Option<Value> {
    if has_deciding(is_or, parts) {
        return Some(Value::bool(is_or));
    }
    let has_null = values(parts)?.iter().any(Value::is_null);
    Some(if has_null { Value::Null } else { Value::bool(!is_or) })
}

/// Returns true if one constant decides the result of AND or OR, as in `x AND 0` and `x OR 1`. A LowCardinality
/// constant decides only if all conditions are constants.
fn has_deciding(is_or: bool, parts: &[Arc<Node>]) -> bool {
    let are_constant = values(parts).is_some();
    parts.iter().any(|part| {
        let is_low = matches!(part.ty, Type::LowCardinality(_));
        let value = part.as_const().filter(|_| are_constant || !is_low);
        value.is_some_and(|value| !value.is_null() && value.is_true() == is_or)
    })
}

/// Returns the values of the nodes if all nodes are constants, otherwise `None`.
fn values(nodes: &[Arc<Node>]) -> Option<Vec<Value>> {
    nodes.iter().map(|node| node.as_const().cloned()).collect()
}

fn choice(name: &str, args: &[Arc<Node>], fits: bool) -> Result<Arc<Node>> {
    if !fits {
        let count = args.len();
        return Err(Problem::text(format!("`{name}` does not accept {count} arguments")));
    }
    let is_condition = |at: usize| at.is_multiple_of(2) && at + 1 < args.len();
    for (at, arg) in args.iter().enumerate().filter(|(at, _)| is_condition(*at)) {
        let ty = arg.ty.bare();
        if !matches!(ty, Type::Int { bits: 8, signed: false } | Type::Bool | Type::Nothing) {
            let message = format!("condition {} of `{name}` must be UInt8, not {ty}", at / 2 + 1);
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
    // If the condition is a constant, ClickHouse takes the time zone of one branch.
    let is_folded = (0..args.len()).any(|at| is_condition(at) && args[at].as_const().is_some());
    if is_folded && has_zones(&types) {
        return Err(Problem::text(format!("`{name}`: the times have different time zones")));
    }
    let converted = branches(name, args, &ty)?;

    // ClickHouse evaluates a constant condition of `if` early if its type is plain. It evaluates other constant
    // conditions early only if all arguments are constants.
    let is_constant = args.iter().all(|arg| arg.as_const().is_some());
    let can_decide = |condition: &Node| is_constant || is_plain(condition);
    if is_constant || name.eq_ignore_ascii_case("if") {
        for pair in converted.chunks(2) {
            match pair {
                [condition, value] => {
                    match condition.as_const().filter(|_| can_decide(condition)) {
                        Some(known) if !known.is_true() => {}
                        Some(_) if value.as_const().is_some() => return Ok(Arc::clone(value)),
                        _ => break,
                    }
                }
                [last] if last.as_const().is_some() => return Ok(Arc::clone(last)),
                _ => break,
            }
        }
    }
    let lazy = if is_decided(args, &ty) { Lazy::Decided } else { Lazy::MultiIf };
    Node::make(Kind::Lazy(lazy, converted), ty, "multiIf")
}

/// Converts the branches of a condition to the result type. Does not convert the conditions themselves.
fn branches(name: &str, args: &[Arc<Node>], ty: &Type) -> Result<Vec<Arc<Node>>> {
    let is_condition = |at: usize| at.is_multiple_of(2) && at + 1 < args.len();
    let is_constant = args.iter().all(|arg| arg.as_const().is_some());
    let mut folded =
        (0..args.len()).filter(|at| is_condition(*at) && args[*at].as_const().is_some());
    let is_folded = folded.clone().next().is_some();
    let is_dropped = folded.any(|at| is_plain(&args[at]));

    // ClickHouse replaces `multiIf` with a single condition by `if`, which keeps the zero bytes of a FixedString.
    let is_if = match name.to_ascii_lowercase().as_str() {
        "if" => true,
        "multiif" => args.len() == 3 && !is_constant,
        _ => false,
    };
    let loses_zeros = is_folded && matches!(ty, Type::Tuple(_));
    let as_result = if is_if && !loses_zeros { as_type } else { without_zeros };

    let convert = |(at, arg): (usize, &Arc<Node>)| match &arg.ty {
        _ if is_condition(at) => Ok(Arc::clone(arg)),
        // The zero bytes at the end of a constant depend on whether ClickHouse drops a branch.
        Type::LowCardinality(of)
            if arg.as_const().is_some() && is_fixed(of) && arg.ty != *ty && !is_constant =>
        {
            if is_dropped {
                return without_zeros(arg, ty);
            }
            if is_folded {
                return as_result(arg, ty);
            }
            let message = "a constant LowCardinality(FixedString) is not supported";
            Err(Problem::text(format!("`{name}`: {message}: use toString")))
        }
        _ => as_result(arg, ty),
    };
    args.iter().enumerate().map(convert).collect()
}

/// Returns true if ClickHouse drops a branch of `if`. This happens if the condition is a constant other than NULL, and
/// the selected branch already has the result type.
fn is_decided(args: &[Arc<Node>], result: &Type) -> bool {
    let [condition, yes, no] = args else { return false };
    let known = condition.as_const().filter(|_| !condition.ty.is_null());
    let taken = known.map(|known| if known.is_true() { yes } else { no });
    taken.is_some_and(|taken| taken.ty == *result)
}

/// Returns true if `types` contains time types with different time zones.
fn has_zones(types: &[&Type]) -> bool {
    let mut times = types.iter().filter(|ty| ty.bare().is_time());
    let first = times.next().map(|ty| ty.zone());
    times.any(|ty| Some(ty.zone()) != first)
}

/// Converts a resolved `CASE x WHEN ...` to a node that evaluates all comparisons and all results of the CASE for each
/// row. ClickHouse also evaluates all of them, and never treats this form of CASE as a constant.
pub(crate) fn eagerly(made: Arc<Node>, branches: &[Arc<Node>]) -> Result<Arc<Node>> {
    let Kind::Lazy(Lazy::MultiIf | Lazy::Decided, args) = &made.kind else {
        return unfolded(made, branches);
    };
    let run: crate::node::Run = Arc::new(|v| {
        let chosen = v.chunks(2).find_map(|pair| match pair {
            [condition, value] => condition.is_true().then_some(value),
            pair => pair.first(),
        });
        Ok(chosen.cloned().unwrap_or_default())
    });
    let per_row = are_known(args);
    let kind = Kind::Call { run, args: args.clone(), propagates: false, per_row };
    Node::make(kind, made.ty.clone(), "case")
}

/// Returns true if the type of the node is neither Nullable nor LowCardinality.
fn is_plain(node: &Node) -> bool {
    node.ty == *node.ty.bare()
}

fn is_fixed(ty: &Type) -> bool {
    matches!(ty.bare(), Type::FixedString(_))
}
