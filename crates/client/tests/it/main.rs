//! The client against real servers on loopback.

mod conventions;
mod dynamic;
mod errors;
mod faults;
mod hostile;
mod limits;
mod lists;
mod money;
mod secrets;
mod server;
mod slow_readers;
mod sql;
mod trace;
