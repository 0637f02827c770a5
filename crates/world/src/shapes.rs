//! Rows for operations that no domain answers, made from the shapes of their records alone.
//!
//! A newly adopted operation is answered this way until somebody writes a domain for it. The rows have no known
//! fields but copies of arguments: `missing_fields` invents the others by their types. Such rows agree with nothing
//! else in the world, so the sandbox marks each response with them.

use crypto_intel_core::Answer;

use crate::args::Args;
use crate::context::Context;
use crate::row::{Data, Row};
use crate::value::Value;

/// Rows of a list. More than one page of the usual size, so that paging can be tried.
const ROWS: u64 = 60;
/// Seconds between two rows.
const STEP: i64 = 3_600;

/// The rows of a call, newest first. They depend on the operation and the time alone, so that all pages show one list.
pub(crate) fn data(ctx: &Context, args: &Args) -> Data {
    let seed = ctx.seed.named("shapes").named(args.operation.id);
    match args.operation.answer {
        Answer::Rows { .. } => {
            // Requested times are in the past; a list of them ends at the latest.
            let last = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
            let last = last - last.rem_euclid(STEP);
            let row = |(index, time): (u64, i64)| Row::new(seed.at(index), time, Value::Null);
            let times = (0..).map(|index| last - index * STEP);
            Data::Rows((0..ROWS).zip(times).map(row).collect())
        }
        _ => Data::One(Row::new(seed, ctx.now, Value::Null)),
    }
}
