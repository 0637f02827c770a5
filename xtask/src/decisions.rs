//! Collects questions about new operations that only a maintainer can answer. They are about the paging and the price
//! of an operation, rules about its parameters, and formats of strings and numbers.

use crate::diff::{Diff, What};
use crate::facts::{Aspect, Facts, ItemKind, Subject, Thing};

/// Questions to the maintainer about one new operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub operation: String,
    /// JSONPath of the operation.
    target: String,
    questions: Vec<Question>,
}

/// A question to the maintainer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Question {
    /// Text of the question. If the overlay already answers the question, the text contains this answer.
    asks: String,
    /// Suggested answer to the question, as lines for overlay actions, such as `x-paging: {kind: none}`. A line about
    /// one parameter begins with the JSONPath of the parameter, relative to the operation.
    update: Vec<String>,
}

/// Returns questions to the maintainer about each new operation, for example about its price and its paging.
#[must_use]
pub fn decisions(diff: &Diff, facts: &Facts) -> Vec<Decision> {
    let new = diff.changes.iter().filter(|change| {
        let subject = &change.subject;
        change.what == What::Added && subject.kind == ItemKind::Operation && subject.part.is_none()
    });
    new.filter_map(|change| {
        let thing = facts.things.get(&change.subject)?;
        let (method, path) = thing.says(Aspect::Is).split_once(' ')?;
        let path = path.replace('\\', "\\\\").replace('\'', "\\'");
        let target = format!("$.paths['{path}'].{}", method.to_lowercase());
        let params = params(&change.subject, facts);
        let questions = [Some(paging(thing, &params)), Some(price(thing)), rules(thing, &params)];
        let questions = questions.into_iter().flatten().chain(meanings(&params)).collect();
        Some(Decision { operation: change.subject.name.clone(), target, questions })
    })
    .collect()
}

/// Returns the parameters of an operation. Each entry is the name of a parameter and its properties, such as its type.
fn params<'a>(operation: &Subject, facts: &'a Facts) -> Vec<(&'a str, &'a Thing)> {
    let all = facts.things.iter().filter(|(subject, _)| {
        subject.kind == ItemKind::Operation && subject.name == operation.name
    });
    all.filter_map(|(subject, thing)| Some((subject.part.as_deref()?, thing))).collect()
}

fn paging(thing: &Thing, params: &[(&str, &Thing)]) -> Question {
    let names = ["limit", "page_size", "per_page", "offset", "page", "cursor", "after"];
    let known: Vec<&str> =
        params.iter().map(|(name, _)| *name).filter(|name| names.contains(name)).collect();
    let pages = thing.says(Aspect::Pages);
    let has = |name: &str| known.contains(&name);
    let asks = match (pages, known.is_empty()) {
        ("", true) => "paging: the operation has no paging parameter".to_owned(),
        ("", false) => {
            format!(
                "paging: the overlay has no rule for the paging parameters {}",
                known.join(", ")
            )
        }
        (pages, _) => format!("paging: {pages} (from a rule of the overlay)"),
    };
    let kind = if has("offset") {
        "{kind: offset, limit: limit, offset: offset}"
    } else if has("cursor") {
        "{kind: cursor, limit: limit, cursor: cursor}"
    } else {
        "{kind: none}"
    };
    Question { asks, update: vec![format!("x-paging: {kind}")] }
}

fn price(thing: &Thing) -> Question {
    let costs = thing.says(Aspect::Costs);
    match costs {
        "unknown" => Question {
            asks: "price: unknown; keep `unknown` if no source states the price".to_owned(),
            update: vec!["x-credits: unknown".to_owned()],
        },
        costs => Question {
            asks: format!("price: {costs} (from a rule of the overlay)"),
            update: vec![match thing.says(Aspect::Tier) {
                "" => format!("x-credits: {}", costs.split(' ').next().unwrap_or_default()),
                tier => format!("x-tier: {tier}"),
            }],
        },
    }
}

/// Returns a question if an operation has several optional parameters that can identify an item, such as `id` and
/// `symbol`: is one of these parameters required? If the overlay contains parameter rules for the operation, always
/// returns a question that quotes these rules.
fn rules(thing: &Thing, params: &[(&str, &Thing)]) -> Option<Question> {
    let identifies = |name: &str| {
        ["id", "q", "symbol", "handle", "slug", "address", "name", "ticker"].contains(&name)
            || name.ends_with("_id")
            || name.ends_with("_slug")
    };
    let optional = params.iter().filter(|(_, thing)| thing.says(Aspect::Place) == "optional");
    let names: Vec<&str> =
        optional.map(|(name, _)| *name).filter(|name| identifies(name)).collect();
    let rules = thing.says(Aspect::Rules);
    if names.len() < 2 && rules.is_empty() {
        return None;
    }
    let asks = match rules {
        "" => format!(
            "rules: the identifiers {} are optional; is at least one required?",
            names.join(", ")
        ),
        rules => format!("rules: {rules} (from the overlay)"),
    };
    Some(Question {
        asks,
        update: vec![format!("x-identifiers: [{{at-least-one: [{}]}}]", names.join(", "))],
    })
}

/// Returns questions to the maintainer about parameters whose names suggest a time or a list. For example, the string
/// parameter `created_at` could contain a time.
fn meanings(params: &[(&str, &Thing)]) -> Vec<Question> {
    let mut questions = Vec::new();
    for (name, thing) in params {
        let plain = thing.says(Aspect::Convention).is_empty();
        let time = ["time", "_at", "_ts", "timestamp", "date", "since", "until"]
            .iter()
            .any(|word| name.ends_with(word));
        let word = match thing.says(Aspect::Type) {
            "i64" if time && plain => "unix-seconds",
            "impl Into<String>" if time && plain => "moment",
            "impl Into<String>" if name.ends_with('s') && plain && *name != "status" => "list",
            _ => continue,
        };
        questions.push(Question {
            asks: format!("format: does the parameter `{name}` accept only values of one format?"),
            update: vec![format!("parameters[?@.name=='{name}'] x-param: {word}")],
        });
    }
    questions
}

/// Formats the questions to the maintainer for a terminal.
#[must_use]
pub fn told(decisions: &[Decision]) -> String {
    let mut text = String::new();
    for decision in decisions {
        text.push_str(&format!("\nMissing in the overlay for `{}`:\n", decision.operation));
        for question in &decision.questions {
            text.push_str(&format!("  {}\n", question.asks));
        }
    }
    text
}

/// Formats the questions and their suggested answers as YAML comments for the end of the overlay file. The suggested
/// answers are overlay actions. The maintainer uncomments the right lines.
#[must_use]
pub fn skeleton(decisions: &[Decision]) -> String {
    let mut text = String::new();
    for decision in decisions {
        text.push_str(&format!(
            "\n  # ---- Decisions for `{}`: uncomment the right lines, delete the others ----\n",
            decision.operation
        ));
        let (params, whole): (Vec<_>, Vec<_>) = decision.questions.iter().partition(|question| {
            question.update.iter().any(|line| line.starts_with("parameters"))
        });

        for question in &whole {
            text.push_str(&format!("  # {}\n", question.asks));
        }
        text.push_str(&format!("  # - target: {}\n  #   update:\n", decision.target));
        for line in whole.iter().flat_map(|question| &question.update) {
            text.push_str(&format!("  #     {line}\n"));
        }

        for question in params {
            text.push_str(&format!("  # {}\n", question.asks));
            for line in &question.update {
                if let Some((part, update)) = line.split_once(' ') {
                    let target = format!("{}.{part}", decision.target);
                    text.push_str(&format!("  # - target: {target}\n  #   update: {{{update}}}\n"));
                }
            }
        }
    }
    text
}
