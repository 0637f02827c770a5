//! The command of an operation, read from its row of the catalogue.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{Answer, Operation, Paging, Param, ParamKind, Price, Rule, Type};
use crypto_intel::{DynamicRequest, Provenance};
use crypto_intel_sandbox::example;

use super::options;
use crate::failure::Failure;

/// Name of the value of `--limit` for operations that have no parameter of that name.
pub(crate) const LIMIT: &str = "limit";

/// The command of an operation; its arguments are made when it is used.
pub(crate) fn command(operation: &'static Operation) -> Command {
    let command = Command::new(operation.id).about(operation.summary);
    // clap takes no closure here, so that the row is found again by the name.
    command.defer(|command| match super::operation(command.get_name()) {
        Some(operation) => with_arguments(command, operation),
        None => command,
    })
}

fn with_arguments(command: Command, operation: &'static Operation) -> Command {
    let command = with_parameters(command, operation)
        .after_help(facts(operation))
        .args(options::output(operation))
        .args(options::sending())
        .args(options::repeating());
    if operation.paging == Paging::None {
        command
    } else {
        command.args(options::paging(operation))
    }
}

fn with_parameters(command: Command, operation: &'static Operation) -> Command {
    let positional = positional(operation).map(|param| argument(param).required(true));
    let flags = operation.params.iter().filter(|param| is_settable(param) && !param.required);
    let flags = flags.map(|param| {
        argument(param).long(kebab(param.name)).help_heading("Parameters").action(ArgAction::Set)
    });
    command.args(positional).args(flags)
}

/// The command that exports an operation, with the same parameters.
#[cfg(feature = "export")]
pub(crate) fn export_command(operation: &'static Operation) -> Command {
    let command = Command::new(operation.id).about(operation.summary);
    command.defer(|command| match super::operation(command.get_name()) {
        Some(operation) => {
            let command = with_parameters(command, operation)
                .args(options::export(operation))
                .args(options::sending());
            // The size of a page is ours to choose; what counts is rows.
            match operation.paging.limit() {
                Some(name) => command.mut_arg(name, options::export_limit),
                None => command,
            }
        }
        None => command,
    })
}

/// The parameters that are given by position, in the order of the library.
pub(crate) fn positional(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    operation.params.iter().filter(|param| is_settable(param) && param.required)
}

/// Whether a user can set the parameter at all.
pub(crate) fn is_settable(param: &Param) -> bool {
    !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none()
}

/// The name of a parameter on the command line.
pub(crate) fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}

/// How a parameter is shown in usage and messages.
pub(crate) fn spelling(param: &Param) -> String {
    match param.required {
        true => format!("<{}>", placeholder(param)),
        false => format!("--{} <{}>", kebab(param.name), placeholder(param)),
    }
}

fn placeholder(param: &Param) -> String {
    let name = param.name.replace('-', "_").to_uppercase();
    match param.kind {
        ParamKind::List { .. } => format!("{name},.."),
        _ => name,
    }
}

fn argument(param: &'static Param) -> Arg {
    let arg = Arg::new(param.name)
        .value_name(placeholder(param))
        .help(meaning(param))
        // A place would take an unknown flag for its value.
        .allow_hyphen_values(!param.required)
        .allow_negative_numbers(true)
        .hide_possible_values(true);
    match param.kind {
        ParamKind::Enum(values) => arg.value_parser(OpenValues(values)),
        ParamKind::Boolean => arg.value_parser(OpenValues(&["true", "false"])),
        _ => arg.value_parser(StringValueParser::new()),
    }
}

/// Meaning, type, bounds, values and default of a parameter.
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
        // Most texts say it.
        ParamKind::Moment if param.doc.contains("Unix") => {}
        ParamKind::Moment => facts.push("Unix seconds or YYYY-MM-DD".to_owned()),
        ParamKind::List { .. } => facts.push("several, with commas".to_owned()),
        ParamKind::Json(Type::Any) => facts.push("JSON, or text; @FILE reads a file".to_owned()),
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

/// The text on one line for each paragraph, so that the terminal breaks the lines.
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

/// What is known of the whole operation: rules, pages, price, provenance.
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
    lines.push(format!("Answer: {}", answer(operation)));
    lines.push(format!("Price: {}", price(operation)));
    lines.push(format!("Known from: {}", provenance(operation.provenance)));
    lines.extend(operation.note.map(|note| format!("Note: {note}")));
    lines.extend(operation.deprecated.map(|why| format!("Deprecated: {why}")));
    lines.push(
        "Options of every command, such as --output and --max-credits: `cintel --help`".to_owned(),
    );
    lines.join("\n")
}

/// A command line that works, on the sandbox too; none where it would be longer than a reader likes.
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

/// A word as shells read it.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.,/:@".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

fn flags(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("--{}", kebab(name))).collect::<Vec<_>>().join(between)
}

fn answer(operation: &Operation) -> String {
    let shape = match operation.answer {
        Answer::Rows { row, .. } => format!("rows of {}", type_name(row)),
        Answer::One { data, .. } => type_name(data),
        Answer::Bare(ty) => match crate::commands::record(operation) {
            // The rows are a member of the answer.
            Some(record) if type_name(ty) != record.name => format!("rows of {}", record.name),
            _ => type_name(ty),
        },
        Answer::Stream => "a stream of events".to_owned(),
        Answer::Bytes => "a file".to_owned(),
        Answer::Empty => "nothing".to_owned(),
    };
    match operation.paging {
        Paging::None => shape,
        _ => format!("{shape}, in pages (`--all` reads on)"),
    }
}

/// How a type is called in help.
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

/// The list price in words; never what a call was charged.
pub(crate) fn price(operation: &Operation) -> String {
    let price = match operation.price {
        Price::Free => "free".to_owned(),
        Price::Credits(1) => "1 credit by the list".to_owned(),
        Price::Credits(credits) => format!("{credits} credits by the list"),
        Price::ByModel(lines) => {
            let least = lines.iter().map(|line| line.credits).min().unwrap_or_default();
            let most = lines.iter().map(|line| line.credits).max().unwrap_or_default();
            format!("{least} to {most} credits by the list, by model and effort")
        }
        Price::Unknown => "not published".to_owned(),
    };
    let a_page = if operation.paging == Paging::None { "" } else { ", a page" };
    match operation.free_window {
        Some(seconds) => format!("{price}{a_page}; repeats within {seconds} s are said to be free"),
        None => format!("{price}{a_page}"),
    }
}

/// Where the knowledge comes from, in words.
pub(crate) fn provenance(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::InterfaceText => "the interface text",
        Provenance::PublishedDescription => "a published description",
        Provenance::Assumed => "assumption, in part",
    }
}

/// The values of an enum as completions. The set is open, so that any other text passes, unless it
/// is close to one of them; see [`fill`].
#[derive(Clone)]
struct OpenValues(&'static [&'static str]);

impl TypedValueParser for OpenValues {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|value| PossibleValue::new(*value))))
    }
}

/// Sets the parameters that were given.
pub(crate) fn fill(request: DynamicRequest, given: &ArgMatches) -> Result<DynamicRequest, Failure> {
    let operation = request.operation();
    let unchecked = given.get_flag("unchecked");

    let mut request = request;
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        // `--limit` counts rows, whatever the size of a page.
        let is_page_size = operation.paging.limit() == Some(param.name);
        let Some(text) = given.get_one::<String>(param.name).filter(|_| !is_page_size) else {
            continue;
        };

        if let (ParamKind::Enum(values), false) = (param.kind, unchecked) {
            check_value(operation, param, values, text)?;
        }
        request = request.set_text(param.name, &written(param, text)?)?;
    }
    Ok(request)
}

fn check_value(
    operation: &Operation,
    param: &Param,
    values: &[&str],
    text: &str,
) -> Result<(), Failure> {
    if values.contains(&text) || crypto_intel::long_chain_name(text).is_some() {
        return Ok(());
    }
    let Some(meant) = super::closest(text, values.iter().copied()) else { return Ok(()) };
    let name = if param.required { placeholder(param) } else { format!("--{}", kebab(param.name)) };
    let message =
        format!("{}: {name} has no value `{text}`: did you mean `{meant}`?", operation.id);
    Err(Failure::usage(message)
        .next(format!("the values are {}; `--unchecked` sends it all the same", values.join(", "))))
}

/// The text of a value as the library reads it.
fn written(param: &Param, text: &str) -> Result<String, Failure> {
    let ParamKind::Json(ty) = param.kind else { return Ok(text.to_owned()) };
    let text = match text.strip_prefix('@') {
        Some(path) => crate::settings::read_file(path)?,
        None => text.to_owned(),
    };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    match ty {
        Type::Any | Type::String if !is_json => Ok(serde_json::Value::from(text).to_string()),
        _ => Ok(text),
    }
}
