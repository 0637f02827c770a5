//! Trading days of US exchanges. Weekends and exchange holidays are not trading days.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};

use crate::timestamp::{self, DAY};

/// Returns true if US exchanges trade on the day that begins at the Unix time `start`.
pub(crate) fn is_session(start: i64) -> bool {
    let day = timestamp::date(start);
    let is_weekend = matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    !is_weekend && !holidays(day.year()).contains(&day)
}

/// Returns the Unix time of the newest share price: `now` on a trading day, otherwise the end of the last trading day.
pub(super) fn last_quote_time(now: i64) -> i64 {
    let today = now - now.rem_euclid(DAY);
    if is_session(today) {
        return now;
    }
    last_session(today - DAY) + DAY
}

/// Returns the start of the last trading day that is not after the day that begins at `start`. For a Saturday, this is
/// usually the Friday before.
pub(super) fn last_session(start: i64) -> i64 {
    let days = (0..).map(|n| start - n * DAY);
    days.into_iter().find(|day| is_session(*day)).unwrap_or(start)
}

/// Returns the days of a year on which exchanges close because of a holiday.
fn holidays(year: i16) -> [Date; 10] {
    let nth = |month: i8, n: i8, weekday: Weekday| {
        date(year, month, 1).nth_weekday_of_month(n, weekday).unwrap_or(Date::ZERO)
    };
    [
        // If New Year's Day is a Saturday, exchanges do not close on the Friday before.
        match date(year, 1, 1) {
            day if day.weekday() == Weekday::Sunday => date(year, 1, 2),
            day => day,
        },
        nth(1, 3, Weekday::Monday),
        nth(2, 3, Weekday::Monday),
        easter(year).checked_sub(2.days()).unwrap_or(Date::ZERO),
        nth(5, -1, Weekday::Monday),
        observed_day(date(year, 6, 19)),
        observed_day(date(year, 7, 4)),
        nth(9, 1, Weekday::Monday),
        nth(11, 4, Weekday::Thursday),
        observed_day(date(year, 12, 25)),
    ]
}

/// Moves a holiday from Saturday to Friday, and from Sunday to Monday. Returns other days unchanged.
fn observed_day(day: Date) -> Date {
    let observed = match day.weekday() {
        Weekday::Saturday => day.yesterday(),
        Weekday::Sunday => day.tomorrow(),
        _ => return day,
    };
    observed.unwrap_or(day)
}

/// Returns the date of Easter Sunday in a year. Uses the anonymous Gregorian algorithm.
fn easter(year: i16) -> Date {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    let part = |number: i32| i8::try_from(number).unwrap_or(1);
    date(year, part(sum / 31), part(sum % 31 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekends_and_holidays_are_no_sessions() {
        let is = |day: &str| is_session(timestamp::read_day(day).unwrap());
        for day in ["2026-06-15", "2026-07-02", "2026-11-27", "2021-12-31", "2026-12-24"] {
            assert!(is(day), "{day}");
        }
        for day in [
            "2026-01-01",
            "2026-01-19",
            "2026-02-16",
            "2026-04-03",
            "2026-05-25",
            "2026-06-19",
            "2026-07-03",
            "2026-09-07",
            "2026-11-26",
            "2026-12-25",
            "2026-06-13",
            "2026-06-14",
            "2025-04-18",
            "2027-12-24",
            "2023-01-02",
        ] {
            assert!(!is(day), "{day}");
        }
    }

    #[test]
    fn quote_time_on_weekend_is_end_of_friday() {
        let saturday = timestamp::read_day("2026-06-13").unwrap();
        assert_eq!(last_quote_time(saturday + 3_600), saturday);
        assert_eq!(last_quote_time(saturday - 3_600), saturday - 3_600);
    }
}
