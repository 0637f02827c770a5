//! `cintel describe`: prints the parameters, price and record fields of an operation, as text or JSON.

use clap::{Arg, ArgMatches, Command};
use crypto_intel::catalogue::{Field, OPERATIONS, Operation, Param, ParamKind};
use serde_json::{Value, json};

use super::completions;
use crate::arguments::catalogue::{is_settable, kebab, operation, record};
use crate::arguments::help::{example, facts, meaning, price, provenance, spelling, type_name};
use crate::closest::closest;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::settings::Settings;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let id = Arg::new("id").value_name("OPERATION").required(true);
    let id = id.add(completions::operations());
    command.arg(id.help("Identifier of an operation; `cintel ops` lists all identifiers"))
}

/// Returns the operation whose identifier is the argument `id`.
///
/// # Errors
/// Returns [`Exit::NotFound`] if the operation does not exist. The failure suggests a similar identifier. If no
/// identifier is similar, the failure suggests a search with `cintel ops`.
pub(super) fn operation_of(given: &ArgMatches) -> Result<&'static Operation, Failure> {
    let id = given.get_one::<String>("id").map(String::as_str).unwrap_or_default();
    operation(id).ok_or_else(|| {
        let failure = Failure::new(Exit::NotFound, format!("there is no operation `{id}`"));
        let meant = closest(id, OPERATIONS.iter().map(|known| known.id));
        failure.next(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("`cintel ops {id}` searches operations"),
        })
    })
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let operation = operation_of(given)?;
    match settings.format() {
        Format::Table => terminal::print(&text(operation)),
        _ => terminal::print(&format!("{}\n", described(operation))),
    }
    Ok(())
}

fn text(operation: &Operation) -> String {
    let mut text = format!("{} ({})\n{}\n\n", operation.id, operation.tag, operation.summary);
    if !operation.description.is_empty() {
        text.push_str(&format!("{}\n", wrapped(operation.description, 0)));
    }
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        text.push_str(&format!("  {}\n{}", spelling(param), indented(&meaning(param))));
    }
    text.push_str(&format!("\n{}\n", facts(operation)));

    if let Some(record) = record(operation) {
        text.push_str(&format!("\n{} has\n", record.name));
        let width = record.fields.iter().map(|field| field.name.len()).max().unwrap_or_default();
        for field in record.fields {
            text.push_str(&format!("  {:width$}  {}\n", field.name, type_of(field)));
            text.push_str(&indented(&member_meaning(field)));
        }
    }
    text
}

/// Returns the type of a record field in words, such as `number, optional, may be null`.
fn type_of(field: &Field) -> String {
    let optional = if field.required { "" } else { ", optional" };
    let nullable = if field.nullable { ", may be null" } else { "" };
    format!("{}{optional}{nullable}", type_name(field.ty))
}

/// Returns the description of a record field and its deprecation note. Returns an empty text if the field has
/// neither.
fn member_meaning(field: &Field) -> String {
    let retired = field.deprecated.map(|why| format!("[deprecated: {why}]"));
    let parts = [Some(field.doc.to_owned()).filter(|doc| !doc.is_empty()), retired];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Wraps a description and indents it below the name of the described parameter or field.
fn indented(text: &str) -> String {
    wrapped(text, 6)
}

/// Wraps a text to the width of the terminal, at most 110 columns, and indents each line by `indent` spaces.
fn wrapped(text: &str, indent: usize) -> String {
    let width = terminal::width().min(110).saturating_sub(indent);
    let lines = text.lines().flat_map(|line| {
        let broken = terminal::wrapped(line, width);
        broken.lines().map(|line| format!("{:indent$}{line}\n", "")).collect::<Vec<_>>()
    });
    lines.collect()
}

/// Returns a JSON object with the path, the parameters, the response fields and the price of an operation.
pub(crate) fn described(operation: &Operation) -> Value {
    let params = operation.params.iter().filter(|param| is_settable(param)).map(param);
    let fields = record(operation).into_iter().flat_map(|record| record.fields).map(|field| {
        json!({
            "name": field.name,
            "type": type_name(field.ty),
            "required": field.required,
            "nullable": field.nullable,
            "meaning": field.doc,
            "deprecated": field.deprecated,
        })
    });

    json!({
        "id": operation.id,
        "domain": operation.tag,
        "summary": operation.summary,
        "description": operation.description,
        "method": operation.method.as_str(),
        "path": operation.path,
        "example": example(operation),
        "parameters": params.collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
        "list_price": price(operation),
        "tier": operation.tier_in_words(),
        "ordered_by": operation.row_order.time,
        "identified_by": operation.row_order.key,
        "provenance": provenance(operation.provenance),
        "note": operation.note,
        "deprecated": operation.deprecated,
    })
}

fn param(param: &Param) -> Value {
    let (values, min, max) = match param.kind {
        ParamKind::Enum(values) => (json!(values), Value::Null, Value::Null),
        ParamKind::Integer { min, max } => (Value::Null, json!(min), json!(max)),
        ParamKind::Number { min, max } => (Value::Null, json!(min), json!(max)),
        _ => (Value::Null, Value::Null, Value::Null),
    };
    json!({
        "name": param.name,
        "flag": (!param.required).then(|| format!("--{}", kebab(param.name))),
        "required": param.required,
        "meaning": param.doc,
        "default": param.default,
        "values": values,
        "min": min,
        "max": max,
        "deprecated": param.deprecated,
    })
}

#[cfg(test)]
mod tests {
    use crypto_intel::catalogue::{In, Type};

    use super::*;

    #[test]
    fn deprecated_items_show_their_reason() {
        let kind = ParamKind::Integer { min: None, max: None };
        let months = Param::new("months", In::Query, kind, "Length of the period.");
        assert_eq!(param(&months)["deprecated"], Value::Null);
        let months = months.deprecated("use `days`");
        assert_eq!(param(&months)["deprecated"], "use `days`");
        assert!(meaning(&months).contains("deprecated: use `days`"), "{}", meaning(&months));

        let silent = Field::new("a", Type::Any);
        assert_eq!(member_meaning(&silent), "");
        assert_eq!(member_meaning(&silent.deprecated("use b")), "[deprecated: use b]");
    }

    /// Checks for each operation that `cintel describe` prints the description of every record field, as text and as
    /// JSON.
    #[test]
    fn no_member_of_a_record_lacks_its_meaning() {
        let mut retired = 0;
        for operation in OPERATIONS {
            let (shown, value) = (text(operation), described(operation));
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            let fields = record(operation).map(|record| record.fields).unwrap_or_default();
            for (index, field) in fields.iter().enumerate() {
                let doc = field.doc.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(shown.contains(&doc), "{}: {}", operation.id, field.name);
                assert_eq!(value["fields"][index]["meaning"], field.doc);
                assert_eq!(value["fields"][index]["deprecated"], json!(field.deprecated));
                retired += usize::from(field.deprecated.is_some());
            }
        }
        assert!(retired > 0, "the catalogue has no retired member any more");
    }
}
