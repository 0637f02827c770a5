//! Rewrites the expressions that are evaluated after GROUP BY, for example in SELECT and HAVING.
//!
//! Each GROUP BY key, aggregate call and window function call is replaced by the column with its value. For example,
//! with `GROUP BY a`, the expression `a + sum(b)` becomes column 0 + column 1.

use std::sync::Arc;

use super::scope::Scope;
use crate::ast::{Grouping, Select};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{Explode, Group, Select as SelectPlan, Window};
use crate::types::Type;
use crate::value::default;

/// Maximum number of grouping sets in one GROUP BY.
const MOST_SETS: usize = 64;

/// Replaces aggregate functions and window functions by columns in all clauses that are evaluated after GROUP BY.
pub(super) fn stages(
    select: &Select,
    keys: Vec<Arc<Node>>,
    plan: &mut SelectPlan,
    scope: &Scope<'_>,
) -> Result<()> {
    plan.width = scope.width.get();
    for (array, slot) in scope.array_joins.borrow().iter() {
        let Type::Array(of) = array.ty.bare() else { continue };
        let arrays = vec![(Arc::clone(array), *slot, default(of))];
        plan.array_joins.push(Explode { left: false, arrays });
    }

    let aggregates: Vec<_> = scope.aggregates.borrow().iter().map(|(_, one)| one.clone()).collect();
    let is_grouped =
        !keys.is_empty() || !aggregates.is_empty() || select.grouping == Grouping::Sets;
    if (select.totals || select.grouping != Grouping::Plain) && !is_grouped {
        return Err(Problem::text("TOTALS, ROLLUP and CUBE need GROUP BY"));
    }

    plan.lifted = super::lifted::lifted(plan, &keys, &aggregates, &scope.windows.borrow())?;

    let width = if is_grouped { keys.len() + aggregates.len() } else { plan.width };
    let late_slots = width;
    let window_slots = width + scope.late.borrow().len();
    let change = |node: &Arc<Node>| -> Result<Arc<Node>> {
        node.rewrite(&mut |node| column_for(node, &keys, is_grouped, late_slots, window_slots))
    };
    let all = |nodes: &mut Vec<Arc<Node>>| -> Result<()> {
        for node in nodes {
            *node = change(node)?;
        }
        Ok(())
    };

    for (at, array) in scope.late.borrow().iter().enumerate() {
        let Type::Array(of) = array.ty.bare() else { continue };
        let arrays = vec![(change(array)?, late_slots + at, default(of))];
        plan.late.push(Explode { left: false, arrays });
    }

    let windows: Vec<Window> = scope.windows.borrow_mut().drain(..).map(|(_, one)| one).collect();
    for mut window in windows {
        all(&mut window.partition)?;
        for key in &mut window.order {
            key.node = change(&key.node)?;
        }
        change_function(&mut window.function, &change)?;
        plan.windows.push(window);
    }

    // WITH FILL finds its columns by the keys of their nodes, which stay equal.
    all(&mut plan.list)?;
    all(&mut plan.distinct_on)?;
    for key in &mut plan.order {
        key.node = change(&key.node)?;
    }
    if let Some(limit_by) = &mut plan.limit_by {
        all(&mut limit_by.by)?;
    }
    for condition in [&mut plan.having, &mut plan.qualify].into_iter().flatten() {
        *condition = change(condition)?;
    }
    if plan.qualify.is_some() && plan.windows.is_empty() {
        return Err(Problem::text("QUALIFY needs a window function: use HAVING or WHERE"));
    }

    if is_grouped {
        let sets = grouping(select, &keys)?;
        let defaults = keys.iter().map(|key| default(&key.ty)).collect();
        // With aggregate functions, a grouping set without keys returns one row even without input rows.
        let has_total = select.grouping == Grouping::Sets && select.sets.iter().any(Vec::is_empty);
        let always = keys.is_empty() || (has_total && !aggregates.is_empty());
        plan.group = Some(Group { keys, sets, aggregates, always, defaults });
    }
    Ok(())
}

/// Returns the column that replaces a node, if an earlier step has computed the value of the node. For example, after
/// GROUP BY, a column with the sums replaces `sum(x)`. Returns `None` if the node is not replaced by a column.
///
/// # Errors
/// In a query with GROUP BY, a column that is not a key is an error. A correlated subquery is also an error.
pub(super) fn column_for(
    node: &Arc<Node>,
    keys: &[Arc<Node>],
    is_grouped: bool,
    late: usize,
    windows: usize,
) -> Result<Option<Arc<Node>>> {
    let at = |slot: usize| {
        let moved = Node::column(slot, node.ty.clone());
        Ok(Some(Node::with_key(&moved, node.key)))
    };

    if is_grouped && let Some(key) = keys.iter().position(|key| key.key == node.key) {
        return at(key);
    }
    match &node.kind {
        Kind::Aggregate(number) => at(keys.len() + number),
        Kind::ArrayJoin(number) => at(late + number),
        Kind::Window(number) => at(windows + number),
        Kind::Column(_) if is_grouped => {
            Err(Problem::text("a column is neither in an aggregate function nor in GROUP BY"))
        }
        Kind::Scalar(query) | Kind::Exists(query) | Kind::In { set: query, .. }
            if is_grouped && query.is_correlated() =>
        {
            let message = "a correlated subquery is not supported with GROUP BY";
            Err(Problem::text(message))
        }
        _ => Ok(None),
    }
}

pub(super) fn change_function(
    function: &mut crate::run::plan::WindowFunction,
    change: &dyn Fn(&Arc<Node>) -> Result<Arc<Node>>,
) -> Result<()> {
    use crate::run::plan::WindowFunction as F;

    match function {
        F::Aggregate(aggregate) => {
            for arg in &mut aggregate.args {
                *arg = change(arg)?;
            }
        }
        F::Ntile(node) | F::First(node, _) | F::Last(node, _) => *node = change(node)?,
        F::Nth(value, n, _) => {
            *value = change(value)?;
            *n = change(n)?;
        }
        F::Shift { value, by, other, .. } => {
            *value = change(value)?;
            *by = change(by)?;
            if let Some(other) = other {
                *other = change(other)?;
            }
        }
        F::RowNumber | F::Rank | F::DenseRank | F::PercentRank | F::CumeDist => {}
    }
    Ok(())
}

/// Returns the grouping sets. Each set has one flag per key, which is true if the set contains the key.
pub(super) fn grouping(select: &Select, keys: &[Arc<Node>]) -> Result<Vec<Vec<bool>>> {
    let count = keys.len();
    // ClickHouse replaces a key `(a, b)` by the two keys `a` and `b`, which adds rows to the result.
    let is_partial = matches!(select.grouping, Grouping::Rollup | Grouping::Cube);
    if is_partial && keys.iter().any(|key| matches!(key.ty, Type::Tuple(_))) {
        return Err(Problem::text("ROLLUP and CUBE do not support tuples as keys"));
    }

    let sets: Vec<Vec<bool>> = match select.grouping {
        Grouping::Plain => vec![vec![true; count]],
        Grouping::Rollup => {
            (0..=count).rev().map(|kept| (0..count).map(|at| at < kept).collect()).collect()
        }
        Grouping::Cube if count > 6 => {
            return Err(Problem::text("CUBE takes at most 6 keys"));
        }
        Grouping::Cube => (0..1_usize << count)
            .map(|bits| (0..count).map(|at| bits >> at & 1 == 0).collect())
            .collect(),
        Grouping::Sets => {
            let mut first = 0;
            let mut sets = Vec::new();
            for set in &select.sets {
                let wanted: Vec<u64> =
                    keys[first..first + set.len()].iter().map(|key| key.key).collect();
                first += set.len();
                sets.push(keys.iter().map(|key| wanted.contains(&key.key)).collect());
            }
            sets
        }
    };

    if sets.len() > MOST_SETS {
        return Err(Problem::text(format!("GROUP BY has more than {MOST_SETS} grouping sets")));
    }
    Ok(sets)
}
