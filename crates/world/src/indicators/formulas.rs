//! Formulas of technical indicators, as pure functions of a list of candles. The oldest candle is the first.
//!
//! The result is the value of the indicator for the last candle.

use crate::price::Candle;

/// Prices and volumes of a list of candles, as one vector for each field.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) close: Vec<f64>,
    high: Vec<f64>,
    low: Vec<f64>,
    volume: Vec<f64>,
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the exponential moving average after each value. A value moves the average by `weight` times the difference
/// between the value and the average.
fn moving_averages(values: &[f64], weight: f64) -> Vec<f64> {
    let mut mean = values.first().copied().unwrap_or(0.0);
    values
        .iter()
        .map(|value| {
            mean += (value - mean) * weight;
            mean
        })
        .collect()
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(0.0)
}

/// Returns the exponential moving average at the last value. `period` is a number of values.
pub(super) fn ema(values: &[f64], period: usize) -> f64 {
    last(&moving_averages(values, 2.0 / (period as f64 + 1.0)))
}

/// Returns Wilder's moving average after each value. `period` is a number of values.
fn wilder(values: &[f64], period: usize) -> Vec<f64> {
    moving_averages(values, 1.0 / period as f64)
}

/// Returns the on-balance volume. This is the volume of the candles with a rising close minus the volume of the candles
/// with a falling close.
pub(super) fn obv(candles: &[Candle]) -> f64 {
    candles
        .windows(2)
        .map(|pair| match pair[1].close.total_cmp(&pair[0].close) {
            std::cmp::Ordering::Greater => pair[1].volume,
            std::cmp::Ordering::Less => -pair[1].volume,
            std::cmp::Ordering::Equal => 0.0,
        })
        .sum()
}

impl Series {
    pub(super) fn new(candles: &[Candle]) -> Self {
        let column = |of: fn(&Candle) -> f64| candles.iter().map(of).collect();
        Series {
            close: column(|candle| candle.close),
            high: column(|candle| candle.high),
            low: column(|candle| candle.low),
            volume: column(|candle| candle.volume),
        }
    }

    fn len(&self) -> usize {
        self.close.len()
    }

    /// Returns the indices of the last `count` candles.
    fn last_range(&self, count: usize) -> std::ops::Range<usize> {
        self.len().saturating_sub(count)..self.len()
    }

    fn typical_price(&self, index: usize) -> f64 {
        (self.high[index] + self.low[index] + self.close[index]) / 3.0
    }

    /// Returns the relative strength index (RSI) with Wilder's moving averages. `period` is a number of candles.
    pub(super) fn rsi(&self, period: usize) -> f64 {
        let moves: Vec<f64> = self.close.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let rises: Vec<f64> = moves.iter().map(|change| change.max(0.0)).collect();
        let falls: Vec<f64> = moves.iter().map(|change| (-change).max(0.0)).collect();
        let (up, down) = (last(&wilder(&rises, period)), last(&wilder(&falls, period)));
        if up + down > 0.0 { 100.0 * up / (up + down) } else { 50.0 }
    }

    /// Returns the true range of each candle: the range from low to high, extended so that it includes the previous
    /// close.
    fn true_ranges(&self) -> Vec<f64> {
        (0..self.len())
            .map(|i| {
                let before = self.close[i.saturating_sub(1)];
                self.high[i].max(before) - self.low[i].min(before)
            })
            .collect()
    }

    pub(super) fn atr(&self, period: usize) -> f64 {
        last(&wilder(&self.true_ranges(), period))
    }

    pub(super) fn cci(&self, period: usize) -> f64 {
        let prices: Vec<f64> = self.last_range(period).map(|i| self.typical_price(i)).collect();
        let middle = mean(&prices);
        let deviations: Vec<f64> = prices.iter().map(|price| (price - middle).abs()).collect();
        let deviation = mean(&deviations);
        if deviation > 0.0 { (last(&prices) - middle) / (0.015 * deviation) } else { 0.0 }
    }

    /// Returns the volume-weighted average price (VWAP) of the last `period` candles.
    pub(super) fn vwap(&self, period: usize) -> f64 {
        let volume: f64 = self.last_range(period).map(|i| self.volume[i]).sum();
        let paid: f64 =
            self.last_range(period).map(|i| self.typical_price(i) * self.volume[i]).sum();
        paid / volume.max(f64::MIN_POSITIVE)
    }

    /// Returns the two MACD values: the difference of a fast and a slow exponential average, and the average of this
    /// difference.
    pub(super) fn macd(&self, fast: usize, slow: usize, signal: usize) -> (f64, f64) {
        let average = |period: usize| moving_averages(&self.close, 2.0 / (period as f64 + 1.0));
        let lines: Vec<f64> =
            average(fast).iter().zip(average(slow)).map(|(fast, slow)| fast - slow).collect();
        (last(&lines), ema(&lines, signal))
    }

    /// Returns the mean and the standard deviation of the last `period` closing prices.
    pub(super) fn mean_and_deviation(&self, period: usize) -> (f64, f64) {
        let closes = &self.close[self.last_range(period)];
        let middle = mean(closes);
        let squares: Vec<f64> = closes.iter().map(|close| (close - middle).powi(2)).collect();
        (middle, mean(&squares).sqrt())
    }

    /// Returns the highest and the lowest price of `count` consecutive candles. `back` is the number of candles in the
    /// list that are newer than these candles.
    fn extremes(&self, count: usize, back: usize) -> (f64, f64) {
        let end = self.len().saturating_sub(back).max(1);
        let range = end.saturating_sub(count)..end;
        let high = self.high[range.clone()].iter().copied().fold(f64::MIN, f64::max);
        (high, self.low[range].iter().copied().fold(f64::MAX, f64::min))
    }

    /// Returns the midpoint of the highest and the lowest price of `count` consecutive candles. Skips the `back` newest
    /// candles of the list, and uses the `count` candles before them.
    pub(super) fn midpoint(&self, count: usize, back: usize) -> f64 {
        let (high, low) = self.extremes(count, back);
        f64::midpoint(high, low)
    }

    /// Returns the stochastic oscillator in percent, and its average over the last `signal` candles. The oscillator is
    /// the position of the close between the lowest and the highest price of `period` candles.
    pub(super) fn stochastic(&self, period: usize, signal: usize) -> (f64, f64) {
        let k = |back: usize| {
            let (high, low) = self.extremes(period, back);
            let close = self.close[self.len().saturating_sub(back).max(1) - 1];
            if high > low { 100.0 * (close - low) / (high - low) } else { 50.0 }
        };
        let all: Vec<f64> = (0..signal).map(k).collect();
        (all[0], mean(&all))
    }

    /// Returns the directional movement index: the rising indicator (+DI), the falling indicator (-DI) and the average
    /// directional index (ADX). The ADX is the average of the relative difference between the two indicators.
    pub(super) fn directional_index(&self, period: usize) -> (f64, f64, f64) {
        let pairs = 1..self.len();
        let steps = |i: usize| (self.high[i] - self.high[i - 1], self.low[i - 1] - self.low[i]);
        let rises: Vec<f64> = pairs
            .clone()
            .map(|i| match steps(i) {
                (up, down) if up > down && up > 0.0 => up,
                _ => 0.0,
            })
            .collect();

        let falls: Vec<f64> = pairs
            .map(|i| match steps(i) {
                (up, down) if down > up && down > 0.0 => down,
                _ => 0.0,
            })
            .collect();
        let ranges = wilder(&self.true_ranges()[1.min(self.len())..], period);

        let share = |moves: &[f64]| -> Vec<f64> {
            let smooth = wilder(moves, period);
            smooth
                .iter()
                .zip(&ranges)
                .map(|(m, range)| 100.0 * m / range.max(f64::MIN_POSITIVE))
                .collect()
        };
        let (plus, minus) = (share(&rises), share(&falls));

        let strengths: Vec<f64> = plus
            .iter()
            .zip(&minus)
            .map(|(p, m)| if p + m > 0.0 { 100.0 * (p - m).abs() / (p + m) } else { 0.0 })
            .collect();

        (last(&plus), last(&minus), last(&wilder(&strengths, period)))
    }

    /// Returns the supertrend indicator: its stop price, and true if the trend is up.
    pub(super) fn supertrend(&self, period: usize, factor: f64) -> (f64, bool) {
        let ranges = wilder(&self.true_ranges(), period);
        let (mut upper, mut lower, mut is_up) = (f64::MAX, f64::MIN, true);
        for (i, range) in ranges.iter().enumerate() {
            let middle = f64::midpoint(self.high[i], self.low[i]);
            let before = self.close[i.saturating_sub(1)];
            let (above, below) = (middle + factor * range, middle - factor * range);
            upper = if above < upper || before > upper { above } else { upper };
            lower = if below > lower || before < lower { below } else { lower };
            is_up = if is_up { self.close[i] >= lower } else { self.close[i] > upper };
        }
        (if is_up { lower } else { upper }, is_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candles(closes: &[f64]) -> Vec<Candle> {
        let candle = |(n, close): (usize, &f64)| {
            let open = if n == 0 { *close } else { closes[n - 1] };
            Candle {
                start: n as i64,
                open,
                high: open.max(*close) + 1.0,
                low: open.min(*close) - 1.0,
                close: *close,
                volume: 10.0,
                quote: 0.0,
                trades: 1,
            }
        };
        closes.iter().enumerate().map(candle).collect()
    }

    #[track_caller]
    fn assert_close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-4, "{a} and {b}");
    }

    #[test]
    fn indicators_of_a_steady_rise_match_known_values() {
        let closes: Vec<f64> = (0..150).map(|n| 100.0 + f64::from(n)).collect();
        let candles = candles(&closes);
        let series = Series::new(&candles);
        assert_close(series.rsi(14), 100.0);
        assert_close(series.atr(14), 3.0);
        assert_close(series.mean_and_deviation(3).0, 248.0);
        assert_close(series.mean_and_deviation(3).1, (2.0_f64 / 3.0).sqrt());
        assert_close(obv(&candles), 1_490.0);
        assert_close(series.vwap(2), 248.5 - 1.0 / 3.0);
        let (plus, minus, adx) = series.directional_index(14);

        assert!(plus > 30.0 && adx > 99.9, "{plus} {adx}");

        assert_close(minus, 0.0);
        let (k, d) = series.stochastic(14, 3);

        // The low of the 14 candles is 235 - 1, and the high is 249 + 1.
        assert_close(k, 100.0 * (249.0 - 234.0) / (250.0 - 234.0));
        assert_close(d, k);
        assert!(series.supertrend(10, 3.0).1 && series.supertrend(10, 3.0).0 < 249.0);
        assert!(series.macd(12, 26, 9).0 > 6.9);

        assert_close(series.midpoint(9, 0), f64::midpoint(250.0, 239.0));
    }

    #[test]
    fn indicators_of_a_constant_price_are_neutral() {
        let candles = candles(&[5.0; 60]);
        let series = Series::new(&candles);
        for (value, expected) in [
            (series.rsi(14), 50.0),
            (series.cci(20), 0.0),
            (series.vwap(14), 5.0),
            (ema(&series.close, 20), 5.0),
            (series.macd(12, 26, 9).1, 0.0),
            (series.directional_index(14).2, 0.0),
            (obv(&candles), 0.0),
        ] {
            assert_close(value, expected);
        }
    }
}
