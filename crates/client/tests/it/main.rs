//! Tests of the client against HTTP servers on loopback.

#[cfg(feature = "blocking")]
mod blocking;
mod cache;
mod conventions;
mod digits;
mod dynamic;
mod errors;
mod faults;
mod futures;
mod hostile;
mod intermediaries;
mod limits;
mod lists;
#[cfg(feature = "machine-ledger")]
mod machine_ledger;
mod money;
mod nulls;
mod seam;
mod secrets;
mod server;
mod slow_readers;
mod sql;
mod trace;
mod watch;
