//! A candle, and the history of a price that candles are cut from.

use crate::price_path::Steps;

/// One candle. Prices in USD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candle {
    /// Unix seconds.
    pub start: i64,
    /// The first price, in USD.
    pub open: f64,
    /// The highest price.
    pub high: f64,
    /// The lowest price.
    pub low: f64,
    /// The last price.
    pub close: f64,
    /// Units of the asset, in lots of a power of two so that sums are exact.
    pub volume: f64,
    /// Whole USD.
    pub quote: f64,
    /// How many trades there were.
    pub trades: i64,
}

impl Candle {
    /// This candle and the one after it, as one.
    pub(crate) fn then(self, next: &Candle) -> Self {
        Candle {
            high: self.high.max(next.high),
            low: self.low.min(next.low),
            close: next.close,
            volume: self.volume + next.volume,
            quote: self.quote + next.quote,
            trades: self.trades + next.trades,
            ..self
        }
    }

    /// A stretch in which the price did not move, and nothing was traded.
    pub(crate) fn still(start: i64, price: f64) -> Self {
        let (open, high, low, close) = (price, price, price, price);
        Candle { start, open, high, low, close, volume: 0.0, quote: 0.0, trades: 0 }
    }

    /// The candle in units of what `rate` is a candle of, over the same stretch. The extremes are the
    /// farthest that both allow, so that a candle holds all finer ones.
    pub(crate) fn per(&self, rate: &Candle) -> Self {
        Candle {
            open: self.open / rate.open,
            high: self.high / rate.low,
            low: self.low / rate.high,
            close: self.close / rate.close,
            quote: self.quote / f64::midpoint(rate.open, rate.close),
            ..*self
        }
    }
}

/// The history of one price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    pub(crate) steps: Steps,
    /// The price around which the walk moves, in USD.
    pub(crate) base: f64,
    /// Standard deviation of the relative price change of a day.
    pub(crate) volatility: f64,
    /// Typical volume of a day in USD.
    pub(crate) daily_usd: f64,
    /// The day in which it has been falling since the day before.
    pub(crate) crash: Option<i64>,
}
