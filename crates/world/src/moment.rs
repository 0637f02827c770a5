//! Points in time as parameters carry them, and days as answers write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// Seconds of a day.
pub const DAY: i64 = 86_400;
/// Seconds of an hour.
pub const HOUR: i64 = 3_600;

/// Unix seconds of `text`: a number, a day, and for Hyperliquid a date-time; there a bare day in
/// `to` means its last second.
pub fn read(text: &str, name: &str, tag: &str) -> Option<i64> {
    if let Ok(seconds) = text.parse::<i64>() {
        return Some(seconds);
    }
    let hyperliquid = tag == "Hyperliquid";
    if let Some(start) = read_day(text) {
        return Some(if hyperliquid && name == "to" { start + DAY - 1 } else { start });
    }
    if !hyperliquid {
        return None;
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.as_second());
    }
    let civil: DateTime = text.parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// Unix seconds at which the day `YYYY-MM-DD` begins, UTC.
pub fn read_day(text: &str) -> Option<i64> {
    if text.len() != 10 {
        return None;
    }
    let date: Date = text.parse().ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// The day of a moment.
pub fn date(seconds: i64) -> Date {
    Timestamp::from_second(seconds)
        .map_or(Date::ZERO, |timestamp| timestamp.to_zoned(TimeZone::UTC).date())
}

/// `YYYY-MM-DD` of a moment, UTC.
pub fn day_text(seconds: i64) -> String {
    date(seconds).to_string()
}

/// `YYYY-MM-DDTHH:MM:SSZ` of a moment.
pub fn iso_text(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .map_or_else(|_| String::new(), |timestamp| timestamp.to_string())
}

/// The moment at which `date` begins, UTC.
pub fn start_of(date: Date) -> i64 {
    date.to_zoned(TimeZone::UTC).map_or(0, |zoned| zoned.timestamp().as_second())
}

/// `date` moved by whole months, to the last day of the month where the day does not exist.
pub fn add_months(date: Date, months: i32) -> Date {
    date.checked_add(months.months()).unwrap_or(date)
}

/// Seconds of a lookback window such as `24h`, `7d`, `3m` (months) or `1y`; `None` for all there
/// is.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_moment() {
        assert_eq!(read("1767225600", "from", "Market"), Some(1_767_225_600));
        assert_eq!(read("2026-01-01", "from", "Market"), Some(1_767_225_600));
        assert_eq!(read("2026-01-01", "to", "Market"), Some(1_767_225_600));
        assert_eq!(read("2026-01-01", "to", "Hyperliquid"), Some(1_767_311_999));
        assert_eq!(read("2026-01-01T00:00:05Z", "to", "Hyperliquid"), Some(1_767_225_605));
        assert_eq!(read("2026-01-01T00:00:05", "to", "Hyperliquid"), Some(1_767_225_605));
        for bad in ["", "soon", "2026-13-01", "2026-1-1", "2026-01-01T00:00:05Z"] {
            assert_eq!(read(bad, "to", "Market"), None, "{bad}");
        }
    }

    #[test]
    fn days_and_windows() {
        assert_eq!(day_text(1_767_225_600 + 5), "2026-01-01");
        assert_eq!(iso_text(1_767_225_600), "2026-01-01T00:00:00Z");
        assert_eq!(window("7d"), Some(7 * DAY));
        assert_eq!(window("max"), None);
        assert_eq!(window(""), None);
    }
}
