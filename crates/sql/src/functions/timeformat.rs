//! The function `formatDateTime`, which formats a date or a time with a pattern.
//!
//! The function `make` resolves a call by the name of the called function and the argument types. It returns the result
//! type and the implementation of the function, or an error.

use super::dates::unix_seconds;
use super::{Built, FunctionCall, Made};
use crate::problem::{Problem, Result};
use crate::time::{self, DAY};
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    match given.name {
        "formatDateTime" => Some(build(given)),
        "fromUnixTimestamp" if given.count() == 2 => Some(build(given)),
        _ => None,
    }
}

fn build(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    let from = given.types[0].clone();
    if given.name == "formatDateTime" {
        given.is_moment(0)?;
    } else {
        given.is_int(0)?;
    }
    given.is_text(1)?;

    let zone = from.zone().or(given.optional_zone(2)?);
    // A date has no time zone.
    let is_date = from.is_date();
    let local = move |time: i64| {
        if is_date { (time, None) } else { (zone.local(time), Some(zone.offset(time))) }
    };
    if let Some(pattern) = given.constant(1) {
        let (seconds, offset) = local(0);
        write(pattern.bytes(), seconds, offset, 0)?;
    }

    let scale = if let Type::DateTime64(scale, _) = from { scale } else { 0 };
    Built::new(Type::String, move |v| {
        let whole = 10_i64.pow(u32::from(scale));
        let ticks = i64::try_from(v[0].int()).unwrap_or(0);
        let part = if scale == 0 {
            0
        } else {
            ticks.rem_euclid(whole) * 10_i64.pow(u32::from(9 - scale)) / 1_000
        };
        let (seconds, offset) = local(unix_seconds(&v[0], &from));
        write(v[1].bytes(), seconds, offset, part).map(Value::text)
    })
}

/// Formats a date or a time with a pattern. `seconds` is the local time in seconds since 1970. `micros` is the fraction
/// of the second in microseconds. `offset` is the offset from UTC in seconds (`None` for dates).
fn write(pattern: &[u8], seconds: i64, offset: Option<i64>, micros: i64) -> Result<String> {
    let pattern = String::from_utf8_lossy(pattern).into_owned();
    let mut out = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        let letter = letters.next().ok_or_else(|| Problem::text("a time pattern ends in `%`"))?;
        let part = match letter {
            'z' => offset.map(offset_text).ok_or("needs a DateTime or DateTime64, not a date"),
            letter => format_letter(letter, seconds, micros).ok_or("is not supported"),
        };
        let part = part
            .map_err(|reason| Problem::text(format!("the pattern letter `%{letter}` {reason}")))?;
        out.push_str(&part);
    }
    Ok(out)
}

/// Formats an offset from UTC as hours and minutes, for example `+0200`. The input is in seconds.
fn offset_text(offset: i64) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}

fn format_letter(letter: char, seconds: i64, micros: i64) -> Option<String> {
    let day = seconds.div_euclid(DAY);
    let clock = seconds.rem_euclid(DAY);
    let (year, month, of_month) = time::civil(day);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let noon = if hour < 12 { "AM" } else { "PM" };

    let weekday = time::weekday(day);
    let name = time::WEEKDAYS[usize::try_from(weekday - 1).unwrap_or(0)];
    let month_name = time::MONTHS[usize::try_from(month - 1).unwrap_or(0)];
    let (iso_year, iso_week) = time::iso_week(day);

    Some(match letter {
        'C' => format!("{:02}", year / 100),
        'y' => format!("{:02}", year % 100),
        'Y' => format!("{year:04}"),
        'Q' => ((month - 1) / 3 + 1).to_string(),
        'b' => month_name[..3].to_owned(),
        'M' => month_name.to_owned(),
        'c' | 'm' => format!("{month:02}"),
        'd' => format!("{of_month:02}"),
        'e' => format!("{of_month:>2}").trim_start().to_owned(),
        'j' => format!("{:03}", time::day_of_year(day)),

        'a' => name[..3].to_owned(),
        'W' => name.to_owned(),
        'u' => weekday.to_string(),
        'w' => (weekday % 7).to_string(),
        'g' => format!("{:02}", iso_year.max(0) % 100),
        'G' => format!("{:04}", iso_year.max(0)),
        'V' => format!("{iso_week:02}"),

        'H' | 'k' => format!("{hour:02}"),
        'h' | 'I' | 'l' => format!("{half:02}"),
        'p' => noon.to_owned(),
        'i' => format!("{minute:02}"),
        's' | 'S' => format!("{second:02}"),
        'f' => format!("{micros:06}"),

        'D' => format!("{month:02}/{of_month:02}/{:02}", year % 100),
        'F' => format!("{year:04}-{month:02}-{of_month:02}"),
        'r' => format!("{half:02}:{minute:02} {noon}"),
        'R' => format!("{hour:02}:{minute:02}"),
        'T' => format!("{hour:02}:{minute:02}:{second:02}"),

        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        '%' => "%".to_owned(),
        _ => return None,
    })
}
