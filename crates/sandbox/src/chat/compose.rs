//! The text of an answer, made of looks at the data.

use crate::context::Context;
use crate::moment;

use super::look;
use super::matter::Matter;
use super::tokens;

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    /// Looks at the data.
    pub(super) looks: usize,
    /// Rows of a list.
    pub(super) rows: usize,
}

impl Depth {
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
    /// What was looked up and why, for models that think.
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
    depth: Depth,
    wanted: Wanted,
) -> Text {
    let mut text = Text::default();
    let time = moment::iso_text(ctx.now);
    text.add(&format!("*Invented figures of the sandbox, as of {time}.*"));
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
    let plan = matter.plan(depth.looks);
    let mut told = 0;
    for (place, look) in plan.looks.iter().enumerate() {
        if told == plan.enough {
            break;
        }
        let Some(seen) = look::at(ctx, matter, look, depth.rows) else {
            if place < plan.asked {
                let title = look::title(matter, look);
                text.add(&format!("**{title}**\n\nThe sandbox has nothing on this."));
            }
            continue;
        };
        told += 1;
        let mut paragraph = format!("**{}**\n\n{}", seen.title, seen.lines.join("\n"));
        if let Some(chart) = seen.chart.filter(|_| wanted.charts) {
            paragraph.push_str(&format!("\n\n`{chart}`"));
        }
        if wanted.sources {
            paragraph.push_str(&format!("\n\nSource: [{}]({})", seen.operation.id, seen.url));
        }
        let start = text.text.chars().count() + 2;
        let end = start + paragraph.chars().count();
        text.add(&paragraph);
        text.thoughts.push_str(&format!(" Looked at {} for “{}”.", seen.url, seen.title));
        let title = seen.operation.summary;
        text.citations.push(Citation { start, end, url: seen.url, title });
    }
    text
}

/// Tokens of a tool's result that are repeated.
const RESULT: usize = 500;

fn thoughts(matter: &Matter) -> String {
    let names: Vec<_> = matter.subjects.iter().map(super::subject::Subject::title).collect();
    match names.as_slice() {
        [] => "The question names no subject.".to_owned(),
        names => format!("The question is about {}.", names.join(", ")),
    }
}
