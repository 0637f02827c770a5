//! Finds the subjects and topics of a chat question. The words of the question are compared with the names and
//! symbols of assets and companies, and with the table of topics.
//!
//! The module only compares words. It recognises tickers in capitals, names of assets in any case, the first words of
//! company names, and wallet addresses. A follow-up question without a subject uses the subjects of the earlier
//! question. A follow-up question without a topic uses the topics of the earlier question.

use crypto_intel_world::assets::{self, ASSETS};
use crypto_intel_world::equity::COMPANIES;
use serde::{Deserialize, Serialize};

use crate::context::Context;

use super::tokens;
use super::topics::{About, TOPICS, Topic};

/// Maximum number of bytes that the sandbox reads from a question.
const READ: usize = 16 * 1024;
/// Maximum number of subjects, such as assets and companies, in one answer.
const SUBJECTS: usize = 6;

/// An asset, company or wallet address that a question mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) about: About,
    /// Name and symbol of the subject, for example `Ethereum (ETH)`, or the address of a wallet. The titles of
    /// paragraphs about the subject contain this text.
    pub(super) title: String,
    /// Identifiers of the subject as pairs of kind and identifier, for example (`symbol`, `ETH`). The identifiers
    /// become arguments of data endpoint calls.
    identifiers: Vec<(&'static str, String)>,
}

impl Subject {
    pub(super) fn identifier(&self, kind: &str) -> Option<&str> {
        let found = self.identifiers.iter().find(|(known, _)| *known == kind);
        found.map(|(_, identifier)| identifier.as_str())
    }
}

/// Subjects of a chat question, such as Ethereum, and its topics, such as prices.
#[derive(Debug, Clone, Default)]
pub(super) struct Question {
    pub(super) subjects: Vec<Subject>,
    topics: Vec<&'static Topic>,
}

/// A question as the sandbox saves it. Subjects and topics are saved by name. A restored sandbox finds them by these
/// names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedQuestion {
    /// Symbol or address of each subject in the question.
    subjects: Vec<String>,
    /// Topics in the question. Each entry is the id of the topic's operation and the name of the topic, for example
    /// (`market-price`, `price`).
    topics: Vec<(String, String)>,
}

/// A data endpoint call for a chat answer: its topic, and its subject. The subject is `None` for a topic about the
/// whole market.
pub(super) type Lookup<'a> = (&'static Topic, Option<&'a Subject>);

impl Question {
    /// Returns the subjects and topics of the question `text`, which follows the question `self`. If `text` mentions no
    /// subject, the subjects of `self` apply. If `text` mentions no topic, the topics of `self` apply.
    pub(super) fn followed_by(&self, ctx: &Context<'_>, text: &str) -> Self {
        let text = tokens::start(text, READ / 4);
        let named = subjects_in(ctx, text);
        let subjects = if named.is_empty() { self.subjects.clone() } else { named };

        let words = words(text);
        let is_named = |topic: &&Topic| {
            has_subject(topic, &subjects)
                && topic.words.split(' ').any(|word| words.iter().any(|known| known == word))
        };
        let mut topics: Vec<_> = TOPICS.iter().filter(is_named).collect();
        if topics.is_empty() {
            // A question such as "And ETH?" repeats the earlier topic for another subject.
            let earlier = self.topics.iter().filter(|topic| has_subject(topic, &subjects));
            topics = earlier.copied().collect();
        }
        Question { subjects, topics }
    }

    pub(super) fn to_saved(&self) -> SavedQuestion {
        let name = |subject: &Subject| {
            let name = subject.identifier("symbol").or_else(|| subject.identifier("address"));
            name.unwrap_or_default().to_owned()
        };
        let topic = |topic: &&Topic| (topic.operation.id.to_owned(), topic.name.to_owned());
        SavedQuestion {
            subjects: self.subjects.iter().map(name).collect(),
            topics: self.topics.iter().map(topic).collect(),
        }
    }

    /// Restores a saved question. Drops topics that this release does not have.
    pub(super) fn from_saved(ctx: &Context<'_>, saved: &SavedQuestion) -> Self {
        let topic = |(operation, name): &(String, String)| {
            TOPICS.iter().find(|topic| topic.operation.id == operation && topic.name == name)
        };
        Question {
            subjects: subjects_in(ctx, &saved.subjects.join(" ")),
            topics: saved.topics.iter().filter_map(topic).collect(),
        }
    }

    /// Returns true if no subject and no topic was found in the question.
    pub(super) fn is_unknown(&self) -> bool {
        self.subjects.is_empty() && self.topics.is_empty()
    }

    /// Returns the data endpoint calls for an answer, and the number of calls for topics that the question mentions.
    /// The calls for mentioned topics are first. The calls for all other topics of the question's subjects follow.
    pub(super) fn lookups(&self) -> (Vec<Lookup<'_>>, usize) {
        let is_default =
            |topic: &Topic| !self.topics.iter().any(|named| std::ptr::eq(*named, topic));
        let mut topics: Vec<_> = TOPICS.iter().collect();
        topics.sort_by_key(|topic| is_default(topic));

        let mut lookups: Vec<Lookup<'_>> = Vec::new();
        for topic in topics {
            let subjects = self.subjects.iter().filter(|subject| subject.about == topic.about);
            lookups.extend(subjects.map(|subject| (topic, Some(subject))));
            if self.subjects.is_empty() && topic.about == About::Market {
                lookups.push((topic, None));
            }
        }
        let named = lookups.iter().filter(|(topic, _)| !is_default(topic)).count();
        (lookups, named)
    }
}

/// Returns true if a topic applies to one of the subjects. For example, a topic about wallets applies to the subject
/// `0x…`. Without subjects, returns true for topics about the whole market.
fn has_subject(topic: &Topic, subjects: &[Subject]) -> bool {
    match subjects {
        [] => topic.about == About::Market,
        subjects => subjects.iter().any(|subject| subject.about == topic.about),
    }
}

/// Splits a text or an identifier into lower-case words. For example, `marketCap` and `market_cap` both become `market`
/// and `cap`.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower_case = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_lower_case) {
            words.push(String::new());
        }
        after_lower_case = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Finds the subjects that a text mentions. Assets and companies are in the order of their first mention. Wallet
/// addresses follow.
fn subjects_in(ctx: &Context<'_>, text: &str) -> Vec<Subject> {
    let written: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let position = |word: &str| written.iter().position(|known| *known == word);
    let lower: Vec<_> = written.iter().map(|word| word.to_lowercase()).collect();
    let name_position = |name: &str| {
        let name: Vec<_> = name.split(' ').map(str::to_lowercase).collect();
        lower.windows(name.len()).position(|window| window == name)
    };

    let mut found: Vec<(usize, Subject)> = Vec::new();
    for asset in ASSETS {
        let place = position(asset.symbol).or_else(|| name_position(asset.name));
        found.extend(place.map(|place| (place, asset_subject(ctx, asset))));
    }
    for company in COMPANIES {
        let name = company.name.split([' ', ',', '.']).next().unwrap_or_default();
        let place = position(company.symbol).or_else(|| position(name));
        let subject = Subject {
            about: About::Company,
            title: format!("{} ({})", company.name, company.symbol),
            identifiers: [("symbol", company.symbol), ("name", company.name)]
                .map(|(kind, id)| (kind, id.to_owned()))
                .into(),
        };
        found.extend(place.map(|place| (place, subject)));
    }
    found.sort_by_key(|(place, _)| *place);

    let mut subjects: Vec<_> = found.into_iter().map(|(_, subject)| subject).collect();
    let is_mark = |c: char| !c.is_alphanumeric();
    let chunks = text.split_whitespace().map(|chunk| chunk.trim_matches(is_mark));
    subjects.extend(chunks.filter(|chunk| is_address(chunk)).map(|address| Subject {
        about: About::Wallet,
        title: address.to_owned(),
        identifiers: vec![("address", address.to_owned())],
    }));
    subjects.truncate(SUBJECTS);
    subjects
}

fn asset_subject(ctx: &Context<'_>, asset: &assets::Asset) -> Subject {
    Subject {
        about: About::Asset,
        title: format!("{} ({})", asset.name, asset.symbol),
        identifiers: vec![
            ("symbol", asset.symbol.to_owned()),
            ("name", asset.name.to_owned()),
            ("pair", format!("{}/USDT", asset.symbol)),
            ("slug", asset.slug()),
            ("address", asset.address(ctx)),
            ("chain", asset.chain.to_owned()),
        ],
    }
}

/// Returns true for `0x` followed by 40 hexadecimal digits, the form of a wallet address.
fn is_address(word: &str) -> bool {
    word.strip_prefix("0x")
        .is_some_and(|digits| digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
