//! Resolves join conditions, which follow USING or ON.
//!
//! The input is the condition of a join. The output is the pairs of keys that must be equal, and the other conditions.

use std::sync::Arc;

use super::Resolver;
use super::from::relation;
use super::join_tree::JoinTree;
use super::scope::Scope;
use crate::ast::{Call, Expr, Side, Strictness};
use crate::functions;
use crate::functions::branches::{as_type, without_zeros};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::Asof;
use crate::types::{self, Type};

impl Resolver {
    /// Resolves the columns of USING. A left row and a right row match if they have equal values in these columns. Each
    /// column occurs once in the result. In an ASOF JOIN, the values of the last column can differ: the right value
    /// must be at most the left value. If several right rows match, the right row with the largest value in this column
    /// is selected.
    pub(super) fn using(
        &mut self,
        names: &[String],
        tree: &mut JoinTree,
        scope: &Scope<'_>,
    ) -> Result<()> {
        let mut columns = Vec::new();
        let mut made = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let of = |relations: &[usize]| {
                let known = scope.relations.borrow();
                let found = relations.iter().rev().find_map(|relation| {
                    let columns = &known[*relation].columns;
                    Some((*relation, columns.iter().position(|column| column.name == *name)?))
                });
                drop(known);
                found.map(|place| (place, scope.column(place.0, place.1)))
            };
            let side = |found: Option<((usize, usize), Arc<Node>)>, which: &str| {
                found.ok_or_else(|| {
                    Problem::text(format!("the {which} side of USING has no column `{name}`"))
                })
            };
            let (left_place, left) = side(of(&tree.left_relations), "left")?;
            let (right_place, right) = side(of(&tree.right_relations), "right")?;
            let common = types::common(&[&left.ty, &right.ty]).ok_or_else(|| {
                Problem::text(format!("the columns `{name}` of USING have no common type"))
            })?;
            let (left, right) = (key(&left, &common)?, key(&right, &common)?);
            for (relation, column) in [left_place, right_place] {
                scope.relations.borrow_mut()[relation].columns[column].common =
                    Some(common.clone());
            }
            if tree.side == Side::Right {
                let column = &mut scope.relations.borrow_mut()[left_place.0].columns[left_place.1];
                column.is_qualified = true;
            }
            tree.keys.push((Arc::clone(&left), Arc::clone(&right)));
            columns.push((name.clone(), common));
            made.push((at, left, right));
        }

        if tree.strictness == Strictness::Asof {
            let Some((left, right)) = tree.keys.pop() else {
                return Err(Problem::text("ASOF JOIN needs columns in USING"));
            };
            tree.asof = Some(Asof { left, right, smaller: true, or_equal: true });
        }
        let merged = relation(scope, Vec::new(), columns);
        scope.relations.borrow_mut()[merged].is_merged = true;
        tree.merged = made.into_iter().map(|(at, left, right)| (merged, at, left, right)).collect();
        Ok(())
    }

    /// Resolves one of the conditions in ON. Adds an equality of a left and a right expression, such as `a.id = b.id`,
    /// to the keys in `tree`. For ASOF JOIN, also stores the first inequality, such as `a.time >= b.time`, in `tree`.
    /// Appends all other conditions to `rest`.
    pub(super) fn condition(
        &mut self,
        expr: &Expr,
        tree: &mut JoinTree,
        rest: &mut Vec<Arc<Node>>,
        scope: &Scope<'_>,
    ) -> Result<()> {
        let compared = match expr.bare() {
            Expr::Call(call) if call.args.len() == 2 => Some(call),
            _ => None,
        };
        let Some(call) = compared else {
            rest.push(self.expr(expr, scope)?);
            return Ok(());
        };

        let name = call.name.as_str();
        let (a, b) = (self.expr(&call.args[0], scope)?, self.expr(&call.args[1], scope)?);
        let sides = (side_of(&a, tree, scope), side_of(&b, tree, scope));
        let pair = match sides {
            (Some(true), Some(false)) => Some((a, b, false)),
            (Some(false), Some(true)) => Some((b, a, true)),
            _ => None,
        };

        let is_order = matches!(name, "less" | "lessOrEquals" | "greater" | "greaterOrEquals");

        match pair {
            Some((left, right, _)) if name == "equals" => {
                let fault =
                    || Problem::text(format!("{} and {} cannot be compared", left.ty, right.ty));
                let common = functions::ordered(&left.ty, &right.ty).ok_or_else(fault)?;
                tree.keys.push((key(&left, &common)?, key(&right, &common)?));
            }
            Some((left, right, swapped))
                if is_order && tree.strictness == Strictness::Asof && tree.asof.is_none() =>
            {
                let common = functions::ordered(&left.ty, &right.ty).ok_or_else(|| {
                    Problem::text("the sides of the ASOF JOIN inequality have no common type")
                })?;
                let to = |node: &Arc<Node>| {
                    as_type(node, &common.clone().nullable_if(node.ty.is_nullable()))
                };
                let greater = name.starts_with("greater") != swapped;
                tree.asof = Some(Asof {
                    left: to(&left)?,
                    right: to(&right)?,
                    smaller: greater,
                    or_equal: name.ends_with("OrEquals"),
                });
            }
            _ => rest.push(self.expr(&Expr::Call(Box::new(Call::clone(call))), scope)?),
        }
        Ok(())
    }
}

/// Converts a join key to the common type of both sides. Zero bytes at the end of a FixedString are removed.
fn key(node: &Arc<Node>, common: &Type) -> Result<Arc<Node>> {
    let is_nullable = common.is_nullable() || node.ty.is_nullable();
    without_zeros(node, &common.clone().nullable_if(is_nullable))
}

/// Returns true if all columns of an expression are on the left side of the join, and false if all are on the right
/// side. Returns `None` for columns of both sides, and for an expression without columns.
fn side_of(node: &Arc<Node>, tree: &JoinTree, scope: &Scope<'_>) -> Option<bool> {
    let relations = scope.relations.borrow();
    let is_in = |slot: usize, side: &[usize]| {
        side.iter().any(|at| relations[*at].columns.iter().any(|column| column.slot == Some(slot)))
    };
    let mut slots = Vec::new();
    collect(node, &mut slots);
    if slots.is_empty() {
        return None;
    }
    if slots.iter().all(|slot| is_in(*slot, &tree.left_relations)) {
        return Some(true);
    }
    slots.iter().all(|slot| is_in(*slot, &tree.right_relations)).then_some(false)
}

fn collect(node: &Arc<Node>, slots: &mut Vec<usize>) {
    if let Kind::Column(slot) = node.kind {
        slots.push(slot);
    }
    for child in node.children() {
        collect(child, slots);
    }
}
