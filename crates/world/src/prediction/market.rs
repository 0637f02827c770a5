//! Prediction markets: the price, the volume and the number of trades of a question in any time range.
//!
//! Values of different time ranges are consistent: the volumes of 24 hours add up to the volume of the day.

use std::ops::Deref;
use std::rc::Rc;

use crate::args::Args;
use crate::context::Context;
use crate::interval;
use crate::missing_fields::number::round;
use crate::prediction::question::{self, Question};
use crate::prediction::volumes::Venue;
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::time_range::span;
use crate::timestamp::{self, DAY, HOUR};

/// A prediction market: a question, and a flag that is true while the answer is not yet known.
#[derive(Debug, Clone)]
pub(crate) struct Market {
    about: Rc<Question>,
    is_active: bool,
}

impl Deref for Market {
    type Target = Question;

    fn deref(&self) -> &Question {
        &self.about
    }
}

/// Number of prediction markets on each venue.
pub const MARKETS: i64 = question::COUNT.cast_signed();

impl Market {
    /// Returns true if the answer to the question is not yet known.
    pub(super) fn is_active(&self) -> bool {
        self.is_active
    }

    /// Returns the status of the market. A market without a known answer is `active`. A market with a known answer is
    /// `closed` on Polymarket and `finalized` on Kalshi.
    pub(super) fn status(&self, venue: Venue) -> &'static str {
        match (self.is_active, venue) {
            (true, _) => "active",
            (false, Venue::Polymarket) => "closed",
            (false, Venue::Kalshi) => "finalized",
        }
    }

    /// Returns the price of "yes" on Polymarket at a Unix time, from 0 to 1. Between full hours, the price changes
    /// linearly. From the end of trading on, the price is 1, because every closed question has the answer "yes".
    pub(super) fn yes_price(&self, time: i64) -> f64 {
        if time >= self.end {
            return 1.0;
        }
        let hour = time.div_euclid(HOUR);
        #[expect(clippy::cast_precision_loss, reason = "below 3,600")]
        let share = time.rem_euclid(HOUR) as f64 / 3_600.0;
        let left = self.yes_price_at(hour);
        if share == 0.0 {
            return round_price(left);
        }
        let right = self.yes_price_at(hour + 1);
        round_price(left + (right - left) * share)
    }

    /// Returns the price of "yes" on a venue at a Unix time. The price on Kalshi differs slightly from the price on
    /// Polymarket.
    pub(super) fn price(&self, venue: Venue, time: i64) -> f64 {
        let yes = self.yes_price(time);
        match venue {
            Venue::Kalshi if time < self.end => round_price((yes + self.apart).clamp(0.01, 0.99)),
            _ => yes,
        }
    }

    /// Returns the highest and lowest price of "yes" on a venue in `from..=to` (Unix seconds).
    pub(super) fn extremes(&self, venue: Venue, from: i64, to: i64) -> (f64, f64) {
        let knots = from.div_euclid(HOUR) + 1..=to.div_euclid(HOUR);
        let ends = [self.price(venue, from), self.price(venue, to)];
        knots
            .map(|hour| self.price(venue, hour * HOUR))
            .chain(ends)
            .fold((f64::MIN, f64::MAX), |(high, low), price| (high.max(price), low.min(price)))
    }

    /// Returns the volume of the market's trades on a venue in `from..to` (Unix seconds), in USD.
    pub(super) fn volume(&self, venue: Venue, from: i64, to: i64) -> f64 {
        self.volumes.volume(venue, from, to)
    }

    /// Returns the number of the market's trades on a venue in `from..to` (Unix seconds).
    pub(super) fn trade_count(&self, venue: Venue, from: i64, to: i64) -> i64 {
        let hours = self.volumes.trading_hours(venue, from, to);
        (hours.end - hours.start).max(0)
    }

    /// Returns the open interest of the market on a day, in USD. `day` is in days since 1970-01-01. Returns 0 if
    /// trading has not started, or has ended, when the day begins.
    pub(super) fn open_interest(&self, day: i64) -> f64 {
        if day * DAY >= self.end || day * DAY < self.start {
            return 0.0;
        }
        (self.interest * (1.0 + 0.1 * self.seed.named("oi day").at_time(day).bell())).round()
    }
}

/// Rounds a price to the nearest multiple of 0.001, the smallest price step.
pub(super) fn round_price(price: f64) -> f64 {
    (price * 1_000.0).round() / 1_000.0
}

/// Returns the price of the opposite outcome, which is 1 minus `price`.
pub(super) fn opposite(price: f64) -> f64 {
    round_price(1.0 - price)
}

/// Returns all prediction markets.
pub(super) fn markets(ctx: &Context) -> Vec<Market> {
    let market = |question: &Rc<Question>| Market {
        about: Rc::clone(question),
        is_active: ctx.now < question.end,
    };
    question::cached_questions(ctx.seed).iter().map(market).collect()
}

pub(super) fn find(
    ctx: &Context,
    what: &str,
    value: &str,
    is: impl Fn(&Market) -> bool,
) -> Result<Market, Refusal> {
    markets(ctx)
        .into_iter()
        .find(is)
        .ok_or_else(|| Refusal::not_found(format!("no market has the {what} `{value}`")))
}

pub(super) fn find_by_condition(ctx: &Context, id: &str) -> Result<Market, Refusal> {
    find(ctx, "condition id", id, |market| market.condition_id.eq_ignore_ascii_case(id))
}

/// Finds the market of an outcome token by the token id. The second result is true for the "yes" token, and false for
/// the "no" token.
pub(super) fn find_by_token(ctx: &Context, id: &str) -> Result<(Market, bool), Refusal> {
    let market = find(ctx, "token", id, |market| market.find_answer(id).is_some())?;
    let is_yes = market.find_answer(id) == Some(true);
    Ok((market, is_yes))
}

pub(super) fn find_by_ticker(ctx: &Context, ticker: &str) -> Result<Market, Refusal> {
    find(ctx, "ticker", ticker, |market| market.ticker.eq_ignore_ascii_case(ticker))
}

/// Returns the Unix times of the points of a requested time series, oldest first, at most 5,000. `step` is the distance
/// of two points in seconds. The time range comes from the `time_range` argument, or from `from` and `to`. If the
/// `interval` argument is `latest`, the only point is the current time.
pub(super) fn steps(ctx: &Context, args: &Args, step: i64) -> Vec<i64> {
    let (from, to) = span(ctx, args, 30 * DAY);
    let first = from + (-from).rem_euclid(step);
    let mut times: Vec<i64> =
        (0..).map(|n| first + n * step).take_while(|time| *time <= to).take(5_000).collect();
    if args.text("interval") == Some("latest") {
        times = vec![ctx.now];
    }
    times
}

pub(super) fn get_step(args: &Args) -> i64 {
    args.text("interval")
        .or_else(|| args.text("granularity"))
        .and_then(interval::parse_seconds)
        .unwrap_or(DAY)
}

/// One side of an order book: price levels in cents, each with its size.
pub(super) type Levels = Vec<(i64, i64)>;

/// Generates an order book around a price. Returns its bids and its asks, the best price first.
pub(super) fn order_book(seed: Seed, price: f64) -> (Levels, Levels) {
    #[expect(clippy::cast_possible_truncation, reason = "between 1 and 99")]
    let (below, above) = ((price * 100.0).ceil() as i64 - 1, (price * 100.0).floor() as i64 + 1);
    let size = |n: i64| seed.at_time(n).range(50, 9_000);
    let bids = (1..=below).rev().take(10).map(|cents| (cents, size(cents))).collect();
    let asks = (above..=99).take(10).map(|cents| (cents, size(1_000 + cents))).collect();
    (bids, asks)
}

pub(super) fn percent_points(a: f64, b: f64) -> f64 {
    round((a - b) * 100.0)
}

pub(super) fn day_of(time: i64) -> i64 {
    time.div_euclid(timestamp::DAY)
}
