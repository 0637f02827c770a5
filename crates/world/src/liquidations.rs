//! Liquidation orders in each hour on each exchange. Charts and rankings are sums over these orders.

use std::cell::RefCell;
use std::collections::HashMap;

use crypto_intel_api::generated::catalogue;

use crate::args::Args;
use crate::assets::{self, Asset};
use crate::context::Context;
use crate::daily_prices::Daily;
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::{HISTORY, choices, span};
use crate::timestamp::{DAY, HOUR};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "market-liquidation-order" => Data::Rows(orders(ctx, args)?),
        "market-liquidation-chart" => Data::Rows(chart(ctx, args)?),
        "market-liquidation-exchange-list" => Data::Rows(exchange_list(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Returns the names of the exchanges with liquidations.
fn venues() -> &'static [&'static str] {
    choices(&catalogue::MARKET_LIQUIDATION_CHART, "exchange")
}

/// Number of liquidation orders of one asset on one exchange in each hour.
const AN_HOUR: u64 = 1;

/// One liquidation order: the forced closing of a long or short position. The price is computed later, so this struct
/// has no field for the price.
#[derive(Debug, Clone, Copy)]
struct Order {
    seed: Seed,
    time: i64,
    usd: f64,
    is_long: bool,
}

/// Returns the liquidation orders of one hour. `seed` is the random seed of an asset on an exchange.
fn hour_orders(seed: Seed, hour: i64) -> impl Iterator<Item = Order> {
    let seed = seed.at_time(hour);
    (0..AN_HOUR).map(move |n| {
        let seed = seed.at(n);
        Order {
            seed,
            time: hour * HOUR + seed.named("at").range(0, HOUR - 1),
            usd: seed.named("usd").magnitude(2_000.0, 3e6).round(),
            is_long: seed.chance(0.5),
        }
    })
}

/// Returns the liquidation orders of an asset on an exchange, with Unix times in `from..=to`. The orders are sorted by
/// hour, oldest hour first.
fn venue_orders(
    ctx: &Context,
    asset: &'static Asset,
    venue: &str,
    from: i64,
    to: i64,
) -> impl Iterator<Item = Order> + use<> {
    let seed = asset.seed(ctx).named("liquidation").named(venue);
    (from.div_euclid(HOUR)..=to.div_euclid(HOUR))
        .flat_map(move |hour| hour_orders(seed, hour))
        .filter(move |order| (from..=to).contains(&order.time))
}

/// Returns two sums in USD: the value of all liquidated long positions, and the value of all liquidated short
/// positions.
fn sum_sides(orders: impl Iterator<Item = Order>) -> (f64, f64) {
    orders.fold((0.0, 0.0), |(long, short), order| {
        if order.is_long { (long + order.usd, short) } else { (long, short + order.usd) }
    })
}

fn requested_assets(args: &Args) -> Result<Vec<&'static Asset>, Refusal> {
    args.list("symbol").into_iter().map(assets::find_by_symbol).collect()
}

/// Maximum time range of a list of liquidation orders, in seconds.
const MOST: i64 = 7 * DAY;

fn orders(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let venue = args.text("exchange").unwrap_or("Binance");
    let (from, to) = span(ctx, args, 2 * DAY);
    let from = from.max(to - MOST);
    let least = args.number("min_amount").unwrap_or(0.0);
    let mut rows = Vec::new();

    for asset in requested_assets(args)? {
        let mut prices = Daily::new(asset.walk(ctx));
        for order in venue_orders(ctx, asset, venue, from, to).filter(|order| order.usd >= least) {
            rows.push(Row::new(
                order.seed,
                order.time,
                record!(LiquidationOrderItem {
                    base_asset: asset.symbol,
                    symbol: format!("{}USDT", asset.symbol),
                    exchange: venue,
                    order_id: order.seed.digits(16),
                    price: round(prices.price_at(order.time)),
                    timestamp: order.time,
                    side: if order.is_long { "long" } else { "short" },
                    usd_value: order.usd,
                }),
            ));
        }
    }

    Ok(rows)
}

fn chart(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let venue = args.text("exchange").unwrap_or("Binance");
    let assets = requested_assets(args)?;
    let width = Width::parse(args.text("interval").unwrap_or("1h")).unwrap_or(Width::Seconds(HOUR));
    let limit = args.integer("limit").unwrap_or(500);
    let to = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
    let reach = width.earlier_start(to, limit - 1);
    let from = args.timestamp("from").unwrap_or(reach).max(reach).max(ctx.now - HISTORY);
    let mut start = width.start(from);

    // An interval that began before the time range is not part of the chart.
    if start < from {
        start = width.next_start(start);
    }

    let mut steps = Vec::new();
    while start <= to {
        steps.push((start, 0.0, 0.0));
        start = width.next_start(start);
    }

    let Some(&(first, ..)) = steps.first() else { return Ok(Vec::new()) };
    for asset in &assets {
        for order in venue_orders(ctx, asset, venue, first, (start - 1).min(ctx.now)) {
            let index = steps.partition_point(|(begin, ..)| *begin <= order.time) - 1;
            let (_, long, short) = &mut steps[index];
            *(if order.is_long { long } else { short }) += order.usd;
        }
    }

    let symbols: Vec<_> = assets.iter().map(|asset| asset.symbol).collect();
    let seed = ctx.seed.named("liquidation chart").named(&symbols.concat());
    let view = format!("liquidations {venue} {} {width:?}", symbols.join(","));
    Ok(steps
        .into_iter()
        .map(|(start, long, short)| {
            let given = record!(LiquidationChartItem {
                timestamp: start,
                long_liquidation_usd: long,
                short_liquidation_usd: short,
                contributing_exchanges: [venue],
                excluded_exchanges: [""; 0],
            });
            let row = Row::new(seed, start, given);
            if width.next_start(start) <= ctx.now { row.cacheable(ctx, &view) } else { row }
        })
        .collect())
}

fn exchange_list(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let assets = requested_assets(args)?;
    let (from, to) = span(ctx, args, DAY);
    Ok(venues()
        .iter()
        .map(|venue| {
            let (long, short) = assets
                .iter()
                .map(|asset| sum_sides(venue_orders(ctx, asset, venue, from, to)))
                .fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));

            Row::new(
                ctx.seed.named("liquidations").named(venue),
                ctx.now,
                record!(LiquidationExchangeItem {
                    exchange: venue,
                    long_liquidation_usd: long,
                    short_liquidation_usd: short,
                    liquidation_usd: long + short,
                }),
            )
        })
        .collect())
}

/// Returns the total liquidations of an asset on all exchanges in the last 24 hours. The three results are the long
/// liquidations in USD, the short liquidations in USD, and their ratio.
pub(super) fn last_day_sums(ctx: &Context, asset: &'static Asset) -> (Value, Value, Value) {
    let (from, to) = (ctx.now - DAY, ctx.now);
    let (first, last) = (from.div_euclid(HOUR), to.div_euclid(HOUR));

    // The amounts are whole USD, so the sum does not depend on the order of addition.
    let cut =
        |hour: i64| venue_sums(ctx, asset, from.max(hour * HOUR), to.min(hour * HOUR + HOUR - 1));
    let whole = (first + 1..last).map(|hour| cached_hour_sums(ctx, asset, hour));
    let (long, short) = whole
        .chain([cut(first), cut(last)])
        .fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));

    (long.into(), short.into(), round(long / short.max(1.0)).into())
}

/// Returns the long and the short liquidations of an asset in USD, each summed over all exchanges. Includes the orders
/// with Unix times in `from..=to`.
fn venue_sums(ctx: &Context, asset: &'static Asset, from: i64, to: i64) -> (f64, f64) {
    sum_sides(venues().iter().flat_map(|venue| venue_orders(ctx, asset, venue, from, to)))
}

/// Maximum number of cached sums per thread, each for one asset and one hour. This is enough for six days of every
/// asset.
const KEPT: usize = 4_096;

thread_local! {
    /// Cached sums over all exchanges: long and short liquidations in USD. Each key is a random seed for one asset and
    /// one hour.
    static HOURS: RefCell<HashMap<Seed, (f64, f64)>> = RefCell::default();
}

/// Returns the total long and short liquidations of an asset in one whole hour, in USD. The result is cached.
fn cached_hour_sums(ctx: &Context, asset: &'static Asset, hour: i64) -> (f64, f64) {
    let key = asset.seed(ctx).named("liquidations of an hour").at_time(hour);
    if let Some(known) = HOURS.with_borrow(|hours| hours.get(&key).copied()) {
        return known;
    }

    let sums = venue_sums(ctx, asset, hour * HOUR, hour * HOUR + HOUR - 1);
    HOURS.with_borrow_mut(|hours| {
        if hours.len() >= KEPT {
            hours.clear();
        }
        hours.insert(key, sums);
    });
    sums
}
