//! Describes the operations of the catalogue for agents.
//!
//! The input is an operation. The output is JSON: a brief description for search results, or a complete description.

use crypto_intel::catalogue::{Field, Operation, Paging, Price, Provenance, RecordRow, Type};
use crypto_intel_api::generated::tables::record;
use crypto_intel_search::record_of;
use serde_json::{Map, Value, json};

use crate::operation_search;
use crate::schema;

/// Describes an operation briefly, for search results.
pub(crate) fn brief(operation: &Operation) -> Value {
    let required: Vec<_> = schema::settable(operation)
        .filter(|param| param.required)
        .map(|param| param.name)
        .collect();
    let mut line = json!({
        "operation": operation.id,
        "summary": operation.summary,
        "price": price(operation),
    });
    if !required.is_empty() {
        line["required"] = json!(required);
    }
    if operation.deprecated.is_some() {
        line["deprecated"] = true.into();
    }
    line
}

/// Returns the list price of an operation as JSON. It is the number of credits, or a text such as `not published`.
pub(crate) fn price(operation: &Operation) -> Value {
    match operation.price {
        Price::Free => 0.into(),
        Price::Credits(credits) => credits.into(),
        Price::Unknown => "not published".into(),
        Price::ByModel(table) => {
            let least = table.iter().map(|line| line.credits).min().unwrap_or_default();
            let most = table.iter().map(|line| line.credits).max().unwrap_or_default();
            format!("{least}–{most}, by model and effort").into()
        }
    }
}

/// Describes an operation completely: parameters, fields of the response, price and paging.
pub(crate) fn operation(operation: &Operation) -> Value {
    let parameters: Map<String, Value> = schema::settable(operation)
        .map(|param| (param.name.to_owned(), schema::parameter_words(param).into()))
        .collect();
    let rules: Vec<_> = operation.rules.iter().map(schema::rule_words).collect();

    let mut text = json!({
        "operation": operation.id,
        "domain": operation_search::domain(operation),
        "summary": operation.summary,
        "request": format!("{} {}", operation.method, operation.path),
        "price": price(operation),
        "parameters": parameters,
        "answer": answer(operation),
    });

    let mut add = |name: &str, value: Value| text[name] = value;
    if !rules.is_empty() {
        add("rules", json!(rules));
    }
    if operation.paging != Paging::None {
        add("pages", paging(operation).into());
    }
    if let Some(tier) = operation.tier_in_words() {
        add("price_tier", tier.into());
    }
    if let Some(seconds) = operation.free_window {
        add("free_repeats_seconds", seconds.into());
    }

    if let Price::ByModel(table) = operation.price {
        let lines: Vec<_> = table
            .iter()
            .map(
                |line| json!({"model": line.model, "effort": line.effort, "credits": line.credits}),
            )
            .collect();
        add("prices", lines.into());
    }
    if operation.provenance == Provenance::Assumed {
        add("assumed", true.into());
    }
    if let Some(note) = operation.note {
        add("note", note.into());
    }
    if let Some(reason) = operation.deprecated {
        add("deprecated", reason.into());
    }
    text
}

fn paging(operation: &Operation) -> String {
    let most = operation
        .paging
        .limit()
        .and_then(|name| operation.param(name))
        .map(|(_, param)| schema::parameter_words(param));
    let size = operation.paging.limit().unwrap_or("limit");
    match most {
        Some(words) => {
            format!(
                "to read several pages, set `pages` of call_operation; the parameter `{size}` sets \
                 the page size: {words}"
            )
        }
        None => {
            format!(
                "to read several pages, set `pages` of call_operation; the parameter `{size}` sets \
                 the page size"
            )
        }
    }
}

/// Describes the fields of an operation's response, with one level of nested records.
fn answer(operation: &Operation) -> Value {
    let Some(row) = record_of(operation) else {
        return match operation.answer {
            crypto_intel::catalogue::Answer::Bytes => "bytes that are not JSON".into(),
            crypto_intel::catalogue::Answer::Stream => "a stream of events".into(),
            _ => "any JSON".into(),
        };
    };
    let members = record_words(row, true);
    if schema::is_list(operation) { json!([members]) } else { members }
}

/// Describes the fields of a record with their types. If `deep` is true, the description includes the fields of nested
/// records. The description of a deprecated field contains the reason for the deprecation, but no nested fields.
pub(crate) fn record_words(row: &RecordRow, deep: bool) -> Value {
    let member = |field: &Field| -> Value {
        let ty = field.ty;
        if let Some(reason) = field.deprecated {
            return format!("{}; deprecated: {reason}", schema::word(ty)).into();
        }
        let inner = match ty {
            Type::Record(name) if deep => record(name),
            Type::List(&Type::Record(name)) if deep => record(name),
            _ => None,
        };
        match (ty, inner) {
            (Type::List(_), Some(inner)) => json!([record_words(inner, false)]),
            (_, Some(inner)) => record_words(inner, false),
            _ => schema::word(ty).into(),
        }
    };
    let members: Map<String, Value> =
        row.fields.iter().map(|field| (field.name.to_owned(), member(field))).collect();
    members.into()
}
