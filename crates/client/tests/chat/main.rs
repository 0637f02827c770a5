//! Tests of chat over loopback. A server sends scripted bytes, and the tests check the results of the client.

mod conversation;
mod ends;
mod requests;
mod server;
mod streams;
#[cfg(feature = "tools")]
mod tools;
