//! The text of an answer, made of looks at the data.

use crate::context::Context;
use crypto_intel_world::timestamp;

use super::fit::Figure;
use super::look;
use super::manner::Manner;
use super::matter::{Look, Matter};
use super::subject::Subject;
use super::tokens;

/// Length of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    /// Looks at the data.
    pub(super) looks: usize,
    /// Rows of a list.
    pub(super) rows: usize,
}

impl Depth {
    /// Of an answer in a few lines, whatever the model.
    pub(super) const BRIEF: Depth = Depth { looks: 1, rows: 1 };

    /// The depth of a model by its name and of an effort.
    pub(super) fn of(model: &str, effort: Option<&str>) -> Self {
        let thorough: usize = match effort {
            Some("minimal") => 2,
            Some("low") => 3,
            Some("medium") => 4,
            Some("high") => 6,
            Some("xhigh") => 8,
            _ if model.ends_with("research") => 5,
            _ if model.ends_with("thinking") => 4,
            _ => 1,
        };
        // What is quick tells half.
        let looks = if model.ends_with("instant") { thorough.div_ceil(2) } else { thorough };
        Depth { looks, rows: 2 + looks }
    }
}

/// Citations that the text should contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) sources: bool,
    pub(super) charts: bool,
}

/// Style of an answer.
#[derive(Debug, Clone)]
pub(super) struct Style<'a> {
    pub(super) depth: Depth,
    pub(super) wanted: Wanted,
    pub(super) manner: Manner,
    pub(super) abilities: &'a [String],
}

impl Style<'_> {
    /// Whether the abilities that were asked for reach an operation.
    fn allows(&self, matter: &Matter, (topic, subject): &Look<'_>) -> bool {
        if self.abilities.is_empty() {
            return true;
        }

        let on_solana = match subject {
            Some(Subject::Asset(asset)) => asset.chain == "solana",
            _ => matter.details.is_on("solana"),
        };
        let needed = match topic.operation.tag {
            "Search" | "News" | "Social" | "X" | "Web" | "Fund" | "Project" => "search",
            "Onchain" | "Wallet" | "Token" | "DEX" | "Portfolio" if on_solana => "solana_onchain",
            "Onchain" | "Wallet" | "Token" | "DEX" | "Portfolio" => "evm_onchain",
            _ => "market_analysis",
        };
        self.abilities.iter().any(|ability| ability == needed)
    }
}

/// A part of the text and the call it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Citation {
    /// In characters, the end excluded.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) url: String,
    pub(super) title: &'static str,
}

/// An answer before it has a form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) citations: Vec<Citation>,
    /// Reasoning text: the looked-up data and the reasons, for models with reasoning.
    pub(super) thoughts: String,
}

impl Text {
    /// Adds a paragraph.
    fn add(&mut self, paragraph: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(paragraph);
    }

    /// Keeps what `limit` tokens hold; whether that was less than all.
    pub(super) fn cut(&mut self, limit: usize) -> bool {
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
}

/// The answer to a question about `matter`, with what tools gave for it.
pub(super) fn answer(
    ctx: &Context<'_>,
    matter: &Matter,
    results: &[(String, String)],
    style: &Style<'_>,
) -> Text {
    let mut text = Text::default();
    let opening = style.manner.opening(&timestamp::iso_text(ctx.now));
    text.add(&format!("*{opening}*"));
    for (name, result) in results {
        let result = tokens::start(result, RESULT);
        text.add(&format!("The tool `{name}` gave: {result}"));
    }
    if matter.is_unknown() && results.is_empty() {
        text.add("The question names nothing the sandbox knows. This is how the market stands.");
    }
    text.thoughts = thoughts(matter);
    // What a tool gave is the answer; data are added only to what is known.
    if matter.is_unknown() && !results.is_empty() {
        return text;
    }

    let plan = matter.plan(style.depth.looks);
    let mut told = 0;
    for (place, look) in plan.looks.iter().enumerate() {
        if told == plan.enough {
            break;
        }
        if !style.allows(matter, look) {
            continue;
        }
        match look::at(ctx, matter, look, style.depth.rows) {
            Some(seen) => {
                told += 1;
                text.tell(seen, style);
            }
            None if place < plan.asked => {
                let title = look::title(matter, look);
                text.add(&format!("**{title}**\n\nThe sandbox has nothing on this."));
            }
            None => {}
        }
    }
    if told == 0 && !style.abilities.is_empty() && results.is_empty() {
        let abilities = style.abilities.join(", ");
        text.add(&format!(
            "Within the abilities asked for ({abilities}) there is nothing on this."
        ));
    }
    text
}

/// The figures that an answer about `matter` could hold, the most important first.
pub(super) fn figures(ctx: &Context<'_>, matter: &Matter, style: &Style<'_>) -> Vec<Figure> {
    let plan = matter.plan(style.depth.looks.max(FIGURES));
    let looks = plan.looks.iter().filter(|look| style.allows(matter, look)).take(FIGURES);
    looks.flat_map(|look| look::figures(ctx, matter, look)).collect()
}

/// Looks whose figures can go into an answer of a given form.
const FIGURES: usize = 6;

/// Lines of one look that a brief answer has: a figure, or a table of one row.
const BRIEF_LINES: usize = 3;

impl Text {
    /// Adds what a look showed.
    fn tell(&mut self, seen: look::Seen, style: &Style<'_>) {
        let most = if style.manner.brief { BRIEF_LINES } else { usize::MAX };
        let lines: Vec<_> = seen.lines.iter().take(most).map(String::as_str).collect();
        let mut paragraph = format!("**{}**\n\n{}", seen.title, lines.join("\n"));
        if let Some(chart) = seen.chart.filter(|_| style.wanted.charts) {
            paragraph.push_str(&format!("\n\n`{chart}`"));
        }
        if style.wanted.sources {
            paragraph.push_str(&format!("\n\nSource: [{}]({})", seen.operation.id, seen.url));
        }

        let start = self.text.chars().count() + 2;
        let end = start + paragraph.chars().count();
        self.add(&paragraph);
        self.thoughts.push_str(&format!(" Looked at {} for “{}”.", seen.url, seen.title));
        let title = seen.operation.summary;
        self.citations.push(Citation { start, end, url: seen.url, title });
    }
}

/// Tokens of a tool's result that are repeated.
const RESULT: usize = 500;

fn thoughts(matter: &Matter) -> String {
    let names: Vec<_> = matter.subjects.iter().map(Subject::title).collect();
    match names.as_slice() {
        [] => "The question names no subject.".to_owned(),
        names => format!("The question is about {}.", names.join(", ")),
    }
}
