//! Parses the names of time intervals, such as `1h` or `week`.

use crate::timestamp::{DAY, HOUR};

/// Parses the name of a time interval, and returns its length in seconds. `1m` is one minute, and `1M` is 30 days.
/// `latest` counts as one day, and `all` as 365 days.
pub(crate) fn parse_seconds(text: &str) -> Option<i64> {
    match text {
        "hour" => return Some(HOUR),
        "day" | "latest" => return Some(DAY),
        "week" => return Some(7 * DAY),
        "month" => return Some(30 * DAY),
        "year" | "all" => return Some(365 * DAY),
        _ => {}
    }

    let (number, unit) = text.split_at(text.len().checked_sub(1)?);
    let number: i64 = number.parse().ok()?;
    Some(
        number
            * match unit {
                "m" => 60,
                "h" => HOUR,
                "d" => DAY,
                "w" => 7 * DAY,
                "M" => 30 * DAY,
                _ => return None,
            },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_seconds_distinguishes_minutes_and_months() {
        assert_eq!(parse_seconds("1m"), Some(60));
        assert_eq!(parse_seconds("1M"), Some(30 * DAY));
        assert_eq!(parse_seconds("4h"), Some(4 * HOUR));
        assert_eq!(parse_seconds(""), None);
        assert_eq!(parse_seconds("x"), None);
    }
}
