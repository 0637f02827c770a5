//! A question that both venues trade.

use std::cell::Cell;
use std::ops::Range;

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::interval;
use crate::moment::{self, DAY, HOUR};
use crate::prediction::curve::Curve;
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::span::span;

/// A question with the answers yes and no.
#[derive(Debug, Clone)]
pub(crate) struct Market {
    pub(crate) number: u64,
    pub(super) event: u64,
    pub(super) category: &'static str,
    pub(crate) question: String,
    pub(super) event_title: String,
    pub(super) seed: Seed,
    /// When trading began, at a midnight.
    pub(super) start: i64,
    /// When it ends or ended, at a midnight. From then on the answer is known.
    pub(super) end: i64,
    is_active: bool,
    curve: Curve,
    /// Volumes that were asked for lately, two days of each venue: stretches of a day begin on one day and
    /// end on the next.
    lately: [Cell<Option<Volumes>>; 4],
}

/// USD traded in a month until a day began and until it ended.
#[derive(Debug, Clone, Copy)]
struct Volumes {
    venue: Venue,
    /// Since 1970.
    day: i64,
    before: f64,
    after: f64,
}

/// A place where the question is traded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Venue {
    Polymarket,
    Kalshi,
}

/// 2021-07-01, from which markets open; 2024-03-01, from which the first close; 2027-06-01, from
/// which the others do.
const OPENING: i64 = 1_625_097_600;
const FIRST_CLOSING: i64 = 1_709_251_200;
const CLOSING: i64 = 1_811_808_000;

const EVENTS: u64 = 24;
const MARKETS_AN_EVENT: u64 = 2;
/// Markets of each venue.
pub const MARKETS: i64 = (EVENTS * MARKETS_AN_EVENT).cast_signed();
/// Markets of one category in turn.
const SUBJECTS: &[(&str, &str)] = &[
    ("crypto", "Bitcoin above"),
    ("politics", "Turnout above"),
    ("economics", "Inflation above"),
    ("sports", "Goals above"),
    ("crypto", "Ether above"),
    ("culture", "Box office above"),
    ("financials", "Index above"),
    ("stem", "Launches above"),
];

/// Ids are the same in every world, so that they can be written down.
fn fixed(kind: &str, number: u64) -> Seed {
    Seed::new(0).named(kind).at(number)
}

impl Market {
    pub(super) fn new(ctx: &Context, number: u64) -> Self {
        let event = number / MARKETS_AN_EVENT;
        let (category, subject) = SUBJECTS[usize::try_from(event).unwrap_or(0) % SUBJECTS.len()];
        let level = 10 * (1 + event) + 5 * (number % MARKETS_AN_EVENT);

        let life = ctx.seed.named("prediction event").at(event);
        let start = OPENING + life.named("start").range(0, 500) * DAY;
        // Every fourth question was settled early.
        let end = match event % 4 {
            3 => FIRST_CLOSING + life.named("end").range(0, 600) * DAY,
            _ => CLOSING + life.named("end").range(0, 3_000) * DAY,
        };

        let seed = ctx.seed.named("prediction").at(number);
        let event_title = format!("{subject} which level in round {}?", event + 1);
        Market {
            number,
            event,
            category,
            event_title,
            question: format!("{subject} {level} in round {}?", event + 1),
            seed,
            start,
            end,
            is_active: ctx.now < end,
            curve: Curve::new(seed),
            lately: Default::default(),
        }
    }

    pub(crate) fn condition_id(&self) -> String {
        fixed("condition", self.number).hex_number(64)
    }

    pub(crate) fn token_id(&self, is_yes: bool) -> String {
        fixed(if is_yes { "yes" } else { "no" }, self.number).digits(77)
    }

    pub(crate) fn slug(&self) -> String {
        self.question.to_lowercase().replace('?', "").replace(' ', "-")
    }

    pub(crate) fn event_slug(&self) -> String {
        self.event_title.to_lowercase().replace('?', "").replace(' ', "-")
    }

    pub(crate) fn event_ticker(&self) -> String {
        format!("KXEVENT-{:02}", self.event + 1)
    }

    pub(crate) fn ticker(&self) -> String {
        format!("{}-T{}", self.event_ticker(), self.number % MARKETS_AN_EVENT + 1)
    }

    /// Whether the answer is still open.
    pub(super) fn is_active(&self) -> bool {
        self.is_active
    }

    /// What a venue says of its life.
    pub(super) fn status(&self, venue: Venue) -> &'static str {
        match (self.is_active, venue) {
            (true, _) => "active",
            (false, Venue::Polymarket) => "closed",
            (false, Venue::Kalshi) => "finalized",
        }
    }

    /// The part of `from..to` in which it is or was traded.
    fn trading(&self, from: i64, to: i64) -> (i64, i64) {
        (from.max(self.start), to.min(self.end))
    }

    pub(super) fn matches(&self, words: &str) -> bool {
        let text = format!("{} {}", self.question, self.category).to_lowercase();
        words.to_lowercase().split_whitespace().any(|word| text.contains(word))
    }

    /// The price of yes at a moment on the first venue: between 0 and 1, straight from hour to
    /// hour. Settled questions came true.
    pub(super) fn yes(&self, time: i64) -> f64 {
        if time >= self.end {
            return 1.0;
        }
        let hour = time.div_euclid(HOUR);
        #[expect(clippy::cast_precision_loss, reason = "below 3,600")]
        let share = time.rem_euclid(HOUR) as f64 / 3_600.0;
        let left = self.curve.at(hour);
        if share == 0.0 {
            return thousandths(left);
        }
        let right = self.curve.at(hour + 1);
        thousandths(left + (right - left) * share)
    }

    /// The price of yes on a venue: the second quotes a little apart.
    pub(super) fn price(&self, venue: Venue, time: i64) -> f64 {
        let yes = self.yes(time);
        match venue {
            Venue::Kalshi if time < self.end => {
                thousandths((yes + self.seed.named("apart").bell() * 0.01).clamp(0.01, 0.99))
            }
            _ => yes,
        }
    }

    /// The highest and the lowest price of yes on a venue in `from..=to`.
    pub(super) fn extremes(&self, venue: Venue, from: i64, to: i64) -> (f64, f64) {
        let knots = from.div_euclid(HOUR) + 1..=to.div_euclid(HOUR);
        let ends = [self.price(venue, from), self.price(venue, to)];
        knots
            .map(|hour| self.price(venue, hour * HOUR))
            .chain(ends)
            .fold((f64::MIN, f64::MAX), |(high, low), price| (high.max(price), low.min(price)))
    }

    /// The one trade of an hour on a venue.
    pub(super) fn trade_time(&self, venue: Venue, hour: i64) -> i64 {
        let name = match venue {
            Venue::Polymarket => "trade",
            Venue::Kalshi => "kalshi trade",
        };
        hour * HOUR + self.seed.named(name).at_time(hour).named("at").range(0, HOUR - 1)
    }

    /// USD traded in a month of thirty days, whole, and what divides it. Days are parts of their
    /// month and hours of their day, so that long stretches are known without their hours.
    fn month(&self, venue: Venue, month: i64) -> (f64, Seed) {
        let seed = self.volume_seed(venue).at_time(month);
        (seed.magnitude(60_000.0, 6_000_000.0).round(), seed)
    }

    /// USD traded in the hours before `hour` of its month.
    fn hours_until(&self, venue: Venue, hour: i64) -> f64 {
        let day = hour.div_euclid(24);
        let place = usize::from(venue == Venue::Kalshi) * 2 + usize::from(day % 2 != 0);
        let Volumes { before, after, .. } = match self.lately[place].get() {
            Some(volumes) if (volumes.venue, volumes.day) == (venue, day) => volumes,
            _ => {
                let volumes = self.volumes(venue, day);
                self.lately[place].set(Some(volumes));
                volumes
            }
        };

        match hour.rem_euclid(24) {
            0 => before,
            n => {
                let seed = self.volume_seed(venue).named("day").at_time(day);
                before + part(after - before, n, 24, seed)
            }
        }
    }

    fn volumes(&self, venue: Venue, day: i64) -> Volumes {
        let (month, n) = (day.div_euclid(MONTH), day.rem_euclid(MONTH));
        let (whole, seed) = self.month(venue, month);
        let until = |n: i64| part(whole, n, MONTH, seed);
        Volumes { venue, day, before: until(n), after: until(n + 1) }
    }

    fn volume_seed(&self, venue: Venue) -> Seed {
        self.seed.named(match venue {
            Venue::Polymarket => "volume",
            Venue::Kalshi => "kalshi volume",
        })
    }

    /// USD of the trade of an hour, whole.
    pub(super) fn hour_volume(&self, venue: Venue, hour: i64) -> f64 {
        self.hours_volume(venue, hour, hour + 1)
    }

    fn hours_volume(&self, venue: Venue, first: i64, end: i64) -> f64 {
        let month = |hour: i64| hour.div_euclid(24 * MONTH);
        let whole: f64 = (month(first)..month(end)).map(|n| self.month(venue, n).0).sum();
        whole + self.hours_until(venue, end) - self.hours_until(venue, first)
    }

    /// The hours whose trades lie in `from..to`.
    pub(super) fn trading_hours(&self, venue: Venue, from: i64, to: i64) -> Range<i64> {
        let (from, to) = self.trading(from, to);
        // The first hour whose trade is not before a moment.
        let first = |time: i64| {
            let hour = time.div_euclid(HOUR);
            hour + i64::from(self.trade_time(venue, hour) < time)
        };
        if from < to { first(from)..first(to) } else { 0..0 }
    }

    /// USD of the trades in `from..to`.
    pub(super) fn volume(&self, venue: Venue, from: i64, to: i64) -> f64 {
        let hours = self.trading_hours(venue, from, to);
        if hours.is_empty() { 0.0 } else { self.hours_volume(venue, hours.start, hours.end) }
    }

    /// Trades in `from..to`.
    pub(super) fn trades(&self, venue: Venue, from: i64, to: i64) -> i64 {
        let hours = self.trading_hours(venue, from, to);
        (hours.end - hours.start).max(0)
    }

    /// USD bound in the market at the end of a day.
    pub(super) fn open_interest(&self, day: i64) -> f64 {
        if day * DAY >= self.end || day * DAY < self.start {
            return 0.0;
        }
        let base = self.seed.named("oi").magnitude(2e4, 2e6);
        (base * (1.0 + 0.1 * self.seed.named("oi day").at_time(day).bell())).round()
    }
}

/// Days of a month of volumes.
const MONTH: i64 = 30;

/// What of `whole` falls on the first `n` of `count` parts: parts differ, but each has something.
fn part(whole: f64, n: i64, count: i64, seed: Seed) -> f64 {
    match n {
        0 => 0.0,
        n if n == count => whole,
        n => {
            #[expect(clippy::cast_precision_loss, reason = "at most 30")]
            let share = (n as f64 + seed.at_time(n).between(-0.4, 0.4)) / count as f64;
            (whole * share).floor()
        }
    }
}

/// Rounded to the finest tick.
pub(super) fn thousandths(price: f64) -> f64 {
    (price * 1_000.0).round() / 1_000.0
}

/// What the other answer costs.
pub(super) fn other(price: f64) -> f64 {
    thousandths(1.0 - price)
}

/// Every market.
pub(super) fn markets(ctx: &Context) -> Vec<Market> {
    (0..EVENTS * MARKETS_AN_EVENT).map(|number| Market::new(ctx, number)).collect()
}

/// The first market, of which examples speak.
pub(crate) fn first_market() -> Market {
    let clueless = Context::new(Seed::new(0), 0);
    Market::new(&clueless, 0)
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

pub(super) fn by_condition(ctx: &Context, id: &str) -> Result<Market, Refusal> {
    find(ctx, "condition id", id, |market| market.condition_id().eq_ignore_ascii_case(id))
}

/// The market of a token, and whether the token is yes.
pub(super) fn by_token(ctx: &Context, id: &str) -> Result<(Market, bool), Refusal> {
    let is = |market: &Market| market.token_id(true) == id || market.token_id(false) == id;
    let market = find(ctx, "token", id, is)?;
    let is_yes = market.token_id(true) == id;
    Ok((market, is_yes))
}

pub(super) fn by_ticker(ctx: &Context, ticker: &str) -> Result<Market, Refusal> {
    find(ctx, "ticker", ticker, |market| market.ticker().eq_ignore_ascii_case(ticker))
}

/// Starts of the steps of a series, oldest first: of `time_range`, or `from` and `to`.
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

pub(super) fn step_of(args: &Args) -> i64 {
    args.text("interval")
        .or_else(|| args.text("granularity"))
        .and_then(interval::seconds_of)
        .unwrap_or(DAY)
}

/// Levels of a side of a book, as price in hundredths and size.
pub(super) type Levels = Vec<(i64, i64)>;

/// A book around a price: levels of both sides in ticks of a hundredth, best first.
pub(super) fn book(seed: Seed, price: f64) -> (Levels, Levels) {
    #[expect(clippy::cast_possible_truncation, reason = "between 1 and 99")]
    let (below, above) = ((price * 100.0).ceil() as i64 - 1, (price * 100.0).floor() as i64 + 1);
    let size = |n: i64| seed.at_time(n).range(50, 9_000);
    let bids = (1..=below).rev().take(10).map(|cents| (cents, size(cents))).collect();
    let asks = (above..=99).take(10).map(|cents| (cents, size(1_000 + cents))).collect();
    (bids, asks)
}

pub(super) fn percent(a: f64, b: f64) -> f64 {
    round((a - b) * 100.0)
}

pub(super) fn day_of(time: i64) -> i64 {
    time.div_euclid(moment::DAY)
}
