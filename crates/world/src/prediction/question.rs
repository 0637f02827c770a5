//! Yes/no questions of prediction markets, with their constant properties. Each thread caches the questions of a few
//! random seeds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::prediction::price_curve::Curve;
use crate::prediction::volumes::Volumes;
use crate::random::Seed;
use crate::timestamp::DAY;

/// A yes/no question. Both prediction venues have a market for it.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) number: u64,
    pub(super) event: u64,
    pub(super) category: &'static str,
    pub(crate) text: String,
    pub(super) event_title: String,
    pub(crate) condition_id: String,
    /// Token ids of the outcomes "yes" and "no", in this order.
    tokens: [String; 2],
    pub(crate) slug: String,
    pub(crate) event_slug: String,
    pub(crate) event_ticker: String,
    pub(crate) ticker: String,
    /// Text in which searches look for words: the question and its category, in lower case.
    words: String,
    pub(super) seed: Seed,
    /// Unix time at which trading starts. This time is always a midnight in UTC.
    pub(super) start: i64,
    /// Unix time at which trading ends and the answer becomes known. This time is always a midnight in UTC.
    pub(super) end: i64,
    /// Typical open interest of a market for this question, in USD.
    pub(super) interest: f64,
    /// Price curves from which the price of this question is computed: its own curve, and the curves of all questions
    /// with a lower level in the same event. For example, "above 25" also uses the curve of "above 20", because its
    /// price must never be higher than the price of "above 20".
    curves: Vec<Curve>,
    /// Price of "yes" on Kalshi minus its price on Polymarket.
    pub(super) apart: f64,
    pub(super) volumes: Volumes,
}

/// Earliest Unix time at which a market opens: 2021-07-01.
const OPENING: i64 = 1_625_097_600;
/// Earliest Unix time at which the markets of every fourth event close: 2024-03-01. The latest time is 600 days later.
/// The markets of all other events close after [`CLOSING`].
const FIRST_CLOSING: i64 = 1_709_251_200;
/// Earliest Unix time at which the markets of an event close: 2027-06-01. The latest time is 3,000 days later. Every
/// fourth event is an exception: see [`FIRST_CLOSING`].
const CLOSING: i64 = 1_811_808_000;

const EVENTS: u64 = 24;
const OF_AN_EVENT: u64 = 2;
/// Number of questions in a sandbox.
pub(super) const COUNT: u64 = EVENTS * OF_AN_EVENT;
/// Category and subject of each event. The number of events is larger than this list, so the list is repeated.
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

/// Maximum number of random seeds with cached questions per thread. The questions of one seed take about 300 KiB.
const KEPT: usize = 8;

thread_local! {
    static WORLDS: RefCell<HashMap<Seed, Rc<[Rc<Question>]>>> = RefCell::default();
}

/// Returns all questions that are generated from the random seed `world`.
pub(super) fn cached_questions(world: Seed) -> Rc<[Rc<Question>]> {
    if let Some(cached) = WORLDS.with_borrow(|worlds| worlds.get(&world).cloned()) {
        return cached;
    }

    let all: Rc<[_]> = (0..COUNT).map(|number| Rc::new(Question::new(world, number))).collect();
    WORLDS.with_borrow_mut(|worlds| {
        if worlds.len() >= KEPT {
            worlds.clear();
        }
        worlds.insert(world, Rc::clone(&all));
    });
    all
}

/// Returns a random seed for ids. The seed is the same in every sandbox, so that documentation can contain the ids.
fn fixed_seed(kind: &str, number: u64) -> Seed {
    Seed::new(0).named(kind).at(number)
}

impl Question {
    fn new(world: Seed, number: u64) -> Self {
        let event = number / OF_AN_EVENT;
        let (category, subject) = SUBJECTS[usize::try_from(event).unwrap_or(0) % SUBJECTS.len()];
        let level = 10 * (1 + event) + 5 * (number % OF_AN_EVENT);

        let life = world.named("prediction event").at(event);
        let start = OPENING + life.named("start").range(0, 500) * DAY;
        // The questions of every fourth event are settled early.
        let end = match event % 4 {
            3 => FIRST_CLOSING + life.named("end").range(0, 600) * DAY,
            _ => CLOSING + life.named("end").range(0, 3_000) * DAY,
        };

        let seed = world.named("prediction").at(number);
        let event_title = format!("{subject} which level in round {}?", event + 1);
        let text = format!("{subject} {level} in round {}?", event + 1);
        let event_ticker = format!("KXEVENT-{:02}", event + 1);

        Question {
            number,
            event,
            category,
            condition_id: fixed_seed("condition", number).hex_number(64),
            tokens: ["yes", "no"].map(|answer| fixed_seed(answer, number).digits(77)),
            slug: slug(&text),
            event_slug: slug(&event_title),
            ticker: format!("{event_ticker}-T{}", number % OF_AN_EVENT + 1),
            event_ticker,
            words: format!("{text} {category}").to_lowercase(),
            text,
            event_title,
            seed,
            start,
            end,
            interest: seed.named("oi").magnitude(2e4, 2e6),
            curves: (0..=number % OF_AN_EVENT)
                .map(|below| Curve::new(world.named("prediction").at(number - below)))
                .collect(),
            apart: life.named("apart").bell() * 0.01,
            volumes: Volumes::new(seed, start..end),
        }
    }

    /// Returns the price of "yes" at a full hour. `hour` is in hours since 1970-01-01.
    ///
    /// The market "above 25" never has a higher price than the market "above 20" of the same event.
    pub(super) fn yes_price_at(&self, hour: i64) -> f64 {
        let mut curves = self.curves.iter().rev();
        let lowest = curves.next().map_or(0.5, |curve| curve.price_at(hour));
        curves.fold(lowest, |price, curve| price * (0.4 + 0.6 * curve.price_at(hour)))
    }

    /// Returns the id of the token for "yes" or for "no".
    pub(crate) fn token_id(&self, is_yes: bool) -> &str {
        &self.tokens[usize::from(!is_yes)]
    }

    /// Returns true if a token id stands for "yes", and false if it stands for "no". Returns `None` for a token of
    /// another question.
    pub(super) fn find_answer(&self, token: &str) -> Option<bool> {
        self.tokens.iter().position(|known| known == token).map(|place| place == 0)
    }

    /// Returns true if the question or its category contains at least one of `words`.
    pub(super) fn matches(&self, words: &str) -> bool {
        words.to_lowercase().split_whitespace().any(|word| self.words.contains(word))
    }
}

fn slug(text: &str) -> String {
    text.to_lowercase().replace('?', "").replace(' ', "-")
}
