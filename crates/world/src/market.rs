//! The crypto market: prices, rankings, futures, ETF flows and sentiment.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::equity::calendar;
use crate::missing_fields::number::round;
use crate::perps;
use crate::price::{Candle, Width};
use crate::price_records;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::{DAY, HOUR};
use crate::value::Value;

pub use crate::perps::{funding_rate, open_interest};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "market-price" => Data::One(price(ctx, args)?),
        "market-ranking" => Data::Rows(ranking(ctx, args)),
        "market-futures" => Data::Rows(ASSETS.iter().map(|asset| futures(ctx, asset)).collect()),
        "market-etf" => Data::Rows(etf(ctx, args)?),
        "market-fear-greed" => Data::Rows(fear_greed(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Returns the interval between two points of a price history. Shorter time ranges have shorter intervals.
fn point_width(from: i64, to: i64) -> Width {
    match to - from {
        seconds if seconds <= 2 * DAY => Width::Seconds(300),
        seconds if seconds <= 91 * DAY => Width::Seconds(HOUR),
        _ => Width::Seconds(DAY),
    }
}

fn price(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let currency = args.text("currency").unwrap_or("usd");
    let (from, to) = span(ctx, args, 30 * DAY);
    let assets: Vec<_> =
        args.list("symbol").into_iter().map(assets::find_by_symbol).collect::<Result<_, _>>()?;

    // A currency without an exchange rate is rejected before any prices are computed.
    assets::usd_per(ctx, currency, to)?;
    let mut points = Vec::new();

    for asset in &assets {
        let (walk, id) = (asset.walk(ctx), asset.id());
        let mut add = |time: i64, usd: f64| -> Result<(), Refusal> {
            points.push(record!(MarketMetricPoint {
                timestamp: time,
                value: round(usd / assets::usd_per(ctx, currency, time)?),
                metric: "price",
                symbol: asset.symbol,
                project_id: id.as_str(),
                exchange: "all",
                exchange_name: "all",
            }));
            Ok(())
        };

        for candle in walk.candles(from, to + 1, point_width(from, to), ctx.now) {
            add(candle.start, candle.open)?;
        }
        if to == ctx.now && from <= to {
            add(to, walk.at(ctx.minute()))?;
        }
    }

    let summary = summary(&points);
    let mut answer = record!(MarketPriceResponse { data: points });
    if let ([asset], Some(members)) = (assets.as_slice(), answer.as_object_mut()) {
        members.insert("symbol", asset.symbol);
        members.insert("project_id", asset.id());
        if let Some(summary) = summary {
            members.insert("summary", summary);
        }
    }

    Ok(Row::new(ctx.seed, ctx.now, answer))
}

/// Returns a summary of the points of a price history: first, last, highest and lowest value, and change.
fn summary(points: &[Value]) -> Option<Value> {
    let values: Vec<f64> = points.iter().filter_map(|point| point["value"].as_f64()).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    Some(record!(MarketPriceSummary {
        first,
        last,
        high: values.iter().copied().fold(f64::MIN, f64::max),
        low: values.iter().copied().fold(f64::MAX, f64::min),
        change_abs: round(last - first),
        change_pct: round((last / first - 1.0) * 100.0),
        n_points: values.len(),
        latest_dt: points.last()?["timestamp"].clone(),
    }))
}

/// Current prices, volume and market capitalisation of an asset, in USD.
pub(super) struct Quote {
    pub(super) price: f64,
    /// Price change in the last 24 hours, in percent.
    pub(super) change_24h: f64,
    pub(super) high_24h: f64,
    pub(super) low_24h: f64,
    pub(super) volume_24h: f64,
    pub(super) market_cap: f64,
    pub(super) fdv: f64,
}

pub(super) fn quote(ctx: &Context, asset: &Asset) -> Quote {
    let walk = asset.walk(ctx);
    let (price, day) = (walk.at(ctx.minute()), walk.last_day(ctx.now));
    Quote {
        price: round(price),
        change_24h: round((price / day.open - 1.0) * 100.0),
        high_24h: round(day.high.max(price)),
        low_24h: round(day.low.min(price)),
        volume_24h: day.quote,
        market_cap: round(price * asset.supply),
        fdv: round(price * asset.max_supply.unwrap_or(asset.supply)),
    }
}

fn ranking(ctx: &Context, args: &Args) -> Vec<Row> {
    let mut quoted: Vec<_> = ASSETS.iter().map(|asset| (asset, quote(ctx, asset))).collect();
    quoted.sort_by(|(_, a), (_, b)| b.market_cap.total_cmp(&a.market_cap));
    let category = args.text("category");

    quoted
        .iter()
        .enumerate()
        .filter(|(_, (asset, _))| category.is_none_or(|c| asset.categories.contains(&c)))
        .map(|(index, (asset, quote))| {
            let seed = asset.seed(ctx);
            let (high, low) = price_records::find_extremes(ctx, asset);
            Row::new(
                seed,
                ctx.now,
                record!(MarketTopCoinItem {
                    id: asset.id(),
                    symbol: asset.symbol,
                    name: asset.name,
                    slug: asset.slug(),
                    image: asset.logo(),
                    rank: index + 1,

                    price_usd: quote.price,
                    change_24h_pct: quote.change_24h,
                    high_24h: quote.high_24h,
                    low_24h: quote.low_24h,
                    volume_24h_usd: quote.volume_24h,
                    market_cap_usd: quote.market_cap,
                    fdv: quote.fdv,
                    circulating_supply: asset.supply,
                    total_supply: asset.max_supply.unwrap_or(asset.supply),
                    max_supply: asset.max_supply,
                    ath: round(high.price),
                    ath_date: high.date,
                    atl: round(low.price),
                    atl_date: low.date,
                }),
            )
        })
        .collect()
}

fn futures(ctx: &Context, asset: &Asset) -> Row {
    let walk = asset.walk(ctx);
    let (today, before) = (walk.last_day(ctx.now), walk.last_day(ctx.now - DAY));
    Row::new(
        asset.seed(ctx),
        ctx.now,
        record!(MarketFuturesItem {
            symbol: asset.symbol,
            project_id: asset.id(),
            funding_rate: funding_rate(ctx, asset, ctx.now),
            open_interest: open_interest(ctx, asset),
            long_short_ratio: perps::long_short_ratio(
                ctx,
                asset,
                "binance",
                ctx.now - ctx.now.rem_euclid(HOUR)
            ),
            volume_24h: today.quote,
            volume_change_24h: round((today.quote / before.quote - 1.0) * 100.0),
            updated_at: ctx.now,
        }),
    )
}

const FUNDS_BY_TICKER: &[&str] = &["ALPH", "BETA", "GAMM", "DELT", "EPSL"];

fn etf(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let asset = assets::find_by_symbol(args.text("symbol").unwrap_or_default())?;
    let (from, to) = span(ctx, args, 365 * DAY);
    Ok(flows(ctx, asset, from, to))
}

/// Returns true if ETFs have flows on the day that begins at the Unix time `start`. ETFs have flows only on trading
/// days.
#[must_use]
pub fn has_flows(start: i64) -> bool {
    calendar::is_session(start)
}

/// Returns the daily ETF flows of an asset, for the trading days that begin in `from..=to`.
pub fn flows(ctx: &Context, asset: &'static Asset, from: i64, to: i64) -> Vec<Row> {
    let days = asset.walk(ctx).candles(from, to + 1, Width::Seconds(DAY), ctx.now);
    days.iter()
        .filter(|day| has_flows(day.start))
        .map(|day| {
            let seed = asset.seed(ctx).named("etf").at_time(day.start);
            let (day, at) = (*day, *ctx);
            let known = record!(MarketEtfFlowItem { timestamp: day.start, symbol: asset.symbol });
            let row = Row::lazy(seed, day.start, known, move || flow(&at, asset, &day, seed));
            // The row no longer changes after three days, because the flow is settled and the day's price is final.
            if day.start + 3 * DAY < ctx.now { row.cacheable(ctx, "etf") } else { row }
        })
        .collect()
}

fn flow(ctx: &Context, asset: &Asset, day: &Candle, seed: Seed) -> Value {
    let flows: Vec<f64> = (0..FUNDS_BY_TICKER.len() as u64)
        .map(|n| (seed.at(n).bell() * 80.0).round() * 1e6)
        .collect();
    let etfs: Vec<_> = FUNDS_BY_TICKER
        .iter()
        .zip(&flows)
        .map(|(ticker, flow)| record!(EtfTickerFlow { ticker, flow_usd: flow }))
        .collect();

    record!(MarketEtfFlowItem {
        project_id: asset.id(),
        price_usd: round(day.close),
        flow_usd: flows.iter().sum::<f64>(),
        etfs,
        settled: day.start + 2 * DAY < ctx.now,
    })
}

fn fear_greed(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (from, to) = span(ctx, args, 365 * DAY);
    moods(ctx, from, to)
}

/// Returns the fear and greed index for each day that begins in `from..=to`.
///
/// # Errors
/// Fails only if the table of assets does not contain Bitcoin.
pub fn moods(ctx: &Context, from: i64, to: i64) -> Result<Vec<Row>, Refusal> {
    let bitcoin = assets::find_by_symbol("BTC")?;
    let days = bitcoin.walk(ctx).candles(from - 30 * DAY, to + 1, Width::Seconds(DAY), ctx.now);

    // The index is high if the price of Bitcoin is above the average of its last 31 daily prices.
    Ok(days
        .windows(31)
        .map(|window| {
            let mean = window.iter().map(|day| day.open).sum::<f64>() / 31.0;
            let day = window[30];
            #[expect(clippy::cast_possible_truncation, reason = "clamped to a percentage")]
            let value = (50.0 + (day.open / mean - 1.0) * 250.0).clamp(3.0, 97.0).round() as i64;
            let classification = match value {
                ..25 => "Extreme Fear",
                25..46 => "Fear",
                46..55 => "Neutral",
                55..76 => "Greed",
                _ => "Extreme Greed",
            };

            Row::new(
                ctx.seed.at_time(day.start),
                day.start,
                record!(MarketFearGreedHistoryItem {
                    timestamp: day.start,
                    value,
                    classification,
                    price: round(day.open),
                }),
            )
        })
        .collect())
}
