//! Resolves `*` and `COLUMNS('...')` with their modifiers.
//!
//! The input is a placeholder, such as `*`. The output is the columns that replace the placeholder, each as an
//! expression with a name.

use std::sync::Arc;

use super::Resolver;
use super::scope::Scope;
use crate::ast::{Call, Columns, Expr};
use crate::node::Node;
use crate::problem::{Problem, Result};

impl Resolver {
    /// Replaces `*` or `COLUMNS('...')` by the columns of the tables, and appends these columns to `list`. Applies the
    /// modifiers EXCEPT, REPLACE and APPLY.
    pub(super) fn star(
        &mut self,
        columns: &Columns,
        scope: &Scope<'_>,
        list: &mut Vec<(String, Arc<Node>)>,
    ) -> Result<()> {
        self.has_wildcard |= columns.pattern.is_none();
        let found = matching(columns, scope)?;
        for name in &columns.except {
            let known = scope
                .relations
                .borrow()
                .iter()
                .any(|relation| relation.columns.iter().any(|column| column.name == *name));
            if !known {
                return Err(Problem::text(format!("there is no column `{name}`")));
            }
        }

        for (name, relation, column) in found {
            let replaced = columns.replace.iter().find(|(_, of)| *of == name);
            let (shown, node) = match replaced {
                Some((value, _)) => (name.clone(), self.expr(value, scope)?),
                None => (scope.qualified_name(relation, column), scope.column(relation, column)),
            };
            let (shown, node) = self.applied(columns, &name, shown, node, scope)?;
            list.push((shown, node));
        }
        Ok(())
    }

    /// Applies the functions of APPLY to a column, as in `* APPLY(sum)`. Without APPLY, returns the column unchanged.
    pub(super) fn applied(
        &mut self,
        columns: &Columns,
        name: &str,
        shown: String,
        node: Arc<Node>,
        scope: &Scope<'_>,
    ) -> Result<(String, Arc<Node>)> {
        if columns.apply.is_empty() {
            return Ok((shown, node));
        }
        let mut expr = Expr::name(name);
        for function in &columns.apply {
            expr = match function {
                Expr::Name(path) if path.len() == 1 => Expr::call(&path[0], vec![expr]),
                _ => return Err(Problem::text("APPLY needs the name of a function")),
            };
        }
        Ok((crate::names::column_name(&expr), self.expr(&expr, scope)?))
    }
}

/// Returns the columns that `*` or `COLUMNS('...')` stands for, without the columns of EXCEPT. Each item contains the
/// name of a column, the index of its table or subquery in FROM, and the index of the column in this table or subquery.
fn matching(columns: &Columns, scope: &Scope<'_>) -> Result<Vec<(String, usize, usize)>> {
    let pattern = match &columns.pattern {
        Some(text) => Some(
            regex::Regex::new(text)
                .map_err(|_| Problem::text(format!("`{text}` is not a regular expression")))?,
        ),
        None => None,
    };
    if scope.relations.borrow().is_empty() {
        return Err(Problem::text("`*` needs FROM"));
    }

    let called = columns.of.join(".");
    let wanted = |at: usize| {
        let relations = scope.relations.borrow();
        called.is_empty() || relations[at].names.contains(&called)
    };

    let count = scope.relations.borrow().len();
    let mut any_relation = false;
    let mut found = Vec::new();
    // Columns of USING come first. Among them, the columns of the outermost join come first.
    let is_merged = |at: &usize| scope.relations.borrow()[*at].is_merged();
    let merged = (0..count).rev().filter(|at| is_merged(at) && called.is_empty());
    let plain = (0..count).filter(|at| !is_merged(at) && wanted(*at));
    let all: Vec<usize> = (0..count).collect();

    for relation in merged.chain(plain) {
        any_relation = true;
        let size = scope.relations.borrow()[relation].columns.len();
        for column in 0..size {
            let name = scope.relations.borrow()[relation].columns[column].name.clone();
            let is_wanted = pattern.as_ref().is_none_or(|pattern| pattern.is_match(&name));
            let is_replaced = called.is_empty() && !scope.holders(&name, &all).contains(&relation);
            let is_dropped = columns.except.contains(&name) || is_replaced;
            if is_wanted && !is_dropped && !called.is_empty() {
                scope.check_unique(&[called.clone(), name.clone()], relation)?;
            }
            if is_wanted && !is_dropped {
                found.push((name, relation, column));
            }
        }
    }

    if !any_relation {
        return Err(Problem::text(format!("there is no table `{called}`")));
    }
    Ok(found)
}

/// Copies an expression. Columns for which `name` returns a new name are renamed.
pub(super) fn renamed(expr: &Expr, name: &dyn Fn(&[String]) -> Option<String>) -> Expr {
    let all = |exprs: &[Expr]| exprs.iter().map(|expr| renamed(expr, name)).collect::<Vec<_>>();
    match expr {
        Expr::Name(path) => name(path).map_or_else(|| expr.clone(), |name| Expr::Name(vec![name])),
        Expr::Call(call) => Expr::Call(Box::new(Call {
            name: call.name.clone(),
            parameters: call.parameters.clone(),
            args: all(&call.args),
            distinct: call.distinct,
            filter: call.filter.as_ref().map(|filter| renamed(filter, name)),
            over: call.over.clone(),
        })),
        Expr::Array(items) => Expr::Array(all(items)),
        Expr::Tuple(items) => Expr::Tuple(all(items)),
        Expr::In(value, set, negated) => {
            Expr::In(Box::new(renamed(value, name)), set.clone(), *negated)
        }
        other => other.clone(),
    }
}
