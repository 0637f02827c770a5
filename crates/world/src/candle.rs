//! A candle, and the history of a price that candles are cut from.

use crate::random::Seed;

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
}

/// The history of one price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    pub(crate) seed: Seed,
    /// The price around which the walk moves, in USD.
    pub(crate) base: f64,
    /// Typical relative move of a day.
    pub(crate) volatility: f64,
    /// Typical volume of a day in USD.
    pub(crate) daily_usd: f64,
    /// The day in which it has been falling since the day before.
    pub(crate) crash: Option<i64>,
}
