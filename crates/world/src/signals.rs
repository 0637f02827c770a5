//! Signals of projects: heat scores, and the figures behind them.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::liquidations;
use crate::market;
use crate::missing_fields::number::round;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::page_window;
use crate::timestamp::DAY;
use crate::value::{Value, json};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "signal-projects" | "signal-token-of-the-day" | "signal-token-of-week" => {
            let range = args.text("time_range").unwrap_or("24h");
            let mut ranked: Vec<_> =
                ASSETS.iter().map(|asset| (heat(ctx, asset, range, ctx.now), asset)).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            let window = page_window(args);
            let row = |(index, (_, asset)): (usize, (f64, &'static Asset))| {
                if !window.contains(&index) {
                    return Row::new(asset.seed(ctx), ctx.now, Value::Null);
                }
                let mut row = signal(ctx, args, asset);
                row.given.insert("rank", index + 1);
                row
            };
            let rows = ranked.into_iter().enumerate().map(row).collect();

            Data::Rows(rows)
        }
        "signal-detail" => {
            let asset = match args.text("project_slug") {
                Some(slug) => assets::by_slug(slug)?,
                None => assets::by_id_or_words(args.text("id"), None)?,
            };
            Data::One(signal(ctx, args, asset))
        }
        _ => return Ok(None),
    }))
}

/// Heat score of a project at a Unix time, for a time range. It changes every hour.
fn heat(ctx: &Context, asset: &Asset, range: &str, time: i64) -> f64 {
    let hour = time.div_euclid(3600);
    round(asset.seed(ctx).named("heat").named(range).at_time(hour).between(1.0, 99.0))
}

fn signal(ctx: &Context, args: &Args, asset: &'static Asset) -> Row {
    let (long, short, ratio) = liquidations::last_day(ctx, asset);
    let range = args.text("time_range").unwrap_or("24h");
    let walk = asset.walk(ctx);
    let price = walk.at(ctx.minute());
    let quote = market::quote(ctx, asset);
    let change = |seconds: i64| round((price / walk.at(ctx.minute() - seconds) - 1.0) * 100.0);
    let heat = |range: &str| heat(ctx, asset, range, ctx.now);
    let before = |range: &str, window: i64| self::heat(ctx, asset, range, ctx.now - window);
    let rise =
        |range: &str, window: i64| round((heat(range) / before(range, window) - 1.0) * 100.0);
    let is_hotter = |other: &&Asset| self::heat(ctx, other, range, ctx.now) > heat(range);

    Row::new(
        asset.seed(ctx),
        ctx.now,
        record!(SignalProject {
            project_id: asset.id(),
            project_slug: asset.slug(),
            name: asset.name,
            symbol: asset.symbol,
            logo: asset.logo(),
            time_range: range,
            price: quote.price,
            volume_24h: quote.volume_24h,
            price_change_percent: record!(SignalPriceChange { "1h": change(3600), "24h": change(DAY), "7d": change(7 * DAY) }),
            heat_score: heat(range),
            rank: 1 + ASSETS.iter().filter(is_hotter).count(),
            heat_score_previous_by_range: json!({"24h": before("24h", DAY), "7d": before("7d", 7 * DAY)}),
            heat_score_change_vs_previous_percent_by_range: json!({"24h": rise("24h", DAY), "7d": rise("7d", 7 * DAY)}),
            heat_score_by_range: json!({"24h": heat("24h"), "7d": heat("7d")}),
            open_interest: market::open_interest(ctx, asset),
            liquidation_long_24h: long,
            liquidation_short_24h: short,
            liquidation_long_short_ratio_24h: ratio,
            updated_at: ctx.now,
        }),
    )
}
