//! Calendar arithmetic in UTC.
//!
//! The functions convert between days or seconds since 1970, the parts of a date, and the text form of dates and times.

use std::ops::RangeInclusive;

/// Number of seconds in a day.
pub(crate) const DAY: i64 = 86_400;
/// First day of `Date32`, 1 January of year 0, in days since 1970.
pub(crate) const ZERO_DATE32: i64 = -719_528;
/// Last day of `Date32`, 31 December 9999, in days since 1970.
pub(crate) const LAST_DATE32: i64 = 2_932_896;
/// First second of `DateTime64`, the start of year 0, in Unix seconds.
pub(crate) const FIRST_SECOND: i64 = ZERO_DATE32 * DAY;
/// Last second of `DateTime64`, at the end of year 9999, in Unix seconds.
pub(crate) const LAST_SECOND: i64 = (LAST_DATE32 + 1) * DAY - 1;
/// 1900-01-01 in days since 1970. In ClickHouse, a date in month 13 or with day 32 becomes this day.
pub(crate) const DAY_1900: i64 = -25_567;

/// Returns the range of a `DateTime64` in units of 10^-`scale` seconds since 1970.
pub(crate) fn tick_range(scale: u8) -> RangeInclusive<i128> {
    let one = 10_i128.pow(u32::from(scale));
    i128::from(FIRST_SECOND) * one..=i128::from(LAST_SECOND + 1) * one - 1
}

/// Limits a day to the range of `Date32`. A day out of range, for example after an addition, becomes the first or the
/// last day of the range.
pub(crate) fn in_calendar(day: i64) -> i64 {
    day.clamp(ZERO_DATE32, LAST_DATE32)
}

/// Converts days since 1970 to a year, a month and a day of the month.
pub(crate) fn civil(day: i64) -> (i64, i64, i64) {
    // The algorithm counts days from 1 March of year 0, in periods of 400 years.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Converts a year, a month and a day of the month to days since 1970. Months and days out of range carry over: 31 June
/// is 1 July.
pub(crate) fn day(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the number of days in a month.
pub(crate) fn days_of(year: i64, month: i64) -> i64 {
    day(year, month + 1, 1) - day(year, month, 1)
}

/// Adds months to a date in days since 1970. The day of the month is limited to the length of the new month.
pub(crate) fn add_months(date: i64, months: i64) -> i64 {
    let (year, month, of_month) = civil(date);
    let whole = year.saturating_mul(12).saturating_add(month - 1).saturating_add(months);
    let whole = whole.clamp(-12_000_000, 12_000_000);
    let (year, month) = (whole.div_euclid(12), whole.rem_euclid(12) + 1);
    day(year, month, of_month.min(days_of(year, month)))
}

/// Returns the day of the week, from 1 (Monday) to 7 (Sunday). `date` is in days since 1970.
pub(crate) fn weekday(date: i64) -> i64 {
    (date + 3).rem_euclid(7) + 1
}

/// Returns the day of the year. 1 January is 1. `date` is in days since 1970.
pub(crate) fn day_of_year(date: i64) -> i64 {
    date - day(civil(date).0, 1, 1) + 1
}

/// Returns the ISO 8601 year and the ISO 8601 week number of a date. `date` is in days since 1970.
pub(crate) fn iso_week(date: i64) -> (i64, i64) {
    let thursday = date - weekday(date) + 4;
    (civil(thursday).0, (day_of_year(thursday) - 1) / 7 + 1)
}

/// English names of the months.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// English names of the days of the week, starting with Monday.
pub(crate) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Formats a date, given in days since 1970, as `2026-01-31`.
pub(crate) fn date_text(date: i64) -> String {
    let (year, month, day) = civil(date);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Formats a time, given in seconds since 1970, as `2026-01-31 01:02:03`.
pub(crate) fn time_text(time: i64) -> String {
    let (date, second) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{} {hour:02}:{minute:02}:{:02}", date_text(date), second % 60)
}

/// Parses a date such as `2026-01-31` and returns days since 1970.
pub(crate) fn read_date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let mut part = |digits: std::ops::RangeInclusive<usize>| -> Option<i64> {
        let part = parts.next()?;
        let is_number = digits.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if is_number { part.parse().ok() } else { None }
    };
    let (year, month, of_month) = (part(4..=4)?, part(1..=2)?, part(1..=2)?);
    let is_date = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&of_month);
    (is_date && parts.next().is_none()).then(|| day(year, month, of_month))
}

/// Parses a time such as `2026-01-31 01:02:03.456`. Returns the seconds since 1970 and the digits of the fraction. The
/// clock time is optional, and `T` can replace the space. The seconds of a clock time are optional, and a `Z` at the
/// end is ignored.
pub(crate) fn read_time(text: &str) -> Option<(i64, &str)> {
    let Some((date, clock)) = text.split_once([' ', 'T']) else {
        return Some((read_date(text)? * DAY, ""));
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let clock = clock.strip_suffix('Z').unwrap_or(clock);
    let fraction = fraction.strip_suffix('Z').unwrap_or(fraction);
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }

    let mut seconds = 0;
    let mut count = 0;
    for (part, most) in clock.split(':').zip([24, 60, 60]) {
        let is_number = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        let number: i64 = if is_number { part.parse().ok()? } else { return None };
        if number >= most {
            return None;
        }
        seconds = seconds * 60 + number;
        count += 1;
    }
    if count < 2 || clock.split(':').count() > 3 {
        return None;
    }
    let seconds = if count == 2 { seconds * 60 } else { seconds };
    Some((read_date(date)? * DAY + seconds, fraction))
}
