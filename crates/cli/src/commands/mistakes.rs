//! Converts clap's errors into failures with a suggestion.
//!
//! The input is clap's error and the raw command-line arguments. The output is a failure with exit code 2 and a
//! suggested next step.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use crypto_intel::catalogue::{OPERATIONS, Operation};

use super::COMMANDS;
use crate::arguments::catalogue::{self, kebab, positional};
use crate::closest::closest;
use crate::failure::Failure;

/// Converts an error of clap into a failure. `arguments` are the raw command-line arguments.
pub(crate) fn mistake(error: &clap::Error, arguments: &[OsString]) -> Failure {
    let rendered = error.render().to_string();
    let command = named_command(arguments);
    let usage = usage(&rendered);
    let path = usage.as_deref().or(command);

    let failure = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            return no_command(command);
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(error, ContextKind::InvalidSubcommand);
            if let Some(id) = words_of_operation(&name, arguments) {
                return Failure::usage(format!("there is no command `{name}`"))
                    .next(format!("did you mean `cintel {id}`?"));
            }
            return unknown_command(&name, command, clap_tip(&rendered));
        }

        ErrorKind::UnknownArgument => {
            let flag = context(error, ContextKind::InvalidArg);
            let last = path.and_then(|path| path.rsplit(' ').next());
            let operation = last.and_then(catalogue::operation);
            if let Some((operation, path)) = operation.zip(path)
                && let Some(failure) = by_place(operation, path, &flag)
            {
                return failure;
            }
            Failure::usage(first_line(&rendered))
        }
        ErrorKind::InvalidUtf8 => {
            let unreadable = arguments.iter().position(|argument| argument.to_str().is_none());
            let place = unreadable.unwrap_or_default();
            let text = arguments.get(place).map(|text| text.to_string_lossy()).unwrap_or_default();
            Failure::usage(format!("argument {place} (`{text}`) is not valid UTF-8"))
        }
        _ => Failure::usage(first_line(&rendered)),
    };

    failure.next(tip(&rendered, path))
}

/// Creates the failure for a user who wrote a positional argument as a flag, such as `--symbol BTC` in place of `BTC`.
/// `path` is the full name of the command. Returns `None` if `flag` is not the name of a positional argument.
fn by_place(operation: &Operation, path: &str, flag: &str) -> Option<Failure> {
    let param = positional(operation).find(|param| format!("--{}", kebab(param.name)) == flag)?;
    let usage: Vec<_> = positional(operation).map(|param| param.name.to_uppercase()).collect();
    let message = format!("`{}` is a positional argument and has no flag", param.name);
    Some(Failure::usage(message).next(format!("write `cintel {path} {}`", usage.join(" "))))
}

fn no_command(above: Option<&str>) -> Failure {
    let failure = Failure::usage("there is no command");
    match above {
        Some(above) => failure.next(format!("`cintel {above} --help` lists its commands")),
        None => {
            failure.next("`cintel --help` lists commands; `cintel ops WORDS` searches operations")
        }
    }
}

/// Creates the failure for a command that does not exist. `above` is the name of its parent command, and `tip` is
/// clap's suggestion.
fn unknown_command(name: &str, above: Option<&str>, tip: Option<&str>) -> Failure {
    if name.trim().is_empty() {
        return no_command(above);
    }
    if let Some(above) = above.filter(|above| *above != name) {
        let meant = closest(name, OPERATIONS.iter().map(|operation| operation.id));
        let meant = meant.filter(|meant| tip.is_some_and(|tip| tip.contains(meant)));
        return Failure::usage(format!("there is no command `{above} {name}`")).next(match meant {
            Some(meant) => format!("did you mean `cintel {above} {meant}`?"),
            None => format!("`cintel {above} --help` lists its commands"),
        });
    }

    let names = COMMANDS.iter().map(|entry| entry.name);
    let names = names.chain(OPERATIONS.iter().map(|operation| operation.id));
    let failure = Failure::usage(format!("there is no command `{name}`"));
    match closest(name, names) {
        Some(meant) => failure.next(format!("did you mean `cintel {meant}`?")),
        None => {
            failure.next("`cintel --help` lists commands; `cintel ops WORDS` searches operations")
        }
    }
}

/// Finds the operation whose identifier the user wrote as separate words, such as `market price`. `first` is the
/// first of these words.
fn words_of_operation(first: &str, arguments: &[OsString]) -> Option<&'static str> {
    let words = arguments.iter().filter_map(|argument| argument.to_str());
    let words: Vec<&str> = words.skip_while(|word| *word != first).collect();
    let names = (2..=words.len()).rev().map(|count| words[..count].join("-").to_lowercase());
    let mut found = names.filter_map(|name| catalogue::operation(&name));
    found.next().map(|operation| operation.id)
}

/// Returns the first argument that is the name of a command or operation.
fn named_command(arguments: &[OsString]) -> Option<&str> {
    let is_known = |name: &&str| {
        COMMANDS.iter().any(|entry| entry.name == *name) || catalogue::operation(name).is_some()
    };
    arguments.iter().skip(1).filter_map(|argument| argument.to_str()).find(is_known)
}

/// Returns the command path in the usage line of clap's rendered error, such as `auth login`.
fn usage(rendered: &str) -> Option<String> {
    let line = rendered.lines().find_map(|line| line.strip_prefix("Usage: cintel "))?;
    let is_name = |word: &&str| {
        word.chars()
            .all(|letter| letter == '-' || letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    let path: Vec<_> =
        line.split(' ').take_while(|word| !word.starts_with('-') && is_name(word)).collect();
    (!path.is_empty()).then(|| path.join(" "))
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    }
}

/// Returns the first paragraph of clap's rendered error on one line, without `error:`.
fn first_line(rendered: &str) -> String {
    let text = rendered.trim_start_matches("error: ");
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the suggestion in clap's rendered error. If the error contains no suggestion, returns a hint to run the
/// command with `--help`.
fn tip(rendered: &str, command: Option<&str>) -> String {
    match (clap_tip(rendered), command) {
        (Some(tip), _) => tip.to_owned(),
        (None, Some(command)) => format!("`cintel {command} --help` lists its arguments"),
        (None, None) => "`cintel --help` lists the commands".to_owned(),
    }
}

fn clap_tip(rendered: &str) -> Option<&str> {
    let mut tips = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    // clap's tip to write `--` before an argument does not help with a misspelt flag.
    tips.find(|tip| !tip.contains("use '-- "))
}
