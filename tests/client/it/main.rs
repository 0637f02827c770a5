//! Tests of the client against the sandbox.
//!
//! The tests of the generated API are in another package, `crypto-intel-tests`, so that they still build when the
//! client or the sandbox do not.

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
