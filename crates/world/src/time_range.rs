//! Time range and page of a request.

use std::ops::Range;

use crypto_intel_core::{Operation, Paging, ParamKind};

use crate::args::Args;
use crate::context::Context;
use crate::timestamp::{self, DAY};

/// Returns the allowed values of an enum parameter. Returns an empty list for other parameters.
pub fn choices(operation: &Operation, param: &str) -> &'static [&'static str] {
    match operation.param(param).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(values)) => values,
        _ => &[],
    }
}

/// Returns the start and the end of the requested time range, in Unix seconds.
///
/// The range comes from the arguments `from` and `to`, or `start_time` and `end_time`. Without a start, the
/// `time_range` argument sets the length of the range. If this argument is absent too, the length is `default` seconds.
/// The end is at most the current time. The start is never before the available history.
pub(crate) fn span(ctx: &Context, args: &Args, default: i64) -> (i64, i64) {
    let to =
        args.timestamp("to").or_else(|| args.timestamp("end_time")).unwrap_or(ctx.now).min(ctx.now);
    let window = match args.text("time_range") {
        Some("max" | "all") => HISTORY,
        Some(text) => timestamp::window(text).unwrap_or(default),
        None => default,
    };
    let from =
        args.timestamp("from").or_else(|| args.timestamp("start_time")).unwrap_or(to - window);
    (from.max(ctx.now - HISTORY).max(BEGINNING), to)
}

/// Returns the indices of the rows on the requested page. If the operation is not paged by offset, returns all indices.
/// In rows on other pages, callers set only the fields for filters and sorting, to save time.
pub(crate) fn page_window(args: &Args) -> Range<usize> {
    let Paging::Offset { limit, offset } = args.operation.paging else { return 0..usize::MAX };
    let number = |name: &str, usual| usize::try_from(args.integer(name).unwrap_or(usual));
    let start = number(offset, 0).unwrap_or(usize::MAX);
    start..start.saturating_add(number(limit, 20).unwrap_or(0))
}

/// Start of the price histories: 2015-01-01 in Unix seconds.
pub(crate) const BEGINNING: i64 = 1_420_070_400;

/// Length of the history that is available at any time, in seconds: five years.
pub const HISTORY: i64 = 5 * 365 * DAY;
