//! Values of one type as values of another, and sums, where types decide most.

use sqlparser::ast::{DateTimeField, Expr};

use super::super::functions::time::{self, Unit};
use super::super::problem::Problem;
use super::Compiler;
use super::expr::joined;
use super::functions;
use super::scope::Scope;
use super::types::{Sql, Ty};

impl Compiler<'_> {
    /// `value` as a declared type.
    pub(super) fn convert(&mut self, value: Sql, name: &str) -> Result<Sql, Problem> {
        let Some(ty) = Ty::read(name) else {
            return Err(Problem::text(format!("there is no type `{name}` here")));
        };

        match ty {
            Ty::Int => {
                let lower = name.to_lowercase();
                let named =
                    format!("to{}", lower.trim_start_matches("nullable(").trim_end_matches(')'));
                let name = if functions::scalar(&named).is_some() { &named } else { "toint64" };
                self.apply(name, vec![value])
            }
            Ty::Float => self.apply("tofloat64", vec![value]),
            Ty::Text => self.apply("tostring", vec![value]),
            Ty::Date => self.apply("todate", vec![value]),
            Ty::DateTime => self.apply("todatetime", vec![value]),
            Ty::Array | Ty::Null | Ty::Any => {
                Err(Problem::text(format!("nothing is converted to `{name}` here")))
            }
        }
    }

    /// A text literal as what it is compared with: a date, a time or a number. A text that is no
    /// literal is read when the query runs.
    pub(super) fn meant_like(&mut self, value: Sql, other: Ty) -> Result<Sql, Problem> {
        if value.ty != Ty::Text {
            return Ok(value);
        }

        match (other, &value.literal) {
            (Ty::Date | Ty::DateTime, Some(text)) => match time::read(text) {
                Some(seconds) => Ok(Sql::new(seconds.to_string(), Ty::DateTime)),
                None => Err(Problem::text(format!("`{text}` is no date or time"))),
            },
            (Ty::Date | Ty::DateTime, None) => {
                Ok(joined("ch_time", std::slice::from_ref(&value), Ty::DateTime))
            }
            (Ty::Int | Ty::Float, Some(text)) => match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => match text.trim().parse::<i64>() {
                    Ok(whole) => Ok(Sql::new(whole.to_string(), Ty::Int)),
                    Err(_) => Ok(Sql::new(format!("{number:e}"), Ty::Float)),
                },
                _ => Err(Problem::text(format!("`{text}` is compared with a number and is none"))),
            },
            _ => Ok(value),
        }
    }

    /// `left + right`, or `left - right`.
    pub(super) fn sum(
        &mut self,
        left: &Expr,
        right: &Expr,
        minus: bool,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        if let Some((count, unit)) = self.interval(right, scope)? {
            let time = self.expr(left, scope)?;
            return moved(&time, count, unit, minus);
        }
        if let Some((count, unit)) = self.interval(left, scope)?.filter(|_| !minus) {
            let time = self.expr(right, scope)?;
            return moved(&time, count, unit, false);
        }
        let (a, b) = (self.expr(left, scope)?, self.expr(right, scope)?);
        self.added(a, b, minus)
    }

    /// The sum or difference of two values.
    pub(super) fn added(&mut self, a: Sql, b: Sql, minus: bool) -> Result<Sql, Problem> {
        let sign = if minus { "-" } else { "+" };
        let (text, ty) = match (a.ty, b.ty, minus) {
            // Days between dates, seconds between times.
            (Ty::Date, Ty::Date, true) => (format!("(({} - {}) / 86400)", a.text, b.text), Ty::Int),
            (a_ty, b_ty, true) if a_ty.is_time() && b_ty.is_time() => {
                (format!("({} - {})", a.text, b.text), Ty::Int)
            }
            (Ty::Date, Ty::Int, _) => (format!("({} {sign} {} * 86400)", a.text, b.text), Ty::Date),
            (Ty::Int, Ty::Date, false) => (format!("({} * 86400 + {})", a.text, b.text), Ty::Date),
            (Ty::DateTime, Ty::Int, _) | (Ty::Int, Ty::DateTime, false) => {
                (format!("({} {sign} {})", a.text, b.text), Ty::DateTime)
            }

            (a_ty, b_ty, _) => {
                if a_ty.is_time() || b_ty.is_time() {
                    let message = "a time takes whole numbers and intervals, and times from times";
                    return Err(Problem::text(message));
                }
                a.must_be(Ty::Float, &format!("what `{sign}` is given"))?;
                b.must_be(Ty::Float, &format!("what `{sign}` is given"))?;
                (format!("({} {sign} {})", a.text, b.text), a_ty.or(b_ty))
            }
        };

        Ok(Sql::new(text, ty).of([&a, &b]))
    }

    /// How many of which unit an interval is; `None` for what is none. `INTERVAL 3 DAY` and
    /// `toIntervalDay(3)` are one.
    pub(super) fn interval(
        &mut self,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Option<(Sql, Unit)>, Problem> {
        let (count, unit) = match expr {
            Expr::Interval(interval) if interval.last_field.is_none() => {
                (&*interval.value, interval.leading_field.as_ref().and_then(unit_of))
            }
            Expr::Function(function) => {
                let name = function.name.to_string().to_lowercase();
                let Some(unit) = name.strip_prefix("tointerval") else { return Ok(None) };
                match super::call::arguments(function)?.as_slice() {
                    [count] => (*count, Unit::read(unit)),
                    _ => return Err(Problem::text(format!("`{expr}` takes one number"))),
                }
            }

            _ => return Ok(None),
        };

        let Some(unit) = unit else {
            return Err(Problem::text(format!("`{expr}` has a unit that is not run here")));
        };
        let count = self.expr(count, scope)?;
        let count = self.meant_like(count, Ty::Int)?;
        count.must_be(Ty::Int, "the number of an interval")?;

        Ok(Some((count, unit)))
    }
}

fn unit_of(field: &DateTimeField) -> Option<Unit> {
    Unit::read(&field.to_string())
}

/// A time moved by an interval, back if `minus`.
fn moved(time: &Sql, count: Sql, unit: Unit, minus: bool) -> Result<Sql, Problem> {
    time.must_be(Ty::DateTime, "what an interval is added to")?;
    let text = if minus { format!("(-{})", count.text) } else { count.text.clone() };
    Ok(shifted(time, &Sql { text, ..count }, unit))
}

/// `time` and `count` units.
pub(super) fn shifted(time: &Sql, count: &Sql, unit: Unit) -> Sql {
    let ty = match time.ty {
        Ty::Date if unit.keeps_date() => Ty::Date,
        _ => Ty::DateTime,
    };
    let text = format!("ch_add({}, {}, '{}')", time.text, count.text, unit.name());
    Sql::new(text, ty).of([time, count])
}
