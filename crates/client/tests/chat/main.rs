//! Chat over loopback: a scripted server, and the client's results.

mod conversation;
mod ends;
mod requests;
mod server;
mod streams;
#[cfg(feature = "tools")]
mod tools;
