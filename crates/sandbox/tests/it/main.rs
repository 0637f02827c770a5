//! The sandbox over real HTTP.

mod accounts;
mod coherence;
mod domains;
mod equity;
mod faults;
mod filters;
mod http;
mod hyperliquid;
mod paging;
mod prediction;
mod support;
mod table;
