//! The invented world behind the sandbox: assets, companies, wallets, markets and people, each the
//! same wherever it appears.
//!
//! Everything is a pure function of a seed, a moment and the arguments of a call: no I/O, no
//! HTTP, no clock. From the ground up:
//!
//! - [`random`], [`moment`], [`args`] and [`fill`]: values from seeds, times, checked parameters,
//!   and members that nobody else decides;
//! - [`Row`] and [`Data`]: what a domain returns;
//! - a module per domain, each from its assets up to its endpoints;
//! - [`data`], which knows the domain of every operation.
#![warn(missing_docs)]

mod airdrops;
pub mod args;
pub mod assets;
mod candle;
pub mod chains;
mod context;
mod daily;
mod debuts;
mod defi;
pub mod dex;
mod domains;
pub mod equity;
mod events;
pub mod example;
mod exchange;
mod extremes;
pub mod fill;
pub mod funds;
pub mod hyperliquid;
mod indicators;
mod interval;
pub mod labels;
mod liquidations;
pub mod listing;
pub mod market;
pub mod moment;
mod onchain_indicators;
mod options;
mod perps;
pub mod prediction;
pub mod price;
mod projects;
mod pulse;
mod raising;
pub mod random;
mod receipts;
mod record;
mod refusal;
mod rounds;
mod row;
mod scene;
pub mod schema;
mod social;
mod span;
mod splits;
mod times;
pub mod tokens;
mod transactions;
pub mod transfers;
pub mod units;
pub mod value;
mod wallets;
mod web;
mod width;

pub use context::Context;
pub use domains::data;
pub use refusal::{Kind, Refusal};
pub use row::{Data, Row};
pub use scene::{Halt, Outage, Scenes};
pub use span::{HISTORY, choices};
