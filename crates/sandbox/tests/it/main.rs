//! The sandbox over real HTTP.

mod accounts;
mod coherence;
mod defaults;
mod domains;
mod equity;
mod faults;
mod filters;
mod http;
mod hyperliquid;
mod paging;
mod people;
mod prediction;
mod projects;
mod support;
mod table;
mod wallets;
mod worlds;
