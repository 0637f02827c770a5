//! Lists of Polymarket trades.
//!
//! The input is the arguments of a request. The output is the rows of the trades, newest first by default.

use crate::args::Args;
use crate::chains::{address, block};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::prediction::ledger::{self, TRADERS, Trade};
use crate::prediction::market::{Market, find_by_condition, markets};
use crate::prediction::volumes::Venue;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::Row;
use crate::time_range::{page_window, span};
use crate::timestamp::DAY;
use crate::value::Value;
use crate::wallets;

/// Maximum time range of a list of trades, in seconds. Trading positions are sums over the trades of the last [`REACH`]
/// seconds.
pub(super) const REACH: i64 = 14 * DAY;

/// Returns the address of the trader with number `n`. The addresses of the last ten traders consist of one repeated
/// digit, so that they are easy to type. These ten addresses do not depend on the random seed.
pub(super) fn trader(ctx: &Context, n: u64) -> String {
    match (n + 10).checked_sub(TRADERS) {
        Some(digit) => format!("0x{}", digit.to_string().repeat(40)),
        None => address(ctx.seed.named("predictor").at(n), "polygon"),
    }
}

/// Returns the number of the trader with this wallet address. Returns `None` if the wallet does not trade on
/// Polymarket.
pub(super) fn find_trader(ctx: &Context, address: &str) -> Option<u64> {
    (0..TRADERS).find(|n| trader(ctx, *n).eq_ignore_ascii_case(address))
}

pub(super) fn list(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let selected = match args.text("condition_id") {
        Some(id) => vec![find_by_condition(ctx, id)?],
        None => markets(ctx).into_iter().filter(Market::is_active).collect(),
    };
    let address =
        args.text("address").map(|text| wallets::check_address("address", text)).transpose()?;
    let kind = args.text("type").unwrap_or("trade");
    let (from, to) = span(ctx, args, 3 * DAY);
    let (from, to) = (from.max(to - REACH), to);
    if kind == "redemption" {
        return Ok(Vec::new());
    }
    let wanted = match address.as_ref().map(|address| find_trader(ctx, address)) {
        // A wallet that is not a trader has no trades.
        Some(None) => return Ok(Vec::new()),
        Some(Some(n)) => Some(n),
        None => None,
    };
    let (outcome, least) =
        (args.text("outcome_label"), args.number("min_amount").unwrap_or(f64::MIN));
    let mut trades = Vec::new();

    for (n, market) in selected.iter().enumerate() {
        for trade in ledger::trades(market, from, to + 1) {
            let is_meant = wanted.is_none_or(|n| n == trade.maker || n == trade.taker)
                && outcome.is_none_or(|outcome| outcome == trade.outcome())
                && trade.usd >= least;
            if is_meant {
                trades.push((n, trade));
            }
        }
    }

    if args.text("sort_by") == Some("notional_volume_usd") {
        trades.sort_by(|(_, a), (_, b)| b.usd.total_cmp(&a.usd));
    } else {
        trades.sort_by_key(|(_, trade)| std::cmp::Reverse(trade.time));
    }

    let window = page_window(args);
    let row = |(index, (n, trade)): (usize, &(usize, Trade))| {
        let market = &selected[*n];
        // Rows outside the requested page contain only the fields that filters and sorting need.
        let mut given = record!(PolymarketTrade { block_time: trade.time, amount_usd: trade.usd });
        if outcome.is_some() {
            given[member!(PolymarketTrade.outcome_label)] = trade.outcome().into();
        }
        if args.is_given("condition_id") {
            given[member!(PolymarketTrade.condition_id)] = market.condition_id.as_str().into();
        }

        if !window.contains(&index) {
            return Row::new(trade.seed, trade.time, given);
        }
        let (market, trade, ctx) = (market.clone(), *trade, *ctx);
        let rest = move || trade_fields(&ctx, &market, &trade);
        Row::lazy(trade.seed, trade.time, given, rest).cacheable(&ctx, "trade")
    };

    Ok(trades.iter().enumerate().map(row).collect())
}

/// Returns the rows of all Polymarket trades on a day, up to the current time, oldest first. `day` is in days since
/// 1970-01-01.
pub fn of_day(ctx: &Context, day: i64) -> Vec<Row> {
    let mut rows = Vec::new();
    for market in markets(ctx) {
        let end = ((day + 1) * DAY).min(ctx.now + 1);
        let trades = ledger::trades(&market, day * DAY, end);
        rows.extend(trades.map(|trade| trade_row(ctx, &market, &trade)));
    }
    rows.sort_by_key(|row| row.time);
    rows
}

/// Returns the number of Polymarket trades with Unix times in `from..=to`, up to the current time.
pub fn count(ctx: &Context, from: i64, to: i64) -> i64 {
    let end = to.min(ctx.now) + 1;
    markets(ctx).iter().map(|market| market.trade_count(Venue::Polymarket, from, end)).sum()
}

pub(super) fn trade_row(ctx: &Context, market: &Market, trade: &Trade) -> Row {
    Row::new(trade.seed, trade.time, trade_fields(ctx, market, trade))
}

fn trade_fields(ctx: &Context, market: &Market, trade: &Trade) -> Value {
    let Trade { seed, time, is_yes, usd, price, .. } = *trade;
    record!(PolymarketTrade {
        condition_id: market.condition_id.as_str(),
        question: market.text.as_str(),
        outcome_label: trade.outcome(),
        outcome_token_id: market.token_id(is_yes),
        price,
        amount_usd: usd,
        shares: round(usd / price),
        fee_usd: 0.0,
        block_time: time,
        block_number: block("polygon", time),
        evt_index: seed.named("index").range(0, 400),
        maker_address: trader(ctx, trade.maker),
        taker_address: trader(ctx, trade.taker),
        exchange_address: exchange(),
        neg_risk: false,
        tx_hash: trade.hash(market),
    })
}

/// Returns the address of Polymarket's exchange contract.
pub(super) fn exchange() -> String {
    Seed::new(0).named("venue").hex_number(40)
}
