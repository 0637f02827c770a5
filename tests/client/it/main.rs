//! Tests of the client against the sandbox.
//!
//! The tests of the generated API are in the package `crypto-intel-tests`. They can be built even if the client or the
//! sandbox does not compile.

mod citations;
mod conformance;
mod end_to_end;
mod http2;
mod layers;
mod reach;
#[path = "generated/reference.rs"]
#[rustfmt::skip]
mod reference;
mod resolve;
mod samples;
mod sql;
mod states;
mod structured;
mod tls;
