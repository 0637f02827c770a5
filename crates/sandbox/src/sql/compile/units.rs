//! Functions that are told a unit of time.

use sqlparser::ast::{Expr, Value};

use super::super::functions::time::Unit;
use super::super::problem::Problem;
use super::Compiler;
use super::convert::shifted;
use super::scope::Scope;
use super::types::{Sql, Ty};

impl Compiler<'_> {
    /// Functions one of whose words is a unit of time, which is no value.
    pub(super) fn of_units(
        &mut self,
        name: &str,
        args: &[&Expr],
        scope: &Scope<'_>,
    ) -> Result<Option<Sql>, Problem> {
        let unit = |expr: &Expr| {
            let word = match expr {
                Expr::Identifier(word) => word.value.clone(),
                Expr::Value(value) => match &value.value {
                    Value::SingleQuotedString(word) => word.clone(),
                    _ => String::new(),
                },
                _ => String::new(),
            };
            let known = Unit::read(&word).filter(|_| !word.is_empty());
            known.ok_or_else(|| Problem::text(format!("`{expr}` is no unit of time")))
        };

        Ok(Some(match (name, args) {
            ("tostartofinterval", [time, interval, ..]) => {
                let Some((count, unit)) = self.interval(interval, scope)? else {
                    return Err(Problem::text("`toStartOfInterval` takes a time and an INTERVAL"));
                };
                let time = self.time(time, scope)?;
                let text = format!("ch_start({}, '{}', {})", time.text, unit.name(), count.text);
                let is_long = matches!(unit, Unit::Week | Unit::Month | Unit::Quarter | Unit::Year);
                let ty = if is_long { Ty::Date } else { Ty::DateTime };
                Sql::new(text, ty).of([&time, &count])
            }
            ("date_trunc" | "datetrunc", [word, time]) => {
                let (unit, time) = (unit(word)?, self.time(time, scope)?);
                let is_long = matches!(unit, Unit::Week | Unit::Month | Unit::Quarter | Unit::Year);
                let ty = if is_long { Ty::Date } else { Ty::DateTime };
                Sql::new(format!("ch_start({}, '{}', 1)", time.text, unit.name()), ty).of([&time])
            }
            ("datediff" | "date_diff" | "timestampdiff" | "timestamp_diff", [word, from, to]) => {
                let (from, to) = (self.time(from, scope)?, self.time(to, scope)?);
                let text = format!("ch_diff('{}', {}, {})", unit(word)?.name(), from.text, to.text);
                Sql::new(text, Ty::Int).of([&from, &to])
            }
            ("date_add" | "dateadd" | "date_sub" | "datesub", [word, count, time]) => {
                let (time, count) = (self.time(time, scope)?, self.expr(count, scope)?);
                count.must_be(Ty::Int, "how many units are added")?;
                let sign = if name.ends_with("sub") { "-" } else { "" };
                let text = format!("({sign}{})", count.text);
                shifted(&time, &Sql { text, ..count }, unit(word)?)
            }
            ("date_add" | "dateadd" | "date_sub" | "datesub", [time, interval]) => {
                return self.sum(time, interval, name.ends_with("sub"), scope).map(Some);
            }
            (_, [time, count]) => {
                let (sign, word) = match (name.strip_prefix("add"), name.strip_prefix("subtract")) {
                    (Some(word), _) => ("", word),
                    (_, Some(word)) => ("-", word),
                    _ => return Ok(None),
                };
                let Some(unit) = Unit::read(word).filter(|_| word.len() > 2) else {
                    return Ok(None);
                };
                let (time, count) = (self.time(time, scope)?, self.expr(count, scope)?);
                count.must_be(Ty::Int, "how many units are added")?;
                let text = format!("({sign}{})", count.text);

                shifted(&time, &Sql { text, ..count }, unit)
            }
            _ => return Ok(None),
        }))
    }

    /// A value that must be a time; a text is read as one.
    pub(super) fn time(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Sql, Problem> {
        let value = self.expr(expr, scope)?;
        let value = self.meant_like(value, Ty::DateTime)?;
        value.must_be(Ty::DateTime, "a time")?;
        Ok(value)
    }
}
