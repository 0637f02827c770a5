//! Sets the parameters of a request from the command line.

use clap::ArgMatches;
use crypto_intel::DynamicRequest;
use crypto_intel::catalogue::{Operation, Param, ParamKind, Type};

use super::catalogue::{is_settable, kebab};
use super::help::placeholder;
use crate::closest::closest;
use crate::failure::Failure;
use crate::settings::read_file;

/// Sets each parameter that the command line contains.
pub(crate) fn fill(request: DynamicRequest, given: &ArgMatches) -> Result<DynamicRequest, Failure> {
    let operation = request.operation();
    let unchecked = given.get_flag("unchecked");

    let mut request = request;
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        // `--limit` counts rows, and the page size follows from it.
        let is_page_size = operation.paging.limit() == Some(param.name);
        let Some(text) = given.get_one::<String>(param.name).filter(|_| !is_page_size) else {
            continue;
        };

        if let (ParamKind::Enum(values), false) = (param.kind, unchecked) {
            check_value(operation, param, values, text)?;
        }
        request = request.with_text(param.name, &written(param, text)?)?;
    }
    Ok(request)
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
    let message =
        format!("{}: {name} has no value `{text}`: did you mean `{meant}`?", operation.id);
    Err(Failure::usage(message)
        .next(format!("the values are {}; `--unchecked` sends it anyway", values.join(", "))))
}

/// Converts an argument into the text that the library parses.
fn written(param: &Param, text: &str) -> Result<String, Failure> {
    let ParamKind::Json(ty) = param.kind else { return Ok(text.to_owned()) };
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
