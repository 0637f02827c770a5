//! Defines the SQL tables of each chain.
//!
//! Each table has a name, columns, and a function that generates the rows of one day.

use crypto_intel_sql::Value;

use crate::context::Context;
use crypto_intel_world::assets::Asset;
use crypto_intel_world::transfers::{self, Moved};
use crypto_intel_world::{chains, dex, tokens};

use super::chain::{self, CHAINS, ForDollars, Sent, assets, date, integer};
use super::table::{Cell, DAYS, Daily, Days, Source, Table};

const TRANSFERS: &[Cell<Moved>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.time)),
    ("block_time", "DateTime", "Time of the block.", |r| integer(r.time)),
    ("block_number", "UInt64", "Number of the block.", |r| integer(chains::block(r.chain, r.time))),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::text(&r.hash)),
    ("evt_index", "UInt32", "Index of the event in its block.", |r| {
        integer(chain::seed(&r.hash).named("event").range(0, 400))
    }),
    ("contract_address", "String", "Contract of the token.", |r| Value::text(&r.contract)),
    ("token_symbol", "LowCardinality(String)", "Ticker of the token.", |r| {
        Value::text(r.asset.symbol)
    }),
    ("token_decimals", "UInt8", "Number of decimals of the token.", |r| {
        integer(tokens::decimals(r.asset).into())
    }),
    ("from_address", "String", "Who sent.", |r| Value::text(&r.from)),
    ("to_address", "String", "Who received.", |r| Value::text(&r.to)),
    ("amount", "Float64", "Amount with the token's decimals applied.", |r| {
        Value::Float(r.amount.value())
    }),
    ("amount_raw", "String", "Amount in base units, as a string of digits.", |r| {
        Value::text(r.amount.raw(tokens::decimals(r.asset)).to_string())
    }),
    ("amount_usd", "Float64", "Value at that time, USD.", |r| Value::Float(r.usd)),
];

const TRADES: &[Cell<ForDollars>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.trade.time)),
    ("block_time", "DateTime", "Time of the block.", |r| integer(r.trade.time)),
    ("block_number", "UInt64", "Number of the block.", |r| {
        integer(chains::block(r.trade.chain, r.trade.time))
    }),
    ("project", "LowCardinality(String)", "Exchange that traded.", |r| {
        Value::text(r.trade.protocol)
    }),
    ("version", "LowCardinality(String)", "Version of the exchange.", |r| {
        Value::text(r.trade.version)
    }),
    ("token_pair", "String", "Both tickers, joined by a dash.", |r| Value::text(&r.trade.pair)),
    ("token_bought_symbol", "LowCardinality(String)", "Ticker of the bought token.", |r| {
        Value::text(r.trade.bought.symbol)
    }),
    ("token_sold_symbol", "LowCardinality(String)", "Ticker of the sold token.", |r| {
        Value::text(r.trade.sold.symbol)
    }),
    ("token_bought_address", "String", "Contract of the bought token.", |r| {
        Value::text(r.trade.bought.contract.as_ref().unwrap_or(&r.dollars).clone())
    }),
    ("token_sold_address", "String", "Contract of the sold token.", |r| {
        Value::text(r.trade.sold.contract.as_ref().unwrap_or(&r.dollars).clone())
    }),
    ("token_bought_amount", "Float64", "Amount bought, decimals applied.", |r| {
        Value::Float(r.trade.bought.amount)
    }),
    ("token_sold_amount", "Float64", "Amount sold, decimals applied.", |r| {
        Value::Float(r.trade.sold.amount)
    }),
    ("amount_usd", "Float64", "Value of the trade, USD.", |r| Value::Float(r.trade.usd)),
    ("taker", "String", "Wallet that traded.", |r| Value::text(&r.trade.taker)),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::text(&r.trade.hash)),
];

const TRANSACTIONS: &[Cell<Sent>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.time)),
    ("block_time", "DateTime", "Time of the block.", |r| integer(r.time)),
    ("block_number", "UInt64", "Number of the block.", |r| integer(chains::block(r.chain, r.time))),
    ("hash", "String", "Hash of the transaction.", |r| Value::text(&r.hash)),
    ("from_address", "String", "Address of the signer.", |r| Value::text(&r.from)),
    ("to_address", "String", "Contract that was called.", |r| Value::text(&r.contract)),
    // Token transfers and trades do not transfer the chain's native coin.
    ("value", "String", "Amount of the native coin in base units, as a string of digits.", |_| {
        Value::text("0")
    }),
    ("gas_used", "UInt64", "Gas used.", |r| {
        integer(chain::seed(&r.hash).named("gas").range(46_000, 180_000))
    }),
    ("gas_price", "UInt64", "Price of one unit of gas, in wei.", |r| integer(r.gas_price)),
    ("nonce", "UInt64", "Number of earlier transactions of the signer.", |r| {
        integer(chain::seed(&r.hash).named("nonce").below(5_000).cast_signed())
    }),
    ("success", "UInt8", "1 if the transaction succeeded.", |_| integer(1)),
];

const LOGS: &[Cell<Sent>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.time)),
    ("block_time", "DateTime", "Time of the block.", |r| integer(r.time)),
    ("block_number", "UInt64", "Number of the block.", |r| integer(chains::block(r.chain, r.time))),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::text(&r.hash)),
    ("log_index", "UInt32", "Index of the event in its block.", |r| {
        integer(chain::seed(&r.hash).named("event").range(0, 400))
    }),
    ("contract_address", "String", "Contract that emitted the event.", |r| {
        Value::text(&r.contract)
    }),
    ("event_name", "LowCardinality(String)", "Name of the event.", |r| Value::text(r.event)),
];

/// Number of hours per day.
const HOURS: i64 = 24;

/// Returns the number of rows per day, if each asset has `an_hour` rows per hour.
fn rows(assets: impl Iterator<Item = &'static Asset>, an_hour: u8) -> i64 {
    i64::try_from(assets.count()).unwrap_or(0) * HOURS * i64::from(an_hour)
}

/// Function that counts the transfers or the trades on one chain in a range of days.
type Counts = fn(&Context<'_>, &str, Days) -> i64;

pub(super) fn tables() -> Vec<Table> {
    let mut tables = Vec::new();
    for chain in CHAINS {
        let transfers = rows(assets(chain), transfers::AN_HOUR);
        let trades = rows(dex::traded_on(chain), dex::AN_HOUR);
        let table = |kind: &str, source: Box<dyn Source>, rows, counts: &[Counts], key| {
            let counts = counts.to_vec();
            Table {
                name: format!("{chain}_{kind}"),
                source,
                days: Some(DAYS),
                rows,
                count: Box::new(move |ctx, days| counts.iter().map(|n| n(ctx, chain, days)).sum()),
                is_large: true,
                key,
            }
        };
        let each = [chain::transfer_count as Counts, chain::trade_count];
        let of_transfers = |cells| Box::new(Daily { cells, chain, make: chain::transfers });
        let by_token = "block_date, contract_address, block_time";
        let of_transactions = |cells| Box::new(Daily { cells, chain, make: chain::transactions });
        let traded = Daily { cells: TRADES, chain, make: chain::trades };

        tables.extend([
            table("transfers", of_transfers(TRANSFERS), transfers, &each[..1], by_token),
            table("event_logs", of_transactions(LOGS), transfers + trades, &each, by_token),
            table(
                "transactions",
                of_transactions(TRANSACTIONS),
                transfers + trades,
                &each,
                "block_date, hash",
            ),
            table(
                "dex_trades",
                Box::new(traded),
                trades,
                &each[1..],
                "block_date, project, block_time",
            ),
        ]);
    }

    tables
}
