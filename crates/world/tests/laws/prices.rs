//! Laws about prices as a random process: statements about volatility, autocorrelation and correlation that are true
//! for every seed at every time. Back-tests on candles of minutes, hours or days rely on these laws.

use crypto_intel_world::assets::{ASSETS, Asset};
use crypto_intel_world::price::Width;

use crate::world_client::{World, ensure};
use crate::{Held, Law};

const MINUTE: i64 = 60;
const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    (
        "The volatility computed from minutes, hours or days is the same within 25 %",
        volatility_is_scale_free,
    ),
    (
        "Returns of minutes, hours and days have no autocorrelation (below 0.1)",
        returns_are_uncorrelated,
    ),
    ("Returns have heavier tails than a normal distribution", returns_have_heavy_tails),
    ("Each coin has a different volatility", volatilities_differ),
    (
        "Each coin correlates with the market by 0.4 to 0.9, in hours and in days",
        coins_correlate_with_market,
    ),
    ("Stablecoins stay within 3 % of a dollar", stablecoins_stay_near_dollar),
];

/// Number of price returns that a test computes for each candle width.
const RETURNS: usize = 2_400;

const SCALES: [i64; 3] = [MINUTE, HOUR, DAY];

fn is_stable(asset: &Asset) -> bool {
    asset.categories.contains(&"STABLECOIN")
}

fn asset(symbol: &str) -> &'static Asset {
    ASSETS.iter().find(|asset| asset.symbol == symbol).unwrap_or(&ASSETS[0])
}

/// Returns the logarithmic returns of the last `count` candles before today. Each candle covers `seconds` seconds.
fn returns(world: &World, asset: &Asset, seconds: i64, count: usize) -> Vec<f64> {
    let to = world.now() - world.now() % DAY;
    let from = to - seconds * i64::try_from(count).unwrap_or(0);
    let candles = asset.walk(&world.ctx).candles(from, to, Width::Seconds(seconds), world.now());
    candles.iter().map(|candle| (candle.close / candle.open).ln()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the covariance of two series.
fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum::<f64>() / a.len() as f64
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    covariance(a, b) / (covariance(a, a) * covariance(b, b)).sqrt()
}

/// Returns the standard deviation of a series of returns, scaled to one day. `seconds` is the period of one
/// return.
fn daily_volatility(returns: &[f64], seconds: i64) -> f64 {
    (covariance(returns, returns) * DAY as f64 / seconds as f64).sqrt()
}

fn volatility_is_scale_free(world: &World) -> Held {
    for symbol in ["BTC", "ETH", "PEPE"] {
        let of = |scale| daily_volatility(&returns(world, asset(symbol), scale, RETURNS), scale);
        let [minutes, hours, days] = SCALES.map(of);
        let most = minutes.max(hours).max(days);
        ensure(most <= 1.25 * minutes.min(hours).min(days), || {
            format!("{symbol}: {minutes} in minutes, {hours} in hours, {days} in days")
        })?;
    }
    Ok(())
}

fn returns_are_uncorrelated(world: &World) -> Held {
    for symbol in ["BTC", "ETH", "SOL"] {
        for scale in SCALES {
            let returns = returns(world, asset(symbol), scale, RETURNS);
            for lag in 1..=3 {
                let found = correlation(&returns[lag..], &returns[..returns.len() - lag]);
                ensure(found.abs() < 0.1, || format!("{symbol}, {scale} s: {found} at lag {lag}"))?;
            }
        }
    }
    Ok(())
}

fn returns_have_heavy_tails(world: &World) -> Held {
    for symbol in ["BTC", "DOGE"] {
        for scale in SCALES {
            let returns = returns(world, asset(symbol), scale, RETURNS);
            let (mean, variance) = (mean(&returns), covariance(&returns, &returns));
            let fourth: f64 = returns.iter().map(|value| (value - mean).powi(4)).sum();
            let kurtosis = fourth / returns.len() as f64 / (variance * variance);
            ensure((3.3..30.0).contains(&kurtosis), || {
                format!("{symbol}, {scale} s: a kurtosis of {kurtosis}")
            })?;
        }
    }
    Ok(())
}

fn volatilities_differ(world: &World) -> Held {
    let coins = ASSETS.iter().filter(|asset| !is_stable(asset));
    let mut all: Vec<f64> =
        coins.map(|coin| daily_volatility(&returns(world, coin, DAY, 1_000), DAY)).collect();
    all.sort_by(f64::total_cmp);
    let differ = all.windows(2).all(|pair| pair[0] < pair[1]) && all[all.len() - 1] > 1.6 * all[0];
    ensure(differ && (0.01..0.1).contains(&all[0]), || format!("{all:?}"))
}

fn coins_correlate_with_market(world: &World) -> Held {
    for scale in [HOUR, DAY] {
        let coins = ASSETS.iter().filter(|asset| !is_stable(asset));
        let all: Vec<Vec<f64>> = coins.map(|coin| returns(world, coin, scale, 1_000)).collect();
        let market: Vec<f64> = (0..1_000)
            .map(|n| all.iter().map(|returns| returns[n]).sum::<f64>() / all.len() as f64)
            .collect();
        for (n, returns) in all.iter().enumerate() {
            let found = correlation(returns, &market);
            ensure((0.4..=0.9).contains(&found), || format!("coin {n}, {scale} s: {found}"))?;
        }
    }
    Ok(())
}

fn stablecoins_stay_near_dollar(world: &World) -> Held {
    for coin in ASSETS.iter().filter(|asset| is_stable(asset)) {
        let to = world.now();
        let days = coin.walk(&world.ctx).candles(to - 2_000 * DAY, to, Width::Seconds(DAY), to);
        for day in days {
            ensure(day.low > 0.97 && day.high < 1.03, || format!("{}: {day:?}", coin.symbol))?;
        }
    }
    Ok(())
}
