//! Builds the clap command of an operation from its catalogue entry.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command};
use crypto_intel::catalogue::{Operation, Paging, Param, ParamKind};

use super::catalogue::{self, is_settable, kebab, positional};
use super::help::{facts, meaning, placeholder, unbroken};
use super::options;

/// Returns the clap command of an operation. clap adds the arguments only if the user runs this command.
pub(crate) fn command(operation: &'static Operation) -> Command {
    let command = Command::new(operation.id).about(operation.summary);
    // `defer` takes a function pointer and no closure, so the function looks up the operation again by its name.
    command.defer(|command| match catalogue::operation(command.get_name()) {
        Some(operation) => with_arguments(command, operation),
        None => command,
    })
}

fn with_arguments(command: Command, operation: &'static Operation) -> Command {
    let command = with_parameters(command, operation)
        .after_help(unbroken(&facts(operation)))
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
    // clap allows only the last positional arguments to be optional.
    let is_required = |param: &Param| !follows_from_name(operation, param);
    let required = positional(operation)
        .enumerate()
        .filter(|(_, param)| is_required(param))
        .map(|(at, _)| at + 1);
    let required = required.max().unwrap_or(0);
    let positional = positional(operation).enumerate();
    let positional = positional.map(|(at, param)| argument(param).required(at < required));
    let flags = operation.params.iter().filter(|param| is_settable(param) && !param.required);
    let flags = flags.map(|param| {
        argument(param).long(kebab(param.name)).help_heading("Parameters").action(ArgAction::Set)
    });
    command.args(positional).args(flags)
}

/// Returns true if the user may omit the parameter because `cintel` finds its value by a search. For example, if the
/// user writes the name of a token in place of its address, the search finds the address and the chain.
fn follows_from_name(operation: &Operation, param: &Param) -> bool {
    let is_later_part = |parts: &[&str]| parts.iter().skip(1).any(|part| *part == param.name);
    operation.accepts.iter().any(|accepted| is_later_part(accepted.parts))
}

/// Returns the clap command that exports the rows of an operation. It accepts the parameters of the operation and the
/// options for exports.
#[cfg(feature = "export")]
pub(crate) fn export_command(operation: &'static Operation) -> Command {
    let command = Command::new(operation.id).about(operation.summary);
    command.defer(|command| match catalogue::operation(command.get_name()) {
        Some(operation) => {
            let command = with_parameters(command, operation)
                .args(options::export(operation))
                .args(options::sending());
            // The export itself sets the page size, so `--limit` limits the number of rows instead.
            match operation.paging.limit() {
                Some(name) => command.mut_arg(name, options::export_limit),
                None => command,
            }
        }
        None => command,
    })
}

fn argument(param: &'static Param) -> Arg {
    let arg = Arg::new(param.name)
        .value_name(placeholder(param))
        .help(meaning(param))
        // With hyphen values, a positional argument would accept an unknown flag as its value.
        .allow_hyphen_values(!param.required)
        .allow_negative_numbers(true)
        .hide_possible_values(true);
    match param.kind {
        ParamKind::Enum(values) => arg.value_parser(OpenValues(values)),
        ParamKind::Boolean => arg.value_parser(OpenValues(&["true", "false"])),
        _ => arg.value_parser(StringValueParser::new()),
    }
}

/// Value parser of an enum or boolean parameter. Shells offer the known values as completions, but this parser accepts
/// any text. [`values::fill`](super::values::fill) later rejects a text that is similar to a known enum value, unless
/// `--unchecked` is set.
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
