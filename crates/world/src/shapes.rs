//! Rows for operations that no other module of the crate `crypto-intel-world` implements. All fields of these rows are
//! generated from the record types.
//!
//! For example, a newer API description can add an operation that has no module yet. The generated rows are not
//! consistent with the rows of other operations, so the sandbox marks the responses of this operation.

use crypto_intel_core::Answer;

use crate::args::Args;
use crate::context::Context;
use crate::row::{Data, Row};
use crate::value::Value;

/// Number of rows in each list that [`data`] returns. This number is larger than the usual page size, so that paging
/// can be tested.
const ROWS: u64 = 60;
/// Time between two rows of a list, in seconds.
const STEP: i64 = 3_600;

/// Returns the rows of a response, newest first. The rows depend on the operation, the `to` argument and the current
/// time. They do not depend on paging arguments, so that all pages show the same list.
pub(crate) fn data(ctx: &Context, args: &Args) -> Data {
    let seed = ctx.seed.named("shapes").named(args.operation.id);
    match args.operation.answer {
        Answer::Rows { .. } => {
            // The list ends at the `to` argument, or at the current time.
            let last = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
            let last = last - last.rem_euclid(STEP);
            let row = |(index, time): (u64, i64)| Row::new(seed.at(index), time, Value::Null);
            let times = (0..).map(|index| last - index * STEP);
            Data::Rows((0..ROWS).zip(times).map(row).collect())
        }
        _ => Data::One(Row::new(seed, ctx.now, Value::Null)),
    }
}
