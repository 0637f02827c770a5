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
mod page;
mod paging;
mod people;
mod prediction;
mod replay;
mod sql;
mod sql_data;
mod sql_jobs;
mod sql_refused;
mod sql_structured;
mod support;
mod table;
