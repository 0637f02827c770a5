//! Conversion of expression nodes, such as the branches of `if`, to a common type.

use std::sync::Arc;

use super::conversion;
use crate::node::{Kind, Lazy, Node};
use crate::problem::{Problem, Result};
use crate::types::Type;

/// Creates a node that converts `node` to the type `ty`. A FixedString that becomes a String keeps the zero bytes at
/// its end, unless the FixedString is inside an array or a map.
pub(crate) fn as_type(node: &Arc<Node>, ty: &Type) -> Result<Arc<Node>> {
    converted(node, ty, with_bytes(node.ty.plain()), with_bytes(ty.plain()))
}

/// Creates a node that converts `node` to the type `ty`. A FixedString that becomes a String loses the zero bytes at
/// its end.
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
    let args = vec![Arc::clone(node)];
    let kind = Kind::Call { run, args, propagates: false, per_row: false };
    Node::make(kind, ty.clone(), "as")
}

/// Returns the type with String in place of FixedString. Does not change types inside arrays and maps.
fn with_bytes(ty: &Type) -> Type {
    match ty {
        Type::FixedString(_) => Type::String,
        Type::Nullable(of) => with_bytes(of).nullable(),
        Type::LowCardinality(of) => with_bytes(of),
        Type::Tuple(members) => Type::tuple(members.iter().map(|(_, ty)| with_bytes(ty)).collect()),
        ty => ty.clone(),
    }
}

/// Creates a node that returns the value of `node` and also evaluates the nodes in `others` that are not constant. If
/// the evaluation of one of these nodes fails, the query fails. The new node is constant only if `node` and all
/// `others` are constant.
pub(super) fn also_evaluate(node: Arc<Node>, others: &[Arc<Node>]) -> Result<Arc<Node>> {
    let others = not_constant(others);
    if others.is_empty() {
        return Ok(node);
    }
    let ty = node.ty.clone();
    let args = std::iter::once(node).chain(others).collect();
    Node::make(Kind::Lazy(Lazy::First, args), ty, "after")
}

/// Creates a node that returns the value of `node` and also evaluates `others`. The new node is never treated as a
/// constant.
pub(super) fn unfolded(node: Arc<Node>, others: &[Arc<Node>]) -> Result<Arc<Node>> {
    let ty = node.ty.clone();
    let args = std::iter::once(node).chain(not_constant(others)).collect();
    let run: crate::node::Run = Arc::new(|v| Ok(v[0].clone()));
    Node::make(Kind::Call { run, args, propagates: false, per_row: true }, ty, "after")
}

fn not_constant(nodes: &[Arc<Node>]) -> Vec<Arc<Node>> {
    nodes.iter().filter(|node| node.as_const().is_none()).cloned().collect()
}

/// Returns an error if `types` contains decimals with different scales. If `types` contains tuples, compares the types
/// of the elements at equal tuple positions.
pub(super) fn same_scale(name: &str, types: &[&Type]) -> Result<()> {
    if let Some(Type::Tuple(first)) = types.first().map(|ty| ty.bare()) {
        return (0..first.len()).try_for_each(|at| {
            let mut members = Vec::new();
            for ty in types {
                if let Type::Tuple(other) = ty.bare() {
                    members.extend(other.get(at).map(|(_, ty)| ty));
                }
            }
            same_scale(name, &members)
        });
    }

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
