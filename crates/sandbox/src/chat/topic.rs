//! A topic: its operation, and the fields of the response that are shown.

use crypto_intel_core::Operation;

use super::fill::Fill;

use Unit::{Day, Number, Text, Usd};

/// Kind of subject of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Asset,
    Company,
    Fund,
    Wallet,
    /// No subject: everything there is.
    Market,
}

/// One topic.
#[derive(Debug)]
pub(super) struct Topic {
    pub(super) about: About,
    /// Identity of a topic. A topic of a subject comes before one of the market.
    pub(super) key: &'static str,
    /// Words that ask for it, in small letters.
    pub(super) words: &'static [&'static str],
    /// Its position among the default topics of a subject.
    pub(super) unasked: Option<u8>,
    pub(super) operation: &'static Operation,
    pub(super) params: &'static [(&'static str, Fill)],
    pub(super) show: Show,
}

/// Fields of a response that are shown.
#[derive(Debug)]
pub(super) enum Show {
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
pub(super) struct Fact(pub(super) &'static str, pub(super) &'static str, pub(super) Unit);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Text,
    Number,
    Usd,
    /// In hundredths already.
    Percent,
    /// A day.
    Day,
}

/// A topic that is shown only on request.
pub(super) const fn topic(
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
    /// Also a default topic, at this position.
    pub(super) const fn unasked(mut self, place: u8) -> Self {
        self.unasked = Some(place);
        self
    }
}

/// The key of the topic that sets several assets side by side.
pub(super) const COMPARISON: &str = "comparison";

/// The key of the topic about the fees of a chain.
pub(super) const GAS: &str = "gas price";

/// Articles, as every list of them is shown.
pub(super) const ARTICLES: &[Fact] = &[
    Fact("/title", "Title", Text),
    Fact("/source", "Source", Text),
    Fact("/published_at", "Day", Day),
];

/// Markets of predictions, as every list of them is shown.
pub(super) const MARKETS: &[Fact] = &[
    Fact("/question", "Question", Text),
    Fact("/platform", "Venue", Text),
    Fact("/latest_price", "Probability", Number),
    Fact("/volume_7d", "Volume of 7 days", Usd),
    Fact("/open_interest_usd", "Open interest", Usd),
];
