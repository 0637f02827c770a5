//! One look at the data: the call that a topic names, answered by the very code that answers the
//! data endpoints.

use crypto_intel_core::Operation;
use serde_json::Value;

use crate::answer;
use crate::context::Context;
use crypto_intel_world::args::{Args, Carriers};
use crypto_intel_world::choices;

use super::figure;
use super::fit::{self, Figure};
use super::matter::{Look, Matter};
use super::topic::{Fact, Show};

/// Result of one lookup.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) operation: &'static Operation,
    /// The call, from the path on.
    pub(super) url: String,
    pub(super) title: String,
    /// Lines of Markdown.
    pub(super) lines: Vec<String>,
    pub(super) chart: Option<String>,
}

/// The figures that a look would show, without units.
pub(super) fn figures(ctx: &Context<'_>, matter: &Matter, look: &Look<'_>) -> Vec<Figure> {
    let (topic, subject) = look;
    let (operation, query) = call(ctx, matter, look, 1);
    let Some(body) = body(ctx, operation, &query) else { return Vec::new() };
    let (place, facts) = match &topic.show {
        Show::Facts(facts) | Show::Series(facts, _) => (Some(&body), *facts),
        Show::Rows(list, facts) | Show::RowsOf(list, facts) => {
            let rows = figure::at(&body, list).and_then(Value::as_array);
            let of_subject = |row: &&Value| {
                subject.and_then(|s| s.symbol()).is_none_or(|symbol| row["symbol"] == symbol)
            };
            (rows.and_then(|rows| rows.iter().find(of_subject).or(rows.first())), *facts)
        }
    };
    let Some(place) = place else { return Vec::new() };
    let figure = |fact: &Fact| {
        let value = figure::at(place, fact.0).filter(|value| !value.is_null())?.clone();
        let mut words = fit::words(fact.1);
        words.extend(fit::words(fact.0));
        words.extend(fit::words(topic.key));
        Some(Figure { words, value })
    };
    facts.iter().filter_map(figure).collect()
}

/// Looks; `None` where the world has nothing of the kind, or nothing that is shown.
pub(super) fn at(ctx: &Context<'_>, matter: &Matter, look: &Look<'_>, rows: usize) -> Option<Seen> {
    let (topic, _) = look;
    let (operation, query) = call(ctx, matter, look, rows);
    let body = body(ctx, operation, &query)?;
    let (lines, chart) = shown(&body, &topic.show, matter, rows);
    if lines.is_empty() {
        return None;
    }
    let path = operation.path;
    let url = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    Some(Seen { operation, url, title: title(matter, look), lines, chart })
}

/// The operation of a look, and the query it is called with.
fn call(
    ctx: &Context<'_>,
    matter: &Matter,
    (topic, subject): &Look<'_>,
    rows: usize,
) -> (&'static Operation, String) {
    let operation = topic.operation;
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, fill) in topic.params {
        let value = fill.value(ctx, &matter.details, *subject, rows);
        if let Some(value) = value.filter(|value| is_taken(operation, name, value)) {
            query.append_pair(name, &value);
        }
    }
    (operation, query.finish())
}

/// Whether a parameter may have a value: not every venue has books, and not every chain gas.
fn is_taken(operation: &Operation, param: &str, value: &str) -> bool {
    let choices = choices(operation, param);
    choices.is_empty() || choices.contains(&value)
}

/// Subject of a lookup, in words.
pub(super) fn title(matter: &Matter, (topic, subject): &Look<'_>) -> String {
    let subject = subject.map_or_else(|| "The market".to_owned(), |subject| subject.title());
    let has_range = topic.params.iter().any(|(name, _)| *name == "time_range");
    let range = if has_range { format!(", {}", matter.details.range()) } else { String::new() };
    format!("{subject}: {}{range}", topic.key)
}

fn body(ctx: &Context<'_>, operation: &'static Operation, query: &str) -> Option<Value> {
    let carriers = Carriers {
        query,
        path_values: &[],
        headers: &[],
        body: None,
        switches: &[],
        undescribed: &[],
        open: &[],
    };
    let args = Args::read(operation, carriers).ok()?;
    Some(answer::compose(ctx, &args).ok()?.document(ctx, &args))
}

fn shown(body: &Value, show: &Show, matter: &Matter, most: usize) -> (Vec<String>, Option<String>) {
    let (list, facts, chosen) = match show {
        Show::Facts(facts) => return (lines(body, facts), None),
        Show::Series(facts, series) => return (lines(body, facts), figure::chart(body, series)),
        Show::Rows(list, facts) => (list, facts, false),
        Show::RowsOf(list, facts) => (list, facts, true),
    };

    let rows = figure::at(body, list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_chosen = |row: &&Value| {
        !chosen || matter.subjects.iter().any(|s| s.symbol().is_some_and(|s| row["symbol"] == s))
    };
    let cells = |row: &Value| {
        let cell = |fact| figure::of(row, fact).unwrap_or_else(|| "–".to_owned());
        let cells: Vec<_> = facts.iter().map(cell).collect();
        format!("| {} |", cells.join(" | "))
    };

    let most = if chosen { rows.len() } else { most };
    let shown: Vec<_> = rows.iter().filter(is_chosen).take(most).map(cells).collect();
    if shown.is_empty() {
        return (shown, None);
    }

    let names: Vec<_> = facts.iter().map(|fact| fact.1).collect();
    let rule = vec!["---"; facts.len()];
    let head = [format!("| {} |", names.join(" | ")), format!("| {} |", rule.join(" | "))];
    (head.into_iter().chain(shown).collect(), None)
}

fn lines(body: &Value, facts: &[Fact]) -> Vec<String> {
    let line = |fact: &Fact| Some(format!("- {}: {}", fact.1, figure::of(body, fact)?));
    facts.iter().filter_map(line).collect()
}
