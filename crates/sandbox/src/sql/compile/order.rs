//! ORDER BY.

use sqlparser::ast::{Expr, OrderBy, OrderByExpr, OrderByKind, OrderBySort};

use super::super::problem::Problem;
use super::Compiler;
use super::scope::Scope;
use super::select::{Item, in_list, position};
use super::types::{Sql, Ty};

/// A key of ORDER BY.
pub(super) struct Key {
    /// The column that it is, if it is one.
    item: Option<usize>,
    pub(super) sql: Sql,
    direction: String,
}

impl Compiler<'_> {
    pub(super) fn keys(
        &mut self,
        order: &OrderBy,
        scope: &Scope<'_>,
        items: &[Item],
    ) -> Result<Vec<Key>, Problem> {
        if order.interpolate.is_some() {
            return Err(Problem::text("INTERPOLATE is not run here"));
        }

        let exprs = match &order.kind {
            OrderByKind::Expressions(exprs) => exprs,
            OrderByKind::All(options) => {
                let direction = direction(options.sort.is_some_desc(), options.nulls_first);
                let all = items.iter().enumerate().map(|(at, item)| Key {
                    item: Some(at),
                    sql: item.sql.clone(),
                    direction: direction.clone(),
                });
                return Ok(all.collect());
            }
        };
        let mut keys = Vec::new();

        for key in exprs {
            check_key(key)?;

            let place = match (position(&key.expr), &key.expr) {
                (Some(place), _) => Some(in_list(place, items.len())?),
                (None, Expr::Identifier(name)) => {
                    items.iter().position(|item| item.name == name.value)
                }
                _ => None,
            };

            let sql = match place {
                Some(at) => items[at].sql.clone(),
                None => self.expr(&key.expr, scope)?,
            };
            let same = || items.iter().position(|item| item.sql.text == sql.text);
            let item = place.or_else(same);
            let direction = direction(key.options.sort.is_some_desc(), key.options.nulls_first);
            keys.push(Key { item, sql, direction });
        }

        Ok(keys)
    }

    /// The keys of a union, which has columns and nothing else to sort by.
    pub(super) fn order(
        &mut self,
        exprs: &[OrderByExpr],
        scope: &Scope<'_>,
        columns: &[(String, Ty)],
    ) -> Result<String, Problem> {
        let mut keys = Vec::new();
        for key in exprs {
            check_key(key)?;
            let text = match position(&key.expr) {
                Some(place) => format!("k{}", in_list(place, columns.len())?),
                None => self.expr(&key.expr, scope)?.text,
            };
            let direction = direction(key.options.sort.is_some_desc(), key.options.nulls_first);
            keys.push(format!("{text}{direction}"));
        }
        Ok(keys.join(", "))
    }
}

/// Whether a direction is given and downwards.
pub(super) trait Downwards {
    fn is_some_desc(&self) -> bool;
}

impl Downwards for Option<OrderBySort> {
    fn is_some_desc(&self) -> bool {
        matches!(self, Some(OrderBySort::Desc))
    }
}

/// Nothing comes last in either direction unless it is asked for first.
pub(super) fn direction(descending: bool, nulls_first: Option<bool>) -> String {
    let way = if descending { " DESC" } else { " ASC" };
    let nulls = if nulls_first == Some(true) { " NULLS FIRST" } else { " NULLS LAST" };
    format!("{way}{nulls}")
}

fn check_key(key: &OrderByExpr) -> Result<(), Problem> {
    if key.with_fill.is_some() {
        return Err(Problem::text("WITH FILL is not run here"));
    }
    Ok(())
}

/// ` ORDER BY` and the keys, as columns where they are any, if that is wanted.
pub(super) fn ordered_by(keys: &[Key], by_column: bool) -> String {
    let texts: Vec<_> = keys
        .iter()
        // A constant sorts nothing, and a bare number would be read as a place.
        .filter(|key| !key.sql.is_constant)
        .map(|key| match key.item.filter(|_| by_column) {
            Some(at) => format!("k{at}{}", key.direction),
            None => format!("{}{}", key.sql.text, key.direction),
        })
        .collect();
    if texts.is_empty() { String::new() } else { format!(" ORDER BY {}", texts.join(", ")) }
}
