//! Divides the volume, the quote volume and the number of trades of a candle among its parts. The parts are shorter
//! candles: for example, the 24 hours of a day.
//!
//! The input is a candle and the prices of its parts. The output is the volumes of the parts, which add up exactly to
//! the volumes of the candle. The volume-weighted price of each part lies between the low and the high of this part.

use crate::candle::Candle;
use crate::random::Seed;

/// Returns the quote volume of a candle: the product of its volume and its volume-weighted price. The product is
/// rounded to a multiple of a power of two, so that sums of quote volumes have no rounding errors.
pub(crate) fn quote_volume(volume: f64, price: f64) -> f64 {
    let lot = lot_size(volume * price, 24);
    (volume * price / lot).round() * lot
}

/// Limits for the volume-weighted price of each part of a candle, such as each hour of a daily candle. A limit is a
/// fraction of the price range of the part. For an hour with the low 100 and the high 110, the limit 0.1 is a price
/// difference of 1.
pub(crate) struct Reach {
    /// Maximum distance between two volume-weighted prices of a part. One is the price that [`divide_volumes`]
    /// computes, and the other is the price in its argument `usual`.
    near: f64,
    /// Larger maximum distance. It replaces `near` if, with `near`, no part of the candle can reach the volume-weighted
    /// price of the whole candle.
    far: f64,
    /// Minimum distance of a part's volume-weighted price from the low of the part, and from the high of the part.
    margin: f64,
}

/// Limits for the volume-weighted price of each hour of a day. The small `near` keeps this price close to the price in
/// the argument `usual` of [`divide_volumes`]. If the price were close to the high of the hour, the few minutes with
/// high prices would need most of the hour's volume.
pub(crate) const HOURS: Reach = Reach { near: 0.1, far: 0.5, margin: 0.2 };

/// Limits for the volume-weighted price of each minute of an hour. `margin` is smaller than in [`HOURS`], so that these
/// prices can be closer to the high or the low of the minute. The weighted average of the prices must equal the
/// volume-weighted price of the whole hour.
pub(crate) const MINUTES: Reach = Reach { near: 0.4, far: 0.6, margin: 0.1 };

/// Divides the volume, the quote volume and the number of trades of `whole` among `parts`. `usual` contains one
/// volume-weighted price for each part. The function adjusts these prices so that the quote volumes of the parts add up
/// to the quote volume of `whole`.
pub(crate) fn divide_volumes(
    whole: &Candle,
    parts: &mut [Candle],
    usual: &[f64],
    (seed, reach): (Seed, Reach),
) {
    let price = whole.quote / whole.volume;
    let shares = random_shares(seed.named("lots"), parts.len());

    // If the price of `whole` is above the average of the usual prices, all parts trade nearer to their highs than
    // usual. Otherwise they trade nearer to their lows.
    let sign = if price > weighted_average(&shares, usual) { 1.0 } else { -1.0 };
    let bounds = [reach.near, reach.far].map(|distance| -> Vec<f64> {
        let bound = |(part, usual): (&Candle, &f64)| {
            let (low, high) =
                (price_in_range(part, reach.margin), price_in_range(part, 1.0 - reach.margin));
            (usual + sign * distance * (part.high - part.low)).clamp(low, high)
        };
        parts.iter().zip(usual).map(bound).collect()
    });
    let is_enough = |bounds: &&Vec<f64>| bounds.iter().any(|bound| sign * (bound - price) > 0.0);
    let bounds = bounds.iter().find(is_enough).unwrap_or(&bounds[1]);
    let shares = tilt_shares(shares, bounds, price, sign);

    let amounts = |whole: f64| shares.iter().map(move |share| whole * share);
    let volumes = round_to_lots(whole.volume, lot_size(whole.volume, 24), amounts(whole.volume));
    let trades = round_to_lots(whole.trades as f64, 1.0, amounts(whole.trades as f64));
    let (from, to) = (weighted_average(&volumes, usual), weighted_average(&volumes, bounds));
    let way = (price - from) / (to - from);
    let worth = (volumes.iter().zip(usual.iter().zip(bounds)))
        .map(|(volume, (usual, bound))| volume * (usual + (bound - usual) * way));
    let quotes = round_to_lots(whole.quote, lot_size(whole.quote, 32), worth);

    for (i, part) in parts.iter_mut().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "under a million trades a day")]
        let trades = trades[i] as i64;
        (part.volume, part.quote, part.trades) = (volumes[i], quotes[i], trades);
    }
}

/// Returns a price in the range of a candle. `share` is a number from 0 for the low to 1 for the high.
pub(crate) fn price_in_range(candle: &Candle, share: f64) -> f64 {
    candle.low + (candle.high - candle.low) * share
}

/// Divides a volume randomly into `count` parts, and returns each part as a fraction of the volume. The fractions add
/// up to 1.
fn random_shares(seed: Seed, count: usize) -> Vec<f64> {
    let weights: Vec<f64> = (0..count as u64).map(|n| 0.4 + seed.at(n).unit()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Adjusts `shares`, the fractions of a candle's volume that the parts of the candle get. With the returned shares, the
/// volume-weighted price of the whole candle can be `price`.
///
/// If `sign` is 1, `bounds` contains the highest possible price of each part. The average of `bounds`, weighted by the
/// returned shares, is at least `price`, apart from rounding errors. For this, parts with bounds above `price` get
/// larger shares if necessary.
///
/// If `sign` is -1, `bounds` contains the lowest possible price of each part. The average of `bounds`, weighted by the
/// returned shares, is at most `price`, apart from rounding errors. For this, parts with bounds below `price` get
/// larger shares if necessary.
fn tilt_shares(shares: Vec<f64>, bounds: &[f64], price: f64, sign: f64) -> Vec<f64> {
    let missing = sign * (price - weighted_average(&shares, bounds));
    if missing <= 0.0 {
        return shares;
    }

    // The average with `shares` is `missing` below the required average, and the average with `beyond` is `excess`
    // above it. The result is a mixture of both lists.
    let beyond: Vec<f64> = (shares.iter().zip(bounds))
        .map(|(share, bound)| share * (sign * (bound - price)).max(0.0))
        .collect();
    // No bound is beyond the price: `missing` is only a rounding error.
    if beyond.iter().all(|share| *share == 0.0) {
        return shares;
    }
    let excess = sign * (weighted_average(&beyond, bounds) - price);
    let portion = missing / (missing + excess);
    let sum: f64 = beyond.iter().sum();
    let mixed = shares.iter().zip(&beyond);
    mixed.map(|(share, beyond)| share * (1.0 - portion) + beyond / sum * portion).collect()
}

/// Returns the average of `values`, weighted by `weights`.
fn weighted_average(weights: &[f64], values: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
    sum / weights.iter().sum::<f64>()
}

/// Returns the size of the lots for dividing `whole` into parts. The size is the largest power of two for which `whole`
/// contains at least 2^`bits` lots. For example, `lot_size(1000.0, 4)` is 32.
fn lot_size(whole: f64, bits: i32) -> f64 {
    2_f64.powi(whole.log2().floor() as i32 - bits)
}

/// Rounds each of the `amounts` down to a multiple of `lot`. The last result is `whole` minus the other results, so
/// that all results add up to exactly `whole`.
fn round_to_lots(whole: f64, lot: f64, amounts: impl ExactSizeIterator<Item = f64>) -> Vec<f64> {
    let last = amounts.len() - 1;
    let mut left = whole;
    amounts
        .enumerate()
        .map(|(i, amount)| {
            let part = if i == last { left } else { ((amount / lot).floor() * lot).min(left) };
            left -= part;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Creates a candle from its open, its close and two more prices. The high and the low are the extremes of all four
    /// prices.
    fn candle(mut prices: [f64; 4]) -> Candle {
        let (open, close) = (prices[0], prices[1]);
        prices.sort_by(f64::total_cmp);
        let [low, .., high] = prices;
        Candle { start: 0, open, high, low, close, volume: 0.0, quote: 0.0, trades: 0 }
    }

    proptest! {
        #[test]
        fn parts_add_up_and_trade_within_their_ranges(
            prices in prop::collection::vec(prop::array::uniform4(90.0..110.0), 2..30),
            place in 0.2..0.8,
            seed: u64,
        ) {
            let mut parts: Vec<Candle> = prices.into_iter().map(candle).collect();
            let mut whole = parts.iter().copied().reduce(|whole, part| whole.merge(&part)).unwrap();
            whole.volume = 1_048_576.0;
            whole.quote = quote_volume(whole.volume, price_in_range(&whole, place));
            whole.trades = 10_000;

            let usual: Vec<f64> = parts.iter().map(|part| price_in_range(part, 0.5)).collect();
            divide_volumes(&whole, &mut parts, &usual, (Seed::new(seed), MINUTES));
            for part in &parts {
                let price = part.quote / part.volume;
                prop_assert!(part.low <= price && price <= part.high, "{price} in {part:?}");
            }
            let sum = parts.into_iter().reduce(|whole, part| whole.merge(&part)).unwrap();
            prop_assert_eq!(sum, Candle { open: sum.open, ..whole });
        }
    }
}
