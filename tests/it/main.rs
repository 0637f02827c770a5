//! Tests of the generated surface: descriptions, catalogue, snapshots, records and the generator's output.
//!
//! They depend on `core`, `api` and the generator alone. So a maintainer sees in the snapshots what a new description
//! changes, even if the client or the sandbox does not compile with it.

mod catalogue;
mod descriptions;
mod evolution;
mod round_trip;
mod surface;
