//! Tests of the generated API: descriptions, catalogue, snapshots, records and the generator's output.
//!
//! They depend only on `core`, `api` and the generator. So a maintainer sees the effects of a new description in the
//! snapshots, even if the client or the sandbox does not compile with it.

mod catalogue;
mod descriptions;
mod evolution;
mod interface;
mod round_trip;
mod surface;
