//! The client against real servers on loopback.

mod faults;
mod money;
mod secrets;
mod server;
