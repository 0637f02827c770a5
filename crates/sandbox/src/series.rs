//! The times of the rows of a list: a grid for series, a stream of events otherwise.

use crypto_intel_api::generated::tables;
use crypto_intel_core::Type;

use crate::args::Args;
use crate::context::Context;
use crate::moment::{self, DAY, HOUR};
use crate::paging;

/// Evenly spaced times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    first: i64,
    step: i64,
    count: usize,
}

impl Times {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The time of row `index`, in Unix seconds.
    pub(crate) fn at(&self, index: usize) -> i64 {
        self.first + self.step * i64::try_from(index).unwrap_or(0)
    }
}

const MEMBERS: &[&str] = &[
    "timestamp",
    "time",
    "time_ms",
    "block_time",
    "open_time",
    "published_at",
    "created_at",
    "event_at",
    "effective_at",
];

/// Most rows of a list without pages.
const MOST: i64 = 1_000;

/// The times of the rows that `args` ask for, where rows have one.
pub(crate) fn of(ctx: &Context<'_>, args: &Args, row: Type) -> Option<Times> {
    let Type::Record(name) = row else { return None };
    let record = tables::record(name)?;
    record.fields.iter().find(|field| MEMBERS.contains(&field.name))?;
    let step = step(args);
    let end = args
        .moment("to")
        .or_else(|| args.moment("end_time"))
        .map_or(ctx.now, |to| seconds(to).min(ctx.now));
    let window = args.text("time_range").and_then(moment::window);
    let from = args.moment("from").or_else(|| args.moment("start_time")).map(seconds);
    let start = from.or(window.map(|window| end - window)).unwrap_or(end - 200 * step);
    let last = end - end.rem_euclid(step);
    let count = ((last - start).div_euclid(step) + 1).clamp(0, MOST);
    let times = if paging::is_paged(args) || args.text("order") == Some("desc") {
        // Newest first, as feeds are.
        Times { first: last, step: -step, count: usize::try_from(count).unwrap_or(0) }
    } else {
        let first = last - (count - 1) * step;
        Times { first, step, count: usize::try_from(count).unwrap_or(0) }
    };
    Some(times)
}

/// Some endpoints take milliseconds; a number of seconds that large lies 30,000 years ahead.
fn seconds(moment: i64) -> i64 {
    if moment > 1_000_000_000_000 { moment / 1000 } else { moment }
}

/// Seconds between rows.
fn step(args: &Args) -> i64 {
    if let Some(minutes) = args.integer("interval") {
        return minutes.max(1) * 60;
    }
    match args.text("interval").or_else(|| args.text("granularity")) {
        Some(text) => interval(text).unwrap_or(HOUR),
        None if args.text("time_range").is_some_and(|range| range.ends_with('d')) => DAY,
        None if paging::is_paged(args) => HOUR / 2,
        None => DAY,
    }
}

/// Seconds of a candle: `1m` is a minute, `1M` thirty days.
pub(crate) fn interval(text: &str) -> Option<i64> {
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
    fn minutes_and_months_differ() {
        assert_eq!(interval("1m"), Some(60));
        assert_eq!(interval("1M"), Some(30 * DAY));
        assert_eq!(interval("4h"), Some(4 * HOUR));
        assert_eq!(interval(""), None);
        assert_eq!(interval("x"), None);
    }
}
