//! Resolves join conditions, which follow USING or ON.
//!
//! The input is the condition of a join. The output is the pairs of keys that must be equal, and the other conditions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Resolver;
use super::from::{conjuncts, relation};
use super::join_tree::JoinTree;
use super::scope::Scope;
use crate::ast::{Call, Expr, Side, Strictness};
use crate::functions::branches::{as_type, without_zeros};
use crate::node::{Kind, Node, Run};
use crate::problem::{Problem, Result};
use crate::run::plan::Asof;
use crate::types::{self, BYTE, Type};
use crate::value::Value;

impl Resolver {
    /// Resolves the columns of USING. A left row and a right row match if they have equal values in these columns. Each
    /// column occurs once in the result. In an ASOF JOIN, the last column is compared differently: its right value must
    /// be at most the left value, and the right row with the largest of these values is selected.
    pub(super) fn using(
        &mut self,
        names: &[String],
        tree: &mut JoinTree,
        scope: &Scope<'_>,
    ) -> Result<()> {
        let mut columns = Vec::new();
        let mut made = Vec::new();
        for (at, name) in names.iter().enumerate() {
            if scope.holders(name, &tree.left_relations).len() > 1 || tree.left.has_full_using() {
                return Err(Problem::text(format!(
                    "USING finds several columns `{name}` on the left side: use ON"
                )));
            }

            let (left_place, left) = column_of(&tree.left_relations, name, "left", scope)?;
            let (right_place, right) = column_of(&tree.right_relations, name, "right", scope)?;
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
                return Err(Problem::text("USING of ASOF JOIN must list at least one column"));
            };
            asof_type(&left.ty, &right.ty)?;
            tree.asof = Some(Asof { left, right, smaller: true, or_equal: true });
        }

        let merged = relation(scope, Vec::new(), columns);
        let sides = tree.left_relations.iter().chain(&tree.right_relations);
        scope.relations.borrow_mut()[merged].merges = sides.copied().collect();
        tree.merged = made.into_iter().map(|(at, left, right)| (merged, at, left, right)).collect();
        Ok(())
    }

    /// Resolves one of the conditions in ON. An equality of a left and a right expression, such as `a.id = b.id`, is
    /// added to the keys in `tree`. For ASOF JOIN, the first inequality, such as `a.time >= b.time`, is also stored in
    /// `tree`. All other conditions are appended to `rest`.
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
                let fault = || {
                    let (left, right) = (&left.ty, &right.ty);
                    Problem::text(format!(
                        "the join keys of types {left} and {right} have no common type"
                    ))
                };
                let common = types::common(&[&left.ty, &right.ty]).ok_or_else(fault)?;
                tree.keys.push((key(&left, &common)?, key(&right, &common)?));
            }

            Some((left, right, swapped))
                if is_order && tree.strictness == Strictness::Asof && tree.asof.is_none() =>
            {
                let common = asof_type(&left.ty, &right.ty)?;
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

    /// Checks a join whose condition has no equality of a left and a right expression, such as `a.id = b.id`. `rest`
    /// contains the other conditions of the join. The function stores in `tree` whether one of them reads columns of
    /// both sides.
    ///
    /// # Errors
    /// Returns an error if ClickHouse does not run this kind of join without an equality.
    pub(super) fn check_keys(
        &mut self,
        condition: &Expr,
        tree: &mut JoinTree,
        rest: &[Arc<Node>],
        scope: &Scope<'_>,
    ) -> Result<()> {
        tree.is_mixed = rest.iter().any(|node| is_mixed(node, tree, scope));
        let is_inner = tree.side == Side::Inner;
        if !tree.keys.is_empty() || is_inner && tree.strictness == Strictness::All {
            return Ok(());
        }
        let varying: Vec<_> = rest.iter().filter(|node| node.as_const().is_none()).collect();
        let is_any_inner = is_inner && tree.strictness == Strictness::Any;
        if !is_any_inner && (varying.is_empty() || self.has_keys(condition, tree, scope)?) {
            return Ok(());
        }

        // A condition of one side is a filter of this side, which must not be the side whose rows are all kept.
        let is_of = |side: bool| {
            varying.iter().all(|node| {
                let found = side_of(node, tree, scope);
                found == Some(side) || found.is_none() && side && !reads_columns(node)
            })
        };
        let is_supported = match (tree.strictness, tree.side) {
            (Strictness::Asof, _) => true,
            (Strictness::Semi, _) => !tree.is_mixed,
            (Strictness::All | Strictness::Anti, Side::Right) => is_of(true),
            (Strictness::All | Strictness::Anti, Side::Left) => is_of(false),
            _ => false,
        };
        if is_supported {
            return Ok(());
        }
        Err(Problem::text(
            "ON of this JOIN must contain an equality of a left and a right column, as in a.id = b.id",
        ))
    }

    /// Finds the equalities in WHERE that compare floats of two tables, and appends one condition to `checks` for each
    /// equality. ClickHouse uses these equalities as join keys, so NaN is equal to NaN, and 0 is not equal to -0. The
    /// appended condition fails for these values, and is true for all other values.
    pub(super) fn check_floats(
        &mut self,
        condition: &Expr,
        checks: &mut Vec<Arc<Node>>,
        scope: &Scope<'_>,
    ) -> Result<()> {
        let mut all = Vec::new();
        conjuncts(condition, &mut all);
        for one in all {
            let Expr::Call(call) = one else { continue };
            let [a, b] = call.args.as_slice() else { continue };
            if call.name != "equals" || scope.relations.borrow().len() < 2 {
                continue;
            }

            let (a, b) = self.resolved_again(a, b, scope)?;
            let is_float = a.ty.bare().is_float() || b.ty.bare().is_float();
            let (of_a, of_b) = (relations_of(&a, scope), relations_of(&b, scope));
            if is_float && !of_a.is_empty() && !of_b.is_empty() && of_a != of_b {
                let run: Run = Arc::new(comparable_floats);
                let kind = Kind::Call { run, args: vec![a, b], propagates: false, per_row: true };
                checks.push(Node::make(kind, BYTE, "comparable")?);
            }
        }
        Ok(())
    }

    /// Resolves two expressions of a condition that has already been resolved. Their subqueries are not counted again.
    fn resolved_again(
        &mut self,
        a: &Expr,
        b: &Expr,
        scope: &Scope<'_>,
    ) -> Result<(Arc<Node>, Arc<Node>)> {
        let (uses, breaches, subqueries) = (self.uses.len(), self.breaches.len(), self.subqueries);
        let nodes = (self.expr(a, scope)?, self.expr(b, scope)?);
        self.uses.truncate(uses);
        self.breaches.truncate(breaches);
        self.subqueries = subqueries;
        Ok(nodes)
    }

    /// Returns true if a condition contains an equality of a left and a right expression, such as `a.id = b.id`. Each
    /// alternative of OR must contain an equality, as in `a.id = b.id OR a.name = b.name AND a.day > 1`.
    fn has_keys(&mut self, condition: &Expr, tree: &JoinTree, scope: &Scope<'_>) -> Result<bool> {
        let Expr::Call(call) = condition.bare() else { return Ok(false) };
        match call.name.to_ascii_lowercase().as_str() {
            "equals" | "isnotdistinctfrom" if call.args.len() == 2 => {
                let (a, b) = self.resolved_again(&call.args[0], &call.args[1], scope)?;
                let sides = (side_of(&a, tree, scope), side_of(&b, tree, scope));
                Ok(matches!(sides, (Some(true), Some(false)) | (Some(false), Some(true))))
            }
            "and" => {
                let mut args = call.args.iter();
                args.try_fold(false, |found, arg| Ok(self.has_keys(arg, tree, scope)? || found))
            }
            "or" => {
                let mut args = call.args.iter();
                args.try_fold(true, |found, arg| Ok(self.has_keys(arg, tree, scope)? && found))
            }
            _ => Ok(false),
        }
    }
}

/// Place of a column: the indexes of its relation and of the column in this relation.
type Place = (usize, usize);

/// Finds a column of USING in the relations on one `side` of a join.
fn column_of(
    relations: &[usize],
    name: &str,
    side: &str,
    scope: &Scope<'_>,
) -> Result<(Place, Arc<Node>)> {
    let found = relations.iter().rev().find_map(|relation| {
        let columns = &scope.relations.borrow()[*relation].columns;
        Some((*relation, columns.iter().position(|column| column.name == name)?))
    });
    let place = found
        .ok_or_else(|| Problem::text(format!("the {side} side of USING has no column `{name}`")))?;
    Ok((place, scope.column(place.0, place.1)))
}

/// Returns the common type of both sides of the inequality in an ASOF JOIN.
fn asof_type(left: &Type, right: &Type) -> Result<Type> {
    let common = types::common(&[left, right]);
    let is_supported = |ty: &Type| ty.is_number() || ty.is_date() || ty.is_time();
    common.filter(|ty| is_supported(ty.bare())).ok_or_else(|| {
        let message = format!(
            "ASOF JOIN cannot compare {left} and {right}: use numbers or times of one type"
        );
        Problem::text(message)
    })
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

/// Returns true if a condition reads columns of both sides of the join.
fn is_mixed(node: &Arc<Node>, tree: &JoinTree, scope: &Scope<'_>) -> bool {
    reads_columns(node) && side_of(node, tree, scope).is_none()
}

fn comparable_floats(values: &[Value]) -> Result<Value> {
    let [a, b] = [values[0].float(), values[1].float()];
    let is_known = !values.iter().any(Value::is_null);
    if is_known && (a.is_nan() && b.is_nan() || a == 0.0 && b == 0.0 && a.to_bits() != b.to_bits())
    {
        return Err(Problem::text(
            "WHERE compares NaN or -0 of two tables: move this condition to ON",
        ));
    }
    Ok(Value::bool(true))
}

/// Returns the indexes of the relations whose columns the node reads.
fn relations_of(node: &Arc<Node>, scope: &Scope<'_>) -> BTreeSet<usize> {
    let mut slots = Vec::new();
    collect(node, &mut slots);
    let relations = scope.relations.borrow();
    let holds = |at: usize| {
        relations[at]
            .columns
            .iter()
            .any(|column| column.slot.is_some_and(|slot| slots.contains(&slot)))
    };
    (0..relations.len()).filter(|at| holds(*at)).collect()
}

fn reads_columns(node: &Node) -> bool {
    node.any(&|node| matches!(node.kind, Kind::Column(_)))
}

fn collect(node: &Arc<Node>, slots: &mut Vec<usize>) {
    if let Kind::Column(slot) = node.kind {
        slots.push(slot);
    }
    for child in node.children() {
        collect(child, slots);
    }
}
