//! The functions `dateDiff` and `age`, which return the number of units between two dates or times.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::cmp::Ordering;

use super::dates::{DAYS, seconds, unix_seconds};
use super::{Built, FunctionCall, Made};
use crate::problem::{Problem, Result};
use crate::time::{self, DAY, DAY_1900};
use crate::types::{INT64, Type, Unit, Zone};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    match given.name {
        "dateDiff" => Some(Pair::from_arguments(given).and_then(date_diff)),
        "age" => Some(Pair::from_arguments(given).and_then(|pair| age(given, pair))),
        _ => None,
    }
}

/// Types of the two dates or times of a call, and the unit in which their difference is counted.
struct Pair {
    left: Type,
    right: Type,
    unit: Unit,
    /// Time zone in the fourth argument, or [`Zone::SERVER`] if there is none.
    zone: Zone,
}

impl Pair {
    fn from_arguments(given: &FunctionCall<'_>) -> Result<Pair> {
        given.takes(3..=4)?;
        let name = given.constant_text(0)?;
        let unit =
            Unit::read(&name).ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
        given.is_moment(1)?;
        given.is_moment(2)?;
        if unit < Unit::Second {
            return Err(given.fault("units shorter than a second are not supported"));
        }
        let (left, right) = (given.types[1].clone(), given.types[2].clone());
        Ok(Pair { left, right, unit, zone: given.optional_zone(3)? })
    }

    /// Converts a date or a time to local time, as the number of seconds since 1970. The time zone is the fourth
    /// argument of the call. Without this argument, the time zone of the type is used.
    fn local(&self, value: &Value, ty: &Type) -> i64 {
        match self.zone {
            Zone::SERVER => seconds(value, ty),
            zone => zone.local(unix_seconds(value, ty)),
        }
    }

    /// Converts the second and the third argument of a call to local time, as the number of seconds since 1970. `v`
    /// contains the values of all arguments. For the unit week, returns an error for a time before 1900-01-01.
    fn both_local(&self, v: &[Value]) -> Result<(i64, i64)> {
        let (a, b) = (self.local(&v[1], &self.left), self.local(&v[2], &self.right));
        // For Date32 and DateTime64, ClickHouse counts weeks before 1900 in another way.
        if self.unit == Unit::Week && a.min(b) < DAY_1900 * DAY {
            return Err(Problem::text("weeks before 1900-01-01 are not supported"));
        }
        Ok((a, b))
    }

    /// Converts the two dates or times of a call, such as `dateDiff('hour', a, b)`, to Unix seconds. `v` contains the
    /// values of all arguments of the call.
    fn both_unix(&self, v: &[Value]) -> (i64, i64) {
        (unix_seconds(&v[1], &self.left), unix_seconds(&v[2], &self.right))
    }

    fn has_fractions(&self) -> bool {
        [&self.left, &self.right].iter().any(|ty| matches!(ty, Type::DateTime64(..)))
    }

    fn has_zones(&self) -> bool {
        self.zone == Zone::SERVER && self.left.zone() != self.right.zone()
    }
}

/// Creates the function `dateDiff`, which returns the number of unit boundaries between two times. For example, the
/// result for the unit `hour` from 9:59 to 10:01 is 1, because 10:00 is between these times.
fn date_diff(pair: Pair) -> Result<Built> {
    Built::new(INT64, move |v| {
        let (local_a, local_b) = pair.both_local(v)?;
        let (a, b) = pair.both_unix(v);

        let passed = match pair.unit {
            // Hours are counted with the offset from UTC that the time zone had at the start of 1970. Minutes and
            // seconds are counted from 1970 in UTC.
            Unit::Hour => {
                let hour = |seconds: i64, ty: &Type| {
                    let offset = pair.zone.or(ty.zone()).offset(0);
                    (seconds - if ty.is_time() { offset } else { 0 }).div_euclid(3_600)
                };
                hour(b, &pair.right) - hour(a, &pair.left)
            }
            Unit::Minute | Unit::Second => count_boundaries(a, b, pair.unit),
            unit => {
                let day = |local: i64, ty: &Type| match (unit, ty) {
                    // A local day before 1970 wraps around to a late day.
                    (Unit::Day, Type::DateTime(_)) => local.rem_euclid(DAYS * DAY),
                    _ => local,
                };
                count_boundaries(day(local_a, &pair.left), day(local_b, &pair.right), unit)
            }
        };
        Ok(Value::Int(passed.into()))
    })
}

/// Creates the function `age`, which returns the number of complete units between two times. From 9:59 to 10:01, the
/// result is 0 hours.
fn age(given: &FunctionCall<'_>, pair: Pair) -> Result<Built> {
    // ClickHouse adds a day to the difference in weeks if the fraction of the second decreases.
    if pair.unit == Unit::Week && pair.has_fractions() {
        return Err(given.fault("weeks are not supported for times with fractions of a second"));
    }
    let other_zone = given.fault("the times have different time zones: use toTimeZone");
    if pair.unit < Unit::Day && pair.has_zones() {
        return Err(other_zone);
    }

    Built::new(INT64, move |v| {
        let (a, b) = pair.both_local(v)?;
        // In two time zones, the order of the local times can differ from the order of the times. ClickHouse then
        // counts by other rules.
        let (unix_a, unix_b) = pair.both_unix(v);
        if pair.has_zones() && a.cmp(&b) != unix_a.cmp(&unix_b) {
            return Err(other_zone.clone());
        }
        let is_early = |time: i64, ty: &Type| time < 0 && matches!(ty, Type::DateTime(_));
        if pair.unit == Unit::Day && (is_early(a, &pair.left) || is_early(b, &pair.right)) {
            let message = "`age` does not support a DateTime whose local day is before 1970";
            return Err(Problem::text(format!("{message}: use toDateTime64")));
        }
        // ClickHouse converts times with fractions of a second to nanoseconds.
        if pair.has_fractions() && a.max(b) > LAST_IN_NANOSECONDS {
            return Err(Problem::text("times with fractions of seconds must be before 2262-04-11"));
        }

        let (part_a, part_b) = (nanoseconds(&v[1], &pair.left), nanoseconds(&v[2], &pair.right));
        // An incomplete second is not counted.
        let b = match a.cmp(&b) {
            Ordering::Less if part_b < part_a => b - 1,
            Ordering::Greater if part_b > part_a => b + 1,
            _ => b,
        };
        Ok(Value::Int(whole_units(a, b, pair.unit).into()))
    })
}

/// Latest time in Unix seconds that fits into a signed 64-bit integer after conversion to nanoseconds.
const LAST_IN_NANOSECONDS: i64 = i64::MAX / 1_000_000_000;

/// Returns the fraction of a second of a time, in nanoseconds.
fn nanoseconds(value: &Value, ty: &Type) -> i128 {
    match ty {
        Type::DateTime64(scale, _) => {
            let whole = 10_i128.pow(u32::from(*scale));
            value.int().rem_euclid(whole) * (1_000_000_000 / whole)
        }
        _ => 0,
    }
}

/// Returns the number of unit boundaries between the times `a` and `b`, both in seconds. The result is negative if `b`
/// is earlier than `a`.
fn count_boundaries(a: i64, b: i64, unit: Unit) -> i64 {
    let number = |time: i64| {
        let day = time.div_euclid(DAY);
        let (year, month, _) = time::civil(day);
        match unit {
            Unit::Year => year,
            Unit::Quarter => year * 4 + (month - 1) / 3,
            Unit::Month => year * 12 + month,
            // Weeks start on Monday. The division rounds towards 1970.
            Unit::Week => (day - time::weekday(day) + 5) / 7,
            unit => time.div_euclid(unit.seconds().unwrap_or(1)),
        }
    };
    number(b) - number(a)
}

/// Returns the number of complete units between the times `a` and `b`, both in seconds. The result is negative if `b`
/// is earlier than `a`.
fn whole_units(a: i64, b: i64, unit: Unit) -> i64 {
    if unit == Unit::Week {
        return whole_weeks(a, b);
    }
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

/// Returns the number of complete weeks from the time `a` to the time `b`, both in seconds. The last week is incomplete
/// if `a` has a later weekday than `b`, also if `b` is the earlier time. ClickHouse has the same rule. From Wednesday,
/// 7 January 2026 to Monday, 19 January 2026, the result is 1. In the opposite direction, the result is -2.
fn whole_weeks(a: i64, b: i64) -> i64 {
    let weekday = |time: i64| time::weekday(time.div_euclid(DAY));
    let clock = |time: i64| time.rem_euclid(DAY);
    let is_incomplete = match weekday(a).cmp(&weekday(b)) {
        Ordering::Equal => clock(a.min(b)) > clock(a.max(b)),
        order => order.is_gt(),
    };
    let back = if a > b { -1 } else { 1 };
    count_boundaries(a, b, Unit::Week) - if is_incomplete { back } else { 0 }
}
