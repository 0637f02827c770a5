//! The generated client: a request for each operation of the service, the records they answer
//! with, and the [catalogue](generated::catalogue) of operations.
//!
//! Everything in [`generated`] is written by the generator, the rest is not. What it can not do
//! is send: a [`Transport`](crypto_intel_core::Transport) does that, and the `crypto-intel` crate
//! has one.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
pub mod generated;

mod api;
mod convert;

pub use api::Api;
