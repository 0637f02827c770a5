//! Constant arguments: which ones ClickHouse requires, and which values it knows before it reads rows.

use super::Given;
use crate::node::{Kind, Lazy, Node};
use crate::problem::Result;

/// Arguments that ClickHouse must know when it resolves the call: the function and the index of the argument.
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

/// Arguments that must have one value for all rows. A call that ClickHouse computes when the query begins is such a value.
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

/// Arguments that are neither Nullable nor LowCardinality.
const PLAIN: &[(&str, usize)] = &[("arrayReduce", 0), ("CAST", 1), ("tupleElement", 1)];

/// Returns an error if an argument that must be constant is not.
pub(super) fn check(given: &Given<'_>) -> Result<()> {
    for (at, node) in given.nodes.iter().enumerate() {
        let place = (given.name, at);
        let is_varying = RESOLVED.contains(&place) && node.as_const().is_none()
            || SAME.contains(&place) && varies(node);
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

/// Returns an error for lists of strings or patterns that ClickHouse does not search for.
pub(super) fn check_needles(given: &Given<'_>) -> Result<()> {
    if given.element(1)?.is_nullable() {
        return Err(given.fault("the strings of the list must not be Nullable"));
    }
    if given.constant(0).is_some() && varies(&given.nodes[1]) {
        return Err(given.fault("the list must be constant, because the string is"));
    }
    Ok(())
}

/// Returns true if the value can differ between rows, or between the elements of a list that a lambda visits.
pub(super) fn varies(node: &Node) -> bool {
    varies_outside(node, usize::MAX)
}

/// Like `varies`, inside a lambda whose first parameter is `first`. Its own parameters vary only with its arguments.
fn varies_outside(node: &Node, first: usize) -> bool {
    let first = match &node.kind {
        Kind::Param(at) => return *at < first,
        Kind::Lambda { first: own, .. } => first.min(*own),
        _ => first,
    };
    is_row(node) || node.children().iter().any(|child| varies_outside(child, first))
}

/// Returns true for nodes that depend on rows, and for calls that ClickHouse evaluates for each row.
fn is_row(node: &Node) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Lazy(..) | Kind::Lambda { .. } | Kind::Param(_) => false,
        Kind::Call { args, .. } => args.iter().all(|arg| arg.as_const().is_some()),
        _ => true,
    }
}

/// Returns true for an expression without rows that is not a constant: a call with a lambda, or `ignore`.
/// ClickHouse computes it when the query begins.
pub(super) fn is_late(node: &Node) -> bool {
    node.as_const().is_none() && !varies(node)
}

/// Returns true if all rows have one value that ClickHouse knows before it reads a row.
pub(super) fn has_one_value(node: &Node) -> bool {
    has_one_branch(node)
        || match &node.kind {
            Kind::Lazy(Lazy::First, parts) => {
                parts.first().is_some_and(|first| has_one_value(first))
            }
            _ => !is_row(node) && node.children().iter().all(|child| has_one_value(child)),
        }
}

/// Returns true for a condition with the same constant in both branches.
pub(super) fn has_one_branch(node: &Node) -> bool {
    let Kind::Lazy(Lazy::MultiIf | Lazy::Decided, parts) = &node.kind else { return false };
    matches!(parts.as_slice(), [_, a, b] if a.as_const().is_some() && a.key == b.key)
}
