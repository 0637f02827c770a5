//! Tests of the workspace as a whole.

mod catalogue;
mod descriptions;
mod evolution;
mod round_trip;
mod surface;
