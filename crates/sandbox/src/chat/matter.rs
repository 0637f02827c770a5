//! Subjects and topics of a question, and those it continues from the conversation.

use crate::context::Context;

use super::fill::Details;
use super::subject::{self, Subject};
use super::topic::{About, COMPARISON, GAS, Topic};
use super::topics;
use super::words::Words;

/// Subjects and topics of a question.
#[derive(Debug, Clone, Default)]
pub(super) struct Matter {
    pub(super) subjects: Vec<Subject>,
    /// Topics it names, the most special first.
    topics: Vec<&'static Topic>,
    pub(super) details: Details,
    /// Whether the question names its subjects itself.
    names_subjects: bool,
}

/// A look at the data: a topic, and the subject it is about.
pub(super) type Look<'a> = (&'static Topic, Option<&'a Subject>);

/// Lookups for an answer, the most important first.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) looks: Vec<Look<'a>>,
    /// Number of requested lookups; the others are additional.
    pub(super) asked: usize,
    /// Minimum number of lookups for an answer. Requested lookups always count.
    pub(super) enough: usize,
}

impl Matter {
    /// What `text` is about, after a conversation about `self`: what it does not say stays as it
    /// was.
    pub(super) fn then(&self, ctx: &Context<'_>, text: &str) -> Self {
        let words = Words::of(text);
        let named = subject::named_in(ctx, &words);
        let names_subjects = !named.is_empty();
        let subjects = if names_subjects { named } else { self.subjects.clone() };
        let is_asked = |topic: &&Topic| {
            topic.key != COMPARISON && words.has_any(topic.words) && fits(topic.about, &subjects)
        };
        let mut topics: Vec<_> = topics::all().filter(is_asked).collect();
        let of_subjects: Vec<_> =
            topics.iter().filter(|topic| topic.about != About::Market).map(|t| t.key).collect();

        // "News of BTC" is about BTC, and not about the news besides.
        topics.retain(|topic| topic.about != About::Market || !of_subjects.contains(&topic.key));
        if names_subjects && topics.iter().any(|topic| topic.about != About::Market) {
            topics.retain(|topic| topic.about != About::Market || !is_loose(topic));
        }

        if topics.iter().any(|topic| topic.key == GAS) {
            // "Gas price on Arbitrum" asks of the chain, not of its token.
            topics.retain(|topic| topic.about != About::Asset || topic.key != "price");
        }

        let assets = subjects.iter().filter(|subject| is(About::Asset, subject)).count();
        topics.extend(topics::all().filter(|topic| {
            topic.key == COMPARISON && names_subjects && assets > 1 && words.has_any(topic.words)
        }));
        let mut details = Details::of(&words);

        if topics.is_empty() {
            // "And ETH?" asks the same of another.
            topics =
                self.topics.iter().filter(|topic| fits(topic.about, &subjects)).copied().collect();
            if details == Details::default() {
                details = self.details;
            }
        }

        Matter { subjects, topics, details, names_subjects }
    }

    /// Whether nothing in the question is known.
    pub(super) fn is_unknown(&self) -> bool {
        self.subjects.is_empty() && self.topics.is_empty()
    }

    /// Lookups for an answer with at most `most` of them.
    pub(super) fn plan(&self, most: usize) -> Plan<'_> {
        let mut looks: Vec<Look<'_>> = Vec::new();
        let compared = self.topics.iter().filter(|topic| topic.key == COMPARISON);
        looks.extend(compared.map(|topic| (*topic, None)));
        let asked: Vec<Vec<_>> =
            self.subjects.iter().map(|subject| self.asked_of(subject)).collect();
        looks.extend(turn_about(&asked));
        let market = self.topics.iter().filter(|t| t.about == About::Market && t.key != COMPARISON);
        looks.extend(market.map(|topic| (*topic, None)));
        let asked_for = looks.len();

        let least = match asked_for {
            0 => self.subjects.len(),
            _ => asked_for.min(self.subjects.len() + 1),
        };

        // Subjects that go on from earlier are not talked about unless that was asked for.
        let is_over = !looks.is_empty() && !self.names_subjects;
        if !is_over {
            let more: Vec<Vec<_>> = match self.subjects.as_slice() {
                [] => vec![unasked(About::Market).map(|topic| (topic, None)).collect()],
                subjects => subjects
                    .iter()
                    .map(|subject| unasked(about(subject)).map(|t| (t, Some(subject))).collect())
                    .collect(),
            };

            for look in turn_about(&more) {
                let known = |(topic, subject): &Look<'_>| {
                    std::ptr::eq(*topic, look.0) && *subject == look.1
                };
                if !looks.iter().any(known) {
                    looks.push(look);
                }
            }
        }

        Plan { looks, asked: asked_for, enough: most.max(least) }
    }

    fn asked_of<'a>(&'a self, subject: &'a Subject) -> Vec<Look<'a>> {
        let fitting = self.topics.iter().filter(|topic| topic.about == about(subject));
        fitting.map(|topic| (*topic, Some(subject))).collect()
    }
}

/// Topics whose words stand in many a question.
fn is_loose(topic: &Topic) -> bool {
    matches!(topic.key, "top assets" | "latest financials" | "Hyperliquid leaderboard" | "news")
}

fn about(subject: &Subject) -> About {
    match subject {
        Subject::Asset(_) => About::Asset,
        Subject::Company(_) => About::Company,
        Subject::Fund(_) => About::Fund,
        Subject::Wallet(_) => About::Wallet,
    }
}

fn is(kind: About, subject: &Subject) -> bool {
    about(subject) == kind
}

fn fits(kind: About, subjects: &[Subject]) -> bool {
    kind == About::Market || subjects.iter().any(|subject| is(kind, subject))
}

/// Default topics of one kind of subject, in order.
fn unasked(kind: About) -> impl Iterator<Item = &'static Topic> {
    let mut topics: Vec<_> =
        topics::all().filter(|t| t.about == kind && t.unasked.is_some()).collect();
    topics.sort_by_key(|topic| topic.unasked);
    topics.into_iter()
}

/// The first of each, then the second of each, and so on.
fn turn_about<'a>(lists: &[Vec<Look<'a>>]) -> Vec<Look<'a>> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(|n| lists.iter().filter_map(move |list| list.get(n).copied())).collect()
}
