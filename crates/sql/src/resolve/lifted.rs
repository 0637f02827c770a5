//! Expressions whose errors end the query even if no row needs their value.
//!
//! ClickHouse evaluates two kinds of expressions early. Before the first row, it evaluates calls that are the same for
//! all rows and contain a lambda, a subquery, or an argument such as `ifNull(0, x)`. An example is
//! `intDiv(1, (SELECT 0))`. Before ARRAY JOIN, it evaluates expressions that do not use an ARRAY JOIN element, even for
//! a row with empty arrays.

use std::sync::Arc;

use crate::functions::constants::{is_row, selected, varies, without_row};
use crate::node::{Kind, Lazy, Node};
use crate::problem::Result;
use crate::run::plan::{Aggregate, Lifted, Select, Source, Window, WindowFunction};

/// Collects the expressions of a SELECT that ClickHouse evaluates early. Some calls with the same value for all rows,
/// such as `arrayMap(x -> x + 1, [1])`, are evaluated before the first row is read. Calls and conditions that do not
/// depend on an ARRAY JOIN element are evaluated before the ARRAY JOIN.
///
/// # Errors
/// Returns the errors of [`without_row`].
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

/// Returns the expressions of a SELECT in WHERE, HAVING, QUALIFY, ORDER BY, DISTINCT ON and LIMIT BY. Also returns the
/// expressions in OVER, and the arguments of aggregate functions with OVER.
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

/// Properties of an expression that decide whether the expression is evaluated before the first row. The properties are
/// computed from the properties of the arguments, so that the time for a query grows linearly with its size.
#[derive(Clone, Copy)]
struct Constancy {
    /// True if the value of the expression can differ between rows. This is the result of the function [`varies`].
    varies: bool,
    /// Result of the function [`has_one_value`](crate::functions::constants::has_one_value) for the expression.
    has_one_value: bool,
    /// True if the expression contains a lambda.
    has_lambda: bool,
    /// True if the expression contains a lambda or a subquery.
    is_early: bool,
    /// True if the expression reads the row, or contains a call that ClickHouse evaluates for each row. A call with a
    /// lambda does not count as such a call.
    reads_row: bool,
}

impl Constancy {
    /// Computes the properties of a node from the properties of its arguments.
    fn new(node: &Node, args: &[(&Arc<Node>, Constancy)]) -> Self {
        let any = |test: fn(&Constancy) -> bool| args.iter().any(|(_, arg)| test(arg));
        if let Kind::Lambda { .. } = node.kind {
            // The arguments do not include the body, whose parameters have another value for each element.
            let varies = varies(node);
            let reads_row = node.any(&|node| {
                let has_lambda = || node.any(&|node| matches!(node.kind, Kind::Lambda { .. }));
                reads_row_itself(node, has_lambda)
            });
            let has_one_value = !varies;
            return Constancy {
                varies,
                has_one_value,
                has_lambda: true,
                is_early: true,
                reads_row,
            };
        }

        let varies = is_row(node) || any(|arg| arg.varies);
        let is_call = matches!(node.kind, Kind::Lazy(..) | Kind::Call { per_row: false, .. });
        let returned = selected(node).and_then(|part| {
            args.iter().find(|(arg, _)| Arc::ptr_eq(arg, part)).map(|(_, arg)| arg.has_one_value)
        });
        let has_lambda = any(|arg| arg.has_lambda);
        Constancy {
            varies,
            has_one_value: returned
                .unwrap_or_else(|| !varies || is_call && !any(|arg| !arg.has_one_value)),
            has_lambda,
            is_early: matches!(node.kind, Kind::Scalar(_)) || any(|arg| arg.is_early),
            reads_row: reads_row_itself(node, || has_lambda) || any(|arg| arg.reads_row),
        }
    }

    /// Returns true if ClickHouse evaluates the expression once, before it reads a row.
    fn is_collected(self, node: &Node) -> bool {
        match node.kind {
            Kind::Scalar(_) => false,
            Kind::Call { .. } if self.varies && self.has_one_value => true,
            _ => self.is_early && !self.reads_row,
        }
    }
}

/// Returns true if the node itself reads the row, or is a call that ClickHouse evaluates for each row.
fn reads_row_itself(node: &Node, has_lambda: impl Fn() -> bool) -> bool {
    match &node.kind {
        Kind::Scalar(query) => query.is_correlated(),
        Kind::Const(_) | Kind::Param(_) | Kind::Lazy(..) | Kind::Lambda { .. } => false,
        Kind::Call { per_row, .. } => *per_row && !has_lambda(),
        _ => true,
    }
}

/// Collects calls that have the same value for all rows, and contain a lambda, a subquery, or an argument such as
/// `ifNull(0, x)`. If such calls are nested, only the outermost call is collected. The bodies of lambdas are not
/// searched.
fn collect_constants(node: &Arc<Node>, into: &mut Vec<Arc<Node>>) -> Result<Constancy> {
    let outside = into.len();
    let args: Vec<&Arc<Node>> = match &node.kind {
        Kind::Lambda { args, .. } => args.iter().collect(),
        _ => node.children(),
    };
    let args: Vec<(&Arc<Node>, Constancy)> = args
        .into_iter()
        .map(|arg| Ok((arg, collect_constants(arg, into)?)))
        .collect::<Result<_>>()?;

    let found = Constancy::new(node, &args);
    if found.is_collected(node) {
        // Only the outermost call is evaluated.
        into.truncate(outside);
        into.push(if found.reads_row { without_row(node)? } else { Arc::clone(node) });
    }
    Ok(found)
}

/// Collects the constant calls in the conditions of all joins of FROM; see [`collect_constants`]. The inequality of an
/// ASOF JOIN is not searched.
pub(super) fn collect_from_joins(source: &Source, into: &mut Vec<Arc<Node>>) -> Result<()> {
    let Source::Join(join) = source else { return Ok(()) };
    let keys = join.keys.iter().flat_map(|(left, right)| [left, right]);
    for node in keys.chain(&join.rest) {
        collect_constants(node, into)?;
    }
    collect_from_joins(&join.left, into)?;
    collect_from_joins(&join.right, into)
}

/// Splits a filter at AND. Appends the conditions that do not depend on ARRAY JOIN to `into.conditions`. From the other
/// conditions, appends the calls that do not depend on ARRAY JOIN to `into.values`.
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

/// Collects the calls in an expression that do not depend on an ARRAY JOIN element, an aggregate function or a window
/// function; see [`is_free`]. For example, if `x` is an ARRAY JOIN element and `s` is a column, `lower(s)` is collected
/// from `concat(lower(s), x)`.
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
