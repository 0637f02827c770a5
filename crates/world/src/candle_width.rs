//! Widths of candles, and calendar arithmetic with these widths.

use crate::interval;
use crate::timestamp::{self, DAY};

/// Width of a candle: the length of its time interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// A fixed number of seconds. Candle starts are multiples of this number in Unix time.
    Seconds(i64),
    /// A week that starts on Monday.
    Week,
    /// A calendar month.
    Month,
}

/// 1970-01-05, the first Monday, in Unix seconds.
const FIRST_MONDAY: i64 = 4 * DAY;

impl Width {
    /// Parses a width such as `5m`, `1h`, `1d` or `week`. `1m` is one minute, and `1M` is one month.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "1w" | "7d" | "week" => Width::Week,
            "1M" | "month" => Width::Month,
            _ => Width::Seconds(interval::parse_seconds(text)?),
        })
    }

    /// Returns the start of the candle that contains the Unix time `time`.
    pub(crate) fn start(self, time: i64) -> i64 {
        match self {
            Width::Seconds(seconds) => time - time.rem_euclid(seconds),
            Width::Week => time - (time - FIRST_MONDAY).rem_euclid(7 * DAY),
            Width::Month => timestamp::start_of(timestamp::date(time).first_of_month()),
        }
    }

    /// Returns the length of a candle in seconds. A month counts as 28 days.
    pub(crate) fn usual_seconds(self) -> i64 {
        match self {
            Width::Seconds(seconds) => seconds,
            Width::Week => 7 * DAY,
            Width::Month => 28 * DAY,
        }
    }

    /// Returns the start of the next candle. `start` is the start of the candle before it.
    pub(crate) fn next_start(self, start: i64) -> i64 {
        match self {
            Width::Seconds(seconds) => start + seconds,
            Width::Week => start + 7 * DAY,
            Width::Month => timestamp::start_of(timestamp::add_months(timestamp::date(start), 1)),
        }
    }

    /// Returns the start of an earlier candle: `count` candles before the candle that contains `time`.
    pub(crate) fn earlier_start(self, time: i64, count: i64) -> i64 {
        match self {
            Width::Seconds(seconds) => self.start(time) - seconds * count,
            Width::Week => self.start(time) - 7 * DAY * count,
            Width::Month => {
                let months = i32::try_from(count).unwrap_or(i32::MAX);
                timestamp::start_of(timestamp::add_months(
                    timestamp::date(self.start(time)),
                    -months,
                ))
            }
        }
    }
}
