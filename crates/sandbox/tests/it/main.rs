//! The sandbox over real HTTP.

mod accounts;
mod coherence;
mod equity;
mod faults;
mod http;
mod hyperliquid;
mod paging;
mod prediction;
mod support;
mod table;
