//! A question that both venues trade.

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::interval;
use crate::moment::{self, DAY, HOUR};
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
}

const EVENTS: u64 = 24;
const MARKETS_AN_EVENT: u64 = 2;
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
        let event_title = format!("{subject} which level in round {}?", event + 1);
        Market {
            number,
            event,
            category,
            event_title,
            question: format!("{subject} {level} in round {}?", event + 1),
            seed: ctx.seed.named("prediction").at(number),
        }
    }

    pub(crate) fn condition_id(&self) -> String {
        format!("0x{}", fixed("condition", self.number).hex(64))
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

    /// Every fourth question is settled.
    pub(super) fn is_active(&self) -> bool {
        self.event % 4 != 3
    }

    pub(super) fn matches(&self, words: &str) -> bool {
        let text = format!("{} {}", self.question, self.category).to_lowercase();
        words.to_lowercase().split_whitespace().any(|word| text.contains(word))
    }

    /// The price of yes at a full hour.
    pub(super) fn knot(&self, hour: i64) -> f64 {
        let lean = self.seed.named("lean").bell();
        let wave: f64 = (1..10)
            .map(|octave| {
                let period = 1_i64 << octave;
                let wave = self.seed.named("wave").at(octave);
                let (cell, into) = (hour.div_euclid(period), hour.rem_euclid(period));
                let (left, right) = (wave.at_time(cell).bell(), wave.at_time(cell + 1).bell());
                #[expect(clippy::cast_precision_loss, reason = "at most 512")]
                let share = into as f64 / period as f64;
                (left + (right - left) * share)
                    * 0.06
                    * 1.3_f64.powi(i32::try_from(octave).unwrap_or(0))
            })
            .sum();
        (1.0 / (1.0 + (-lean - wave).exp())).clamp(0.02, 0.98)
    }

    /// The price of yes at a moment: between 0 and 1, straight from hour to hour.
    pub(super) fn yes(&self, time: i64) -> f64 {
        let hour = time.div_euclid(HOUR);
        #[expect(clippy::cast_precision_loss, reason = "below 3,600")]
        let share = time.rem_euclid(HOUR) as f64 / 3_600.0;
        let (left, right) = (self.knot(hour), self.knot(hour + 1));
        thousandths(left + (right - left) * share)
    }

    /// The highest and the lowest price of yes in `from..=to`.
    pub(super) fn extremes(&self, from: i64, to: i64) -> (f64, f64) {
        let knots = from.div_euclid(HOUR) + 1..=to.div_euclid(HOUR);
        let ends = [self.yes(from), self.yes(to)];
        knots
            .map(|hour| self.yes(hour * HOUR))
            .chain(ends)
            .fold((f64::MIN, f64::MAX), |(high, low), price| (high.max(price), low.min(price)))
    }

    /// USD traded on a day until `hour` of it, whole: hours are parts of their day, so that days
    /// are known without them.
    pub(super) fn volume_until(&self, day: i64, hour: i64) -> f64 {
        let seed = self.seed.named("volume").at_time(day);
        let whole = seed.magnitude(2_000.0, 210_000.0).round();
        match hour {
            0 => 0.0,
            24 => whole,
            hour => {
                // Hours differ, but each ends after it begins.
                let share = (hour as f64 + seed.at_time(hour).between(-0.4, 0.4)) / 24.0;
                (whole * share).floor()
            }
        }
    }

    /// USD traded in an hour, whole; the hour in progress counts so far as it has gone.
    pub(super) fn hour_volume(&self, hour: i64) -> f64 {
        let (day, hour) = (hour.div_euclid(24), hour.rem_euclid(24));
        self.volume_until(day, hour + 1) - self.volume_until(day, hour)
    }

    /// USD traded in the hours that begin in `from..to`.
    pub(super) fn volume(&self, from: i64, to: i64) -> f64 {
        let first = from.div_euclid(HOUR) + i64::from(from.rem_euclid(HOUR) != 0);
        let last = to.div_euclid(HOUR) + i64::from(to.rem_euclid(HOUR) != 0);
        if first >= last {
            return 0.0;
        }
        let until = |hour: i64| self.volume_until(hour.div_euclid(24), hour.rem_euclid(24));
        let days: f64 =
            (first.div_euclid(24)..last.div_euclid(24)).map(|day| self.volume_until(day, 24)).sum();
        days + until(last) - until(first)
    }

    /// Trades in the hours that begin in `from..to`.
    pub(super) fn trades(&self, from: i64, to: i64) -> i64 {
        let first = from.div_euclid(HOUR) + i64::from(from.rem_euclid(HOUR) != 0);
        let last = to.div_euclid(HOUR) + i64::from(to.rem_euclid(HOUR) != 0);
        (first..last).map(|hour| self.seed.named("trades").at_time(hour).range(1, 40)).sum()
    }

    /// USD bound in the market at the end of a day.
    pub(super) fn open_interest(&self, day: i64) -> f64 {
        let base = self.seed.named("oi").magnitude(2e4, 2e6);
        (base * (1.0 + 0.1 * self.seed.named("oi day").at_time(day).bell())).round()
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
    let clueless = Context { seed: Seed::new(0), now: 0 };
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

pub(super) fn end_of(ctx: &Context, market: &Market) -> i64 {
    let days = market.seed.named("end").range(10, 200);
    let today = ctx.now - ctx.now.rem_euclid(DAY);
    if market.is_active() { today + days * DAY } else { today - days * DAY }
}

pub(super) fn percent(a: f64, b: f64) -> f64 {
    round((a - b) * 100.0)
}

pub(super) fn day_of(time: i64) -> i64 {
    time.div_euclid(moment::DAY)
}
