//! `cintel describe`: an operation, its parameters and its record, for people and for programs.

use clap::{Arg, ArgMatches, Command};
use crypto_intel::catalogue::{Answer, OPERATIONS, Operation, Param, ParamKind, RecordRow, Type};
use crypto_intel_api::generated::tables;
use serde_json::{Value, json};

use crate::cli::operation::{
    example, facts, is_settable, kebab, meaning, price, provenance, spelling, type_name,
};
use crate::cli::{closest, operation};
use crate::failure::{Exit, Failure};
use crate::output::Format;
use crate::settings::Settings;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let id = Arg::new("id").value_name("OPERATION").required(true);
    command.arg(id.help("Identifier, as `cintel ops` lists it"))
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let id = given.get_one::<String>("id").map(String::as_str).unwrap_or_default();
    let Some(operation) = operation(id) else {
        let failure = Failure::new(Exit::NotFound, format!("there is no operation `{id}`"));
        let meant = closest(id, OPERATIONS.iter().map(|known| known.id));
        return Err(failure.next(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("`cintel ops {id}` searches"),
        }));
    };

    match settings.format() {
        Format::Table => terminal::print(&text(operation)),
        _ => terminal::print(&format!("{}\n", described(operation))),
    }
    Ok(())
}

fn text(operation: &Operation) -> String {
    let mut text = format!("{} ({})\n{}\n\n", operation.id, operation.tag, operation.summary);
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        text.push_str(&format!("  {}\n{}", spelling(param), indented(param)));
    }
    text.push_str(&format!("\n{}\n", facts(operation)));

    if let Some(record) = record(operation) {
        text.push_str(&format!("\n{} has\n", record.name));
        let width = record.fields.iter().map(|field| field.name.len()).max().unwrap_or_default();
        for field in record.fields {
            let optional = if field.required { "" } else { ", optional" };
            let nullable = if field.nullable { ", may be null" } else { "" };
            let ty = type_name(field.ty);
            text.push_str(&format!("  {:width$}  {ty}{optional}{nullable}\n", field.name));
        }
    }
    text
}

/// The meaning of a parameter below its name.
fn indented(param: &Param) -> String {
    let width = terminal::width().min(110).saturating_sub(6);
    let text = meaning(param);
    let lines = text.lines().flat_map(|line| {
        let broken = terminal::wrapped(line, width);
        broken.lines().map(|line| format!("      {line}\n")).collect::<Vec<_>>()
    });
    lines.collect()
}

/// An operation as JSON.
pub(crate) fn described(operation: &Operation) -> Value {
    let params = operation.params.iter().filter(|param| is_settable(param)).map(param);
    let fields = record(operation).into_iter().flat_map(|record| record.fields).map(|field| {
        json!({
            "name": field.name,
            "type": type_name(field.ty),
            "required": field.required,
            "nullable": field.nullable,
        })
    });
    json!({
        "id": operation.id,
        "domain": operation.tag,
        "summary": operation.summary,
        "method": operation.method.as_str(),
        "path": operation.path,
        "example": example(operation),
        "parameters": params.collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
        "list_price": price(operation),
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
    })
}

/// The record of the rows, or of the one value, as [`DynamicAnswer`](crypto_intel::DynamicAnswer)
/// splits the answer.
pub(crate) fn record(operation: &Operation) -> Option<&'static RecordRow> {
    let (Answer::Rows { row: ty, .. } | Answer::One { data: ty, .. } | Answer::Bare(ty)) =
        operation.answer
    else {
        return None;
    };
    let whole = of_type(ty)?;
    let Answer::Bare(_) = operation.answer else { return Some(whole) };

    let field = |name: &str| whole.fields.iter().find(|field| field.name == name);
    let is_list = |field: &&crypto_intel::catalogue::Field| matches!(field.ty, Type::List(_));
    let rows = field("data")
        .or_else(|| field("pagination").and_then(|_| whole.fields.iter().find(is_list)));
    rows.map_or(Some(whole), |field| of_type(field.ty))
}

fn of_type(ty: Type) -> Option<&'static RecordRow> {
    match ty {
        Type::Record(name) => tables::record(name),
        Type::List(inner) => of_type(*inner),
        _ => None,
    }
}
