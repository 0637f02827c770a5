//! Expressions whose errors end the query even if no row needs their value.
//!
//! ClickHouse evaluates two kinds of expressions early. Before the first row, it evaluates calls that are the same for
//! all rows and contain a lambda, a subquery, or an argument such as `ifNull(0, x)`. An example is
//! `intDiv(1, (SELECT 0))`. Before ARRAY JOIN, it evaluates expressions that do not use an ARRAY JOIN element, even for
//! a row with empty arrays.

use std::sync::Arc;

use crate::functions::constants::{has_one_value, varies, without_row};
use crate::node::{Kind, Lazy, Node};
use crate::problem::Result;
use crate::run::plan::{Aggregate, Lifted, Select, Source, Window, WindowFunction};

/// Collects the expressions of a SELECT that ClickHouse evaluates early. Calls that [`collect_constants`] finds, such
/// as `arrayMap(x -> x + 1, [1])`, are evaluated before the first row is read. If the SELECT has an ARRAY JOIN, some
/// calls and conditions are evaluated before the ARRAY JOIN: those for which [`is_free`] returns true.
///
/// # Errors
/// If a collected expression is too large.
pub(super) fn lifted(
    plan: &Select,
    keys: &[Arc<Node>],
    aggregates: &[Aggregate],
    windows: &[(u64, Window)],
) -> Result<Lifted> {
    let slots: Vec<usize> = plan
        .array_joins
        .iter()
        .flat_map(|join| join.arrays.iter().map(|(_, slot, _)| *slot))
        .collect();
    let mut found = Lifted::default();
    let arrays = plan.array_joins.iter().flat_map(|join| join.arrays.iter().map(|(node, ..)| node));
    let args = aggregates.iter().flat_map(|aggregate| &aggregate.args);
    let all: Vec<&Arc<Node>> = arrays.chain(&plan.list).chain(keys).chain(args).collect();
    for node in all.iter().copied().chain(outside_list(plan, windows)) {
        collect_constants(node, &mut found.constants)?;
    }

    if slots.is_empty() {
        return Ok(found);
    }
    if let Some(filter) = &plan.filter {
        split(filter, &slots, &mut found);
    }
    for node in all {
        collect(node, &slots, &mut found.values);
    }
    Ok(found)
}

/// Returns the conditions, sort keys and window arguments of a SELECT.
fn outside_list<'a>(
    plan: &'a Select,
    windows: &'a [(u64, Window)],
) -> impl Iterator<Item = &'a Arc<Node>> {
    let windows = windows.iter().flat_map(|(_, window)| {
        let order = window.order.iter().map(|key| &key.node);
        let args = match &window.function {
            WindowFunction::Aggregate(aggregate) => aggregate.args.as_slice(),
            _ => &[],
        };
        window.partition.iter().chain(order).chain(args)
    });
    let order = plan.order.iter().map(|key| &key.node).chain(&plan.distinct_on);
    let limit_by = plan.limit_by.iter().flat_map(|limit_by| &limit_by.by);
    let conditions = plan.filter.iter().chain(&plan.having).chain(&plan.qualify);
    windows.chain(order).chain(limit_by).chain(conditions)
}

/// Collects the outermost calls that contain a lambda, a subquery, or an argument such as `ifNull(0, x)`, and have the
/// same value for all rows.
fn collect_constants(node: &Arc<Node>, into: &mut Vec<Arc<Node>>) -> Result<()> {
    let is_early = |node: &Node| matches!(node.kind, Kind::Lambda { .. } | Kind::Scalar(_));
    let is_constant = !node.any(&|node| match &node.kind {
        Kind::Scalar(query) => query.is_correlated(),
        Kind::Const(_) | Kind::Param(_) | Kind::Lazy(..) | Kind::Lambda { .. } => false,
        Kind::Call { per_row, .. } => {
            *per_row && !node.any(&|node| matches!(node.kind, Kind::Lambda { .. }))
        }
        _ => true,
    });
    match &node.kind {
        Kind::Scalar(_) => {}
        Kind::Call { .. } if varies(node) && has_one_value(node) => into.push(without_row(node)?),
        _ if is_constant && node.any(&is_early) => into.push(Arc::clone(node)),
        Kind::Lambda { args, .. } => {
            args.iter().try_for_each(|arg| collect_constants(arg, into))?;
        }
        _ => node.children().into_iter().try_for_each(|child| collect_constants(child, into))?,
    }
    Ok(())
}

/// Collects the constant calls in the conditions of all joins of FROM; see [`collect_constants`].
pub(super) fn collect_from_joins(source: &Source, into: &mut Vec<Arc<Node>>) -> Result<()> {
    let Source::Join(join) = source else { return Ok(()) };
    let keys = join.keys.iter().flat_map(|(left, right)| [left, right]);
    for node in keys.chain(&join.rest) {
        collect_constants(node, into)?;
    }
    collect_from_joins(&join.left, into)?;
    collect_from_joins(&join.right, into)
}

/// Splits a filter at AND. Conditions that do not depend on ARRAY JOIN are appended to `into.conditions`. Calls inside
/// the other conditions are appended to `into.values` if they do not depend on ARRAY JOIN.
fn split(filter: &Arc<Node>, slots: &[usize], into: &mut Lifted) {
    match &filter.kind {
        Kind::Lazy(Lazy::Filter, parts) => parts.iter().for_each(|part| split(part, slots, into)),
        _ if is_free(filter, slots) => into.conditions.push(Arc::clone(filter)),
        _ => collect(filter, slots, &mut into.values),
    }
}

/// Returns true if the expression does not depend on an ARRAY JOIN element, an aggregate function or a window function.
fn is_free(node: &Node, slots: &[usize]) -> bool {
    !node.any(&|node| match &node.kind {
        Kind::Column(slot) => slots.contains(slot),
        Kind::Aggregate(_) | Kind::Window(_) | Kind::ArrayJoin(_) => true,
        _ => false,
    })
}

/// Collects the calls in an expression for which [`is_free`] returns true. For example, if `x` is an ARRAY JOIN element
/// and `s` is not, only `lower(s)` is collected from `concat(lower(s), x)`. The arguments of a collected call and the
/// body of a lambda are not searched.
fn collect(node: &Arc<Node>, slots: &[usize], into: &mut Vec<Arc<Node>>) {
    let is_call = matches!(node.kind, Kind::Call { .. } | Kind::Lazy(..) | Kind::Lambda { .. });
    if is_free(node, slots) {
        into.extend(is_call.then(|| Arc::clone(node)));
        return;
    }
    match &node.kind {
        Kind::Lambda { args, .. } => args.iter().for_each(|arg| collect(arg, slots, into)),
        _ => node.children().into_iter().for_each(|child| collect(child, slots, into)),
    }
}
