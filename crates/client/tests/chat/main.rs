//! Chat over loopback: a server that does exactly what a test says, and what the client makes of
//! it.

mod conversation;
mod ends;
mod requests;
mod server;
mod streams;
#[cfg(feature = "tools")]
mod tools;
