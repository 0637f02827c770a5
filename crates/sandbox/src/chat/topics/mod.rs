//! What can be asked about: one row per topic, with the operation that knows it and what of its answer
//! is shown.

use crypto_intel_core::Operation;

use super::fill::Fill;

mod asset;
mod holder;
mod market;
mod stock;

use Unit::{Day, Number, Text, Usd};

/// What kind of subject a topic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat) enum About {
    Asset,
    Company,
    Fund,
    Wallet,
    /// No subject: everything there is.
    Market,
}

/// One topic.
#[derive(Debug)]
pub(in crate::chat) struct Topic {
    pub(in crate::chat) about: About,
    /// What tells topics apart; one of a subject goes before one of the market.
    pub(in crate::chat) key: &'static str,
    /// Words that ask for it, in small letters.
    pub(in crate::chat) words: &'static [&'static str],
    /// Its place among what is told of a subject unasked.
    pub(in crate::chat) unasked: Option<u8>,
    pub(in crate::chat) operation: &'static Operation,
    pub(in crate::chat) params: &'static [(&'static str, Fill)],
    pub(in crate::chat) show: Show,
}

/// What of an answer is shown.
#[derive(Debug)]
pub(in crate::chat) enum Show {
    /// One line per figure.
    Facts(&'static [Fact]),
    /// One line per figure, and the members of a series.
    Series(&'static [Fact], &'static str),
    /// One line per row of the list at the pointer.
    Rows(&'static str, &'static [Fact]),
    /// The rows of that list which are of the symbols asked for.
    RowsOf(&'static str, &'static [Fact]),
}

/// A figure: its place, as a JSON pointer in which `last` is the last of a list; its name; its
/// unit.
#[derive(Debug)]
pub(in crate::chat) struct Fact(
    pub(in crate::chat) &'static str,
    pub(in crate::chat) &'static str,
    pub(in crate::chat) Unit,
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat) enum Unit {
    Text,
    Number,
    Usd,
    /// In hundredths already.
    Percent,
    /// A day.
    Day,
}

const fn topic(
    about: About,
    key: &'static str,
    words: &'static [&'static str],
    operation: &'static Operation,
    params: &'static [(&'static str, Fill)],
    show: Show,
) -> Topic {
    Topic { about, key, words, unasked: None, operation, params, show }
}

impl Topic {
    /// Told unasked too, in this place.
    const fn unasked(mut self, place: u8) -> Self {
        self.unasked = Some(place);
        self
    }
}

/// The key of the topic that sets several assets side by side.
pub(in crate::chat) const COMPARISON: &str = "comparison";

/// The key of the topic about the fees of a chain.
pub(in crate::chat) const GAS: &str = "gas price";

/// Articles, as every list of them is shown.
const ARTICLES: &[Fact] = &[
    Fact("/title", "Title", Text),
    Fact("/source", "Source", Text),
    Fact("/published_at", "Day", Day),
];

/// Markets of predictions, as every list of them is shown.
const MARKETS: &[Fact] = &[
    Fact("/question", "Question", Text),
    Fact("/platform", "Venue", Text),
    Fact("/latest_price", "Probability", Number),
    Fact("/volume_7d", "Volume of 7 days", Usd),
    Fact("/open_interest_usd", "Open interest", Usd),
];

/// Every topic; within one kind of subject what is more special stands first, for words that two
/// have.
pub(in crate::chat) fn all() -> impl Iterator<Item = &'static Topic> {
    [asset::TOPICS, stock::TOPICS, holder::TOPICS, market::TOPICS].into_iter().flatten()
}
