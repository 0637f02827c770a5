//! Tables of each chain.

use rusqlite::types::Value;

use crate::world::tokens;

use super::chain::{self, CHAINS, Moved, Traded, assets, date};
use super::{Cell, DAYS, Daily, Table};

const TRANSFERS: &[Cell<Moved>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.transfer.time)),
    ("block_time", "DateTime", "Time of the block.", |r| Value::Integer(r.transfer.time)),
    ("block_number", "UInt64", "Number of the block.", |r| {
        Value::Integer(tokens::block(r.chain, r.transfer.time))
    }),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::Text(r.transfer.hash())),
    ("evt_index", "UInt32", "Place of the event in its block.", |r| {
        Value::Integer(r.transfer.seed.named("index").range(0, 400))
    }),
    ("contract_address", "String", "Contract of the token.", |r| Value::Text(r.address.clone())),
    ("token_symbol", "LowCardinality(String)", "Ticker of the token.", |r| {
        Value::Text(r.transfer.asset.symbol.to_owned())
    }),
    ("token_decimals", "UInt8", "Digits behind the point of the token.", |r| {
        Value::Integer(tokens::decimals(r.transfer.asset).into())
    }),
    ("from_address", "String", "Who sent.", |r| Value::Text(r.transfer.from(r.chain))),
    ("to_address", "String", "Who received.", |r| Value::Text(r.transfer.to(r.chain))),
    ("amount", "Float64", "Amount with the token's decimals applied.", |r| {
        Value::Real(r.transfer.amount)
    }),
    ("amount_raw", "String", "Amount in base units, as digits.", |r| {
        Value::Text(chain::raw(r.transfer.amount, tokens::decimals(r.transfer.asset)))
    }),
    ("amount_usd", "Float64", "Worth at the time, USD.", |r| Value::Real(r.transfer.usd)),
];

const TRADES: &[Cell<Traded>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.trade.time)),
    ("block_time", "DateTime", "Time of the block.", |r| Value::Integer(r.trade.time)),
    ("block_number", "UInt64", "Number of the block.", |r| {
        Value::Integer(tokens::block(r.chain, r.trade.time))
    }),
    ("project", "LowCardinality(String)", "Exchange that traded.", |r| {
        Value::Text(r.trade.project().to_owned())
    }),
    ("version", "LowCardinality(String)", "Version of the exchange.", |r| {
        Value::Text(r.trade.version().to_owned())
    }),
    ("token_pair", "String", "Both tickers with a dash.", |r| Value::Text(r.trade.pair())),
    ("token_bought_symbol", "LowCardinality(String)", "Ticker of what was bought.", |r| {
        Value::Text(r.trade.bought().0.to_owned())
    }),
    ("token_sold_symbol", "LowCardinality(String)", "Ticker of what was sold.", |r| {
        Value::Text(r.trade.sold().0.to_owned())
    }),
    ("token_bought_address", "String", "Contract of what was bought.", |r| {
        Value::Text(if r.trade.buys { &r.address } else { &r.dollars }.clone())
    }),
    ("token_sold_address", "String", "Contract of what was sold.", |r| {
        Value::Text(if r.trade.buys { &r.dollars } else { &r.address }.clone())
    }),
    ("token_bought_amount", "Float64", "Amount bought, decimals applied.", |r| {
        Value::Real(r.trade.bought().1)
    }),
    ("token_sold_amount", "Float64", "Amount sold, decimals applied.", |r| {
        Value::Real(r.trade.sold().1)
    }),
    ("amount_usd", "Float64", "Worth of the trade, USD.", |r| Value::Real(r.trade.usd)),
    ("taker", "String", "Wallet that traded.", |r| Value::Text(r.trade.taker(r.chain))),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::Text(r.trade.hash())),
];

const TRANSACTIONS: &[Cell<Moved>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.transfer.time)),
    ("block_time", "DateTime", "Time of the block.", |r| Value::Integer(r.transfer.time)),
    ("block_number", "UInt64", "Number of the block.", |r| {
        Value::Integer(tokens::block(r.chain, r.transfer.time))
    }),
    ("hash", "String", "Hash of the transaction.", |r| Value::Text(r.transfer.hash())),
    ("from_address", "String", "Who signed.", |r| Value::Text(r.transfer.from(r.chain))),
    ("to_address", "String", "Contract that was called.", |r| Value::Text(r.address.clone())),
    ("value", "Float64", "Native coin moved, decimals applied.", |_| Value::Real(0.0)),
    ("gas_used", "UInt64", "Gas used.", |r| Value::Integer(chain::gas(r).0)),
    ("gas_price", "UInt64", "Price of a unit of gas, wei.", |r| Value::Integer(chain::gas(r).1)),
    ("nonce", "UInt64", "Transactions the signer made before.", |r| {
        Value::Integer(chain::transaction(r).named("nonce").range(0, 4_000))
    }),
    ("success", "UInt8", "1 if it was not reverted.", |_| Value::Integer(1)),
];

const LOGS: &[Cell<Moved>] = &[
    ("block_date", "Date", "Day of the block, UTC.", |r| date(r.transfer.time)),
    ("block_time", "DateTime", "Time of the block.", |r| Value::Integer(r.transfer.time)),
    ("block_number", "UInt64", "Number of the block.", |r| {
        Value::Integer(tokens::block(r.chain, r.transfer.time))
    }),
    ("tx_hash", "String", "Hash of the transaction.", |r| Value::Text(r.transfer.hash())),
    ("log_index", "UInt32", "Place of the event in its block.", |r| {
        Value::Integer(r.transfer.seed.named("index").range(0, 400))
    }),
    ("contract_address", "String", "Contract that told of it.", |r| Value::Text(r.address.clone())),
    ("event_name", "LowCardinality(String)", "Name of the event.", |_| {
        Value::Text("Transfer".to_owned())
    }),
];

/// Hours of a day, and what each holds of an asset.
const HOURS: i64 = 24;

fn count(chain: &str, dollars: bool) -> i64 {
    let wanted = assets(chain).filter(|a| dollars || !matches!(a.symbol, "USDC" | "USDT"));
    i64::try_from(wanted.count()).unwrap_or(0)
}

pub(super) fn tables() -> Vec<Table> {
    let mut tables = Vec::new();
    for chain in CHAINS {
        let transfers = count(chain, true) * HOURS * tokens::TRANSFERS_AN_HOUR;
        let trades = count(chain, false) * HOURS * tokens::TRADES_AN_HOUR;
        let of_transfers = |kind: &str, cells, rows, key| Table {
            name: format!("{chain}_{kind}"),
            source: Box::new(Daily { cells, chain, make: chain::transfers }),
            days: Some(DAYS),
            rows,
            is_large: true,
            key,
        };
        let by_token = "block_date, contract_address, block_time";
        tables.push(of_transfers("transfers", TRANSFERS, transfers, by_token));
        tables.push(of_transfers("transactions", TRANSACTIONS, transfers, "block_date, hash"));
        tables.push(of_transfers("event_logs", LOGS, transfers, by_token));
        tables.push(Table {
            name: format!("{chain}_dex_trades"),
            source: Box::new(Daily { cells: TRADES, chain, make: chain::trades }),
            days: Some(DAYS),
            rows: trades,
            is_large: true,
            key: "block_date, project, block_time",
        });
    }
    tables
}
