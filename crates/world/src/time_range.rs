//! Time range and page of a request.

use std::ops::Range;

use crypto_intel_core::{Operation, Paging, ParamKind};

use crate::args::Args;
use crate::context::Context;
use crate::timestamp::{self, DAY};

/// Returns the choices of a parameter in the catalogue; empty if it lists none.
pub fn choices(operation: &Operation, param: &str) -> &'static [&'static str] {
    match operation.param(param).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(values)) => values,
        _ => &[],
    }
}

/// Returns the time range of a request in Unix seconds: `from` and `to`, else the length of `time_range`, else
/// `default` seconds. It ends at `now` at the latest.
pub(crate) fn span(ctx: &Context, args: &Args, default: i64) -> (i64, i64) {
    let to =
        args.timestamp("to").or_else(|| args.timestamp("end_time")).unwrap_or(ctx.now).min(ctx.now);
    let window = match args.text("time_range") {
        Some("max" | "all") => HISTORY,
        Some(text) => timestamp::window(text).unwrap_or(default),
        None => default,
    };
    // No data are older.
    let from =
        args.timestamp("from").or_else(|| args.timestamp("start_time")).unwrap_or(to - window);
    (from.max(ctx.now - HISTORY).max(BEGINNING), to)
}

/// Returns the row numbers of the requested page, for paging by offset. For all other rows, the caller computes only
/// the fields that filters and sorting use.
pub(crate) fn page_window(args: &Args) -> Range<usize> {
    let Paging::Offset { limit, offset } = args.operation.paging else { return 0..usize::MAX };
    let number = |name: &str, usual| usize::try_from(args.integer(name).unwrap_or(usual));
    let start = number(offset, 0).unwrap_or(usize::MAX);
    start..start.saturating_add(number(limit, 20).unwrap_or(0))
}

/// 2015-01-01 in Unix seconds. Prices start here.
pub(crate) const BEGINNING: i64 = 1_420_070_400;

/// Length of the available history, in seconds: five years.
pub const HISTORY: i64 = 5 * 365 * DAY;
