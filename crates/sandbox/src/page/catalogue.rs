//! The catalogue as a page needs it.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, In, Operation, Paging, Param, ParamKind, Price};
use serde_json::{Value, json};

use crate::example;

/// Operations with their tags, streams apart: they are the same calls.
pub(super) fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().copied().filter(|operation| operation.answer != Answer::Stream)
}

pub(super) fn count() -> usize {
    operations().count()
}

/// The tags in alphabetical order.
pub(super) fn tags() -> Vec<&'static str> {
    let mut tags: Vec<_> = operations().map(|operation| operation.tag).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Whether a browser can try it by its address alone.
pub(super) fn is_tried(operation: &Operation) -> bool {
    operation.method == crypto_intel_core::Method::GET
        && operation.params.iter().all(|param| param.location != In::Header || !param.required)
}

/// What of an operation the form needs.
pub(super) fn all() -> Value {
    let operations = operations().filter(|operation| is_tried(operation)).map(|operation| {
        let params = operation.params.iter().filter(|param| param.location != In::Header);
        json!({
            "id": operation.id,
            "path": operation.path,
            "summary": operation.summary,
            "params": params.map(|param| of_param(operation, param)).collect::<Value>(),
        })
    });
    json!({"operations": operations.collect::<Value>()})
}

fn of_param(operation: &Operation, param: &Param) -> Value {
    let needed = example::parameters(operation);
    let value = needed.iter().find(|(name, _)| *name == param.name).map(|(_, value)| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    });

    let choices = match param.kind {
        ParamKind::Enum(values) => values,
        ParamKind::Boolean => &["true", "false"],
        _ => &[],
    };

    json!({
        "name": param.name,
        "in": if param.location == In::Path { "path" } else { "query" },
        "required": param.required,
        "doc": param.doc,
        "default": param.default,
        "choices": choices,
        "value": value,
    })
}

pub(super) fn price(operation: &Operation) -> String {
    match operation.price {
        Price::Free => "free".to_owned(),
        Price::Credits(1) => "1 credit".to_owned(),
        Price::Credits(credits) => format!("{credits} credits"),
        Price::ByModel(lines) => {
            let credits = lines.iter().map(|line| line.credits);
            match (credits.clone().min(), credits.max()) {
                (Some(low), Some(high)) => format!("{low}–{high} credits"),
                _ => "by model".to_owned(),
            }
        }
        Price::Unknown => "price unknown".to_owned(),
    }
}

pub(super) fn paging(operation: &Operation) -> Option<&'static str> {
    Some(match operation.paging {
        Paging::None => return None,
        Paging::Offset { .. } => "pages by offset",
        Paging::Cursor { .. } => "pages by cursor",
        Paging::Keyset { .. } => "pages by keys",
        Paging::PaginationKey { .. } => "pages by pagination key",
    })
}

pub(super) fn kind(param: &Param) -> String {
    let bounded = |name: &str, min: Option<String>, max: Option<String>| match (min, max) {
        (None, None) => name.to_owned(),
        (Some(min), None) => format!("{name} from {min}"),
        (None, Some(max)) => format!("{name} up to {max}"),
        (Some(min), Some(max)) => format!("{name} from {min} to {max}"),
    };

    match param.kind {
        ParamKind::String { min, max } => {
            let text = |bound: Option<u32>| bound.map(|bound| format!("{bound} characters"));
            bounded("text", text(min), text(max))
        }
        ParamKind::Integer { min, max } => {
            bounded("whole number", min.map(|n| n.to_string()), max.map(|n| n.to_string()))
        }
        ParamKind::Number { min, max } => {
            bounded("number", min.map(|n| n.to_string()), max.map(|n| n.to_string()))
        }
        ParamKind::Boolean => "true or false".to_owned(),
        ParamKind::Enum(values) => values.join(", "),
        ParamKind::List { .. } => "list of texts".to_owned(),
        ParamKind::Moment => "Unix seconds or YYYY-MM-DD".to_owned(),
        ParamKind::Json(_) => "JSON".to_owned(),
        ParamKind::Constant(value) => format!("always {value}"),
    }
}
