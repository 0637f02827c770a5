//! Arrays, which are JSON texts here.

use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};
use serde_json::Value as Json;

use super::{LONGEST, add, fail, real, text_of, whole};

pub(super) fn register(engine: &Connection) -> Result<()> {
    add(
        engine,
        &[
            ("ch_element", 2, element),
            ("ch_index_of", 2, index_of),
            ("ch_array", 2, of_array),
            ("ch_join", -1, join),
            ("ch_split", 2, split),
            ("ch_range", -1, range),
        ],
    )
}

fn array(context: &Context<'_>, at: usize) -> Result<Option<Vec<Json>>> {
    let Some(text) = text_of(context, at) else { return Ok(None) };
    match serde_json::from_str(&text) {
        Ok(Json::Array(items)) => Ok(Some(items)),
        _ => Err(fail("an array is wanted")),
    }
}

fn written(items: Vec<Json>) -> Value {
    Value::Text(Json::Array(items).to_string())
}

/// A value of the engine as an item.
pub(super) fn item(value: ValueRef<'_>) -> Json {
    match value {
        ValueRef::Null => Json::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into(),
    }
}

fn value(item: &Json) -> Value {
    match item {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Integer(i64::from(*truth)),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => real(number.as_f64()),
        },
        Json::String(text) => Value::Text(text.clone()),
        nested => Value::Text(nested.to_string()),
    }
}

/// The place of an item, counted from 1 or, below 0, from the end.
fn element(context: &Context<'_>) -> Result<Value> {
    let (Some(items), Some(place)) = (array(context, 0)?, whole(context, 1)?) else {
        return Ok(Value::Null);
    };
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let at = if place < 0 { count.saturating_add(place) } else { place - 1 };
    let found = usize::try_from(at).ok().and_then(|at| items.get(at));
    Ok(found.map_or(Value::Null, value))
}

fn index_of(context: &Context<'_>) -> Result<Value> {
    let Some(items) = array(context, 0)? else { return Ok(Value::Null) };
    let wanted = item(context.get_raw(1));
    let is_same = |item: &Json| match (item.as_f64(), wanted.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => *item == wanted,
    };
    let at = items.iter().position(is_same).map_or(0, |at| at + 1);
    Ok(Value::Integer(i64::try_from(at).unwrap_or(0)))
}

/// The order of items: numbers by size, texts by letters, numbers first.
fn compare(a: &Json, b: &Json) -> std::cmp::Ordering {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => a.as_str().cmp(&b.as_str()),
    }
}

fn of_array(context: &Context<'_>) -> Result<Value> {
    let name = text_of(context, 0).unwrap_or_default();
    let Some(mut items) = array(context, 1)? else { return Ok(Value::Null) };
    let sum = || items.iter().filter_map(Json::as_f64).sum::<f64>();
    #[expect(clippy::cast_precision_loss, reason = "the length of a list")]
    let count = items.len() as f64;
    Ok(match name.as_str() {
        "sum" => real(Some(sum())),
        "avg" => real(Some(sum() / count)),
        "min" => items.iter().min_by(|a, b| compare(a, b)).map_or(Value::Null, value),
        "max" => items.iter().max_by(|a, b| compare(a, b)).map_or(Value::Null, value),
        "sort" => {
            items.sort_by(compare);
            written(items)
        }
        "reversesort" => {
            items.sort_by(|a, b| compare(b, a));
            written(items)
        }
        "reverse" => {
            items.reverse();
            written(items)
        }
        _ => {
            let mut seen = std::collections::HashSet::new();
            items.retain(|item| seen.insert(item.to_string()));
            written(items)
        }
    })
}

fn join(context: &Context<'_>) -> Result<Value> {
    let Some(items) = array(context, 0)? else { return Ok(Value::Null) };
    let between = if context.len() > 1 { text_of(context, 1) } else { None }.unwrap_or_default();
    let texts: Vec<String> = items
        .iter()
        .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
        .collect();
    let length = texts.iter().map(|text| text.len() + between.len()).sum::<usize>();
    if length > LONGEST {
        return Err(fail(format!("a text of more than {LONGEST} bytes is made")));
    }
    Ok(Value::Text(texts.join(&between)))
}

fn split(context: &Context<'_>) -> Result<Value> {
    let (Some(between), Some(text)) = (text_of(context, 0), text_of(context, 1)) else {
        return Ok(Value::Null);
    };
    if between.is_empty() {
        return Ok(written(text.chars().map(|letter| letter.to_string().into()).collect()));
    }
    Ok(written(text.split(&between).map(Json::from).collect()))
}

/// Whole numbers below the last value, from the one before it or 0.
fn range(context: &Context<'_>) -> Result<Value> {
    let (first, end) = if context.len() > 1 {
        (whole(context, 0)?, whole(context, 1)?)
    } else {
        (Some(0), whole(context, 0)?)
    };
    let (Some(first), Some(end)) = (first, end) else { return Ok(Value::Null) };
    if end.saturating_sub(first) > 10_000 {
        return Err(fail("`range` makes more than 10000 numbers"));
    }
    Ok(written((first..end).map(Json::from).collect()))
}
