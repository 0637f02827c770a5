//! Signals of projects. A signal consists of a heat score and the numbers that explain the score.
//!
//! The heat score of a project is random. Responses also contain four dimensions of the score: `movement`, `flow`,
//! `derivative` and `social`. The score is not computed from these dimensions. `social` is random. The other three
//! dimensions are computed from prices, volumes and derivatives. The states and summaries in the responses describe the
//! change of the heat score.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::liquidations;
use crate::market;
use crate::missing_fields::number::round;
use crate::perps;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::page_window;
use crate::timestamp::DAY;
use crate::value::{Members, Value, json};

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
                Some(slug) => assets::find_by_slug(slug)?,
                None => assets::find_project(args.text("id"), None)?,
            };
            Data::One(signal(ctx, args, asset))
        }
        _ => return Ok(None),
    }))
}

/// Returns the heat score of a project for a time range, from 1 to 99. `time` is a Unix time. The score changes every
/// hour.
fn heat(ctx: &Context, asset: &Asset, range: &str, time: i64) -> f64 {
    let hour = time.div_euclid(3600);
    round(asset.seed(ctx).named("heat").named(range).at_time(hour).between(1.0, 99.0))
}

/// Metrics from which the dimension `derivative` of a heat score is computed, each with its weight.
const DERIVATIVES: [(&str, f64); 3] =
    [("funding_rate", 0.4), ("open_interest", 0.3), ("liquidations", 0.3)];

/// Number of days from which a mean volume is computed. The current volume is compared with this mean.
const BASELINE_DAYS: i64 = 7;

/// Traded volume of an asset in the last 24 hours in USD, with statistics of the last seven whole days.
struct Volume {
    value: f64,
    yesterday: f64,
    mean: f64,
    deviation: f64,
}

impl Volume {
    fn new(ctx: &Context, asset: &Asset, value: f64) -> Self {
        let today = ctx.now.div_euclid(DAY);
        let days: Vec<_> =
            asset.walk(ctx).days(today - BASELINE_DAYS..today).map(|day| day.quote).collect();
        let count = BASELINE_DAYS as f64;
        let mean = days.iter().sum::<f64>() / count;
        let variance = days.iter().map(|day| (day - mean).powi(2)).sum::<f64>() / count;
        let yesterday = days.last().copied().unwrap_or(mean);
        Volume { value, yesterday, mean, deviation: variance.sqrt().max(1.0) }
    }

    /// Returns the distance of the volume from its seven-day mean, in standard deviations. The distance is negative if
    /// the volume is below the mean.
    fn signed_z(&self) -> f64 {
        (self.value - self.mean) / self.deviation
    }
}

/// Returns the change from `before` to `after`, in percent.
fn percent(after: f64, before: f64) -> f64 {
    round((after / before - 1.0) * 100.0)
}

/// Returns the four dimensions of the current heat score as a record, and the name of the highest dimension, for
/// example `movement`. Each dimension is a number from 0 to 100.
fn dimensions(
    ctx: &Context,
    asset: &'static Asset,
    change: f64,
    volume: &Volume,
) -> (Value, &'static str) {
    let (long, short, _) = liquidations::last_day_sums(ctx, asset);
    let (long, short) = (long.as_f64().unwrap_or(0.0), short.as_f64().unwrap_or(0.0));
    let interest = market::open_interest(ctx, asset);
    let score = |metric: &str| match metric {
        "funding_rate" => 50.0 + perps::funding_rate(ctx, asset, ctx.now) * 1e5,
        "open_interest" => 100.0 * interest / (interest + volume.value),
        _ => 100.0 * long / (long + short).max(1.0),
    };
    let score = |metric: &str| round(score(metric).clamp(0.0, 100.0));
    let derivative = DERIVATIVES.iter().map(|(metric, weight)| weight * score(metric)).sum();

    let movement = (50.0 + 5.0 * change).clamp(0.0, 100.0);
    let flow = (50.0 + 10.0 * volume.signed_z()).clamp(0.0, 100.0);
    let social = heat(ctx, asset, "social", ctx.now);
    let named =
        [("movement", movement), ("flow", flow), ("social", social), ("derivative", derivative)];
    let highest = named.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |(name, _)| name);

    let components: Vec<_> = DERIVATIVES
        .iter()
        .map(|(metric, weight)| {
            record!(SignalDerivativeComponent {
                metric: *metric,
                score: score(metric),
                used: true,
                weight: *weight,
            })
        })
        .collect();
    let dimensions = record!(SignalDimensions {
        derivative: round(derivative),
        derivative_components: components,
        flow: round(flow),
        movement: round(movement),
        social: round(social),
    });
    (dimensions, highest)
}

/// Compares the heat score `heat` with `before`, an earlier heat score. Returns two results: a record that describes
/// the change, and the name of the state (`heating`, `cooling` or `steady`).
///
/// `before` is the score of seven days ago for the range `7d`, and of one day ago for other ranges. `driver` is the
/// name of the score that is highest for the asset: `movement`, `flow`, `social` or `derivative`.
fn core_state(range: &str, heat: f64, before: f64, driver: &str) -> (Value, &'static str) {
    let rise = heat / before - 1.0;
    let state = match rise {
        _ if rise > 0.05 => "heating",
        _ if rise < -0.05 => "cooling",
        _ => "steady",
    };
    let (strength, priority) = match rise.abs() {
        rise if rise > 0.5 => ("strong", 1),
        rise if rise > 0.15 => ("moderate", 2),
        _ => ("weak", 3),
    };
    let state_record = record!(SignalCoreState {
        driver,
        priority,
        reason: format!("heat score {heat:.1}, {before:.1} before ({range})"),
        state,
        state_type: "trend",
        strength,
    });
    (state_record, state)
}

fn signal(ctx: &Context, args: &Args, asset: &'static Asset) -> Row {
    let range = args.text("time_range").unwrap_or("24h");
    let walk = asset.walk(ctx);
    let price = walk.at(ctx.minute());
    let quote = market::quote(ctx, asset);
    let change = |seconds: i64| percent(price, walk.at(ctx.minute() - seconds));
    let heat = |range: &str| heat(ctx, asset, range, ctx.now);
    let before = |range: &str, window: i64| self::heat(ctx, asset, range, ctx.now - window);
    let rise = |range: &str, window: i64| percent(heat(range), before(range, window));
    let is_hotter = |other: &&Asset| self::heat(ctx, other, range, ctx.now) > heat(range);

    let (long, short, ratio) = liquidations::last_day_sums(ctx, asset);
    let volume = Volume::new(ctx, asset, quote.volume_24h);
    let (dimensions, driver) = dimensions(ctx, asset, change(DAY), &volume);
    let earlier = before(range, if range == "7d" { 7 * DAY } else { DAY });
    let (core_state, state) = core_state(range, heat(range), earlier, driver);
    let of_market = |asset: &Asset| asset.walk(ctx).daily_usd;
    let relevance = of_market(asset) / ASSETS.iter().map(of_market).sum::<f64>();

    let mut given = record!(SignalProject {
        project_id: asset.id(),
        project_slug: asset.slug(),
        token_id: asset.id(),
        name: asset.name,
        symbol: asset.symbol,
        logo: asset.logo(),
        time_range: range,
        price: quote.price,
        volume_24h: quote.volume_24h,
        price_change_percent: record!(SignalPriceChange { "1h": change(3600), "24h": change(DAY), "7d": change(7 * DAY) }),

        heat_score: heat(range),
        score: heat(range),
        rank: 1 + ASSETS.iter().filter(is_hotter).count(),
        heat_score_previous_by_range: json!({"24h": before("24h", DAY), "7d": before("7d", 7 * DAY)}),
        heat_score_change_vs_previous_percent_by_range: json!({"24h": rise("24h", DAY), "7d": rise("7d", 7 * DAY)}),
        heat_score_by_range: json!({"24h": heat("24h"), "7d": heat("7d")}),
        heat_dimensions: dimensions,
        core_state,
        driver,

        open_interest: market::open_interest(ctx, asset),
        liquidation_long_24h: long,
        liquidation_short_24h: short,
        liquidation_long_short_ratio_24h: ratio,
        market_relevance: round(relevance),
        evidence_score: 1.0,
        computed_hour: ctx.now - ctx.now.rem_euclid(3600),
        updated_at: ctx.now,
    });

    if let Some(members) = given.as_object_mut() {
        members.extend(volume_fields(&volume));
        members.extend(summary_fields(asset, state, heat(range), earlier, change(DAY)));
    }
    Row::new(asset.seed(ctx), ctx.now, given)
}

/// Returns the response fields that compare the 24-hour volume with the volumes of earlier days.
fn volume_fields(volume: &Volume) -> Members {
    into_members(record!(SignalProject {
        metric: "volume_24h",
        value: round(volume.value),
        baseline: round(volume.mean),
        previous_value: round(volume.yesterday),
        change_percent: percent(volume.value, volume.mean),
        change_vs_previous_percent: percent(volume.value, volume.yesterday),
        volume_24h_change_percent: percent(volume.value, volume.yesterday),
        signed_z: round(volume.signed_z()),
        points_used: BASELINE_DAYS,
    }))
}

/// Returns the response fields that describe the signal in words.
fn summary_fields(asset: &Asset, state: &str, heat: f64, before: f64, change: f64) -> Members {
    let name = asset.name;
    into_members(record!(SignalProject {
        ai_summary: json!({
            "en": format!("{name} is {state}: its heat score is {heat:.1} after {before:.1}."),
            "zh": format!("{name} 的热度为 {heat:.1}，此前为 {before:.1}。"),
        }),
        token_signals: json!({
            "heat": state,
            "price": if change < 0.0 { "down in 24 hours" } else { "up in 24 hours" },
        }),
    }))
}

fn into_members(record: Value) -> Members {
    match record {
        Value::Object(members) => members,
        _ => Members::new(),
    }
}
