//! The client against real servers on loopback.

mod conventions;
mod faults;
mod limits;
mod money;
mod secrets;
mod server;
mod sql;
mod trace;
