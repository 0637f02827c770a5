//! On-chain indicators: valuation ratios, and coins that exchanges hold.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::ParamKind;

use crate::args::Args;
use crate::assets::{self, Asset};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::{HISTORY, span};
use crate::timestamp::DAY;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "market-onchain-indicator" => Data::Rows(indicator(ctx, args)?),
        "market-exchange-flow-exchanges" => Data::Rows(exchanges(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Returns the allowed values of the `exchange` argument: groups of exchanges, and single exchanges.
fn venues() -> &'static [&'static str] {
    let operation = OPERATIONS.iter().find(|op| op.id == "market-onchain-indicator");
    match operation.and_then(|op| op.param("exchange")).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(names)) => names,
        _ => &[],
    }
}

fn venue_kind(venue: &str) -> &'static str {
    match venue {
        _ if venue.ends_with("_exchange") && venue != "hashkey_exchange" => "group",
        "deribit" | "bybit" | "bitget" | "bitfinex" | "htx_global" => "derivative",
        _ => "spot",
    }
}

/// Returns the single exchanges in a group such as `spot_exchange`. If `name` is a single exchange, returns only this
/// exchange.
fn group_members(name: &str) -> Vec<&'static str> {
    let wanted = |venue: &&&str| match name {
        "all_exchange" => venue_kind(venue) != "group",
        "spot_exchange" => venue_kind(venue) == "spot",
        "derivative_exchange" => venue_kind(venue) == "derivative",
        _ => **venue == name,
    };
    venues().iter().filter(wanted).copied().collect()
}

fn exchanges(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = assets::find_by_symbol(args.text("symbol").unwrap_or_default())?;
    let row = |venue: &&str| {
        let given = record!(MarketExchangeFlowExchangeItem {
            name: venue, symbol: asset.symbol, type: venue_kind(venue),
            supported_flow_filter: true,
        });
        Row::new(ctx.seed.named(venue), ctx.now, given)
    };
    Ok(venues().iter().map(row).collect())
}

/// Returns the number of coins that an exchange holds at the start of a day, rounded to an integer. `day` is in days
/// since 1970-01-01.
fn reserve(ctx: &Context, asset: &Asset, venue: &str, day: i64) -> f64 {
    let seed = asset.seed(ctx).named("reserve").named(venue);
    let share = seed.magnitude(0.000_5, 0.03);
    let (month, into) = (day.div_euclid(30), day.rem_euclid(30) as f64 / 30.0);
    let level = |month: i64| seed.at_time(month).between(0.9, 1.1);
    let drift = level(month) + (level(month + 1) - level(month)) * into;
    let noise = 1.0 + seed.named("day").at_time(day).bell() * 0.002;
    (asset.supply * share * drift * noise).round()
}

/// Returns three numbers of coins for an exchange on one day: the inflow, the outflow, and the reserve at the end of
/// the day.
fn flows(ctx: &Context, asset: &Asset, venue: &str, day: i64) -> (f64, f64, f64) {
    let end = reserve(ctx, asset, venue, day + 1);
    let net = end - reserve(ctx, asset, venue, day);
    let seed = asset.seed(ctx).named("churn").named(venue).at_time(day);
    let churn = (end * seed.between(0.002, 0.01)).round();
    (churn + net.max(0.0), churn + (-net).max(0.0), end)
}

/// Maximum length of a series of daily values, in days.
const MOST: i64 = 1_000;

fn indicator(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = assets::find_by_symbol(args.text("symbol").unwrap_or_default())?;
    let metric = args.text("metric").unwrap_or_default();
    let exchange = args.text("exchange").unwrap_or("all_exchange");
    let (from, to) = span(ctx, args, 90 * DAY);
    let from = from.max(to - MOST * DAY).max(ctx.now - HISTORY);

    // Only complete days have values.
    let days = (from - 1).div_euclid(DAY) + 1..=to.min(ctx.now - DAY).div_euclid(DAY);
    let venues = group_members(exchange);
    let (walk, before) = (asset.walk(ctx), 210);
    let past = walk.candles(
        (days.start() - before) * DAY,
        (days.end() + 1) * DAY,
        Width::Seconds(DAY),
        ctx.now,
    );

    Ok(days
        .enumerate()
        .map(|(index, day)| {
            let flow = |of: fn((f64, f64, f64)) -> f64| -> f64 {
                venues.iter().map(|venue| of(flows(ctx, asset, venue, day))).sum()
            };
            let value = match metric {
                "exchange-flows/inflow" => flow(|(inflow, ..)| inflow),
                "exchange-flows/outflow" => flow(|(_, outflow, _)| outflow),
                "exchange-flows/netflow" => flow(|(inflow, outflow, _)| inflow - outflow),
                "exchange-flows/reserve" => flow(|(.., reserve)| reserve),
                _ => {
                    let end = (index + 1 + before as usize).min(past.len());
                    round(valuation(metric, asset, &past[end.saturating_sub(before as usize)..end]))
                }
            };

            let given = record!(MarketMetricPoint {
                timestamp: day * DAY,
                value,
                metric,
                symbol: asset.symbol,
                project_id: asset.id(),
                exchange,
                exchange_name: exchange,
            });

            Row::new(asset.seed(ctx), day * DAY, given)
        })
        .collect())
}

/// Returns the value of a valuation indicator on the last day in `days`. Some indicators compare the price with earlier
/// prices. The others compare the market value with the traded volume or with the number of trades.
fn valuation(metric: &str, asset: &Asset, days: &[super::price::Candle]) -> f64 {
    let Some(today) = days.last() else { return 0.0 };
    let mean = |count: usize, figure: &dyn Fn(&super::price::Candle) -> f64| {
        let last = &days[days.len().saturating_sub(count)..];
        last.iter().map(figure).sum::<f64>() / last.len() as f64
    };
    let realised = mean(200, &|day| day.close);
    let worth = |day: &super::price::Candle| day.close * asset.supply;
    let turnover = |day: &super::price::Candle| worth(day) / day.quote.max(1.0);

    match metric {
        "mvrv" => today.close / realised,
        "nupl" => 1.0 - realised / today.close,
        "sopr" => today.close / mean(30, &|day| day.close),
        "puell-multiple" => today.close / mean(200, &|day| day.open),
        "nvm" => worth(today).ln() / (today.trades as f64).powi(2).ln(),
        "nvt" => turnover(today),
        _ => {
            // The distance between the 10-day average and the 30-day average, in standard deviations.
            let (short, long) = (mean(10, &turnover), mean(30, &turnover));
            let spread = mean(30, &|day| (turnover(day) - long).powi(2)).sqrt();
            (short - long) / spread.max(f64::MIN_POSITIVE)
        }
    }
}
