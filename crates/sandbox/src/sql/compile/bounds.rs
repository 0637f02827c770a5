//! Which days of a stored table a SELECT needs, read from what it demands of `block_date`.

use rusqlite::types::Value;
use sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

use crate::moment::DAY;

use super::super::functions::time;
use super::super::problem::Problem;
use super::super::tables::{DATE, TIME};
use super::scope::Scope;
use super::{Breach, Compiler};

/// Most days of a large table that a query may read.
pub(super) const MOST_DAYS: i64 = 365;

/// First and last day since 1970.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    first: Option<i64>,
    last: Option<i64>,
}

/// A condition that rows must meet, or only those of one table in the FROM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition<'a> {
    pub(super) expr: &'a Expr,
    pub(super) only: Option<usize>,
}

/// What a comparison demands: on which side, and whether the column is rounded down before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Least,
    Most,
    Both,
}

impl Compiler<'_> {
    /// Notes the days that each stored table in `scope` is read for, and what is against the
    /// rules about that.
    pub(super) fn bound(
        &mut self,
        scope: &Scope<'_>,
        conditions: &[Condition<'_>],
    ) -> Result<(), Problem> {
        let mut spans = vec![Span::default(); scope.sources.len()];
        for condition in conditions {
            let mut demanded = spans.clone();
            self.conjunct(condition.expr, scope, &mut demanded)?;
            match condition.only {
                Some(only) => spans[only] = demanded[only],
                None => spans = demanded,
            }
        }

        for (source, span) in scope.sources.iter().zip(spans) {
            let Some(stored) = source.stored else { continue };
            let table = self.uses[stored].table;
            if table.is_large {
                let today = self.now.div_euclid(DAY);
                let last = span.last.map_or(today, |last| last.min(today));
                let name = &table.name;

                match span.first {
                    None => self.breaches.push(Breach {
                        code: "MISSING_BLOCK_DATE_BOUND",
                        message: format!(
                            "`agent.{name}` needs a lower bound on `{DATE}` of its own"
                        ),
                        advice: format!("add `{DATE} >= today() - 7` to the WHERE that reads it"),
                    }),
                    Some(first) if last - first > MOST_DAYS => self.breaches.push(Breach {
                        code: "BLOCK_DATE_WINDOW_TOO_WIDE",
                        message: format!(
                            "`agent.{name}` is read for {} days, and {MOST_DAYS} is the most",
                            last - first
                        ),
                        advice: format!("narrow the window on `{DATE}`"),
                    }),
                    Some(_) => {}
                }
            }

            self.uses[stored].spans.push((span.first, span.last));
        }

        Ok(())
    }

    fn conjunct(
        &mut self,
        expr: &Expr,
        scope: &Scope<'_>,
        spans: &mut [Span],
    ) -> Result<(), Problem> {
        self.spend()?;
        match expr {
            Expr::Nested(inner) => self.conjunct(inner, scope, spans)?,
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.conjunct(left, scope, spans)?;
                self.conjunct(right, scope, spans)?;
            }
            Expr::BinaryOp { left, op, right } => {
                let side = match op {
                    BinaryOperator::Gt | BinaryOperator::GtEq => Side::Least,
                    BinaryOperator::Lt | BinaryOperator::LtEq => Side::Most,
                    BinaryOperator::Eq => Side::Both,
                    _ => return Ok(()),
                };

                let mirrored = match side {
                    Side::Least => Side::Most,
                    Side::Most => Side::Least,
                    Side::Both => Side::Both,
                };
                self.demand(left, side, right, scope, spans);
                self.demand(right, mirrored, left, scope, spans);
            }
            Expr::Between { expr, negated: false, low, high } => {
                self.demand(expr, Side::Least, low, scope, spans);
                self.demand(expr, Side::Most, high, scope, spans);
            }
            _ => {}
        }

        Ok(())
    }

    fn demand(
        &mut self,
        column: &Expr,
        side: Side,
        value: &Expr,
        scope: &Scope<'_>,
        spans: &mut [Span],
    ) {
        let Some((source, is_rounded)) = date_column(column, scope, 0) else { return };
        let Some(day) = self.day(value) else { return };
        let span = &mut spans[source];
        if side != Side::Most {
            span.first = Some(span.first.map_or(day, |first| first.max(day)));
        }
        // What is rounded down to the start of a month lies up to a month before its day.
        if side != Side::Least && !is_rounded {
            span.last = Some(span.last.map_or(day, |last| last.min(day)));
        }
    }

    /// The day of a value that no row changes; `None` for any other.
    fn day(&mut self, expr: &Expr) -> Option<i64> {
        let scope = Scope::default();
        let sql = self.expr(expr, &scope).ok().filter(|sql| sql.is_constant)?;
        match self.evaluate(&sql).ok()? {
            Value::Integer(seconds) => Some(seconds.div_euclid(DAY)),
            Value::Text(text) => time::read(&text).map(|seconds| seconds.div_euclid(DAY)),
            _ => None,
        }
    }
}

/// The source whose `block_date` an expression is, and whether it is rounded down.
fn date_column(expr: &Expr, scope: &Scope<'_>, depth: usize) -> Option<(usize, bool)> {
    match expr {
        Expr::Nested(inner) => date_column(inner, scope, depth),
        Expr::Identifier(name) => match scope.alias(&name.value).filter(|_| depth < 4) {
            // An alias may be of the column's own name.
            Some(meant) if !matches!(meant, Expr::Identifier(other) if other == name) => {
                date_column(meant, scope, depth + 1)
            }
            _ if name.value == DATE => Some((scope.place("", DATE)?.0, false)),
            _ => None,
        },
        Expr::CompoundIdentifier(parts) => {
            let (name, qualifier) = parts.split_last()?;
            let words: Vec<_> = qualifier.iter().map(|part| part.value.as_str()).collect();
            (name.value == DATE)
                .then(|| scope.place(&words.join("."), DATE))?
                .map(|(at, _)| (at, false))
        }
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let rounds = name.starts_with("tostartof") || name == "tomonday";
            let FunctionArguments::List(list) = &function.args else { return None };
            let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) = list.args.first() else {
                return None;
            };
            if !rounds && name != "todate" {
                return None;
            }

            let inner = match first {
                // Inside its own definition the alias means the column. Behind an alias the time
                // will do as well: its day is the date.
                Expr::Identifier(name) if name.value == DATE => (scope.place("", DATE)?.0, false),
                Expr::Identifier(name) if name.value == TIME && depth > 0 => {
                    (scope.place("", TIME)?.0, false)
                }
                other => date_column(other, scope, depth + 1)?,
            };

            Some((inner.0, inner.1 || rounds))
        }
        _ => None,
    }
}
