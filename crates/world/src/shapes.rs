//! Rows for operations without a domain, built only from the types of their records.
//!
//! A newly adopted operation is answered in this way until somebody writes a domain for it. The rows have no known
//! fields except copies of arguments, and `missing_fields` generates the others by their types. Such rows agree with
//! no other operation, so the sandbox marks each response that contains them.

use crypto_intel_core::Answer;

use crate::args::Args;
use crate::context::Context;
use crate::row::{Data, Row};
use crate::value::Value;

/// Number of rows in a list. It is more than one page of the usual size, so that paging can be tested.
const ROWS: u64 = 60;
/// Seconds between two rows.
const STEP: i64 = 3_600;

/// Returns the rows of a call, newest first. They depend only on the operation and the time, so that all pages show
/// the same list.
pub(crate) fn data(ctx: &Context, args: &Args) -> Data {
    let seed = ctx.seed.named("shapes").named(args.operation.id);
    match args.operation.answer {
        Answer::Rows { .. } => {
            // Requested times are in the past. A list ends at the last requested time.
            let last = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
            let last = last - last.rem_euclid(STEP);
            let row = |(index, time): (u64, i64)| Row::new(seed.at(index), time, Value::Null);
            let times = (0..).map(|index| last - index * STEP);
            Data::Rows((0..ROWS).zip(times).map(row).collect())
        }
        _ => Data::One(Row::new(seed, ctx.now, Value::Null)),
    }
}
