//! Parts of dates, and the current time.

use super::{Built, Given, Made};
use crate::problem::Result;
use crate::time::{self, DAY};
use crate::types::{BYTE, Type, UINT16, UINT32, UINT64};
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    let now = given.now;
    let constant = |ty: Type, value: i64| {
        given.takes(0..=1).and_then(|()| Built::new(ty, move |_| Ok(Value::Int(value.into()))))
    };
    Some(match given.name {
        "now" => {
            let zone = given.count() == 1;
            if zone && given.constant_text(0).is_ok_and(|zone| zone != "UTC") {
                return Some(Err(given.fault("times are UTC here")));
            }
            constant(Type::DateTime(zone), now)
        }
        "now64" => {
            let scale = if given.count() == 1 { given.constant_int(0) } else { Ok(3) };
            scale.and_then(|scale| {
                let scale = u8::try_from(scale.clamp(0, 9)).unwrap_or(3);
                let ticks = now * 10_i64.pow(u32::from(scale));
                constant(Type::DateTime64(scale, false), ticks)
            })
        }
        "today" => constant(Type::Date, now.div_euclid(DAY)),
        "yesterday" => constant(Type::Date, now.div_euclid(DAY) - 1),
        "timezone" | "serverTimezone" => {
            given.takes(0..=0).and_then(|()| Built::new(Type::String, |_| Ok(Value::text("UTC"))))
        }
        "toWeek" | "toYearWeek" => week(given),
        "monthName" | "dateName" => name(given),
        "makeDate" | "makeDateTime" => assemble(given),
        "toUnixTimestamp" => unix(given),
        "toTimeZone" => zone(given),
        _ => return part(given),
    })
}

/// Converts a date or a time to Unix seconds.
pub(super) fn seconds(value: &Value, ty: &Type) -> i64 {
    let number = i64::try_from(value.int()).unwrap_or(i64::MAX);
    match ty {
        Type::Date | Type::Date32 => number.saturating_mul(DAY),
        Type::DateTime64(scale, _) => number.div_euclid(10_i64.pow(u32::from(*scale))),
        _ => number,
    }
}

/// Converts a date or a time to days since 1970.
pub(super) fn day_of(value: &Value, ty: &Type) -> i64 {
    seconds(value, ty).div_euclid(DAY)
}

impl Given<'_> {
    /// Returns an error if an argument is neither a date nor a time.
    pub(super) fn is_moment(&self, at: usize) -> Result<()> {
        self.is(at, "a date or a time", |ty| ty.is_date() || ty.is_time())
    }
}

fn part(given: &Given<'_>) -> Made {
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
        "toISOYear" => (UINT16, |t| time::iso_week(t.div_euclid(DAY)).0),
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
        "toRelativeWeekNum" => (UINT32, |t| (t.div_euclid(DAY) + 3).div_euclid(7)),
        "toRelativeDayNum" => (UINT32, |t| t.div_euclid(DAY)),
        "toRelativeHourNum" => (UINT32, |t| t.div_euclid(3_600)),
        "toRelativeMinuteNum" => (UINT32, |t| t.div_euclid(60)),
        "toRelativeSecondNum" => (UINT32, |t| t),
        "toDaysSinceYearZero" => (UINT32, |t| t.div_euclid(DAY) + 719_528),
        _ => return None,
    };
    Some(build_part(given, ty, of))
}

fn build_part(given: &Given<'_>, ty: Type, of: fn(i64) -> i64) -> Result<Built> {
    if given.name == "toDayOfWeek" && given.count() == 2 {
        let mode = given.constant_int(1)?;
        given.is_moment(0)?;
        let from = given.types[0].clone();
        return Built::new(ty, move |v| {
            let day = time::weekday(day_of(&v[0], &from));
            Ok(Value::Int(i128::from(match mode & 3 {
                0 => day,
                1 => day - 1,
                2 => day % 7,
                _ => day % 7 + 1,
            })))
        });
    }
    given.takes(1..=1)?;
    given.is_moment(0)?;
    let from = given.types[0].clone();
    Built::new(ty, move |v| Ok(Value::Int(of(seconds(&v[0], &from)).into())))
}

fn week(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_moment(0)?;
    let mode = if given.count() == 2 { given.constant_int(1)? } else { 0 };
    let from = given.types[0].clone();
    if given.name == "toYearWeek" {
        return Built::new(UINT32, move |v| {
            let (year, week) = calendar_week(day_of(&v[0], &from), mode | 2);
            Ok(Value::Int(i128::from(year * 100 + week)))
        });
    }
    Built::new(BYTE, move |v| {
        let day = day_of(&v[0], &from);
        let (year, week) = calendar_week(day, mode);
        // Without a year in the result, days before the first week belong to week 0.
        let before = mode & 2 == 0 && year < time::civil(day).0;
        Ok(Value::Int(if before { 0 } else { i128::from(week) }))
    })
}

/// Year and number of a week. Bits of the mode: 1, weeks begin on Monday; 2, weeks count from 1 and
/// belong to one year; 4, the first week is the one with the first such day.
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

fn name(given: &Given<'_>) -> Result<Built> {
    let at = usize::from(given.name == "dateName");
    given.takes(at + 1..=at + 1)?;
    given.is_moment(at)?;
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
        return Err(given.fault(&format!("there is no part `{part}`")));
    }

    Built::new(Type::String, move |v| {
        let seconds = seconds(&v[at], &from);
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

fn assemble(given: &Given<'_>) -> Result<Built> {
    let is_time = given.name == "makeDateTime";
    given.takes(if is_time { 6..=6 } else { 3..=3 })?;
    for at in 0..given.count() {
        given.is_number(at)?;
    }

    let ty = if is_time { Type::DateTime(false) } else { Type::Date };
    Built::new(ty, move |v| {
        let n = |at: usize| i64::try_from(v[at].int()).unwrap_or(-1);
        let fits = (1970..=2149).contains(&n(0))
            && (1..=12).contains(&n(1))
            && (1..=time::days_of(n(0), n(1))).contains(&n(2));
        if !fits {
            return Ok(Value::Int(0));
        }

        let day = time::day(n(0), n(1), n(2));
        if !is_time {
            return Ok(Value::Int(if day > crate::text::LAST_DAY { 0 } else { day.into() }));
        }

        let clock = [(3, 24), (4, 60), (5, 60)];
        if clock.iter().any(|(at, most)| !(0..*most).contains(&n(*at))) {
            return Ok(Value::Int(0));
        }
        let seconds = day * DAY + (n(3) * 60 + n(4)) * 60 + n(5);
        Ok(Value::Int(seconds.clamp(0, i64::from(u32::MAX)).into()))
    })
}

fn unix(given: &Given<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    let from = given.types[0].clone();
    if from.is_text() {
        return Built::new(UINT32, |v| crate::text::read(v[0].bytes(), &Type::DateTime(false)));
    }
    given.is_moment(0)?;
    Built::new(UINT32, move |v| Ok(Value::Int(seconds(&v[0], &from).into())))
}

fn zone(given: &Given<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_moment(0)?;
    if given.constant_text(1)? != "UTC" {
        return Err(given.fault("times are UTC here"));
    }
    let ty = match given.types[0] {
        Type::DateTime64(scale, _) => Type::DateTime64(scale, true),
        _ => Type::DateTime(true),
    };
    Built::new(ty, |v| Ok(v[0].clone()))
}
