//! Composes the text of a chat answer. Each paragraph shows values from one call of a data endpoint, and cites that
//! call.

use crypto_intel_core::Operation;
use crypto_intel_world::timestamp;
use serde_json::{Value, json};

use crate::context::Context;

use super::lookup::{self, LookupResult, NamedValue};
use super::question::{Lookup, Question};
use super::tokens;

/// Maximum number of data endpoint calls for an answer that must match a JSON Schema or call a tool.
const CALLS_FOR_SCHEMA: usize = 4;
/// Maximum length of a tool result in an answer, in tokens. The rest of the result is left out.
const RESULT: usize = 500;

/// Returns the name of the model that answers. This is usually the requested model.
///
/// If the catalogue also lists `NAME-instant` and `NAME-thinking`, as for `svc-1.5`, one of these two models answers.
/// The thinking model answers requests with an effort above `low`. It also answers questions with several subjects, if
/// the request has no effort. The instant model answers all other requests.
pub(super) fn answering_model(
    operation: &'static Operation,
    model: &str,
    effort: Option<&str>,
    question: &Question,
) -> String {
    let is_listed = |model: &String| operation.check_model(model).is_ok();
    let variants = ["instant", "thinking"].map(|variant| format!("{model}-{variant}"));
    if !variants.iter().all(is_listed) {
        return model.to_owned();
    }

    let [quick, thorough] = variants;
    let is_hard = match effort {
        Some(effort) => !["none", "minimal", "low"].contains(&effort),
        None => question.subjects.len() > 1,
    };
    if is_hard { thorough } else { quick }
}

/// Returns the maximum number of data paragraphs in an answer to a question without topics. The number depends on the
/// name of the model and on the requested effort. If a question mentions topics, such as price and volume, its answer
/// can have one paragraph for each pair of a topic and a subject. For example, two topics and two assets can result in
/// four paragraphs.
pub(super) fn paragraphs(model: &str, effort: Option<&str>) -> usize {
    let paragraphs: usize = match effort {
        Some("minimal") => 2,
        Some("low") => 3,
        Some("medium") => 4,
        Some("high") => 5,
        Some("xhigh") => 6,
        _ if model.ends_with("research") => 5,
        _ if model.ends_with("thinking") => 4,
        _ => 1,
    };
    if model.ends_with("instant") { paragraphs.div_ceil(2) } else { paragraphs }
}

/// Requested properties of a chat answer.
#[derive(Debug, Clone)]
pub(super) struct Style<'a> {
    pub(super) paragraphs: usize,
    /// Requested kinds of citation in the text: `source`, `chart` or both.
    pub(super) citations: &'a [&'a str],
    /// Requested abilities, such as `search`. The answer shows only data from endpoints that belong to one of these
    /// abilities. An empty list allows all endpoints.
    pub(super) abilities: &'a [&'a str],
}

impl Style<'_> {
    fn allows(&self, (topic, subject): &Lookup<'_>) -> bool {
        let is_solana = subject.is_some_and(|s| s.identifier("chain") == Some("solana"));
        let needed = match topic.operation.tag {
            "Search" | "News" | "Social" | "X" | "Web" | "Fund" | "Project" => "search",
            "Onchain" | "Wallet" | "Token" | "DEX" | "Portfolio" if is_solana => "solana_onchain",
            "Onchain" | "Wallet" | "Token" | "DEX" | "Portfolio" => "evm_onchain",
            _ => "market_analysis",
        };
        self.abilities.is_empty() || self.abilities.contains(&needed)
    }
}

/// A range of the answer's text, and the data endpoint call whose values this range shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Citation {
    /// Index of the cited range's first character in the text of the answer. The index counts characters from 0.
    pub(super) start: usize,
    /// Index of the first character after the cited range, in the text of the answer. The index counts characters from
    /// 0.
    pub(super) end: usize,
    pub(super) url: String,
    pub(super) title: &'static str,
}

impl Citation {
    /// Returns a JSON object with the start, end, URL and title of the citation. Each chat endpoint adds the field
    /// `type` in its own format.
    pub(super) fn fields(&self) -> Value {
        json!({"start_index": self.start, "end_index": self.end, "url": self.url, "title": self.title})
    }
}

/// Text of a chat answer with its citations, before it is written in the format of one of the two chat endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) citations: Vec<Citation>,
    /// Reasoning text that accompanies the answer.
    pub(super) thoughts: String,
}

impl Text {
    fn add_paragraph(&mut self, paragraph: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(paragraph);
    }

    /// Truncates the text to `limit` tokens. Returns true if the text was longer.
    pub(super) fn truncate(&mut self, limit: usize) -> bool {
        let kept = tokens::start(&self.text, limit).len();
        if kept == self.text.len() {
            return false;
        }
        self.text.truncate(kept);
        let characters = self.text.chars().count();
        self.citations.retain(|citation| citation.start < characters);
        for citation in &mut self.citations {
            citation.end = citation.end.min(characters);
        }
        true
    }

    /// Adds a paragraph with the values of a data endpoint call, and a citation of the call.
    fn add_found(&mut self, found: LookupResult, style: &Style<'_>) {
        let mut paragraph = format!("**{}**\n", found.title);
        for NamedValue { label, value, .. } in &found.values {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            paragraph.push_str(&format!("\n- {label}: {}", value.replace(['\n', '\r'], " ")));
        }
        for (kind, label) in [("source", "Source"), ("chart", "Chart")] {
            if style.citations.contains(&kind) {
                paragraph.push_str(&format!("\n\n{label}: [{}]({})", found.summary, found.url));
            }
        }

        let start = self.text.chars().count() + 2;
        let end = start + paragraph.chars().count();
        self.add_paragraph(&paragraph);
        self.thoughts.push_str(&format!(" Looked at {} for “{}”.", found.url, found.title));
        self.citations.push(Citation { start, end, url: found.url, title: found.summary });
    }
}

/// Composes the text of the answer to a question. `results` contains the names and results of the tools that the caller
/// ran for this question.
pub(super) fn answer(
    ctx: &Context<'_>,
    question: &Question,
    results: &[(String, String)],
    style: &Style<'_>,
) -> Text {
    let mut text = Text::default();
    let now = timestamp::iso_text(ctx.now);
    text.add_paragraph(&format!("*Invented figures of the sandbox, as of {now}.*"));
    for (name, result) in results {
        let result = tokens::start(result, RESULT);
        text.add_paragraph(&format!("The tool `{name}` gave: {result}"));
    }
    let titles: Vec<_> = question.subjects.iter().map(|subject| subject.title.as_str()).collect();
    text.thoughts = match titles.as_slice() {
        [] => "The question names no subject.".to_owned(),
        titles => format!("The question is about {}.", titles.join(", ")),
    };
    if question.is_unknown() {
        if !results.is_empty() {
            return text;
        }
        text.add_paragraph("The sandbox has no data on this question.");
    }

    let (lookups, named) = question.lookups();
    let allowed = lookups.iter().filter(|lookup| style.allows(lookup));
    let found = allowed.filter_map(|lookup| lookup::find(ctx, lookup));
    for found in found.take(style.paragraphs.max(named)) {
        text.add_found(found, style);
    }
    if text.citations.is_empty() {
        let abilities = style.abilities.join(", ");
        text.add_paragraph(&format!(
            "The sandbox has no data for the requested values of `ability`: {abilities}."
        ));
    }
    text
}

/// Returns values of the data endpoints for an answer that must match a JSON Schema or call a tool. The most important
/// values are first.
pub(super) fn values(ctx: &Context<'_>, question: &Question, style: &Style<'_>) -> Vec<NamedValue> {
    let (lookups, _) = question.lookups();
    let allowed = lookups.iter().filter(|lookup| style.allows(lookup)).take(CALLS_FOR_SCHEMA);
    allowed.filter_map(|lookup| lookup::find(ctx, lookup)).flat_map(|found| found.values).collect()
}
