//! Tests queries against the sandbox: their rows, and the requests that they send.

#[cfg(feature = "cluster")]
mod cluster;
mod exports;
mod joins;
mod limits;
#[cfg(feature = "cluster")]
mod lost;
mod pushdown;
mod service;
