//! The sandbox over real HTTP.

mod accounts;
mod chat;
mod chat_tools;
mod coherence;
mod equity;
mod faults;
mod http;
mod hyperliquid;
mod page;
mod paging;
mod prediction;
mod replay;
mod support;
mod table;
