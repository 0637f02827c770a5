//! The client against real servers on loopback.

mod conventions;
mod dynamic;
mod errors;
mod faults;
mod limits;
mod lists;
mod money;
mod secrets;
mod server;
mod sql;
mod trace;
