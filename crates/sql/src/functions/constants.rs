//! Checks whether expressions are constant in ClickHouse.
//!
//! `check` rejects a call if an argument must be constant and is not. `is_known` returns true for values that
//! ClickHouse computes while it resolves the query. `has_one_value` returns true for values that ClickHouse computes
//! before it reads a row.

use std::sync::Arc;

use super::FunctionCall;
use crate::node::{Kind, Lazy, Node};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

/// Arguments that must be constant when ClickHouse resolves the query, as pairs of function name and argument index.
const RESOLVED: &[(&str, usize)] = &[
    ("arrayStringConcat", 1),
    ("countMatches", 1),
    ("countMatchesCaseInsensitive", 1),
    ("extractAll", 1),
    ("extractGroups", 1),
    ("leftPad", 2),
    ("leftPadUTF8", 2),
    ("regexpExtract", 1),
    ("rightPad", 2),
    ("rightPadUTF8", 2),
    ("splitByChar", 0),
    ("splitByChar", 2),
    ("splitByRegexp", 0),
    ("splitByString", 0),
    ("splitByString", 2),
    ("trimBoth", 1),
    ("trimLeft", 1),
    ("trimRight", 1),
];

/// Arguments that must have the same value for all rows, as pairs of function name and argument index. ClickHouse
/// computes this value when the query starts to run. The arguments in [`RESOLVED`] must be constant earlier, when
/// ClickHouse resolves the query.
const SAME: &[(&str, usize)] = &[
    ("bar", 3),
    ("concatWithSeparator", 0),
    ("extract", 1),
    ("formatDateTime", 1),
    ("hasToken", 1),
    ("substringIndex", 1),
    ("translate", 1),
    ("translate", 2),
];

/// Functions whose arguments need not be constant if one argument has the type of the literal NULL, as in
/// `leftPad(upper(NULL), 3)`. The result of this call is NULL. For these calls, [`check`] ignores the rules in
/// [`RESOLVED`] and [`SAME`].
const UNLESS_NULL: &[&str] = &[
    "concatWithSeparator",
    "countMatches",
    "countMatchesCaseInsensitive",
    "leftPad",
    "leftPadUTF8",
    "rightPad",
    "rightPadUTF8",
    "trimBoth",
    "trimLeft",
    "trimRight",
];

/// Arguments that must be neither Nullable nor LowCardinality, as pairs of function name and argument index.
const PLAIN: &[(&str, usize)] = &[("arrayReduce", 0), ("CAST", 1), ("tupleElement", 1)];

/// Returns an error if an argument that must be constant is not constant. Also returns an error if an argument that
/// [`PLAIN`] lists is Nullable or LowCardinality.
pub(super) fn check(given: &FunctionCall<'_>) -> Result<()> {
    if UNLESS_NULL.contains(&given.name) && given.types.iter().any(Type::is_null) {
        return Ok(());
    }

    for (at, node) in given.nodes.iter().enumerate() {
        let place = (given.name, at);
        let is_varying =
            RESOLVED.contains(&place) && !is_known(node) || SAME.contains(&place) && varies(node);
        if is_varying {
            return Err(given.fault(&format!("argument {} must be a constant", at + 1)));
        }
        if PLAIN.contains(&place) && node.ty != *node.ty.bare() {
            let message = format!("argument {} must not be {}", at + 1, node.ty);
            return Err(given.fault(&message));
        }
    }
    Ok(())
}

/// Returns an error if the second argument is not a list of strings or patterns that ClickHouse can search for in the
/// first argument.
pub(super) fn check_needles(given: &FunctionCall<'_>) -> Result<()> {
    if given.nodes[0].ty.is_null() {
        return Ok(());
    }
    let of = given.element(1)?;
    if !of.bare().is_text() && of != Type::Nothing {
        return Err(given.fault("the list must contain strings"));
    }
    if of.is_nullable() {
        return Err(given.fault("the strings of argument 2 must not be Nullable"));
    }
    if has_one_value(&given.nodes[0]) && varies(&given.nodes[1]) {
        return Err(given.fault("argument 2 must be constant if argument 1 is constant"));
    }
    Ok(())
}

/// Returns true if ClickHouse computes the value of the node while it resolves the query. This applies to constants, to
/// uncorrelated subqueries, and to most calls that have only arguments of these kinds, such as `upper((SELECT 'a'))`.
/// It does not apply to calls that ClickHouse evaluates only while the query runs, such as `materialize(1)`.
pub(super) fn is_known(node: &Node) -> bool {
    let is_known_itself = match &node.kind {
        Kind::Const(_) => true,
        Kind::Lazy(lazy, _) => *lazy != Lazy::First,
        Kind::Call { .. } | Kind::Scalar(_) | Kind::Exists(_) => !is_row(node),
        _ => false,
    };
    is_known_itself && node.children().iter().all(|child| is_known(child))
}

pub(super) fn are_known(nodes: &[Arc<Node>]) -> bool {
    nodes.iter().all(|node| is_known(node))
}

/// Returns true if the value of the node can differ between rows, or between the list elements for which an enclosing
/// lambda runs.
pub(crate) fn varies(node: &Node) -> bool {
    varies_outside(node, usize::MAX)
}

/// Returns true if the value of a node can differ between rows, or between the list elements of an enclosing lambda.
/// Lambda parameters with an index below `first` belong to an enclosing lambda. All other lambda parameters are
/// ignored, because their lambda is inside the checked expression.
fn varies_outside(node: &Node, first: usize) -> bool {
    let first = match &node.kind {
        Kind::Param(at) => return *at < first,
        Kind::Lambda { first: own, .. } => first.min(*own),
        _ => first,
    };
    is_row(node) || node.children().iter().any(|child| varies_outside(child, first))
}

/// Returns true if the node reads the current row, such as a column or a correlated subquery. Also returns true for a
/// call that ClickHouse evaluates for each row even if all its arguments are constant. Child nodes are not checked.
pub(crate) fn is_row(node: &Node) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Lazy(..) | Kind::Lambda { .. } | Kind::Param(_) => false,
        Kind::Call { per_row, .. } => *per_row,
        Kind::Scalar(query) | Kind::Exists(query) => query.is_correlated(),
        _ => true,
    }
}

/// Returns true if ClickHouse computes one value of the expression for all rows, before it reads the first row.
/// Examples are a constant, a call of `ignore`, and `ifNull(1, x)`.
pub(crate) fn has_one_value(node: &Node) -> bool {
    if let Some(part) = selected(node) {
        return has_one_value(part);
    }
    let is_call = matches!(node.kind, Kind::Lazy(..) | Kind::Call { per_row: false, .. });
    !varies(node) || is_call && node.children().iter().all(|child| has_one_value(child))
}

/// Copies an expression for which [`has_one_value`] returns true. The copy does not read the row: a call such as
/// `ifNull(1, x)` is replaced by the argument that it returns.
pub(crate) fn without_row(node: &Arc<Node>) -> Result<Arc<Node>> {
    node.rewrite(&mut |node| selected(node).map(without_row).transpose())
}

/// Returns the value of a node if the value is the same constant for every row. Such a node is a constant, or a call
/// such as `if(x, 1, 1)`, `multiIf(1, 1, x, 2, 3)` or `ifNull(1, x)`.
pub(super) fn one_constant(node: &Node) -> Option<&Value> {
    node.as_const().or_else(|| one_constant(selected(node)?))
}

/// Finds the argument that a call returns for every row, such as the literal `1` in `ifNull(1, x)` or `if(x, 1, 1)`.
/// Returns `None` if no such argument is found.
pub(crate) fn selected(node: &Node) -> Option<&Arc<Node>> {
    let Kind::Lazy(lazy, parts) = &node.kind else { return None };
    match (lazy, parts.as_slice()) {
        (Lazy::First, [first, ..]) => Some(first),
        (Lazy::MultiIf | Lazy::Decided, [_, a, b]) if a.key == b.key => Some(a),
        (Lazy::MultiIf | Lazy::Decided, [pairs @ .., last]) => {
            for pair in pairs.chunks_exact(2) {
                if pair[0].as_const()?.is_true() {
                    return Some(&pair[1]);
                }
            }
            Some(last)
        }
        _ => None,
    }
}
