//! Tests of the workspace as a whole.

mod catalogue;
mod descriptions;
mod end_to_end;
mod evolution;
mod reach;
#[rustfmt::skip]
mod reference;
mod round_trip;
mod sql;
mod states;
mod surface;
mod tls;
