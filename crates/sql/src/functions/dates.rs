//! Functions that return the current time or a part of a date, such as `now`, `toYear` and `toWeek`, and functions
//! about time zones.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use super::{Built, FunctionCall, Made};
use crate::problem::{Problem, Result};
use crate::time::{self, DAY};
use crate::types::{BYTE, Type, UINT16, UINT32, UINT64, Zone};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let now = given.now;
    let constant = |ty: Type, value: i64| {
        given.takes(0..=1).and_then(|()| Built::new(ty, move |_| Ok(Value::Int(value.into()))))
    };
    let first_zone = || given.optional_zone(0);
    let today = |back: i64| {
        first_zone().and_then(|zone| constant(Type::Date, zone.local(now).div_euclid(DAY) - back))
    };

    Some(match given.name {
        "now" => first_zone().and_then(|zone| constant(Type::DateTime(zone), now)),
        "now64" => {
            let scale = if given.count() == 1 { given.constant_int(0) } else { Ok(3) };
            scale.and_then(|scale| {
                let scale = u8::try_from(scale.clamp(0, 9)).unwrap_or(3);
                let ticks = now * 10_i64.pow(u32::from(scale));
                constant(Type::DateTime64(scale, Zone::SERVER), ticks)
            })
        }
        "today" => today(0),
        "yesterday" => today(1),

        "timezoneOf" | "timezoneOffset" => zone_facts(given),
        "timezone" | "serverTimezone" => {
            given.takes(0..=0).and_then(|()| Built::new(Type::String, |_| Ok(Value::text("UTC"))))
        }
        "toWeek" | "toYearWeek" => week(given),
        "monthName" | "dateName" => name(given),
        "makeDate" | "makeDateTime" => assemble(given),
        "toUnixTimestamp" => unix(given),
        "toTimeZone" => zone(given),
        _ => return date_part(given),
    })
}

/// Converts a date or a time to Unix seconds. A date becomes the start of the day in UTC.
pub(super) fn unix_seconds(value: &Value, ty: &Type) -> i64 {
    let number = i64::try_from(value.int()).unwrap_or(i64::MAX);
    match ty {
        Type::Date => number.saturating_mul(DAY),
        Type::Date32 => time::in_calendar(number) * DAY,
        Type::DateTime64(scale, _) => number.div_euclid(10_i64.pow(u32::from(*scale))),
        _ => number,
    }
}

/// Returns the Unix seconds of a time. The fraction is truncated towards zero, so -1.5 seconds become -1.
pub(super) fn whole_seconds(value: &Value, ty: &Type) -> i64 {
    let seconds = unix_seconds(value, ty);
    match ty {
        Type::DateTime64(scale, _) if seconds < 0 => {
            seconds + i64::from(value.int() % 10_i128.pow(u32::from(*scale)) != 0)
        }
        _ => seconds,
    }
}

/// Converts a date or a time to its local time in the time zone of its type. The result is in seconds since 1970-01-01
/// 00:00 local time.
pub(super) fn seconds(value: &Value, ty: &Type) -> i64 {
    ty.zone().local(unix_seconds(value, ty))
}

/// Converts a date or a time to days since 1970 in the time zone of its type.
pub(super) fn day_of(value: &Value, ty: &Type) -> i64 {
    seconds(value, ty).div_euclid(DAY)
}

impl FunctionCall<'_> {
    /// Returns an error if the argument with index `at` is neither a date nor a time.
    pub(super) fn is_moment(&self, at: usize) -> Result<()> {
        self.is(at, "a date or a time", |ty| ty.is_date() || ty.is_time())
    }

    /// Returns the time zone whose name is the argument with index `at`. If this argument is missing, returns the time
    /// zone of the server.
    pub(super) fn optional_zone(&self, at: usize) -> Result<Zone> {
        if self.count() <= at { Ok(Zone::SERVER) } else { Zone::read(&self.constant_text(at)?) }
    }
}

fn date_part(given: &FunctionCall<'_>) -> Made {
    type Of = fn(i64) -> i64;
    let (ty, of): (Type, Of) = match given.name {
        "toYear" => (UINT16, |t| time::civil(t.div_euclid(DAY)).0),
        "toQuarter" => (BYTE, |t| (time::civil(t.div_euclid(DAY)).1 - 1) / 3 + 1),
        "toMonth" => (BYTE, |t| time::civil(t.div_euclid(DAY)).1),
        "toDayOfMonth" => (BYTE, |t| time::civil(t.div_euclid(DAY)).2),
        "toDayOfWeek" => (BYTE, |t| time::weekday(t.div_euclid(DAY))),
        "toDayOfYear" => (UINT16, |t| time::day_of_year(t.div_euclid(DAY))),
        "toHour" => (BYTE, |t| t.rem_euclid(DAY) / 3_600),
        "toMinute" => (BYTE, |t| t.rem_euclid(3_600) / 60),
        "toSecond" => (BYTE, |t| t.rem_euclid(60)),

        "toISOYear" => (UINT16, |t| time::iso_week(t.div_euclid(DAY)).0.max(0)),
        "toISOWeek" => (BYTE, |t| time::iso_week(t.div_euclid(DAY)).1),

        "toYYYYMM" => (UINT32, |t| {
            let (year, month, _) = time::civil(t.div_euclid(DAY));
            year * 100 + month
        }),
        "toYYYYMMDD" => (UINT32, |t| {
            let (year, month, day) = time::civil(t.div_euclid(DAY));
            (year * 100 + month) * 100 + day
        }),
        "toYYYYMMDDhhmmss" => (UINT64, |t| {
            let (year, month, day) = time::civil(t.div_euclid(DAY));
            let date = (year * 100 + month) * 100 + day;
            let clock = t.rem_euclid(DAY);
            ((date * 100 + clock / 3_600) * 100 + clock / 60 % 60) * 100 + clock % 60
        }),

        "toRelativeYearNum" => (UINT16, |t| time::civil(t.div_euclid(DAY)).0),
        "toRelativeMonthNum" => (UINT32, |t| {
            let (year, month, _) = time::civil(t.div_euclid(DAY));
            year * 12 + month
        }),
        "toRelativeWeekNum" => (UINT32, |t| (t.div_euclid(DAY) + 3).div_euclid(7).clamp(0, 65_535)),
        "toRelativeDayNum" => (UINT32, |t| t.div_euclid(DAY).clamp(0, crate::text::LAST_DAY)),
        // These functions ignore the time zone.
        "toRelativeHourNum" => (UINT32, |t| t.div_euclid(3_600).max(0)),
        "toRelativeMinuteNum" => (UINT32, |t| t.div_euclid(60).max(0)),
        "toRelativeSecondNum" => (UINT32, |t| t.clamp(0, i64::from(u32::MAX))),
        "toDaysSinceYearZero" => (UINT32, |t| t.div_euclid(DAY) + 719_528),
        _ => return None,
    };
    Some(build_part(given, ty, of))
}

/// Number of days in the range of `Date`.
pub(super) const DAYS: i64 = crate::text::LAST_DAY + 1;

fn build_part(given: &FunctionCall<'_>, ty: Type, of: fn(i64) -> i64) -> Result<Built> {
    if given.name == "toDayOfWeek" && given.count() == 2 {
        return day_of_week(given);
    }

    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    if from.is_date() && matches!(given.name, "toHour" | "toMinute" | "toSecond") {
        return Err(given.fault("the argument must be a DateTime or DateTime64, not a date"));
    }

    let is_hour = given.name == "toRelativeHourNum";
    // A local day of a DateTime before 1970 wraps around.
    let is_stamp = matches!(from, Type::DateTime(_));
    let is_day = is_stamp && given.name == "toRelativeDayNum";
    // `toDaysSinceYearZero` ignores the time zone of a DateTime, but not of a DateTime64.
    let in_utc = is_hour
        || matches!(given.name, "toRelativeMinuteNum" | "toRelativeSecondNum")
        || is_stamp && given.name == "toDaysSinceYearZero";
    if is_hour && !from.zone().has_whole_hours() {
        return Err(given.fault("the time zone must always differ from UTC by whole hours"));
    }
    Built::new(ty, move |v| {
        if is_hour && matches!(from, Type::DateTime64(..)) && v[0].int() < 0 {
            return Err(Problem::text(
                "`toRelativeHourNum` does not support DateTime64 before 1970",
            ));
        }
        let time = if in_utc { unix_seconds(&v[0], &from) } else { seconds(&v[0], &from) };
        let time = if is_day { time.rem_euclid(DAYS * DAY) } else { time };
        Ok(Value::Int(of(time).into()))
    })
}

/// Creates `toDayOfWeek(time, mode)`. The mode selects the first weekday and whether counting starts at 0 or 1.
fn day_of_week(given: &FunctionCall<'_>) -> Result<Built> {
    given.is_moment(0)?;
    let mode = given.constant_int(1)?;
    let from = given.types[0].clone();
    Built::new(BYTE, move |v| {
        let day = time::weekday(day_of(&v[0], &from));
        Ok(Value::Int(i128::from(match mode & 3 {
            0 => day,
            1 => day - 1,
            2 => day % 7,
            _ => day % 7 + 1,
        })))
    })
}

fn week(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_moment(0)?;
    let mode = if given.count() == 2 { given.constant_int(1)? } else { 0 };
    if !(0..=7).contains(&mode) {
        return Err(given.fault("the mode must be from 0 to 7"));
    }
    let from = given.types[0].clone();
    // A local day of a DateTime before 1970 becomes the first day of the range.
    let first_day = if matches!(from, Type::DateTime(_)) { 0 } else { i64::MIN };
    let day_of = move |value: &Value| day_of(value, &from).max(first_day);
    if given.name == "toYearWeek" {
        return Built::new(UINT32, move |v| {
            let (year, week) = calendar_week(day_of(&v[0]), mode | 2);
            Ok(Value::Int(i128::from(year.max(0) * 100 + week)))
        });
    }
    Built::new(BYTE, move |v| {
        let day = day_of(&v[0]);
        let (year, week) = calendar_week(day, mode);
        // If the result contains no year, days before the first week belong to week 0.
        let before = mode & 2 == 0 && year < time::civil(day).0;
        Ok(Value::Int(if before { 0 } else { i128::from(week) }))
    })
}

/// Returns the year and the number of the week in which a day lies. Bits of the mode:
///
/// - 1: weeks start on Monday. Without this bit, they start on Sunday.
/// - 2: the last days of a year can belong to week 1 of the next year.
/// - 4: swaps the following two rules. If weeks start on Monday, week 1 is the first week that has at least four days
///   in the year. If weeks start on Sunday, week 1 is the first week that starts in the year.
fn calendar_week(day: i64, mode: i64) -> (i64, i64) {
    let monday = mode & 1 != 0;
    let mut first_weekday = mode & 4 != 0;
    if !monday {
        first_weekday = !first_weekday;
    }

    let weekday = |day: i64| if monday { time::weekday(day) - 1 } else { time::weekday(day) % 7 };
    let first_of = |year: i64| {
        let start = time::day(year, 1, 1);
        let offset = weekday(start);
        if first_weekday {
            start + (7 - offset) % 7
        } else if offset <= 3 {
            start - offset
        } else {
            start + 7 - offset
        }
    };

    let year = time::civil(day).0;
    if day < first_of(year) {
        return (year - 1, (day - first_of(year - 1)) / 7 + 1);
    }
    if mode & 2 != 0 && day >= first_of(year + 1) {
        return (year + 1, (day - first_of(year + 1)) / 7 + 1);
    }
    (year, (day - first_of(year)) / 7 + 1)
}

fn name(given: &FunctionCall<'_>) -> Result<Built> {
    let at = usize::from(given.name == "dateName");
    given.takes(at + 1..=at + 1)?;
    given.is_moment(at)?;
    if at == 0 && given.types[0] == Type::Date32 {
        return Err(given.fault("the argument must be Date or DateTime, not Date32"));
    }
    let part =
        if at == 1 { given.constant_text(0)?.to_ascii_lowercase() } else { "month".to_owned() };
    let from = given.types[at].clone();

    let is_known = [
        "year",
        "quarter",
        "month",
        "day",
        "weekday",
        "hour",
        "minute",
        "second",
        "dayofyear",
        "week",
    ];
    if !is_known.contains(&part.as_str()) {
        return Err(given.fault(&format!("`{part}` is not a part of a date or time")));
    }
    if from.is_date() && matches!(part.as_str(), "hour" | "minute" | "second") {
        return Err(given.fault("hours, minutes and seconds need a DateTime or DateTime64"));
    }

    Built::new(Type::String, move |v| {
        let seconds = from.zone().local(whole_seconds(&v[at], &from));
        let day = seconds.div_euclid(DAY);
        let (year, month, of_month) = time::civil(day);
        Ok(Value::text(match part.as_str() {
            "year" => year.to_string(),
            "quarter" => ((month - 1) / 3 + 1).to_string(),
            "month" => time::MONTHS[usize::try_from(month - 1).unwrap_or(0)].to_owned(),
            "day" => of_month.to_string(),
            "weekday" => {
                time::WEEKDAYS[usize::try_from(time::weekday(day) - 1).unwrap_or(0)].to_owned()
            }
            "hour" => (seconds.rem_euclid(DAY) / 3_600).to_string(),
            "minute" => (seconds.rem_euclid(3_600) / 60).to_string(),
            "second" => seconds.rem_euclid(60).to_string(),
            "week" => time::iso_week(day).1.to_string(),
            _ => time::day_of_year(day).to_string(),
        }))
    })
}

fn assemble(given: &FunctionCall<'_>) -> Result<Built> {
    let is_time = given.name == "makeDateTime";
    given.takes(if is_time { 6..=7 } else { 3..=3 })?;
    let zone = if is_time { given.optional_zone(6)? } else { Zone::SERVER };
    for at in 0..given.count().min(6) {
        given.is(at, "an integer or a float", |ty| ty.is_int() || ty.is_float())?;
    }

    let ty = if is_time { Type::DateTime(zone) } else { Type::Date };
    Built::new(ty, move |v| {
        let is_number = |value: &Value| !matches!(value, Value::Float(n) if !n.is_finite());
        let n =
            |at: usize| i64::try_from(v[at].int()).ok().filter(|_| is_number(&v[at])).unwrap_or(-1);
        let fits =
            (1970..=2149).contains(&n(0)) && (1..=12).contains(&n(1)) && (1..=31).contains(&n(2));
        if !fits {
            return Ok(Value::Int(0));
        }

        let day = time::day(n(0), n(1), n(2));
        if !is_time {
            return Ok(Value::Int(if day > crate::text::LAST_DAY { 0 } else { day.into() }));
        }

        // A clock time that is too large, such as minute 75, carries over to the next hour or day.
        if (3..6).any(|at| u8::try_from(n(at)).is_err()) {
            return Ok(Value::Int(0));
        }
        let seconds = zone.unix(day * DAY + (n(3) * 60 + n(4)) * 60 + n(5));
        Ok(Value::Int(seconds.clamp(0, i64::from(u32::MAX)).into()))
    })
}

fn unix(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    let from = given.types[0].clone();
    if from.is_text() {
        let ty = Type::DateTime(given.optional_zone(1)?);
        return Built::new(UINT32, move |v| crate::text::read(v[0].bytes(), &ty));
    }
    given.is_moment(0)?;
    given.optional_zone(1)?;
    Built::new(UINT32, move |v| {
        let time = whole_seconds(&v[0], &from);
        match from {
            Type::DateTime64(..) if u32::try_from(time).is_err() => {
                Err(Problem::text("a time is out of the range of UInt32: use toInt64"))
            }
            _ => Ok(Value::Int(time.rem_euclid(1 << 32).into())),
        }
    })
}

fn zone(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is(0, "a DateTime or DateTime64", Type::is_time)?;
    let ty = in_zone(&given.types[0], given.optional_zone(1)?);
    Built::new(ty, |v| Ok(v[0].clone()))
}

/// Returns a time type with the time zone `zone`. If `ty` is a DateTime64, the result is a DateTime64 with the same
/// scale. Otherwise the result is a DateTime.
fn in_zone(ty: &Type, zone: Zone) -> Type {
    match ty {
        Type::DateTime64(scale, _) => Type::DateTime64(*scale, zone),
        _ => Type::DateTime(zone),
    }
}

/// Creates `timezoneOf` or `timezoneOffset`. `timezoneOf` returns the name of the time zone of a time. `timezoneOffset`
/// returns the offset of this zone from UTC in seconds.
fn zone_facts(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is(0, "a DateTime or DateTime64", Type::is_time)?;
    let from = given.types[0].clone();
    let zone = from.zone();
    if given.name == "timezoneOf" {
        if matches!(given.nodes[0].ty, Type::LowCardinality(_)) || given.nodes[0].ty.is_null() {
            return Err(given.fault("the argument must be a time, not NULL or LowCardinality"));
        }
        return Built::new(Type::String, move |_| Ok(Value::text(zone.name().unwrap_or("UTC"))));
    }
    Built::new(Type::int(32, true), move |v| {
        Ok(Value::Int(zone.offset(unix_seconds(&v[0], &from)).into()))
    })
}

/// Functions that accept a time zone as last argument. Each entry is the function name, and the index of the time
/// argument to which the zone applies.
const WITH_ZONE: &[(&str, usize)] = &[
    ("toYear", 0),
    ("toQuarter", 0),
    ("toMonth", 0),
    ("toDayOfMonth", 0),
    ("toDayOfYear", 0),
    ("toHour", 0),
    ("toMinute", 0),
    ("toSecond", 0),
    ("toISOYear", 0),
    ("toISOWeek", 0),
    ("toYYYYMM", 0),
    ("toYYYYMMDD", 0),
    ("toYYYYMMDDhhmmss", 0),
    ("toRelativeYearNum", 0),
    ("toRelativeMonthNum", 0),
    ("toRelativeWeekNum", 0),
    ("toRelativeDayNum", 0),
    ("toRelativeHourNum", 0),
    ("toRelativeMinuteNum", 0),
    ("toRelativeSecondNum", 0),
    ("toStartOfYear", 0),
    ("toStartOfQuarter", 0),
    ("toStartOfMonth", 0),
    ("toLastDayOfMonth", 0),
    ("toMonday", 0),
    ("toStartOfISOYear", 0),
    ("toStartOfDay", 0),
    ("toStartOfHour", 0),
    ("toStartOfMinute", 0),
    ("toStartOfFiveMinutes", 0),
    ("toStartOfTenMinutes", 0),
    ("toStartOfFifteenMinutes", 0),
    ("timeSlot", 0),
    ("toStartOfSecond", 0),
    ("toDate", 0),
    ("toString", 0),
    ("toStartOfInterval", 0),
    ("toDayOfWeek", 0),
    ("toWeek", 0),
    ("toYearWeek", 0),
    ("toStartOfWeek", 0),
    ("toLastDayOfWeek", 0),
    ("formatDateTime", 0),
    ("dateTrunc", 1),
    ("dateName", 1),
    ("toDate32", 0),
];

/// Moves the time zone argument of a call into the type of the time argument. Returns `None` if the call has no time
/// zone argument, if the function is not in [`WITH_ZONE`], or if the time argument is a date.
pub(super) fn zoned<'a>(given: &FunctionCall<'a>) -> Option<Result<FunctionCall<'a>>> {
    let (_, at) = WITH_ZONE.iter().find(|(name, _)| *name == given.name)?;
    let last = given.count().checked_sub(1).filter(|last| last > at)?;
    let is_zone = given.types[last].is_text() && !(given.name == "formatDateTime" && last == 1);
    if !is_zone || !given.types[*at].is_time() {
        return None;
    }
    Some(given.optional_zone(last).map(|zone| {
        let mut types = given.types[..last].to_vec();
        types[*at] = in_zone(&types[*at], zone);
        FunctionCall { name: given.name, types, nodes: &given.nodes[..last], now: given.now }
    }))
}
