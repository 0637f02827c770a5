//! The client against real servers on loopback.

mod faults;
mod server;
