//! Rounding times down to hours, days, weeks and years.

use super::dates::{day_of, seconds};
use super::{Built, Given, Made};
use crate::problem::Result;
use crate::time::{self, DAY};
use crate::types::{Type, Unit};
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    let minutes = |n: i64| Some(to_seconds(given, n * 60));
    match given.name {
        "toStartOfYear" => Some(to_day(given, |day| time::day(time::civil(day).0, 1, 1))),
        "toStartOfQuarter" => Some(to_day(given, |day| {
            let (year, month, _) = time::civil(day);
            time::day(year, (month - 1) / 3 * 3 + 1, 1)
        })),
        "toStartOfMonth" => Some(to_day(given, |day| {
            let (year, month, _) = time::civil(day);
            time::day(year, month, 1)
        })),
        "toLastDayOfMonth" => Some(to_day(given, |day| {
            let (year, month, _) = time::civil(day);
            time::day(year, month + 1, 1) - 1
        })),
        "toMonday" => Some(to_day(given, |day| day - time::weekday(day) + 1)),
        "toStartOfISOYear" => Some(to_day(given, |day| {
            let fourth = time::day(time::iso_week(day).0, 1, 4);
            fourth - time::weekday(fourth) + 1
        })),
        "toStartOfWeek" | "toLastDayOfWeek" => Some(week(given)),
        "toStartOfDay" => minutes(24 * 60),
        "toStartOfHour" => minutes(60),
        "toStartOfMinute" => minutes(1),
        "toStartOfFiveMinutes" => minutes(5),
        "toStartOfTenMinutes" => minutes(10),
        "toStartOfFifteenMinutes" => minutes(15),
        "timeSlot" => minutes(30),
        "toStartOfSecond" => Some(second(given)),
        "toStartOfInterval" => Some(interval(given)),
        "dateTrunc" => Some(named(given)),
        "toDate" if given.count() == 0 => Some(Err(given.fault("it takes a value"))),
        _ => None,
    }
}

fn to_day(given: &Given<'_>, of: fn(i64) -> i64) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    Built::new(Type::Date, move |v| Ok(Value::Int(of(day_of(&v[0], &from)).max(0).into())))
}

fn week(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_moment(0)?;
    let mode = if given.count() == 2 { given.constant_int(1)? } else { 0 };
    let from = given.types[0].clone();
    let last = given.name == "toLastDayOfWeek";
    Built::new(Type::Date, move |v| {
        let day = day_of(&v[0], &from);
        // Weeks begin on Sunday, or on Monday if the mode is odd.
        let passed = if mode & 1 != 0 { time::weekday(day) - 1 } else { time::weekday(day) % 7 };
        Ok(Value::Int((day - passed + if last { 6 } else { 0 }).max(0).into()))
    })
}

fn to_seconds(given: &Given<'_>, step: i64) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    if from.is_date() && step < DAY {
        return Err(given.fault("it takes a time, and a date has none"));
    }
    let ty = match &from {
        Type::DateTime(named) | Type::DateTime64(_, named) => Type::DateTime(*named),
        _ => Type::DateTime(false),
    };
    Built::new(ty, move |v| {
        let time = seconds(&v[0], &from);
        Ok(Value::Int((time - time.rem_euclid(step)).into()))
    })
}

fn second(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let Type::DateTime64(scale, _) = given.types[0] else {
        return Err(given.fault("it takes a DateTime64"));
    };
    let unit = 10_i128.pow(u32::from(scale));
    Built::new(given.types[0].clone(), move |v| Ok(Value::Int(v[0].int().div_euclid(unit) * unit)))
}

fn interval(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    given.is_moment(0)?;
    let Type::Interval(unit) = given.types[1] else {
        return Err(given.fault("its argument 2 must be INTERVAL"));
    };
    let n = given.constant(1).and_then(|n| i64::try_from(n.int()).ok()).filter(|n| *n > 0);
    let n = n.ok_or_else(|| given.fault("INTERVAL must be above 0"))?;
    if given.count() == 3 {
        return Err(given.fault("its third argument is not taken"));
    }
    truncated(given, 0, n, unit)
}

/// `dateTrunc('month', x)`.
fn named(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    let name = given.constant_text(0)?;
    let unit = Unit::read(&name).filter(|unit| *unit >= Unit::Second);
    let unit = unit.ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
    given.is_moment(1)?;
    if given.types[1].is_date() && unit < Unit::Day {
        return Err(given.fault("a date has no hours"));
    }
    truncated(given, 1, 1, unit)
}

/// Rounds a time down to a multiple of a unit.
fn truncated(given: &Given<'_>, at: usize, n: i64, unit: Unit) -> Result<Built> {
    let from = given.types[at].clone();
    let months = match unit {
        Unit::Month => Some(n),
        Unit::Quarter => n.checked_mul(3),
        Unit::Year => n.checked_mul(12),
        _ => None,
    };
    if unit < Unit::Second {
        return Err(given.fault("parts of a second are not taken"));
    }
    if let Some(months) = months {
        return Built::new(Type::Date, move |v| {
            let (year, month, _) = time::civil(day_of(&v[at], &from));
            // Multiples of years start at year 0, multiples of months at 1970.
            let base = if unit == Unit::Year { 0 } else { 1970 };
            let whole = (year - base) * 12 + month - 1;
            let start = whole - whole.rem_euclid(months);
            Ok(Value::Int(time::day(base, start + 1, 1).max(0).into()))
        });
    }
    if unit == Unit::Week {
        let days = n.checked_mul(7).ok_or_else(|| given.fault("INTERVAL is too long"))?;
        return Built::new(Type::Date, move |v| {
            // 1970 began on a Thursday. Multiples of weeks start at the Monday after it.
            let day = day_of(&v[at], &from) - 4;
            Ok(Value::Int((day - day.rem_euclid(days) + 4).max(0).into()))
        });
    }

    let step = unit.seconds().unwrap_or(1).checked_mul(n);
    let step = step.ok_or_else(|| given.fault("INTERVAL is too long"))?;
    let as_date = from.is_date() && unit == Unit::Day;
    let ty = match &from {
        _ if as_date => Type::Date,
        Type::DateTime(zone) | Type::DateTime64(_, zone) => Type::DateTime(*zone),
        _ => Type::DateTime(false),
    };
    Built::new(ty, move |v| {
        let time = seconds(&v[at], &from);
        let start = time - time.rem_euclid(step);
        Ok(Value::Int(if as_date { start.div_euclid(DAY) } else { start }.into()))
    })
}
