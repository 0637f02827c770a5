//! Invented data of the sandbox: assets, companies, wallets, markets and people. An asset, wallet or company has the
//! same data in all responses.
//!
//! All responses are pure functions of a random seed, a time, the active scenarios and the arguments of a request. The
//! crate has no I/O, no HTTP and no clock.
//!
//! Modules, in order of dependency:
//!
//! - [`random`], [`timestamp`] and [`args`]: random values, times and checked arguments.
//! - [`missing_fields`]: generates the fields of a response row that no other module has set.
//! - [`Row`] and [`Data`]: one response row, and the data of one response.
//! - Domain modules, such as `market` and `airdrops`. Each module computes the responses of one or more operations.
//! - [`data`]: calls the domain module of an operation. If the operation has no domain module, `data` generates rows
//!   from the record types.
#![warn(missing_docs)]

mod airdrops;
pub mod args;
pub mod assets;
mod candle;
mod candle_cache;
mod candle_width;
pub mod chains;
mod context;
mod daily_prices;
mod defi;
pub mod dex;
mod domains;
pub mod equity;
mod events;
pub mod example;
mod exchange;
mod exchange_coverage;
mod funding_rounds;
mod fundraising;
pub mod funds;
pub mod hyperliquid;
mod indicators;
mod interval;
pub mod labels;
mod liquidations;
pub mod market;
pub mod missing_fields;
mod onchain_indicators;
mod options;
mod pair_listings;
mod payment;
mod perps;
pub mod prediction;
pub mod price;
mod price_path;
mod price_records;
mod project_news;
mod projects;
pub mod random;
mod record;
mod refusal;
mod row;
pub mod row_filters;
mod scenario_effects;
pub mod schema;
mod shapes;
mod signals;
mod social;
mod time_fields;
mod time_range;
pub mod timestamp;
pub mod token_amount;
pub mod tokens;
mod transaction_hash;
mod transactions;
pub mod transfers;
mod turnover;
pub mod value;
mod wallets;
mod web;

pub use context::Context;
pub use domains::{data, has_domain};
pub use refusal::{Kind, Refusal};
pub use row::{Data, Row};
pub use scenario_effects::{Halt, Outage, ScenarioEffects};
pub use time_range::{HISTORY, choices};
