//! Queries against the sandbox: their rows, and the requests they send.

#[cfg(feature = "cluster")]
mod cluster;
mod limits;
mod pushdown;
mod service;
