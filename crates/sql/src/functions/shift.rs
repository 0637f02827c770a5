//! Adding intervals to dates and times, and differences between them.

use super::dates::{day_of, seconds};
use super::{Built, Given, Made};
use crate::problem::Result;
use crate::text::LAST_DAY;
use crate::time::{self, DAY};
use crate::types::{INT64, Type, Unit};
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    Some(match given.name {
        "dateDiff" | "age" => difference(given),
        "dateAdd" | "dateSub" => by_name(given),
        "fromUnixTimestamp" => from_unix(given),
        "addInterval" | "subtractInterval" => {
            given.takes(2..=2).and_then(|()| by_interval(given, 0, 1, given.name.starts_with('s')))
        }
        name => {
            let (rest, back) = match name.strip_prefix("add") {
                Some(rest) => (rest, false),
                None => (name.strip_prefix("subtract")?, true),
            };
            let unit = Unit::read(rest).filter(|_| rest.ends_with('s'))?;
            given.takes(2..=2).and_then(|()| by(given, 0, 1, unit, back))
        }
    })
}

/// `+` and `-` of dates and times. `None` if neither side is one.
pub(super) fn arithmetic(given: &Given<'_>) -> Option<Result<Built>> {
    let is_moment = |at: usize| given.types[at].is_date() || given.types[at].is_time();
    let is_interval = |at: usize| matches!(given.types[at], Type::Interval(_));
    let back = given.name == "minus";
    if !matches!(given.name, "plus" | "minus") {
        return None;
    }
    match (is_moment(0), is_moment(1)) {
        (true, true) if back => Some(apart(given)),
        (true, _) if is_interval(1) => Some(by_interval(given, 0, 1, back)),
        (_, true) if is_interval(0) && !back => Some(by_interval(given, 1, 0, false)),
        (true, false) if given.types[1].is_int() => Some(by_number(given, 0, 1, back)),
        (false, true) if given.types[0].is_int() && !back => Some(by_number(given, 1, 0, false)),
        _ if is_interval(0) && given.types[0] == given.types[1] => {
            let sign = if back { -1 } else { 1 };
            Some(Built::new(given.types[0].clone(), move |v| {
                Ok(Value::Int(v[0].int() + sign * v[1].int()))
            }))
        }
        _ => None,
    }
}

/// Difference of two dates or times.
fn apart(given: &Given<'_>) -> Result<Built> {
    let (left, right) = (given.types[0].clone(), given.types[1].clone());
    let dates = left.is_date() && right.is_date();
    let times = matches!((&left, &right), (Type::DateTime(_), Type::DateTime(_)));
    if !dates && !times {
        return Err(given.fault(&format!("{left} and {right} do not go together: use dateDiff")));
    }
    Built::new(Type::int(32, true), |v| Ok(Value::Int(v[0].int() - v[1].int())))
}

/// Adds a number: days to a date, seconds to a time.
fn by_number(given: &Given<'_>, moment: usize, number: usize, back: bool) -> Result<Built> {
    let ty = given.types[moment].clone();
    let result = ty.clone();
    Built::new(ty, move |v| {
        let n = if back { -v[number].int() } else { v[number].int() };
        Ok(Value::Int(clamp(v[moment].int().saturating_add(n), &result)))
    })
}

/// Limits a date or time to its type. Values past the end wrap around, as in ClickHouse.
fn clamp(number: i128, ty: &Type) -> i128 {
    match ty {
        Type::Date => number.rem_euclid(i128::from(LAST_DAY) + 1),
        Type::DateTime(_) => number.rem_euclid(1 << 32),
        _ => number.clamp(-(1 << 62), 1 << 62),
    }
}

fn by_interval(given: &Given<'_>, moment: usize, interval: usize, back: bool) -> Result<Built> {
    let Type::Interval(unit) = given.types[interval] else {
        return Err(given.fault("INTERVAL is expected"));
    };
    by(given, moment, interval, unit, back)
}

/// Adds or subtracts a number of units.
fn by(given: &Given<'_>, moment: usize, number: usize, unit: Unit, back: bool) -> Result<Built> {
    given.is_moment(moment)?;
    let from = given.types[moment].clone();
    let to = match (&from, unit) {
        (Type::Date | Type::DateTime(_), Unit::Millisecond) => Type::DateTime64(3, false),
        (Type::Date | Type::DateTime(_), Unit::Microsecond) => Type::DateTime64(6, false),
        (Type::Date | Type::DateTime(_), Unit::Nanosecond) => Type::DateTime64(9, false),
        (Type::Date, Unit::Second | Unit::Minute | Unit::Hour) => Type::DateTime(false),
        (Type::Date32, Unit::Second | Unit::Minute | Unit::Hour) => Type::DateTime64(0, false),
        (ty, _) => (*ty).clone(),
    };
    let result = to.clone();
    Built::new(to, move |v| {
        let n = i64::try_from(v[number].int()).unwrap_or(if v[number].int() < 0 {
            i64::MIN
        } else {
            i64::MAX
        });
        let n = if back { n.saturating_neg() } else { n };
        Ok(Value::Int(clamp(moved(&v[moment], &from, &result, n, unit), &result)))
    })
}

/// Adds a number of units to a date or time, and converts the result to another type.
fn moved(value: &Value, from: &Type, to: &Type, n: i64, unit: Unit) -> i128 {
    let months = match unit {
        Unit::Month => Some(1),
        Unit::Quarter => Some(3),
        Unit::Year => Some(12),
        _ => None,
    };
    let of_second = match to {
        Type::DateTime64(scale, _) => 10_i128.pow(u32::from(*scale)),
        _ => 1,
    };
    if let Some(months) = months {
        let day = day_of(value, from);
        let mut next = time::add_months(day, n.saturating_mul(months));
        // Months before the first day of these types become that day. Days wrap around instead.
        if matches!(to, Type::Date | Type::DateTime(_)) {
            next = next.max(0);
        }
        if from.is_date() {
            return next.into();
        }
        let moved = i128::from(next - day) * i128::from(DAY) * of_second;
        return value.int() + moved;
    }

    let n = i128::from(n);
    let ticks = match (from, unit.seconds()) {
        (Type::DateTime64(..), Some(unit)) => {
            return value.int() + n * i128::from(unit) * of_second;
        }
        (from, Some(unit)) if to.is_date() => {
            return i128::from(day_of(value, from)) + n * i128::from(unit / DAY);
        }
        (_, Some(unit)) => n * i128::from(unit) * of_second,
        (_, None) => {
            let of_unit = match unit {
                Unit::Millisecond => 1_000,
                Unit::Microsecond => 1_000_000,
                _ => 1_000_000_000,
            };
            let start = match from {
                Type::DateTime64(..) => value.int(),
                _ => i128::from(seconds(value, from)) * of_second,
            };
            return start + n * of_second / of_unit;
        }
    };
    i128::from(seconds(value, from)) * of_second + ticks
}

/// `dateAdd('day', 1, x)` and `dateAdd(x, INTERVAL 1 DAY)`.
fn by_name(given: &Given<'_>) -> Result<Built> {
    let back = given.name == "dateSub";
    if given.count() == 2 {
        return by_interval(given, 0, 1, back);
    }
    given.takes(3..=3)?;
    let name = given.constant_text(0)?;
    let unit =
        Unit::read(&name).ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
    given.is_int(1)?;
    by(given, 2, 1, unit, back)
}

fn from_unix(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_int(0)?;
    Built::new(Type::DateTime(false), |v| Ok(Value::Int(v[0].int().clamp(0, i128::from(u32::MAX)))))
}

fn difference(given: &Given<'_>) -> Result<Built> {
    given.takes(3..=4)?;
    let name = given.constant_text(0)?;
    let unit =
        Unit::read(&name).ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
    given.is_moment(1)?;
    given.is_moment(2)?;
    if unit < Unit::Second {
        return Err(given.fault("parts of a second are not counted here"));
    }
    let (left, right) = (given.types[1].clone(), given.types[2].clone());
    let whole = given.name == "age";
    Built::new(INT64, move |v| {
        let (a, b) = (seconds(&v[1], &left), seconds(&v[2], &right));
        Ok(Value::Int(if whole { whole_units(a, b, unit) } else { borders(a, b, unit) }.into()))
    })
}

/// Number of unit boundaries between two times.
fn borders(a: i64, b: i64, unit: Unit) -> i64 {
    let number = |time: i64| {
        let day = time.div_euclid(DAY);
        let (year, month, _) = time::civil(day);
        match unit {
            Unit::Year => year,
            Unit::Quarter => year * 4 + (month - 1) / 3,
            Unit::Month => year * 12 + month,
            Unit::Week => (day + 3).div_euclid(7),
            unit => time.div_euclid(unit.seconds().unwrap_or(1)),
        }
    };
    number(b) - number(a)
}

/// Number of complete units between two times.
fn whole_units(a: i64, b: i64, unit: Unit) -> i64 {
    if let Some(seconds) = unit.seconds() {
        return (b - a) / seconds;
    }
    if a > b {
        return -whole_units(b, a, unit);
    }
    let (first, last) = (time::civil(a.div_euclid(DAY)), time::civil(b.div_euclid(DAY)));
    let mut months = (last.0 - first.0) * 12 + last.1 - first.1;
    if (last.2, b.rem_euclid(DAY)) < (first.2, a.rem_euclid(DAY)) {
        months -= 1;
    }
    match unit {
        Unit::Year => months / 12,
        Unit::Quarter => months / 3,
        _ => months,
    }
}
