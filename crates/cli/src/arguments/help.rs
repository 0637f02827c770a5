//! Generates help texts of operations and their parameters from the catalogue.
//!
//! The input is an operation or one of its parameters, and the output is plain text for clap's help.

use crypto_intel::catalogue::Provenance;
use crypto_intel::catalogue::{Answer, Operation, Paging, Param, ParamKind, Price, Rule, Type};
use crypto_intel_sandbox::example;

use super::catalogue::{is_settable, kebab, positional, record};

/// Formats a parameter for usage lines and messages: `<SYMBOL>` if it is required, `--limit <LIMIT>` if it is optional.
pub(crate) fn spelling(param: &Param) -> String {
    match param.required {
        true => format!("<{}>", placeholder(param)),
        false => format!("--{} <{}>", kebab(param.name), placeholder(param)),
    }
}

pub(super) fn placeholder(param: &Param) -> String {
    let name = param.name.replace('-', "_").to_uppercase();
    match param.kind {
        ParamKind::List { .. } => format!("{name},.."),
        _ => name,
    }
}

/// Returns the help text of a parameter: its meaning, type, bounds, values and default.
pub(crate) fn meaning(param: &Param) -> String {
    let mut text = paragraphs(param.doc);
    let mut facts = Vec::new();
    match param.kind {
        ParamKind::Enum(values) => facts.push(format!("one of: {}", values.join(", "))),
        ParamKind::Boolean => facts.push("true or false".to_owned()),
        ParamKind::Integer { min, max } => facts.push(range("a whole number", min, max)),
        ParamKind::Number { min, max } => facts.push(range("a number", min, max)),
        ParamKind::String { min, max } if min.or(max).is_some() => {
            facts.push(range("characters", min, max));
        }
        // The description of a time parameter usually names its format already.
        ParamKind::Moment if param.doc.contains("Unix") => {
            facts.push("or today, yesterday, -7d".to_owned());
        }
        ParamKind::Moment => {
            facts.push("Unix seconds, YYYY-MM-DD, today, yesterday, or -7d".to_owned());
        }
        ParamKind::List { .. } => facts.push("comma-separated list".to_owned()),
        ParamKind::Json(Type::Any) => facts.push("JSON or text; @FILE reads a file".to_owned()),
        ParamKind::Json(_) => facts.push("JSON; @FILE reads a file".to_owned()),
        ParamKind::String { .. } | ParamKind::Constant(_) => {}
    }
    facts.extend(param.default.map(|default| format!("default: {default}")));
    facts.extend(param.deprecated.map(|why| format!("deprecated: {why}")));

    if !facts.is_empty() {
        text.push_str(&format!(" [{}]", facts.join("; ")));
    }
    text
}

/// Joins the lines of each paragraph into one line. clap then wraps the paragraph to the width of the terminal.
fn paragraphs(text: &str) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split("\n\n").map(one_line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

fn range<T: std::fmt::Display>(what: &str, min: Option<T>, max: Option<T>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{what}, {min} to {max}"),
        (Some(min), None) => format!("{what}, at least {min}"),
        (None, Some(max)) => format!("{what}, at most {max}"),
        (None, None) => what.to_owned(),
    }
}

/// Returns the help text of an operation: an example, rules, request, response, price and provenance, each on its own
/// line.
pub(crate) fn facts(operation: &Operation) -> String {
    let mut lines = Vec::new();
    lines.extend(example(operation).map(|line| format!("Example: {line}")));
    for rule in operation.rules {
        lines.push(match rule {
            Rule::AtLeastOne(names) => format!("Needs: {}", flags(names, " or ")),
            Rule::ExactlyOne(names) => format!("Needs one of: {}", flags(names, ", ")),
        });
    }
    lines.push(format!("Request: {} {}", operation.method, operation.path));
    lines.push(format!("Response: {}", answer(operation)));
    lines.push(format!("Cost: {}", price(operation)));
    lines.extend(operation.tier_in_words().map(|tier| format!("Price tier: {tier}")));
    lines.push(format!("Source: {}", provenance(operation.provenance)));
    lines.extend(operation.note.map(|note| format!("Note: {note}")));
    lines.extend(operation.deprecated.map(|why| format!("Deprecated: {why}")));
    lines.push("Common options such as --output and --max-credits: `cintel --help`".to_owned());
    lines.join("\n")
}

/// Replaces the spaces of the line `Example: …` in a help text with no-break spaces. clap then does not wrap this line,
/// and users can copy it. [`with_spaces`] restores the spaces.
pub(super) fn unbroken(facts: &str) -> String {
    let lines = facts.lines().map(|line| match line.starts_with("Example: ") {
        true => line.replace(' ', "\u{a0}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Replaces no-break spaces in a rendered help text or manual page with normal spaces. [`unbroken`] inserted the
/// no-break spaces.
pub(crate) fn with_spaces(rendered: &str) -> String {
    rendered.replace('\u{a0}', " ")
}

/// Returns a command line that calls an operation with example arguments, such as `cintel market-price BTC`. The
/// example arguments are valid in the sandbox. Returns `None` if a required parameter has no example, or if the line
/// would be longer than 200 bytes.
pub(crate) fn example(operation: &Operation) -> Option<String> {
    let given = example::parameters(operation);
    let text = |param: &Param| {
        let (_, value) = given.iter().find(|(name, _)| *name == param.name)?;
        let text = match param.kind {
            ParamKind::Json(_) if !value.is_string() => value.to_string(),
            _ => example::written(value),
        };
        Some(quoted(&text))
    };

    let mut words = vec!["cintel".to_owned(), operation.id.to_owned()];
    for param in positional(operation) {
        words.push(text(param)?);
    }
    for param in operation.params.iter().filter(|param| is_settable(param) && !param.required) {
        words.extend(text(param).map(|text| format!("--{} {text}", kebab(param.name))));
    }
    let line = words.join(" ");
    (line.len() <= 200).then_some(line)
}

/// Quotes a word for a shell if it contains special characters.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.,/:@".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

pub(super) fn flags(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("--{}", kebab(name))).collect::<Vec<_>>().join(between)
}

fn answer(operation: &Operation) -> String {
    let rows = |name: &str| match operation.row_order.time {
        Some(time) => format!("rows of {name}, ordered by `{time}`"),
        None => format!("rows of {name}"),
    };
    let shape = match operation.answer {
        Answer::Rows { row, .. } => rows(&type_name(row)),
        Answer::One { data, .. } => type_name(data),
        Answer::Bare(ty) => match record(operation) {
            // The rows of this operation are a field of the response object.
            Some(record) if type_name(ty) != record.name => rows(record.name),
            _ => type_name(ty),
        },
        Answer::Stream => "a stream of events".to_owned(),
        Answer::Bytes => "a file".to_owned(),
        Answer::Empty => "nothing".to_owned(),
    };
    match operation.paging {
        Paging::None => shape,
        _ => format!("{shape}, in pages (`--all` reads all pages)"),
    }
}

/// Returns the name of a type for help texts. For example, `Type::Integer` becomes `whole number`.
pub(crate) fn type_name(ty: Type) -> String {
    match ty {
        Type::String => "text".to_owned(),
        Type::Integer => "whole number".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Boolean => "true or false".to_owned(),
        Type::Any => "JSON".to_owned(),
        Type::UnixSeconds => "time (Unix seconds)".to_owned(),
        Type::UnixMillis => "time (Unix milliseconds)".to_owned(),
        Type::Enum(values) => values.join(" | "),
        Type::Record(name) => name.to_owned(),
        Type::List(of) => format!("list of {}", type_name(*of)),
        Type::Map(of) => format!("object of {}", type_name(*of)),
    }
}

/// Returns the list price of an operation in words, such as `list price 2 credits per page`. The actual charge may be
/// lower.
pub(crate) fn price(operation: &Operation) -> String {
    let price = match operation.price {
        Price::Free => "free".to_owned(),
        Price::Credits(1) => "list price 1 credit".to_owned(),
        Price::Credits(credits) => format!("list price {credits} credits"),
        Price::ByModel(lines) => {
            let least = lines.iter().map(|line| line.credits).min().unwrap_or_default();
            let most = lines.iter().map(|line| line.credits).max().unwrap_or_default();
            format!("list price {least} to {most} credits, depending on model and effort")
        }
        Price::Unknown => "not published".to_owned(),
    };
    let per_page = if operation.paging == Paging::None { "" } else { " per page" };
    match operation.free_window {
        Some(seconds) => format!("{price}{per_page}; repeats within {seconds} s should be free"),
        None => format!("{price}{per_page}"),
    }
}

/// Returns a label for the source of an operation's description, such as `published description`.
pub(crate) fn provenance(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::InterfaceText => "interface text",
        Provenance::PublishedDescription => "published description",
        Provenance::Assumed => "partly assumed",
    }
}
