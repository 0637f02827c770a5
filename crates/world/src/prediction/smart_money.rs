//! Smart money (trades of successful traders), price momentum, and correlations of prediction markets.

use crate::args::Args;
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::payment::Payment;
use crate::prediction::ledger::{self, Trade};
use crate::prediction::market::{Market, day_of, find_by_condition, markets, percent_points};
use crate::prediction::trades::{exchange, trade_row, trader};
use crate::prediction::volumes::Venue;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::DAY;
use crate::transaction_hash::TransactionPlace;
use crate::value::{Value, json};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "polymarket-smart-money" if args.text("view") == Some("trades") => {
            Data::Rows(trades(ctx, args)?)
        }
        "polymarket-smart-money" => Data::Rows(positioning(ctx, args)?),
        "prediction-market-correlations" => Data::Rows(correlations(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Number of smart-money traders. All traders are numbered from 0, and the smart-money traders have the lowest numbers.
const SMART: u64 = 10;
const WEEK: i64 = 7 * DAY;

/// Summary of the smart-money trades in a market: the wallets of the takers, and the USD paid for "yes" and for "no".
#[derive(Debug, Clone, Default)]
pub(super) struct SmartFlow {
    /// Set of trading wallets, as one bit for each wallet number.
    wallets: u64,
    pub(super) yes: f64,
    pub(super) no: f64,
}

impl SmartFlow {
    /// Returns the net volume: USD paid for "yes" minus USD paid for "no".
    pub(super) fn net_volume(&self) -> f64 {
        self.yes - self.no
    }

    fn wallet_count(&self) -> u32 {
        self.wallets.count_ones()
    }

    /// Returns `BULLISH` if the volume of "yes" is more than 1.25 times the volume of "no". Returns `BEARISH` if the
    /// volume of "no" is more than 1.25 times the volume of "yes". Otherwise returns `NEUTRAL`.
    pub(super) fn direction(&self) -> &'static str {
        match (self.yes, self.no) {
            (yes, no) if yes > no * 1.25 => "BULLISH",
            (yes, no) if no > yes * 1.25 => "BEARISH",
            _ => "NEUTRAL",
        }
    }
}

/// Returns the smart-money trades in a market with Unix times in `from..=to`, oldest first. In a smart-money trade, the
/// taker is a smart-money trader.
fn smart_trades(market: &Market, from: i64, to: i64) -> impl Iterator<Item = Trade> + '_ {
    ledger::trades(market, from, to + 1).filter(|trade| trade.taker < SMART)
}

pub(super) fn flow(market: &Market, from: i64, to: i64) -> SmartFlow {
    smart_trades(market, from, to).fold(SmartFlow::default(), |mut flow, trade| {
        flow.wallets |= 1 << trade.taker;
        *(if trade.is_yes { &mut flow.yes } else { &mut flow.no }) += trade.usd;
        flow
    })
}

/// Sums up the trades of smart-money takers (see [`SMART`]) in a market in the last seven days.
pub(super) fn weekly_flow(ctx: &Context, market: &Market) -> SmartFlow {
    flow(market, ctx.now - WEEK, ctx.now)
}

/// Returns the size class of a trade, by its value in USD: `whale`, `large` or `mega`.
fn tier(usd: f64) -> &'static str {
    match usd {
        usd if usd >= 4_000.0 => "mega",
        usd if usd >= 1_500.0 => "large",
        _ => "whale",
    }
}

/// Returns the market of the `condition_id` argument. Without this argument, returns all active markets of the
/// requested category.
fn requested_markets(ctx: &Context, args: &Args) -> Result<Vec<Market>, Refusal> {
    if let Some(id) = args.text("condition_id") {
        return Ok(vec![find_by_condition(ctx, id)?]);
    }
    let category = args.text("category");
    let is_meant =
        |market: &Market| market.is_active() && category.is_none_or(|c| c == market.category);
    Ok(markets(ctx).into_iter().filter(is_meant).collect())
}

/// Sorts rows by the field that the `sort_by` argument names. If this field does not exist, sorts by the field `usual`.
/// The module `row_filters` cannot sort these rows, because they have no record type.
fn sort_rows(args: &Args, mut rows: Vec<Row>, usual: &str) -> Vec<Row> {
    let by = args.text("sort_by").unwrap_or(usual);
    let has = rows.first().is_some_and(|row| row.given.contains_key(by));
    let by = if has { by } else { usual };
    let figure = |row: &Row| row.given.get(by).and_then(Value::as_f64).unwrap_or(0.0);
    rows.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
    if args.text("order") == Some("asc") {
        rows.reverse();
    }
    rows
}

/// Maximum time range of a smart-money request, in seconds. If a request has a longer range, only its last 60 days are
/// used. The view `trades` uses at most the last 15 days.
const MOST: i64 = 60 * DAY;

fn positioning(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (from, to) = span(ctx, args, WEEK);
    let from = from.max(to - MOST);
    let (direction, wanted) = (args.text("direction"), args.text("whale_tier"));
    let mut rows = Vec::new();

    for market in requested_markets(ctx, args)? {
        let flow = flow(&market, from, to);
        let largest = smart_trades(&market, from, to).map(|trade| trade.usd).fold(0.0, f64::max);
        let is_meant = flow.wallet_count() > 0
            && direction.is_none_or(|wish| wish.eq_ignore_ascii_case(flow.direction()))
            && wanted.is_none_or(|wish| wish == tier(largest));

        if is_meant {
            rows.push(Row::new(
                market.seed.named("smart"),
                ctx.now,
                json!({
                    "condition_id": market.condition_id.as_str(), "question": market.text,
                    "category": market.category, "direction": flow.direction(),
                    "smart_wallets_involved": flow.wallet_count(),
                    "smart_buy_volume_usd": flow.yes, "smart_sell_volume_usd": flow.no,
                    "net_flow_usd": flow.net_volume(), "whale_tier": tier(largest),
                    "latest_price": market.yes_price(to),
                }),
            ));
        }
    }

    Ok(sort_rows(args, rows, "smart_wallets_involved"))
}

fn trades(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (from, to) = span(ctx, args, 3 * DAY);
    let from = from.max(to - MOST / 4);
    let (direction, wanted) = (args.text("direction"), args.text("whale_tier"));
    let mut rows = Vec::new();

    for market in requested_markets(ctx, args)? {
        for trade in smart_trades(&market, from, to) {
            let leans = if trade.is_yes { "bullish" } else { "bearish" };
            let is_meant = direction.is_none_or(|wish| wish == leans)
                && wanted.is_none_or(|wish| wish == tier(trade.usd));
            if !is_meant {
                continue;
            }

            let mut row = trade_row(ctx, &market, &trade);
            for (name, value) in [
                ("category", Value::from(market.category)),
                ("direction", leans.into()),
                ("wallet", trader(ctx, trade.taker).into()),
                ("whale_tier", tier(trade.usd).into()),
            ] {
                row.given.insert(name.to_owned(), value);
            }

            rows.push(row);
        }
    }

    Ok(sort_rows(args, rows, "block_time"))
}

/// Number of daily prices from which a correlation is computed.
const DAYS: i64 = 30;

/// Returns the Pearson correlation of two series, from -1 to 1. Returns 0 if one series is constant.
fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    let spread = |values: &[f64], mean: f64| -> f64 {
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>().sqrt()
    };
    let spreads = spread(a, mean_a) * spread(b, mean_b);
    if spreads > 0.0 { (product / spreads).clamp(-1.0, 1.0) } else { 0.0 }
}

/// Returns the last `days` elements of a list of daily prices.
fn tail(prices: &[f64], days: usize) -> &[f64] {
    &prices[prices.len() - days..]
}

/// Returns one row for each pair of active markets in the requested category. The pair with the highest correlation is
/// first.
fn correlations(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let category = args.text("category").unwrap_or_default();
    let wanted = args.text("condition_id").map(|id| find_by_condition(ctx, id)).transpose()?;
    let today = day_of(ctx.now);
    // A market that is younger than 30 days has fewer than 30 daily prices.
    let series: Vec<(Market, Vec<f64>)> = markets(ctx)
        .into_iter()
        .filter(|market| market.is_active() && market.category == category)
        .filter(|market| market.start <= ctx.now)
        .map(|market| {
            let first = (today - DAYS + 1).max(day_of(market.start));
            let prices = (first..=today).map(|day| market.yes_price(day * DAY)).collect();
            (market, prices)
        })
        .collect();
    let mut rows = Vec::new();

    for (n, (a, prices_a)) in series.iter().enumerate() {
        for (b, prices_b) in &series[n + 1..] {
            let is_meant =
                wanted.as_ref().is_none_or(|w| w.number == a.number || w.number == b.number);
            if !is_meant {
                continue;
            }

            let days = prices_a.len().min(prices_b.len());
            rows.push(Row::new(
                a.seed.named("with").at(b.number),
                ctx.now,
                record!(CorrelationItem {
                    category,
                    correlation: round(pearson(tail(prices_a, days), tail(prices_b, days))),
                    overlapping_days: days,
                    market_a_condition_id: a.condition_id.as_str(),
                    market_a_question: a.text.as_str(),
                    market_b_condition_id: b.condition_id.as_str(),
                    market_b_question: b.text.as_str(),
                }),
            ));
        }
    }

    let figure =
        |row: &Row| row.given[member!(CorrelationItem.correlation)].as_f64().unwrap_or(0.0);
    rows.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
    Ok(rows)
}

/// Returns the price momentum of active markets in the last week, and a summary. The momentum list is one page. The
/// summary counts all active markets of the requested category. For example, its field `volume_increasing` is the
/// number of markets with increasing volume.
pub(super) fn momentum(ctx: &Context, args: &Args) -> (Vec<Value>, Value) {
    let category = args.text("category");
    let mut items: Vec<Value> = markets(ctx)
        .iter()
        .filter(|market| market.is_active() && category.is_none_or(|c| c == market.category))
        .map(|market| momentum_item(ctx, market))
        .collect();
    let count = |is: &dyn Fn(&Value) -> bool| items.iter().filter(|item| is(item)).count();

    // Smart money confirms a price move if it has the same direction as the move.
    let moves = |way: &'static str, leans: &'static str| {
        move |item: &Value| item["price_momentum"] == way && item["smart_money_direction"] == leans
    };
    let (confirming_up, confirming_down) =
        (count(&moves("up", "BULLISH")), count(&moves("down", "BEARISH")));
    let (diverging_up, diverging_down) =
        (count(&moves("up", "BEARISH")), count(&moves("down", "BULLISH")));

    let summary = record!(MomentumSummary {
        confirming_up,
        confirming_down,
        diverging_up,
        diverging_down,
        neutral: items.len() - confirming_up - confirming_down - diverging_up - diverging_down,
        total_active: items.len(),
        volume_increasing: count(&|item| item["volume_direction"] == "increasing"),
        volume_decreasing: count(&|item| item["volume_direction"] == "decreasing"),
    });
    let by = args.text("sort_by").unwrap_or("volume_7d");
    let figure = |item: &Value| item[by].as_f64().unwrap_or(0.0);
    items.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
    if args.text("order") == Some("asc") {
        items.reverse();
    }

    let part = |name: &str, usual: i64| {
        usize::try_from(args.integer(name).unwrap_or(usual)).unwrap_or(usize::MAX)
    };
    let page = items.into_iter().skip(part("offset", 0)).take(part("limit", 20)).collect();

    (page, summary)
}

fn momentum_item(ctx: &Context, market: &Market) -> Value {
    let week = weekly_flow(ctx, market);
    let (now, before) = (market.yes_price(ctx.now), market.yes_price(ctx.now - WEEK));
    let (volume, earlier) = (
        market.volume(Venue::Polymarket, ctx.now - WEEK, ctx.now + 1),
        market.volume(Venue::Polymarket, ctx.now - 2 * WEEK, ctx.now - WEEK),
    );
    let today = day_of(ctx.now);

    record!(MomentumItem {
        condition_id: market.condition_id.as_str(),
        question: market.text.as_str(),
        category: market.category,
        subcategory: market.category,
        latest_price: now,
        price_change_7d: percent_points(now, before),
        price_momentum: match now - before {
            change if change > 0.01 => "up",
            change if change < -0.01 => "down",
            _ => "flat",
        },
        oi_change_7d: market.open_interest(today) - market.open_interest(today - 7),
        volume_7d: volume,
        volume_direction: if volume >= earlier { "increasing" } else { "decreasing" },
        smart_money_direction: week.direction(),
        smart_wallets_involved: week.wallet_count(),
        whale_flow_net_7d: week.net_volume(),
        whale_flow_net_1d: flow(market, ctx.now - DAY, ctx.now).net_volume(),
    })
}

/// Returns the payment of a transaction that is a trade on Polymarket. The sender is the trading wallet, and the
/// receiver is Polymarket's exchange contract. Returns `None` if the trade does not exist or is in the future.
pub(crate) fn payment(ctx: &Context, place: &TransactionPlace) -> Option<Payment> {
    let number = place.address[12..].iter().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    let market = markets(ctx).into_iter().find(|market| market.number == number)?;
    let trade = Trade::from_hour(&market, place.slot);
    let is_known = (market.start..market.end.min(ctx.now + 1)).contains(&trade.time);
    (is_known && place.n == 0)
        .then(|| Payment::contract_call(trader(ctx, trade.taker), exchange(), trade.time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_is_symmetric_and_bounded() {
        let (up, down) = ([1.0, 2.0, 4.0], [3.0, 2.0, 0.0]);
        assert_eq!(pearson(&up, &up), 1.0);
        assert_eq!(pearson(&up, &down), -1.0);
        assert_eq!(pearson(&up, &[5.0; 3]), 0.0);
        let other = [2.0, 1.0, 9.0];
        assert_eq!(pearson(&up, &other), pearson(&other, &up));
    }
}
