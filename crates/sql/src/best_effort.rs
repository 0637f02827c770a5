//! Parses dates and times in many formats, for functions such as `parseDateTimeBestEffort`.

use crate::problem::Problem;
use crate::time::{self, DAY};
use crate::types::Zone;

/// Result of parsing a date or time with [`best_effort`].
pub(crate) enum Parsed<'a> {
    /// A time: Unix seconds, and the digits of the fraction of a second.
    Time(i64, &'a str),
    /// A text that is not a date or time in any known format.
    Nothing,
    /// A text that ClickHouse can possibly parse, but this engine cannot, for example a date without a year.
    Unsure,
}

impl Parsed<'_> {
    /// Returns the error for a `text` that is not a date or time.
    pub(crate) fn problem(&self, text: &str) -> Problem {
        let hint = match self {
            Parsed::Unsure => ": write it as 2026-01-31 or 2026-01-31 01:02:03",
            _ => "",
        };
        Problem::text(format!("'{text}' is not a date or time{hint}"))
    }
}

/// Parses a date or time in ISO 8601 with or without an offset, as digits such as `20260131`, or as Unix seconds.
pub(crate) fn best_effort(text: &str, zone: Zone) -> Parsed<'_> {
    let text = text.trim_matches(' ');
    if text.contains('\0') {
        return Parsed::Nothing;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match (text.len(), digits(text)) {
            (9 | 10, Some(time)) => Parsed::Time(time, ""),
            (8 | 14, Some(local)) => Parsed::Time(zone.unix(local), ""),
            (0 | 3, _) => Parsed::Nothing,
            (1, _) if text == "0" => Parsed::Nothing,
            _ => Parsed::Unsure,
        };
    }

    let ends = text.rfind(['+', '-']).filter(|at| *at > 10);
    let (clock, offset) = match ends {
        Some(at) => (text[..at].trim_end(), offset(&text[at..])),
        None => (text, text.ends_with('Z').then_some(0)),
    };
    match time::read_time(clock) {
        Some((local, fraction)) if ends.is_none() || offset.is_some() => {
            Parsed::Time(offset.map_or_else(|| zone.unix(local), |offset| local - offset), fraction)
        }
        _ if text.split(|c: char| !c.is_alphabetic()).any(is_no_word_of_times) => Parsed::Nothing,
        _ if text.starts_with('.') => Parsed::Nothing,
        // ClickHouse parses a number with a sign before a date as an offset.
        _ if text.starts_with('-') && !text.contains(' ') => Parsed::Nothing,
        _ => Parsed::Unsure,
    }
}

/// Parses a text of digits: Unix seconds, `YYYYMMDD` or `YYYYMMDDhhmmss`. The result is in seconds since 1970.
fn digits(text: &str) -> Option<i64> {
    if matches!(text.len(), 9 | 10) {
        return text.parse().ok();
    }
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
    if !(1..=12).contains(&month) || !(1..=time::days_of(year, month)).contains(&day) {
        return None;
    }
    let clock = match text.len() {
        8 => 0,
        _ => (number(8..10)? * 60 + number(10..12)?) * 60 + number(12..14)?,
    };
    Some(time::day(year, month, day) * DAY + clock)
}

/// Returns true if dates and times never contain this word: it is not a month, a weekday, a time zone, AM or PM.
fn is_no_word_of_times(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_name = |names: &[&str]| {
        names
            .iter()
            .any(|name| lower.get(..3).is_some_and(|start| name[..3].eq_ignore_ascii_case(start)))
    };
    let others = ["", "t", "z", "am", "pm", "utc", "gmt", "msk", "msd", "pdt", "edt"];
    !(others.contains(&lower.as_str()) || is_name(&time::MONTHS) || is_name(&time::WEEKDAYS))
}

/// Converts a time zone offset such as `+02:00` to seconds.
fn offset(text: &str) -> Option<i64> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text[1..].chars().filter(|c| *c != ':').collect();
    let is_offset = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    let number: i64 = if is_offset { digits.parse().ok()? } else { return None };
    Some(sign * (number / 100 * 3_600 + number % 100 * 60))
}
