//! Checks PREWHERE, which in ClickHouse filters the rows of one table before joins and ARRAY JOIN.
//!
//! This engine applies the condition after the joins. Therefore it rejects conditions for which the result would be
//! different.

use super::join_tree::{Leaf, Tree};
use super::scope::Scope;
use crate::ast::{Side, Strictness};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};

/// Returns an error if the rows of the result could depend on whether the PREWHERE condition is applied before or after
/// the joins. These cases are rejected:
///
/// - A subquery of the condition reads columns of the outer query.
/// - The columns of the condition are not all in one table, or they are in a subquery of FROM.
/// - The table is on the right side of a LEFT JOIN, on the left side of a RIGHT JOIN, or in a FULL JOIN. An outer join
///   can return rows without a partner in this table.
/// - The table is in an INNER ANY JOIN, on the right side of an ASOF JOIN, or in a RIGHT ANY, RIGHT SEMI or RIGHT ANTI
///   JOIN. These joins do not return every pair of matching rows.
pub(super) fn check(node: &Node, scope: &Scope<'_>) -> Result<()> {
    node.is_uncorrelated("PREWHERE")?;
    let mut tables = Vec::new();
    if let Some(tree) = &*scope.tree.borrow() {
        collect(tree, &mut tables);
    }
    let relations = scope.relations.borrow();
    let is_of = |slot: usize, table: usize| {
        relations[table].columns.iter().any(|column| column.slot == Some(slot))
    };
    let is_foreign = |table: usize| {
        node.any(&|node| matches!(node.kind, Kind::Column(slot) if !is_of(slot, table)))
    };
    if tables.iter().all(|table| is_foreign(*table)) {
        return Err(Problem::text(
            "PREWHERE is supported only where it has the same result as WHERE: use WHERE",
        ));
    }
    Ok(())
}

/// Collects the tables whose rows can be filtered before the joins without a change of the result. For example, the
/// left table of a LEFT JOIN is collected, but not the right table.
fn collect(tree: &Tree, into: &mut Vec<usize>) {
    match tree {
        Tree::Leaf { relation, kind: Leaf::Table { .. } } => into.push(*relation),
        Tree::Leaf { .. } => {}
        Tree::Join(join) => {
            let all = join.strictness == Strictness::All;
            let is_any = join.strictness == Strictness::Any;
            let (left, right) = match join.side {
                Side::Inner => (!is_any, all),
                Side::Cross => (true, true),
                Side::Left => (true, false),
                Side::Right => (false, all),
                Side::Full => (false, false),
            };
            if left {
                collect(&join.left, into);
            }
            if right {
                collect(&join.right, into);
            }
        }
    }
}
