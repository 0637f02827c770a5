//! Candles ([`Candle`]), and the random walk of a price ([`Walk`]). A [`Walk`] contains the parameters from which the
//! candles of one asset or share are computed.

use crate::price_path::Steps;

/// One candle (prices and volume of a time interval), with prices in USD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candle {
    /// Start of the candle in Unix seconds.
    pub start: i64,
    /// First price, in USD.
    pub open: f64,
    /// Highest price, in USD.
    pub high: f64,
    /// Lowest price, in USD.
    pub low: f64,
    /// Last price, in USD.
    pub close: f64,
    /// Volume in units of the asset. Each volume is a whole number of lots. The size of a lot is a power of two, for
    /// example 1/64, so that floating-point sums of volumes have no rounding errors.
    pub volume: f64,
    /// Volume in USD. Each volume is a whole number of lots. The size of a lot is a power of two, for example 4 USD, so
    /// that floating-point sums of volumes have no rounding errors.
    pub quote: f64,
    /// Number of trades.
    pub trades: i64,
}

impl Candle {
    /// Merges this candle with the candle that follows it.
    pub(crate) fn merge(self, next: &Candle) -> Self {
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

    /// Creates a candle with a constant price and without trades. `start` is in Unix seconds.
    pub(crate) fn flat(start: i64, price: f64) -> Self {
        let (open, high, low, close) = (price, price, price, price);
        Candle { start, open, high, low, close, volume: 0.0, quote: 0.0, trades: 0 }
    }

    /// Divides the prices by the prices of another candle of the same interval. For example, BTC in USD divided by ETH
    /// in USD is BTC in ETH.
    ///
    /// The high of the result is the high of this candle divided by the low of `rate`. The low of the result is the low
    /// of this candle divided by the high of `rate`. So the price range of a long candle contains the price ranges of
    /// the shorter candles in it, such as the minutes of an hour.
    pub(crate) fn divide_by(&self, rate: &Candle) -> Self {
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

/// The price history of one asset, as the parameters of a random walk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    pub(crate) steps: Steps,
    /// Price in USD around which the random walk moves.
    pub(crate) base: f64,
    /// Standard deviation of daily returns, for example 0.024.
    pub(crate) volatility: f64,
    /// Typical daily trading volume in USD.
    pub(crate) daily_usd: f64,
    /// Second day of a market crash, in days since 1970-01-01. Prices fall on this day and on the day before.
    pub(crate) crash: Option<i64>,
}
