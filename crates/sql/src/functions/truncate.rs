//! Functions that round times down to the start of a second, hour, day, week or year, such as `toStartOfHour`. The
//! functions `toLastDayOfMonth` and `toLastDayOfWeek` return the last day instead.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use super::dates::{day_of, whole_seconds};
use super::{Built, FunctionCall, Made};
use crate::problem::Result;
use crate::text::LAST_DAY;
use crate::time::{self, DAY, ZERO_DATE32};
use crate::types::{Type, Unit, Zone};
use crate::value::Value;

/// Maximum length of an interval in months, which is a million years. For a longer interval, the calculation of the
/// start could overflow.
const MOST_MONTHS: i64 = 12_000_000;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let minutes = |n: i64| Some(to_seconds(given, n * 60, true));

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
            let day = day.clamp(0, LAST_DAY);
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
        // In every time zone, half-hour slots start at full half hours of UTC.
        "timeSlot" => Some(to_seconds(given, 30 * 60, false)),
        "toStartOfSecond" => Some(second(given)),

        "toStartOfInterval" => Some(interval(given)),
        "dateTrunc" => Some(date_trunc(given)),
        "toDate" if given.count() == 0 => Some(Err(given.fault("a value is missing"))),
        _ => None,
    }
}

fn to_day(given: &FunctionCall<'_>, of: fn(i64) -> i64) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    // A DateTime has no days before 1970, even if the local time of its zone is before 1970.
    let first = if let Type::DateTime(_) = from { 0 } else { i64::MIN };
    Built::new(Type::Date, move |v| Ok(date(of(day_of(&v[0], &from).max(first)))))
}

fn week(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_moment(0)?;
    let mode = if given.count() == 2 { given.constant_int(1)? } else { 0 };
    let from = given.types[0].clone();
    let last = given.name == "toLastDayOfWeek";
    Built::new(Type::Date, move |v| {
        let day = day_of(&v[0], &from);
        // Weeks start on Sunday, or on Monday if the mode is odd.
        let passed = if mode & 1 != 0 { time::weekday(day) - 1 } else { time::weekday(day) % 7 };
        Ok(date(day - passed + if last { 6 } else { 0 }))
    })
}

fn to_seconds(given: &FunctionCall<'_>, step: i64, is_local: bool) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    if from.is_date() && step < DAY {
        return Err(given.fault("units shorter than a day need a DateTime or DateTime64"));
    }
    let zone = if is_local { from.zone() } else { Zone::SERVER };
    Built::new(Type::DateTime(from.zone()), move |v| {
        let time = whole_seconds(&v[0], &from);
        // The start of the day is computed in the time zone of the argument.
        let is_fine = matches!(from, Type::DateTime64(..));
        let first = if step == DAY && !is_fine { zone.first_from_1970(0) } else { 0 };
        let start = start_of(time, step, zone, step < 3_600).max(first);
        Ok(Value::Int(start.clamp(0, i64::from(u32::MAX)).into()))
    })
}

/// Returns the local day of a time, in days since 1970.
fn local_day(value: &Value, ty: &Type) -> i64 {
    ty.zone().local(whole_seconds(value, ty)).div_euclid(DAY)
}

/// Creates a `Date` value. A day outside the range of `Date` becomes the first or the last day of the range.
fn date(day: i64) -> Value {
    Value::Int(day.clamp(0, LAST_DAY).into())
}

/// Rounds a time in Unix seconds down to a multiple of `step` seconds in local time. `in_minutes` is true for steps of
/// minutes or seconds. For these steps, the function rounds in UTC if the time zone's offset from UTC is a whole
/// number of minutes.
fn start_of(time: i64, step: i64, zone: Zone, in_minutes: bool) -> i64 {
    if in_minutes && zone.offset(time) % 60 == 0 {
        return time - time.rem_euclid(step);
    }
    let local = zone.local(time);
    // Multiples of hours are counted from midnight.
    let is_in_days = step % DAY == 0;
    let passed = if is_in_days { local } else { local.rem_euclid(DAY) }.rem_euclid(step);
    // The start of the day can have another offset from UTC than the time.
    if is_in_days { zone.unix(local - passed) } else { time - passed }
}

fn second(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let Type::DateTime64(scale, _) = given.types[0] else {
        return Err(given.fault("the argument must be DateTime64"));
    };
    let unit = 10_i128.pow(u32::from(scale));
    Built::new(given.types[0].clone(), move |v| Ok(Value::Int(v[0].int().div_euclid(unit) * unit)))
}

fn interval(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    given.is_moment(0)?;
    let Type::Interval(unit) = given.types[1] else {
        return Err(given.fault("argument 2 must be INTERVAL"));
    };
    if given.types[0].is_date() && unit < Unit::Day {
        return Err(given.fault("units shorter than a day need a DateTime or DateTime64"));
    }
    let n = given.constant(1).and_then(|n| i64::try_from(n.int()).ok()).filter(|n| *n > 0);
    let n = n.ok_or_else(|| given.fault("INTERVAL must be above 0"))?;
    if given.count() == 3 {
        return Err(given.fault("argument 3 is not supported"));
    }
    truncated(given, 0, n, unit, true)
}

/// Creates `dateTrunc(unit, x)`, for example `dateTrunc('month', x)`.
fn date_trunc(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    let name = given.constant_text(0)?;
    let unit = Unit::from_name(&name).filter(|unit| *unit >= Unit::Second);
    let unit = unit.ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
    given.is_moment(1)?;
    if given.types[1].is_date() && unit < Unit::Day {
        return Err(given.fault("units shorter than a day need a DateTime or DateTime64"));
    }
    if given.count() == 3 {
        return Err(given.fault("a time zone as argument 3 is not supported"));
    }
    truncated(given, 1, 1, unit, false)
}

/// Rounds a date or a time down to a multiple of `n` units. If `is_narrow` is false and the argument is `Date32` or
/// `DateTime64`, the result type is `Date32` or `DateTime64`. In all other cases, the result type is `Date` or
/// `DateTime`.
fn truncated(
    given: &FunctionCall<'_>,
    at: usize,
    n: i64,
    unit: Unit,
    is_narrow: bool,
) -> Result<Built> {
    let from = given.types[at].clone();
    let is_wide = !is_narrow && matches!(from, Type::Date32 | Type::DateTime64(..));
    if is_narrow && from == Type::Date32 {
        return Err(given.fault("the argument must not be Date32: use dateTrunc"));
    }
    if unit < Unit::Second {
        return Err(given.fault("units shorter than a second are not supported"));
    }

    let day_type = if is_wide { Type::Date32 } else { Type::Date };
    let day = move |day: i64| {
        if is_wide { Value::Int(day.max(ZERO_DATE32).into()) } else { date(day) }
    };
    let months = match unit {
        Unit::Month => Some(n),
        Unit::Quarter => Some(n.saturating_mul(3)),
        Unit::Year => Some(n.saturating_mul(12)),
        _ => None,
    };

    if let Some(months) = months {
        if months > MOST_MONTHS {
            return Err(given.fault("INTERVAL is too large"));
        }
        return Built::new(day_type, move |v| {
            let (year, month, _) = time::civil(local_day(&v[at], &from));
            // Multiples of years are counted from year 0, and multiples of months from 1900.
            let base = if unit == Unit::Year { 0 } else { 1900 };
            let whole = (year - base) * 12 + month - 1;
            let start = whole - whole.rem_euclid(months);
            Ok(day(time::day(base, start + 1, 1)))
        });
    }

    if unit == Unit::Week {
        let days = n.checked_mul(7).ok_or_else(|| given.fault("INTERVAL is too large"))?;
        return Built::new(day_type, move |v| {
            // 1970 started on a Thursday. Multiples of weeks are counted from the Monday after it.
            let passed = (local_day(&v[at], &from) - 4).rem_euclid(days);
            Ok(day(local_day(&v[at], &from) - passed))
        });
    }

    let step = unit.seconds().unwrap_or(1).checked_mul(n);
    let step = step.ok_or_else(|| given.fault("INTERVAL is too large"))?;
    // Hours are counted anew each day, so an interval of hours is never longer than a day.
    let step = if unit == Unit::Hour { step.min(DAY) } else { step };
    let zone = from.zone();
    let ty = if is_wide { Type::DateTime64(0, zone) } else { Type::DateTime(zone) };
    let last = if is_wide { i64::MAX } else { i64::from(u32::MAX) };
    let first = if is_wide { i64::MIN } else { 0 };
    // Intervals of several days or hours start at different times in each time zone. The same applies to seconds that
    // do not divide 15 minutes.
    let is_by_zone = unit >= Unit::Hour && n > 1 || unit == Unit::Second && 900 % n != 0;
    if is_by_zone && zone.name().is_some() {
        return Err(given.fault("a DateTime with a time zone does not support INTERVAL of several hours or days, or of seconds that do not divide 15 minutes"));
    }
    let first = if unit == Unit::Day && !is_wide { zone.first_from_1970(0) } else { first };
    Built::new(ty, move |v| {
        let start = start_of(whole_seconds(&v[at], &from), step, zone, unit < Unit::Hour);
        Ok(Value::Int(start.clamp(first, last).into()))
    })
}
