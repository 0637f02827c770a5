//! Perpetual futures on exchanges: funding rates, open interest and long/short ratios.

use crate::args::Args;
use crate::assets::Asset;
use crate::context::Context;
use crate::exchange::{PairMarket, requested_market, venue, volume_share};
use crate::interval;
use crate::missing_fields::number::round;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::{self, DAY, HOUR};
use crate::value::{Value, json};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let ctx = &ctx.at_venue(venue(args));
    Ok(Some(match args.operation.id {
        "exchange-funding-history" => Data::Rows(funding_history(ctx, args)?),
        "exchange-perp" => Data::One(perp(ctx, args)?),
        "exchange-long-short-ratio" => Data::Rows(long_short(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Hours between two funding payments.
const FUNDING_HOURS: i64 = 8;

fn funding_record(ctx: &Context, asset: &Asset, time: i64) -> Value {
    let rate = funding_rate(ctx, asset, time);
    record!(ExchangeFundingHistoryItem {
        funding_interval_hours: FUNDING_HOURS,
        funding_rate: rate,
        funding_rate_raw: rate,
        funding_rate_8h: rate,
        funding_rate_1h: round(rate / 8.0),
        funding_rate_annualized: round(rate * 3.0 * 365.0),
    })
}

fn funding_history(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let PairMarket { asset, pair, exchange, .. } = requested_market(ctx, args)?;
    let view = format!("funding {exchange} {pair}");
    let limit = args.integer("limit").unwrap_or(100);
    let step = FUNDING_HOURS * HOUR;
    let last = ctx.now - ctx.now.rem_euclid(step);
    let first = match args.timestamp("from") {
        Some(from) => from + (-from).rem_euclid(step),
        None => last - (limit - 1) * step,
    };

    Ok((0..limit)
        .map(|n| first + n * step)
        .take_while(|time| *time <= last)
        .map(|time| {
            let mut row = Row::new(asset.seed(ctx), time, funding_record(ctx, asset, time));
            row.given.insert("exchange", exchange.as_str());
            row.given.insert("pair", pair.as_str());
            row.given.insert("timestamp", time);
            row.cacheable(ctx, &view)
        })
        .collect())
}

fn perp(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let PairMarket { asset, pair, exchange, usd, .. } = requested_market(ctx, args)?;
    let price = round(asset.price(ctx) / usd);
    let mut rates = funding_record(ctx, asset, ctx.now);
    let step = FUNDING_HOURS * HOUR;
    let next = ctx.now - ctx.now.rem_euclid(step) + step;

    if let Some(members) = rates.as_object_mut() {
        for (name, value) in [
            ("exchange", json!(exchange)),
            ("pair", json!(pair)),
            ("mark_price", json!(price)),
            ("index_price", json!(price)),
            ("interval", json!("8h")),
            ("next_funding", json!(timestamp::iso_text(next))),
        ] {
            members.insert(name.to_owned(), value);
        }
    }

    // If a section is not requested, its values are `null`.
    let wanted = args.list("fields");
    if !wanted.contains(&"funding") {
        rates = record!(ExchangeFundingItem {
            exchange: exchange.clone(),
            pair: pair.clone(),
            funding_interval_hours: Value::Null,
            funding_rate: Value::Null,
            funding_rate_1h: Value::Null,
            funding_rate_8h: Value::Null,
            funding_rate_annualized: Value::Null,
            funding_rate_raw: Value::Null,
            index_price: Value::Null,
            interval: Value::Null,
            mark_price: Value::Null,
            next_funding: Value::Null,
        });
    }

    let section =
        |value: f64| if wanted.contains(&"oi") { json!(round(value)) } else { Value::Null };
    let interest = open_interest(ctx, asset) * volume_share(&exchange);

    Ok(Row::new(
        asset.seed(ctx),
        ctx.now,
        record!(ExchangePerpResponse {
            exchange: exchange.clone(),
            pair: pair.clone(),
            funding: rates,
            open_interest: record!(ExchangeOpenInterestItem {
                exchange,
                pair,
                timestamp: ctx.now,
                open_interest_usd: section(interest),
                open_interest_amount: section(interest / asset.price(ctx)),
            }),
        }),
    ))
}

/// Returns the number of long accounts divided by the number of short accounts, at a Unix time.
pub(super) fn long_short_ratio(ctx: &Context, asset: &Asset, exchange: &str, time: i64) -> f64 {
    round(asset.seed(ctx).named("ratio").named(exchange).at_time(time).between(0.6, 2.4))
}

fn long_short(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let PairMarket { asset, pair, exchange, .. } = requested_market(ctx, args)?;
    let limit = args.integer("limit").unwrap_or(50);
    let step = interval::parse_seconds(args.text("interval").unwrap_or("1h")).unwrap_or(HOUR);
    let (_, to) = span(ctx, args, DAY);
    let last = to - to.rem_euclid(step);
    let first = args
        .timestamp("from")
        .map_or(last - (limit - 1) * step, |from| from + (-from).rem_euclid(step));

    Ok((0..limit)
        .map(|n| first + n * step)
        .take_while(|time| *time <= last)
        .map(|time| {
            Row::new(
                asset.seed(ctx).named(&exchange),
                time,
                record!(ExchangeLongShortRatioItem {
                    exchange: exchange.as_str(),
                    pair: pair.as_str(),
                    timestamp: time,
                    long_short_ratio: long_short_ratio(ctx, asset, &exchange, time),
                }),
            )
        })
        .collect())
}

/// Returns the open interest of an asset's perpetual futures, in USD.
pub fn open_interest(ctx: &Context, asset: &Asset) -> f64 {
    let seed = asset.seed(ctx).named("oi").at_time(ctx.now.div_euclid(HOUR));
    round(asset.price(ctx) * asset.supply * seed.between(0.012, 0.018))
}

/// Returns the funding rate of an asset as a fraction, for the eight-hour interval that contains the Unix time `time`.
pub fn funding_rate(ctx: &Context, asset: &Asset, time: i64) -> f64 {
    round(asset.seed(ctx).named("funding").at_time(time.div_euclid(8 * HOUR)).bell() * 0.000_08)
}
