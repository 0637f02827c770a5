//! Defines the SQL tables of perpetual futures and prediction markets.
//!
//! Each table has a name, columns, and a function that generates its rows.

use crate::context::Context;
use crypto_intel_world::prediction::{self, kalshi, polymarket, trades as deals};
use crypto_intel_world::timestamp::DAY;
use crypto_intel_world::{Row, hyperliquid};

use super::market::dated;
use super::table::{Count, Days, Shown, Table};

const FILLS: &[(&str, &str, &str)] = &[
    ("block_date", "Date", "Day of the fill, UTC."),
    ("time", "DateTime", "Time of the fill."),
    ("time_ms", "UInt64", "Time of the fill, Unix milliseconds."),
    ("address", "String", "Account that traded."),
    ("symbol", "LowCardinality(String)", "Perpetual that was traded."),
    ("side", "LowCardinality(String)", "buy or sell."),
    (
        "direction",
        "LowCardinality(String)",
        "Open or Close with the side of the position, such as Open Long.",
    ),
    ("price", "Float64", "Price, USD."),
    ("size", "Float64", "Units."),
    ("start_position", "Float64", "Units held before, negative when short."),
    ("closed_pnl", "Float64", "Profit of closed units, USD."),
    ("fee", "Float64", "Fee, USD."),
    ("crossed", "UInt8", "1 if the fill took liquidity."),
    ("fill_id", "String", "Identifier of the fill."),
    ("hash", "String", "Hash of the transaction."),
];

fn fills(ctx: &Context<'_>, _: i64) -> Vec<Row> {
    hyperliquid::all_fills(ctx).into_iter().map(dated).collect()
}

const TRADES: &[(&str, &str, &str)] = &[
    ("block_date", "Date", "Day of the trade, UTC."),
    ("block_time", "DateTime", "Time of the trade."),
    ("block_number", "UInt64", "Number of the block."),
    ("condition_id", "String", "Market that was traded."),
    ("question", "String", "Question of the market."),
    ("outcome_label", "LowCardinality(String)", "Outcome that was bought."),
    ("outcome_token_id", "String", "Token of the outcome."),
    ("price", "Float64", "Price of a share, from 0 to 1."),
    ("shares", "Float64", "Shares."),
    ("amount_usd", "Float64", "Value of the trade, USD."),
    ("maker_address", "String", "Who offered."),
    ("taker_address", "String", "Address of the taker."),
    ("tx_hash", "String", "Hash of the transaction."),
];

fn trades(ctx: &Context<'_>, day: i64) -> Vec<Row> {
    deals::of_day(ctx, day).into_iter().map(dated).collect()
}

const MARKETS: &[(&str, &str, &str)] = &[
    ("condition_id", "String", "Identifier of the market."),
    ("market_slug", "String", "Slug of the market."),
    ("event_slug", "String", "Slug of the event."),
    ("title", "String", "Question."),
    ("category", "LowCardinality(String)", "Category."),
    ("status", "LowCardinality(String)", "active or closed."),
    ("volume_1_week", "Float64", "Volume of the last seven days, USD."),
    ("volume_1_month", "Float64", "Volume of the last thirty days, USD."),
    ("volume_total", "Float64", "Volume, USD."),
    ("end_time", "DateTime", "End time of the market."),
    ("winning_side", "Nullable(String)", "Winning outcome."),
];

const TICKERS: &[(&str, &str, &str)] = &[
    ("market_ticker", "String", "Identifier of the market."),
    ("event_ticker", "String", "Identifier of the event."),
    ("event_title", "String", "Title of the event."),
    ("title", "String", "Question."),
    ("category", "LowCardinality(String)", "Category."),
    ("status", "LowCardinality(String)", "active or finalized."),
    ("result", "Nullable(String)", "Winning outcome."),
    ("total_volume", "UInt64", "Contracts traded."),
    ("notional_volume_usd", "Float64", "Value of the shares, USD."),
    ("open_interest", "Float64", "Number of open contracts."),
    ("end_time", "DateTime", "End time of the market."),
];

pub(super) fn tables() -> Vec<Table> {
    let table = |name: &str, columns, make, days, rows, count: Box<Count>, key| Table {
        name: name.to_owned(),
        source: Box::new(Shown { columns, make }),
        days,
        rows,
        count,
        is_large: false,
        key,
    };
    let every_market =
        || -> Box<Count> { Box::new(|_: &Context<'_>, _: Days| prediction::MARKETS) };

    let hyperliquid_fills = table(
        "hyperliquid_fills",
        FILLS,
        fills,
        None,
        4_500,
        Box::new(|ctx, _| i64::try_from(hyperliquid::fill_count(ctx)).unwrap_or(i64::MAX)),
        "address, time",
    );

    let polymarket_trades = table(
        "polymarket_trades",
        TRADES,
        trades,
        Some(60),
        prediction::MARKETS * 24,
        Box::new(|ctx, (first, last)| deals::count(ctx, first * DAY, (last + 1) * DAY - 1)),
        "condition_id, block_time",
    );
    let polymarket_markets = table(
        "polymarket_markets",
        MARKETS,
        |ctx, _| polymarket::all_markets(ctx),
        None,
        prediction::MARKETS,
        every_market(),
        "condition_id",
    );

    let kalshi_markets = table(
        "kalshi_markets",
        TICKERS,
        |ctx, _| kalshi::all_markets(ctx),
        None,
        prediction::MARKETS,
        every_market(),
        "market_ticker",
    );

    vec![hyperliquid_fills, polymarket_trades, polymarket_markets, kalshi_markets]
}
