//! Tests of the generated API: OpenAPI documents, catalogue, snapshots, records and the generator's output.
//!
//! These tests depend only on the crates `core` and `api` and on the generator. A maintainer can see the effects
//! of a new OpenAPI document in the snapshots, even if the client or the sandbox does not compile.

mod catalogue;
mod descriptions;
mod evolution;
mod interface;
mod round_trip;
mod surface;
