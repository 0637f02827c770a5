//! A candle, and the price history from which candles are computed.

use crate::price_path::Steps;

/// One candle, with prices in USD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candle {
    /// Start of the candle in Unix seconds.
    pub start: i64,
    /// First price, in USD.
    pub open: f64,
    /// Highest price.
    pub high: f64,
    /// Lowest price.
    pub low: f64,
    /// Last price.
    pub close: f64,
    /// Volume in units of the asset. It is a multiple of a power of two, so that sums are exact.
    pub volume: f64,
    /// Volume in USD. It is a multiple of a power of two, too.
    pub quote: f64,
    /// Number of trades.
    pub trades: i64,
}

impl Candle {
    /// Merges this candle with the next one.
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

    /// Returns a candle without trades, at a constant price.
    pub(crate) fn still(start: i64, price: f64) -> Self {
        let (open, high, low, close) = (price, price, price, price);
        Candle { start, open, high, low, close, volume: 0.0, quote: 0.0, trades: 0 }
    }

    /// Divides the prices by those of another candle over the same interval, for example to express BTC in
    /// ETH. High and low are the widest that both candles allow, so that a coarse candle contains all finer
    /// ones.
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

/// The price history of one asset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    pub(crate) steps: Steps,
    /// Price in USD around which the walk moves.
    pub(crate) base: f64,
    /// Standard deviation of daily returns.
    pub(crate) volatility: f64,
    /// Typical daily volume in USD.
    pub(crate) daily_usd: f64,
    /// Second day of a market crash, counted from 1970; prices fall on that day and the day before.
    pub(crate) crash: Option<i64>,
}
