//! The sandbox over real HTTP.

mod accounts;
mod coherence;
mod equity;
mod faults;
mod http;
mod hyperliquid;
mod paging;
mod prediction;
mod sql;
mod sql_data;
mod sql_jobs;
mod sql_refused;
mod sql_structured;
mod support;
mod table;
