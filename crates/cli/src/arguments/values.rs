//! Sets the parameters of a request from the command line.

use clap::ArgMatches;
use crypto_intel::DynamicRequest;
use crypto_intel::catalogue::{Operation, Param, ParamKind, Rule, Type};

use super::catalogue::{is_settable, kebab};
use super::help::{example, flags, placeholder};
use crate::closest::closest;
use crate::failure::Failure;
use crate::settings::{read_file, relative};

/// Copies the parameters on the command line to `request`, except the page size.
///
/// Relative times such as `-7d` are relative to `now`, a time in Unix seconds.
pub(crate) fn fill(
    request: DynamicRequest,
    given: &ArgMatches,
    now: i64,
) -> Result<DynamicRequest, Failure> {
    let operation = request.operation();
    let unchecked = given.get_flag("unchecked");
    if !unchecked {
        operation.rules.iter().try_for_each(|rule| check_rule(operation, *rule, given))?;
    }

    let mut request = request;
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        // `--limit` limits the number of rows. The page size is derived from it elsewhere.
        let is_page_size = operation.paging.limit() == Some(param.name);
        let Some(text) = given.get_one::<String>(param.name).filter(|_| !is_page_size) else {
            continue;
        };

        if let (ParamKind::Enum(values), false) = (param.kind, unchecked) {
            check_value(operation, param, values, text)?;
        }
        request = request.with_text(param.name, &library_text(param, text, now)?)?;
    }
    Ok(request)
}

/// Checks a rule of an operation: at least one, or exactly one, of several flags must be set. Returns an error if the
/// command line breaks the rule.
fn check_rule(operation: &Operation, rule: Rule, given: &ArgMatches) -> Result<(), Failure> {
    let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
    let count = names.iter().filter(|name| given.try_contains_id(name).unwrap_or(false)).count();
    let flags = flags(names, " or ");
    let message = match (count, rule) {
        (0, _) => format!("{}: {flags} is missing", operation.id),
        (2.., Rule::ExactlyOne(_)) => format!("{}: only one of {flags} is allowed", operation.id),
        _ => return Ok(()),
    };
    let example = example(operation).map(|line| format!(", for example `{line}`"));
    Err(Failure::usage(message).next(format!("set {flags}{}", example.unwrap_or_default())))
}

fn check_value(
    operation: &Operation,
    param: &Param,
    values: &[&str],
    text: &str,
) -> Result<(), Failure> {
    if values.contains(&text) || crypto_intel::extend::long_chain_name(text).is_some() {
        return Ok(());
    }
    let Some(meant) = closest(text, values.iter().copied()) else { return Ok(()) };
    let name = if param.required { placeholder(param) } else { format!("--{}", kebab(param.name)) };
    let message = format!(
        "{}: the values of {name} do not include `{text}`; did you mean `{meant}`?",
        operation.id
    );
    Err(Failure::usage(message)
        .next(format!("use one of {}; `--unchecked` also sends other values", values.join(", "))))
}

/// Converts a command-line argument into the text that the library parses. Relative times become Unix seconds. For a
/// JSON parameter, `@FILE` becomes the content of the file. If the JSON parameter accepts strings, text that is not
/// valid JSON becomes a JSON string: `abc` becomes `"abc"`.
fn library_text(param: &Param, text: &str, now: i64) -> Result<String, Failure> {
    let ParamKind::Json(ty) = param.kind else {
        let time = relative(text, now).filter(|_| param.kind == ParamKind::Moment);
        return Ok(time.map_or(text.to_owned(), |seconds| seconds.to_string()));
    };
    let text = match text.strip_prefix('@') {
        Some(path) => read_file(path)?,
        None => text.to_owned(),
    };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    match ty {
        Type::Any | Type::String if !is_json => Ok(serde_json::Value::from(text).to_string()),
        _ => Ok(text),
    }
}
