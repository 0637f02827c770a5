//! Which days of a table a query reads, as far as its conditions say.

use std::collections::HashMap;

use super::Resolver;
use super::from::conjuncts;
use super::prepared::Breach;
use super::scope::Scope;
use crate::ast::Expr;
use crate::node::{Kind, Node};
use crate::table::Span;
use crate::types::Type;
use crate::value::Value;

/// The days that are wanted, by relation and column.
pub(crate) type Spans = HashMap<(usize, String), Span>;

impl Resolver {
    /// Notes what a condition says of days. With `only`, of these relations.
    pub(crate) fn bounds(&mut self, condition: &Expr, scope: &Scope<'_>, only: Option<&[usize]>) {
        let mut all = Vec::new();
        conjuncts(condition, &mut all);
        for one in all {
            for (slot, span) in self.bound(one, scope) {
                self.narrow(slot, span, scope, only);
            }
        }
    }

    /// What one comparison says: the place of a column, and days.
    fn bound(&mut self, expr: &Expr, scope: &Scope<'_>) -> Vec<(usize, Span)> {
        match expr {
            Expr::In(value, set, false) => {
                let (Expr::Tuple(items) | Expr::Array(items)) = set.bare() else {
                    return Vec::new();
                };
                let Some(slot) = self.slot(value, scope) else { return Vec::new() };
                let days: Option<Vec<i64>> =
                    items.iter().map(|item| self.day(item, scope).map(|(day, _)| day)).collect();
                let days = days.unwrap_or_default();
                match (days.iter().min(), days.iter().max()) {
                    (Some(first), Some(last)) => vec![(slot, (Some(*first), Some(*last)))],
                    _ => Vec::new(),
                }
            }
            Expr::Call(call) if call.args.len() == 2 => {
                let (name, a, b) = (call.name.as_str(), &call.args[0], &call.args[1]);
                if let (Some(slot), Some(day)) = (self.slot(a, scope), self.day(b, scope)) {
                    return span(name, day, false).map(|span| vec![(slot, span)]).unwrap_or_default();
                }
                if let (Some(slot), Some(day)) = (self.slot(b, scope), self.day(a, scope)) {
                    return span(name, day, true).map(|span| vec![(slot, span)]).unwrap_or_default();
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The place of the column that an expression is.
    fn slot(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<usize> {
        if !matches!(expr.bare(), Expr::Name(_)) {
            return None;
        }
        let node = self.expr(expr, scope).ok()?;
        match node.kind {
            Kind::Column(slot) => Some(slot),
            _ => None,
        }
    }

    /// The day that an expression is, and whether it is the moment when the day begins.
    fn day(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<(i64, bool)> {
        let node: std::sync::Arc<Node> = self.expr(expr, scope).ok()?;
        let value = node.as_const()?;
        let seconds = |seconds: i64| {
            (seconds.div_euclid(crate::time::DAY), seconds.rem_euclid(crate::time::DAY) == 0)
        };
        match (value, node.ty.bare()) {
            (Value::Int(day), Type::Date | Type::Date32) => Some((i64::try_from(*day).ok()?, true)),
            (Value::Int(time), Type::DateTime(_)) => Some(seconds(i64::try_from(*time).ok()?)),
            (Value::Text(text), _) => {
                let text = std::str::from_utf8(text).ok()?;
                crate::time::read_time(text).map(|(time, _)| seconds(time))
            }
            _ => None,
        }
    }

    fn narrow(&mut self, slot: usize, span: Span, scope: &Scope<'_>, only: Option<&[usize]>) {
        let relations = scope.relations.borrow();
        let column = |relation: usize| {
            relations[relation].columns.iter().find(|column| column.slot == Some(slot)).map(|column| column.name.clone())
        };
        for relation in 0..relations.len() {
            if only.is_some_and(|only| !only.contains(&relation)) {
                continue;
            }
            let Some(name) = column(relation) else { continue };
            let key = (relation, name);
            let mut spans = scope.spans.borrow_mut();
            let known = spans.entry(key).or_insert((None, None));
            known.0 = larger(known.0, span.0);
            known.1 = smaller(known.1, span.1);
        }
    }

    /// Settles the days of every table of a SELECT, and notes which rules it breaks.
    pub(crate) fn settle(&mut self, scope: &Scope<'_>) {
        let mut tables = Vec::new();
        if let Some(tree) = &*scope.tree.borrow() {
            tree.tables(&mut tables);
        }
        for (relation, used) in tables {
            let table = std::sync::Arc::clone(&self.uses[used].table);
            let Some(window) = table.window() else { continue };
            let key = (relation, window.column.to_owned());
            let span = scope.spans.borrow().get(&key).copied().unwrap_or((None, None));
            // Without a first day the last is no help: rows that an outer join adds have day 0.
            let span = if span.0.is_none() { (None, None) } else { span };
            self.uses[used].span = span;
            if let Some(most) = window.most_days {
                let name = format!("{}.{}", self.database.name(), self.uses[used].name);
                self.check(&name, window.column, most, span, table.days(span));
            }
        }
    }

    fn check(&mut self, name: &str, column: &str, most: i64, span: Span, days: (i64, i64)) {
        let Some(first) = span.0 else {
            self.breaches.push(Breach {
                code: "MISSING_BLOCK_DATE_BOUND",
                message: format!("`{name}` needs a lower bound on `{column}`"),
                advice: format!("add `{column} >= today() - 7` to the WHERE that reads it"),
            });
            return;
        };
        let wide = days.1.saturating_sub(first).saturating_add(1);
        if wide > most {
            self.breaches.push(Breach {
                code: "BLOCK_DATE_WINDOW_TOO_WIDE",
                message: format!("`{name}` is read for {wide} days, and {most} is the most"),
                advice: format!("narrow the window on `{column}`"),
            });
        }
    }
}

/// What `column <name> day` says; `swapped` when the day stands on the left.
fn span(name: &str, (day, is_start): (i64, bool), swapped: bool) -> Option<Span> {
    let name = match (name, swapped) {
        ("less", true) => "greater",
        ("lessOrEquals", true) => "greaterOrEquals",
        ("greater", true) => "less",
        ("greaterOrEquals", true) => "lessOrEquals",
        (name, _) => name,
    };
    // A day is before any later moment of it.
    let first_from = if is_start { day } else { day + 1 };
    Some(match name {
        "equals" => (Some(day), Some(day)),
        "greater" => (Some(day.saturating_add(1)), None),
        "greaterOrEquals" => (Some(first_from), None),
        "less" => (None, Some(if is_start { day.saturating_sub(1) } else { day })),
        "lessOrEquals" => (None, Some(day)),
        _ => return None,
    })
}

fn larger(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.into_iter().chain(b).max()
}

fn smaller(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.into_iter().chain(b).min()
}
