//! Dates and times as the dialect means them. Both are Unix seconds here, a date those of its
//! midnight, which is also how rows show them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;

use crate::moment::{self, DAY, HOUR};

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    /// The unit called `name`, in the singular or plural.
    pub(crate) fn read(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match name.strip_suffix('s').unwrap_or(&name) {
            "second" | "ss" | "" => Unit::Second,
            "minute" | "mi" | "n" => Unit::Minute,
            "hour" | "hh" | "h" => Unit::Hour,
            "day" | "dd" | "d" => Unit::Day,
            "week" | "wk" | "ww" => Unit::Week,
            "month" | "mm" | "m" => Unit::Month,
            "quarter" | "qq" | "q" => Unit::Quarter,
            "year" | "yyyy" | "yy" => Unit::Year,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Second => "second",
            Unit::Minute => "minute",
            Unit::Hour => "hour",
            Unit::Day => "day",
            Unit::Week => "week",
            Unit::Month => "month",
            Unit::Quarter => "quarter",
            Unit::Year => "year",
        }
    }

    /// Whether adding it to a date leaves a date.
    pub(crate) fn keeps_date(self) -> bool {
        !matches!(self, Unit::Second | Unit::Minute | Unit::Hour)
    }

    /// Its length, where that is always the same.
    fn seconds(self) -> Option<i64> {
        Some(match self {
            Unit::Second => 1,
            Unit::Minute => 60,
            Unit::Hour => HOUR,
            Unit::Day => DAY,
            Unit::Week => 7 * DAY,
            Unit::Month | Unit::Quarter | Unit::Year => return None,
        })
    }
}

fn months_of(unit: Unit) -> i64 {
    match unit {
        Unit::Quarter => 3,
        Unit::Year => 12,
        _ => 1,
    }
}

/// 1970-01-05, a Monday.
const MONDAY: i64 = 4 * DAY;

/// Months since the year 0.
fn month_number(date: Date) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month()) - 1
}

fn month_start(number: i64) -> i64 {
    let (year, month) = (number.div_euclid(12), number.rem_euclid(12) + 1);
    let date = i16::try_from(year)
        .ok()
        .and_then(|year| Date::new(year, i8::try_from(month).ok()?, 1).ok());
    date.map_or(0, moment::start_of)
}

/// The start of the `count` units that hold `time`. Weeks begin on Mondays.
pub(crate) fn start(time: i64, unit: Unit, count: i64) -> i64 {
    let count = count.clamp(1, 1_000_000);
    match unit {
        Unit::Week => time - (time - MONDAY).rem_euclid(7 * DAY * count),
        _ => match unit.seconds() {
            Some(seconds) => time - time.rem_euclid(seconds * count),
            None => {
                let size = months_of(unit) * count;
                let number = month_number(moment::date(time));
                // Counted from January 1970, so that years and quarters fall where calendars have them.
                month_start(number - (number - 1970 * 12).rem_euclid(size))
            }
        },
    }
}

/// The start of the week that holds `time`, on a Sunday.
pub(crate) fn sunday(time: i64) -> i64 {
    start(time + DAY, Unit::Week, 1) - DAY
}

/// `time` and `count` units; a day that a month does not have becomes its last.
pub(crate) fn add(time: i64, count: i64, unit: Unit) -> i64 {
    match unit.seconds() {
        Some(seconds) => time.saturating_add(seconds.saturating_mul(count)),
        None => {
            let date = moment::date(time);
            let months = months_of(unit).saturating_mul(count.clamp(-120_000, 120_000));
            let first = month_start(month_number(date) + months);
            let length = i64::from(moment::date(first).days_in_month());
            first + (i64::from(date.day()).min(length) - 1) * DAY + time.rem_euclid(DAY)
        }
    }
}

/// How many borders of `unit` lie between two moments.
pub(crate) fn difference(unit: Unit, from: i64, to: i64) -> i64 {
    match unit.seconds() {
        Some(seconds) if unit != Unit::Week => to.div_euclid(seconds) - from.div_euclid(seconds),
        Some(seconds) => (start(to, unit, 1) - start(from, unit, 1)) / seconds,
        None => {
            let number = |time| month_number(moment::date(time)).div_euclid(months_of(unit));
            number(to) - number(from)
        }
    }
}

/// One part of a moment, such as its year.
pub(crate) fn part(name: &str, time: i64) -> Option<i64> {
    let date = moment::date(time);
    let (year, month, day) =
        (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));

    Some(match name {
        "year" => year,
        "quarter" => (month - 1) / 3 + 1,
        "month" => month,
        "week" => i64::from(date.iso_week_date().week()),
        "day" => day,
        "dayofweek" => i64::from(date.weekday().to_monday_one_offset()),
        "dayofyear" => i64::from(date.day_of_year()),
        "hour" => time.rem_euclid(DAY) / HOUR,
        "minute" => time.rem_euclid(HOUR) / 60,
        "second" => time.rem_euclid(60),
        "yyyymm" => year * 100 + month,
        "yyyymmdd" => year * 10_000 + month * 100 + day,
        "yyyymmddhhmmss" => {
            let clock = time.rem_euclid(DAY);
            (year * 10_000 + month * 100 + day) * 1_000_000
                + clock / HOUR * 10_000
                + clock % HOUR / 60 * 100
                + clock % 60
        }
        _ => return None,
    })
}

/// Unix seconds of a date or a date and a time, with a blank or a `T` between them.
pub(crate) fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(day) = moment::read_day(text) {
        return Some(day);
    }
    if text.len() >= 9 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.as_second());
    }
    // Without the hours a text is a date in another spelling, which is not guessed at.
    if !text.contains(':') {
        return None;
    }
    let civil: DateTime = text.replacen(' ', "T", 1).parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// `2026-01-31`, or `2026-01-31 12:00:00` for a moment.
pub(crate) fn show(time: i64, is_date: bool) -> String {
    let day = moment::day_text(time);
    if is_date {
        return day;
    }
    let clock = time.rem_euclid(DAY);
    format!("{day} {:02}:{:02}:{:02}", clock / HOUR, clock % HOUR / 60, clock % 60)
}

/// A moment by a pattern with `%Y` and the like; an unknown letter stays as it is.
pub(crate) fn format(time: i64, pattern: &str) -> String {
    let date = moment::date(time);
    let clock = time.rem_euclid(DAY);
    let (hour, minute, second) = (clock / HOUR, clock % HOUR / 60, clock % 60);
    let mut text = String::new();
    let mut letters = pattern.chars();

    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }

        let part = match letters.next() {
            Some('Y') => format!("{:04}", date.year()),
            Some('y') => format!("{:02}", date.year().rem_euclid(100)),
            Some('m') => format!("{:02}", date.month()),
            Some('d') => format!("{:02}", date.day()),
            Some('e') => format!("{:2}", date.day()),
            Some('F') => moment::day_text(time),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{:02}", (hour + 11) % 12 + 1),
            Some('i' | 'M') => format!("{minute:02}"),
            Some('S' | 's') => format!("{second:02}"),
            Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('R') => format!("{hour:02}:{minute:02}"),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('j') => format!("{:03}", date.day_of_year()),
            Some('u') => date.weekday().to_monday_one_offset().to_string(),
            Some('w') => date.weekday().to_sunday_zero_offset().to_string(),
            Some('V') => format!("{:02}", date.iso_week_date().week()),
            Some('Q') => ((date.month() - 1) / 3 + 1).to_string(),
            Some('a') => weekday(date.weekday()).to_owned(),
            Some('b') => month(date.month()).to_owned(),
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        text.push_str(&part);
    }

    text
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    }
}

fn month(number: i8) -> &'static str {
    const NAMES: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    usize::try_from(number - 1).ok().and_then(|index| NAMES.get(index)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn units_begin_where_calendars_have_them() {
        let time = at("2026-06-17 13:37:42");
        for (unit, count, expected) in [
            (Unit::Second, 10, "2026-06-17 13:37:40"),
            (Unit::Minute, 15, "2026-06-17 13:30:00"),
            (Unit::Hour, 4, "2026-06-17 12:00:00"),
            (Unit::Day, 1, "2026-06-17"),
            (Unit::Week, 1, "2026-06-15"),
            (Unit::Month, 1, "2026-06-01"),
            (Unit::Quarter, 1, "2026-04-01"),
            (Unit::Year, 1, "2026-01-01"),
            (Unit::Month, 6, "2026-01-01"),
        ] {
            assert_eq!(start(time, unit, count), at(expected), "{unit:?} {count}");
        }
        assert_eq!(sunday(time), at("2026-06-14"));
        assert_eq!(sunday(at("2026-06-14")), at("2026-06-14"));
    }

    #[test]
    fn months_end_where_they_end() {
        assert_eq!(add(at("2026-01-31"), 1, Unit::Month), at("2026-02-28"));
        assert_eq!(add(at("2024-02-29"), -1, Unit::Year), at("2023-02-28"));
        assert_eq!(add(at("2026-01-31 01:00:00"), 2, Unit::Quarter), at("2026-07-31 01:00:00"));
        assert_eq!(add(at("2026-01-31"), -36, Unit::Hour), at("2026-01-29 12:00:00"));
        assert_eq!(add(0, i64::MAX, Unit::Day), i64::MAX);
        add(0, i64::MIN, Unit::Year);
    }

    #[test]
    fn borders_are_counted() {
        let (a, b) = (at("2025-12-31 23:59:59"), at("2026-01-01"));
        for unit in [Unit::Second, Unit::Minute, Unit::Hour, Unit::Day, Unit::Month, Unit::Year] {
            assert_eq!(difference(unit, a, b), 1, "{unit:?}");
        }
        assert_eq!(difference(Unit::Week, a, b), 0);
        assert_eq!(difference(Unit::Month, at("2026-03-31"), at("2026-01-01")), -2);
    }

    #[test]
    fn texts_of_moments() {
        assert_eq!(show(at("2026-01-02T03:04:05"), false), "2026-01-02 03:04:05");
        assert_eq!(show(at("2026-01-02"), true), "2026-01-02");
        assert_eq!(
            format(at("2026-01-02 03:04:05"), "%Y%m%d %T %j %a %b 100%%"),
            "20260102 03:04:05 002 Fri Jan 100%"
        );
        assert_eq!(at("2026-01-02 03:04:05.123"), at("2026-01-02 03:04:05"));
        assert_eq!(at("1767225600"), at("2026-01-01"));
        for bad in ["", "2026-13-01", "2026-1-1", "soon", "20260101", "2026-01-01 25:00:00"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
