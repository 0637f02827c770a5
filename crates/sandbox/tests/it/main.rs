//! The sandbox over real HTTP.

mod accounts;
mod coherence;
mod equity;
mod http;
mod hyperliquid;
mod paging;
mod support;
mod table;
