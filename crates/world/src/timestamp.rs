//! Times: parsing of time arguments, formatting of dates in responses, and calendar arithmetic. All times are UTC.

use crypto_intel_core::Param;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// Number of seconds in a day.
pub const DAY: i64 = 86_400;
/// Number of seconds in an hour.
pub const HOUR: i64 = 3_600;

/// Formats that a time parameter accepts. All time parameters accept Unix seconds and dates (`YYYY-MM-DD`).
/// [`Forms::from_param`] derives the fields of this struct from the description of the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forms {
    /// True if the parameter also accepts dates with a time, such as `2026-01-01T00:00:05Z`.
    date_times: bool,
    /// True if a date without a time means the last second of the day. False if such a date means the first second of
    /// the day.
    ends_days: bool,
}

/// Phrase that a time parameter's description contains if the parameter accepts dates with a time.
const DATE_TIMES: &str = "date-time";
const ENDS_DAYS: &str = "a bare date means the end of that UTC day";

impl Forms {
    /// Derives the accepted time formats from phrases in the description of a time parameter, such as `date-time`.
    pub fn from_param(param: &Param) -> Self {
        Forms {
            date_times: param.doc.contains(DATE_TIMES),
            ends_days: param.doc.contains(ENDS_DAYS),
        }
    }
}

/// Parses a time argument, and returns Unix seconds. Returns `None` if `forms` does not allow the format.
pub fn read(text: &str, forms: Forms) -> Option<i64> {
    if let Ok(seconds) = text.parse::<i64>() {
        return Some(seconds);
    }
    if let Some(start) = read_day(text) {
        return Some(if forms.ends_days { start + DAY - 1 } else { start });
    }
    if !forms.date_times {
        return None;
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.as_second());
    }
    let civil: DateTime = text.parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// Parses a date `YYYY-MM-DD`, and returns the Unix time of 00:00 UTC.
pub fn read_day(text: &str) -> Option<i64> {
    if text.len() != 10 {
        return None;
    }
    let date: Date = text.parse().ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// Returns the UTC date of a Unix time.
pub fn date(seconds: i64) -> Date {
    Timestamp::from_second(seconds)
        .map_or(Date::ZERO, |timestamp| timestamp.to_zoned(TimeZone::UTC).date())
}

/// Formats a Unix time as `YYYY-MM-DD`.
pub fn day_text(seconds: i64) -> String {
    date(seconds).to_string()
}

/// Formats a Unix time as `YYYY-MM-DDTHH:MM:SSZ`.
pub fn iso_text(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .map_or_else(|_| String::new(), |timestamp| timestamp.to_string())
}

/// Returns the Unix time of 00:00 UTC on `date`.
pub fn start_of(date: Date) -> i64 {
    date.to_zoned(TimeZone::UTC).map_or(0, |zoned| zoned.timestamp().as_second())
}

/// Adds months to a date. If the month is too short for the day, the result is the last day of the month.
pub fn add_months(date: Date, months: i32) -> Date {
    date.checked_add(months.months()).unwrap_or(date)
}

/// Parses the length of a time range such as `24h`, `7d`, `3m` (months) or `1y`, and returns seconds. Returns `None`
/// for an unlimited range such as `max`, and for invalid text.
pub fn window(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at(text.len().checked_sub(1)?);
    let number: i64 = number.parse().ok()?;
    Some(
        number
            * match unit {
                "h" => HOUR,
                "d" => DAY,
                "w" => 7 * DAY,
                "m" => 30 * DAY,
                "y" => 365 * DAY,
                _ => return None,
            },
    )
}

/// Returns the number of events with Unix times in `from..=to`. Each hour must have exactly `an_hour` events.
/// `time(hour, n)` must return the Unix time of event `n` in an hour. `hour` is in hours since 1970-01-01. `time` is
/// called only for the first and the last hour.
pub(crate) fn count_hourly(from: i64, to: i64, an_hour: u8, time: impl Fn(i64, u8) -> i64) -> i64 {
    let (first, last) = (from.div_euclid(HOUR), to.div_euclid(HOUR));
    let at = |hour: i64| {
        let times = (0..an_hour).map(|n| time(hour, n));
        i64::try_from(times.filter(|time| (from..=to).contains(time)).count()).unwrap_or(0)
    };
    match last - first {
        ..0 => 0,
        0 => at(first),
        hours => at(first) + (hours - 1) * i64::from(an_hour) + at(last),
    }
}

#[cfg(test)]
mod tests {
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use crypto_intel_core::ParamKind;

    use super::*;

    const PLAIN: Forms = Forms { date_times: false, ends_days: false };
    const ENDS: Forms = Forms { date_times: true, ends_days: true };

    #[test]
    fn read_accepts_only_allowed_forms() {
        assert_eq!(read("1767225600", PLAIN), Some(1_767_225_600));
        assert_eq!(read("2026-01-01", PLAIN), Some(1_767_225_600));
        assert_eq!(read("2026-01-01", ENDS), Some(1_767_311_999));
        assert_eq!(read("2026-01-01T00:00:05Z", ENDS), Some(1_767_225_605));
        assert_eq!(read("2026-01-01T00:00:05", ENDS), Some(1_767_225_605));
        for bad in ["", "soon", "2026-13-01", "2026-1-1", "2026-01-01T00:00:05Z"] {
            assert_eq!(read(bad, PLAIN), None, "{bad}");
        }
    }

    /// Fails if the parameter descriptions in the catalogue no longer contain the phrases that [`Forms::from_param`]
    /// searches for, such as `date-time`.
    #[test]
    fn catalogue_descriptions_contain_the_phrases_of_forms() {
        let params = || OPERATIONS.iter().flat_map(|operation| operation.params);
        let moments = || params().filter(|param| param.kind == ParamKind::Moment);
        let forms = |name: &'static str| {
            moments().filter(move |param| param.name == name).map(Forms::from_param)
        };
        assert!(forms("from").any(|forms| forms.date_times && !forms.ends_days));
        assert!(forms("to").any(|forms| forms.date_times && forms.ends_days));
        assert!(forms("to").any(|forms| forms == PLAIN));
        assert!(
            moments()
                .all(|param| Forms::from_param(param).date_times || !param.doc.contains("ISO"))
        );
    }

    #[test]
    fn times_are_formatted_and_windows_parsed() {
        assert_eq!(day_text(1_767_225_600 + 5), "2026-01-01");
        assert_eq!(iso_text(1_767_225_600), "2026-01-01T00:00:00Z");
        assert_eq!(window("7d"), Some(7 * DAY));
        assert_eq!(window("max"), None);
        assert_eq!(window(""), None);
    }
}
