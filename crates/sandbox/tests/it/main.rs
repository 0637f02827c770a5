//! The sandbox over real HTTP.

mod accounts;
mod http;
mod paging;
mod support;
mod table;
