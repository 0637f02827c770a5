//! Parses durations and timestamps from the command line.
//!
//! The input is text such as `30s`, `-7d` or `2026-01-31`. The output is a duration or Unix seconds.

use std::time::Duration;

use crate::failure::Failure;

/// Parses a duration such as `30s`, `5m`, `2h` or `1d`. A number without a unit is in seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, Failure> {
    let wrong = || {
        Failure::usage(format!("`{text}` is not a duration"))
            .next("write a number above 0 and a unit, such as 500ms, 30s, 5m, 2h or 1d")
    };
    let text = text.trim();
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let number: f64 = text[..text.len() - unit.len()].parse().map_err(|_| wrong())?;
    let seconds = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(wrong()),
    };
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
    // A duration of zero is rejected. It would mean calls without a pause, or a deadline that has already passed.
    if time.is_zero() { Err(wrong()) } else { Ok(time) }
}

/// Time range from year 1 to year 9999, in Unix seconds.
const YEARS: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;

/// Parses a timestamp and returns it in Unix seconds. The text is Unix seconds, `YYYY-MM-DD`, RFC 3339, or a time
/// relative to `now`. Relative times are `now`, `today`, `yesterday`, or a negative duration such as `-7d` (seven days
/// before `now`).
pub(crate) fn moment(text: &str, now: i64) -> Result<i64, Failure> {
    if let Some(seconds) = text.parse().ok().filter(|seconds| YEARS.contains(seconds)) {
        return Ok(seconds);
    }
    if let Some(seconds) = relative(text, now) {
        return Ok(seconds);
    }
    let day = text.parse::<jiff::civil::Date>().ok();
    let day = day.and_then(|day| day.to_zoned(jiff::tz::TimeZone::UTC).ok());
    let time = text.parse::<jiff::Timestamp>().ok().or(day.map(|day| day.timestamp()));
    time.map(jiff::Timestamp::as_second).ok_or_else(|| {
        Failure::usage(format!("`{text}` is not a timestamp"))
            .next("write Unix seconds, 2026-05-28, 2026-05-28T20:26:40Z, yesterday, or -7d")
    })
}

/// Parses a time relative to `now`, such as `today` or `-7d`, and returns it in Unix seconds. Returns `None` for other
/// texts. Days begin at midnight UTC.
pub(crate) fn relative(text: &str, now: i64) -> Option<i64> {
    const DAY: i64 = 86_400;
    let midnight = now.div_euclid(DAY) * DAY;
    match text {
        "now" => Some(now),
        "today" => Some(midnight),
        "yesterday" => Some(midnight - DAY),
        _ => {
            let ago =
                text.strip_prefix('-').filter(|ago| !ago.ends_with(|c: char| c.is_numeric()))?;
            let ago = i64::try_from(duration(ago).ok()?.as_secs()).ok()?;
            now.checked_sub(ago).filter(|seconds| YEARS.contains(seconds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_have_units() {
        for (text, millis) in [
            ("30s", 30_000),
            ("5m", 300_000),
            ("1.5h", 5_400_000),
            ("2d", 172_800_000),
            ("250ms", 250),
            ("7", 7_000),
        ] {
            assert_eq!(duration(text).expect(text), Duration::from_millis(millis), "{text}");
        }
        for text in ["", "m", "5 weeks", "-1s", "1e400s", "0", "0ms"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moments_are_days_times_or_seconds() {
        let now = 1_780_000_000;
        for (text, seconds) in [
            ("2026-05-28T20:26:40Z", now),
            ("1780000000", now),
            ("1970-01-02", 86_400),
            ("now", now),
            ("today", 1_779_926_400),
            ("yesterday", 1_779_840_000),
            ("-7d", now - 604_800),
            ("-90m", now - 5_400),
        ] {
            assert_eq!(moment(text, now).expect(text), seconds, "{text}");
        }
        for text in ["tomorrow", "7d", "-", "-7 weeks", "99999999999999999", "-99999999999d"] {
            assert!(moment(text, now).is_err(), "{text}");
        }
    }
}
