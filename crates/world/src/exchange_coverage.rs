//! Trading pairs of exchanges in Korea, Japan and Hong Kong. Each row has the status and the price of a pair, and the
//! time of the newest data.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::exchange::{local_quote, region, volume_share};
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::{DAY, HOUR};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(match args.operation.id {
        "exchange-coverage" => Some(Data::Rows(coverage(ctx, args))),
        _ => None,
    })
}

/// Returns the label for a technical score. Scores are from 0 to 100. The lowest scores have the label `strong_sell`,
/// and the highest scores have the label `strong_buy`.
fn technical_label(score: f64) -> &'static str {
    match score {
        _ if score < 20.0 => "strong_sell",
        _ if score < 40.0 => "sell",
        _ if score < 60.0 => "neutral",
        _ if score < 80.0 => "buy",
        _ => "strong_buy",
    }
}

/// Returns the Unix time at which an exchange listed an asset: a midnight from 2017 to 2020. The time does not depend
/// on the random seed.
fn listing_time(exchange: &str, asset: &Asset) -> i64 {
    Seed::new(0).named("listed").named(exchange).named(asset.symbol).range(17_200, 18_600) * DAY
}

/// Returns one row for each trading pair that matches the `exchange` and `q` arguments. Prices are computed only for
/// the rows of the requested page.
fn coverage(ctx: &Context, args: &Args) -> Vec<Row> {
    let venues = ["upbit", "bithumb", "coinone", "korbit", "bitflyer", "hashkey"];
    let (wanted, q) = (args.text("exchange"), args.text("q").unwrap_or_default());
    let mut rows = Vec::new();

    for exchange in venues.into_iter().filter(|venue| wanted.is_none_or(|wanted| wanted == *venue))
    {
        let ctx = &ctx.at_venue(exchange);
        let (status, data_status, actionability) = match ctx.scenario.halt_start(exchange) {
            Some(_) => ("halted", "stale", "history_only"),
            None => ("active", "covered", "actionable"),
        };
        let quote = local_quote(exchange);
        let Ok(usd) = assets::usd_per(ctx, quote, ctx.minute()) else { continue };
        for asset in ASSETS {
            let pair = format!("{}-{quote}", asset.symbol);
            if !(asset.is_about(q) || pair.to_lowercase().contains(&q.to_lowercase())) {
                continue;
            }

            let seed = asset.seed(ctx).named("coverage").named(exchange);
            let known = record!(ExchangeCoverageItem {
                exchange: exchange, region: region(exchange), type: "spot",
                pair: pair,
                base: asset.symbol, quote: quote, active: status == "active",
                status: status, data_status: data_status, data_actionability: actionability,
            });
            let at = *ctx;
            let rest = move || price_fields(&at, asset, exchange, usd, seed);
            rows.push(Row::lazy(seed, ctx.now, known, rest));
        }
    }

    rows
}

/// Returns the fields that are computed only for rows of the requested page, such as the price. `usd` is the value of
/// one unit of the quote currency in USD.
fn price_fields(ctx: &Context, asset: &Asset, exchange: &str, usd: f64, seed: Seed) -> Value {
    let walk = asset.walk(ctx);
    let (price, day) = (walk.at(ctx.minute()), walk.last_day(ctx.now));
    let candle = |width: i64| ctx.now - ctx.now.rem_euclid(width);
    let score = seed.named("score").between(1.0, 99.0);

    record!(ExchangeCoverageItem {
        latest_price: round(price / usd),
        open_24h: round(day.open / usd),
        prev_close: round(day.open / usd),
        high_24h: round(day.high.max(price) / usd),
        low_24h: round(day.low.min(price) / usd),
        change_24h_abs: round((price - day.open) / usd),
        change_24h_pct: round((price / day.open - 1.0) * 100.0),
        volume_24h_base: round(day.volume * volume_share(exchange)),
        volume_24h_quote: round(day.quote * volume_share(exchange) / usd),
        technical_score: round(score),
        technical_score_label: technical_label(score),
        technical_score_at: candle(HOUR),
        listing_date: listing_time(exchange, asset),
        latest_5m_candle_at: candle(300),
        latest_candle_at: candle(300),
        latest_4h_candle_at: candle(4 * HOUR),
        latest_ticker_at: ctx.now,
        latest_weekly_candle_at: Width::Week.start(ctx.now),
    })
}
