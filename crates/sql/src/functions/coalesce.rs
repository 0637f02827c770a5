//! The functions `coalesce` and `ifNull`, which return the first argument that is not NULL.

use std::sync::Arc;

use super::branches::{also_evaluate, as_type, same_scale};
use super::constants::is_known;
use crate::node::{Kind, Lazy, Node};
use crate::problem::{Problem, Result};
use crate::types::{self, Type};
use crate::value::Value;

/// Creates a call of `coalesce` or `ifNull`. All arguments are evaluated, even if the first argument is not NULL.
pub(super) fn coalesce(all: &[Arc<Node>]) -> Result<Arc<Node>> {
    // Arguments after the first argument that cannot be NULL do not change the result type.
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
        let low = || Type::LowCardinality(Box::new(plain.clone()));
        let is_low = is_low && can_be_low(plain.bare());
        let made = as_type(only, &if is_low { low() } else { plain.full() })?;
        let others: Vec<Arc<Node>> =
            all.iter().filter(|one| !Arc::ptr_eq(one, only)).cloned().collect();
        return also_evaluate(made, &others);
    }

    let nullable = last.ty.is_nullable();
    let stripped: Vec<Type> = args.iter().map(|arg| without_null(&arg.ty)).collect();
    let ty = types::common(&stripped.iter().collect::<Vec<_>>());
    let ty = ty.ok_or_else(|| Problem::text("`coalesce`: the values have no common type"))?;
    same_scale("coalesce", &args.iter().map(|arg| &arg.ty).collect::<Vec<_>>())?;
    let ty = ty.full();
    let ty = if nullable { ty.nullable() } else { ty };
    let ty = if is_low && can_be_low(ty.bare()) { Type::LowCardinality(Box::new(ty)) } else { ty };

    let inner = ty.clone().nullable();
    let to = |arg: &Node| if arg.ty.is_nullable() { &inner } else { &ty };
    let values: Vec<Arc<Node>> =
        args.iter().map(|arg| as_type(arg, to(arg))).collect::<Result<_>>()?;
    let run: crate::node::Run =
        Arc::new(|v| Ok(v.iter().find(|v| !v.is_null()).cloned().unwrap_or_default()));
    let constants: Option<Vec<Value>> = values.iter().map(|v| v.as_const().cloned()).collect();
    let made = match constants {
        Some(constants) => Node::constant(run(&constants)?, ty),
        None if values[0].as_const().is_some_and(|first| !first.is_null()) => {
            Node::make(Kind::Lazy(Lazy::First, values), ty, "coalesce")?
        }
        None => {
            let kind = Kind::Call { run, args: values, propagates: false, per_row: false };
            Node::make(kind, ty, "coalesce")?
        }
    };

    let is_used = |one: &Arc<Node>| args.iter().any(|arg| Arc::ptr_eq(arg, one));
    let unused: Vec<Arc<Node>> = all.iter().filter(|one| !is_used(one)).cloned().collect();
    also_evaluate(made, &unused)
}

/// Returns true if the arguments allow a LowCardinality result. If exactly one argument is not constant, its
/// type must be LowCardinality. If all arguments are constant, one LowCardinality argument is enough. With two or more
/// arguments that are not constant, returns false.
pub(super) fn one_low_cardinality(args: &[&Arc<Node>]) -> bool {
    let mut rows = args.iter().filter(|arg| !is_known(arg));
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

/// Returns true for types that can be the inner type of LowCardinality.
fn can_be_low(ty: &Type) -> bool {
    let is_time = ty.is_date() || matches!(ty, Type::DateTime(_));
    ty.is_text() || is_time || ty.is_number() && !matches!(ty, Type::Decimal { .. })
}
