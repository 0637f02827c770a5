//! The sandbox over real HTTP.

mod accounts;
mod chat;
mod chat_tools;
mod coherence;
mod domains;
mod equity;
mod faults;
mod filters;
mod http;
mod hyperliquid;
mod laws;
mod paging;
mod people;
mod prediction;
mod replay;
mod support;
mod table;
