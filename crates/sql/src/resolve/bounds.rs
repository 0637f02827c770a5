//! Finds the days that a query must read from each table.
//!
//! The input is a condition, for example of WHERE. The output is a range of days for each table. Rows of days outside
//! this range cannot satisfy the condition.

use super::Resolver;
use super::from::conjuncts;
use super::prepared::Breach;
use super::scope::Scope;
use crate::ast::{Call, Expr};
use crate::node::{Kind, Node};
use crate::table::Span;
use crate::types::Type;
use crate::value::Value;

/// Relation between a column and an expression that is computed from this column. For example, the expression
/// `toDate(time)` is the day of the column `time`. By default, the expression is the column itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Way {
    /// True if the expression is a function call that returns a day, as in `toDate(time)`. False for the column itself
    /// (`time`).
    is_day: bool,
    /// True if the expression rounds the column down to the first day of a week, month, quarter or year. For example,
    /// `toStartOfMonth(time)` is 1 May for a `time` on 20 May.
    is_start: bool,
    /// True if a function call in the expression has a time zone argument, as in `toDate(time, 'Asia/Tokyo')`. The
    /// computed day can then be one day before or after the day of `time` in UTC.
    is_zoned: bool,
}

impl Way {
    /// Converts a range of days of an expression, such as `toStartOfMonth(time)`, to a range of days of its column
    /// `time`. If the expression is the first day of a period, the result has no last day. For example,
    /// `toStartOfMonth(time)` is 1 May for each `time` in May. If the expression has a time zone argument, the result
    /// has one more day at each end.
    fn column_days(self, (first, last): Span) -> Span {
        let last = last.filter(|_| !self.is_start);
        let more = i64::from(self.is_zoned);
        (first.map(|day| day.saturating_sub(more)), last.map(|day| day.saturating_add(more)))
    }
}

impl Resolver {
    /// Records the range of days to which a condition restricts each column. For example, `day >= '2026-05-01'`
    /// restricts the column `day` to 1 May 2026 and later days. If `only` is set, the method ignores tables and
    /// subqueries whose index in FROM is not in `only`.
    pub(crate) fn bounds(&mut self, condition: &Expr, scope: &Scope<'_>, only: Option<&[usize]>) {
        let mut all = Vec::new();
        conjuncts(condition, &mut all);
        for one in all {
            for (slot, way, span) in self.bound(one, scope) {
                narrow(slot, way, span, scope, only);
            }
        }
    }

    /// Returns one item if a comparison such as `toDate(time) >= '2026-05-01'` restricts a column to a range of days.
    /// The item contains these values:
    ///
    /// - The index of the column (`time`) in the row.
    /// - A [`Way`], which describes how `toDate(time)` is computed from `time`.
    /// - The range of days of `time`.
    ///
    /// Returns an empty list for all other expressions.
    fn bound(&mut self, expr: &Expr, scope: &Scope<'_>) -> Vec<(usize, Way, Span)> {
        match expr {
            Expr::In(value, set, false) => {
                let (Expr::Tuple(items) | Expr::Array(items)) = set.bare() else {
                    return Vec::new();
                };
                let Some((slot, way)) = self.slot(value, scope) else { return Vec::new() };
                let days: Option<Vec<i64>> =
                    items.iter().map(|item| self.day(item, scope).map(|(day, _)| day)).collect();
                let days = days.unwrap_or_default();
                match (days.iter().min(), days.iter().max()) {
                    (Some(first), Some(last)) => {
                        vec![(slot, way, way.column_days((Some(*first), Some(*last))))]
                    }
                    _ => Vec::new(),
                }
            }

            Expr::Call(call) if call.args.len() == 2 => {
                let (name, a, b) = (call.name.as_str(), &call.args[0], &call.args[1]);
                for (column, other, swapped) in [(a, b, false), (b, a, true)] {
                    if let (Some((slot, way)), Some(day)) =
                        (self.slot(column, scope), self.day(other, scope))
                    {
                        let span = span(name, day, swapped);
                        return span
                            .map(|span| (slot, way, way.column_days(span)))
                            .into_iter()
                            .collect();
                    }
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the index of the column from which an expression is computed, and the relation between the expression
    /// and this column. The expression must be one of these:
    ///
    /// - A column, such as `time`.
    /// - The day of a column, such as `toDate(time)`.
    /// - The first day of the week, month, quarter or year of a column, such as `toStartOfMonth(time)`.
    ///
    /// Returns `None` for all other expressions.
    fn slot(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<(usize, Way)> {
        match expr.bare() {
            Expr::Name(path) => {
                let alias = match path.as_slice() {
                    [name] if !scope.busy.borrow().contains(name) => {
                        scope.aliases.borrow().get(name).cloned().map(|alias| (name.clone(), alias))
                    }
                    _ => None,
                };
                if let Some((name, alias)) = alias {
                    scope.busy.borrow_mut().push(name);
                    let found = self.slot(&alias, scope);
                    scope.busy.borrow_mut().pop();
                    return found;
                }

                match self.expr(expr, scope).ok()?.kind {
                    Kind::Column(slot) => Some((slot, Way::default())),
                    _ => None,
                }
            }
            Expr::Call(call) => self.call_slot(call, scope),
            _ => None,
        }
    }

    /// Implements [`Self::slot`] for function calls, such as `toStartOfMonth(time)`.
    fn call_slot(&mut self, call: &Call, scope: &Scope<'_>) -> Option<(usize, Way)> {
        let is_start = match call.name.as_str() {
            "toDate" => false,
            "toStartOfMonth" | "toStartOfWeek" | "toMonday" | "toStartOfYear"
            | "toStartOfQuarter" => true,
            _ => return None,
        };

        let (value, more) = call.args.split_first()?;
        let (slot, mut way) = self.slot(value, scope)?;
        way.is_day = true;
        way.is_start |= is_start;
        // The mode of a week is a number. A time zone is a string.
        let is_number =
            |arg: &Expr| self.expr(arg, scope).is_ok_and(|node| node.ty.bare().is_int());
        way.is_zoned |= !more.iter().all(is_number);
        Some((slot, way))
    }

    /// Returns the day of a constant date or time, as days since 1970-01-01, and a flag. The flag is true if the date
    /// or time is exactly the start of this day. Returns `None` if the day is unknown, for example because the
    /// expression is not constant.
    fn day(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<(i64, bool)> {
        let node: std::sync::Arc<Node> = self.expr(expr, scope).ok()?;
        let value = node.as_const()?;
        let seconds = |seconds: i64| {
            (seconds.div_euclid(crate::time::DAY), seconds.rem_euclid(crate::time::DAY) == 0)
        };
        match (value, node.ty.bare()) {
            (Value::Int(day), Type::Date | Type::Date32) => Some((i64::try_from(*day).ok()?, true)),
            (Value::Int(time), Type::DateTime(zone)) => {
                Some(seconds(zone.local(i64::try_from(*time).ok()?)))
            }
            (Value::Text(text), _) => {
                let text = std::str::from_utf8(text).ok()?;
                crate::time::read_time(text).map(|(time, _)| seconds(time))
            }
            _ => None,
        }
    }

    /// Computes the range of days that a SELECT reads from each table. Records a [`Breach`] if a table does not allow
    /// this range.
    pub(crate) fn check_days(&mut self, scope: &Scope<'_>) {
        let mut tables = Vec::new();
        if let Some(tree) = &*scope.tree.borrow() {
            tree.tables(&mut tables);
        }

        for (relation, used) in tables {
            let table = std::sync::Arc::clone(&self.uses[used].table);
            let Some(window) = table.window() else { continue };
            let of = |column: &str, way: bool| {
                let key = (relation, column.to_owned(), way);
                scope.spans.borrow().get(&key).copied().unwrap_or((None, None))
            };

            // A time column restricts the days only if the condition converts it to a day.
            let days = [of(window.column, false), of(window.column, true)];
            let time = window.time.map_or((None, None), |time| of(time, true));
            let span = days
                .into_iter()
                .chain([time])
                .fold((None, None), |a, b| (larger(a.0, b.0), smaller(a.1, b.1)));
            // A last day without a first day is ignored, because rows added by an outer join have day 0.
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
                message: format!("table `{name}` needs a lower bound on `{column}`"),
                advice: format!("add `{column} >= today() - 7` to the WHERE of the SELECT"),
            });
            return;
        };
        let wide = days.1.saturating_sub(first);
        if wide > most {
            self.breaches.push(Breach {
                code: "BLOCK_DATE_WINDOW_TOO_WIDE",
                message: format!("`{column}` of `{name}` spans {wide} days; the maximum is {most}"),
                advice: format!("use a shorter range of `{column}`"),
            });
        }
    }
}

fn narrow(slot: usize, way: Way, span: Span, scope: &Scope<'_>, only: Option<&[usize]>) {
    let relations = scope.relations.borrow();
    for (at, relation) in relations.iter().enumerate() {
        if only.is_some_and(|only| !only.contains(&at)) {
            continue;
        }
        let Some(column) = relation.columns.iter().find(|column| column.slot == Some(slot)) else {
            continue;
        };
        let mut spans = scope.spans.borrow_mut();
        let known = spans.entry((at, column.name.clone(), way.is_day)).or_insert((None, None));
        known.0 = larger(known.0, span.0);
        known.1 = smaller(known.1, span.1);
    }
}

/// Returns the range of days for which the comparison of a day with a constant can be true. The constant is a time on
/// `day`, and `is_start` is true if this time is the start of the day. `name` is the function name of the comparison,
/// such as `less`. `swapped` is true if the constant is on the left side.
fn span(name: &str, (day, is_start): (i64, bool), swapped: bool) -> Option<Span> {
    let name = match (name, swapped) {
        ("less", true) => "greater",
        ("lessOrEquals", true) => "greaterOrEquals",
        ("greater", true) => "less",
        ("greaterOrEquals", true) => "lessOrEquals",
        (name, _) => name,
    };
    // If the constant is the start of a day, the day itself can be in the range.
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
