//! Returns the catalogue as JSON for the sandbox's web page.
//!
//! The JSON contains all operations with their parameters, prices and example values.

use crypto_intel_api::generated::catalogue as generated;
use crypto_intel_api::generated::tables as generated_tables;
use crypto_intel_core::{Answer, In, Operation, Paging, Param, ParamKind, Price, Type};
use serde_json::{Value, json};

use crate::shapes::{self, is_made_from_shapes};
use crate::sql;
use crypto_intel_world::example;

/// Returns the operations that the page shows. Streaming operations are left out, because they are variants of other
/// operations.
pub(super) fn operations() -> impl Iterator<Item = &'static Operation> {
    generated::OPERATIONS.iter().copied().filter(|operation| operation.answer != Answer::Stream)
}

pub(super) fn count() -> usize {
    operations().count()
}

/// Returns the JSON that the page needs: all operations, all SQL tables, and example calls.
pub(super) fn to_json() -> Value {
    let tables = sql::tables_shown();
    let mut operations: Vec<_> = operations().collect();
    operations.sort_by_key(|operation| operation.tag);
    let operations = operations.into_iter().map(|operation| of_operation(operation, &tables));
    json!({
        "operations": operations.collect::<Value>(),
        "starts": starts(),
        "sql": generated::ONCHAIN_SQL.id,
        "chat": generated::RESPONSES.id,
        "tables": tables,
    })
}

/// Returns example calls that the page offers to beginners.
fn starts() -> Value {
    let start = |title: &str, about: &str, operation: &Operation, values: Value| json!({"title": title, "about": about, "id": operation.id, "values": values});
    json!([
        start(
            "See a price",
            "Hourly prices of BTC over one month.",
            &generated::MARKET_PRICE,
            json!({"symbol": "BTC", "time_range": "30d"}),
        ),
        start(
            "Draw candles",
            "ETH on an exchange, in four-hour candles.",
            &generated::EXCHANGE_KLINES,
            json!({"pair": "ETH/USDT", "interval": "4h"}),
        ),
        start(
            "Read a statement",
            "Earnings of a company, quarter by quarter.",
            &generated::EQUITY_INCOME_STATEMENT,
            json!({"symbol": "AAPL"}),
        ),
    ])
}

fn of_operation(operation: &Operation, tables: &Value) -> Value {
    let is_shown = |param: &&Param| {
        param.location != In::Header && !matches!(param.kind, ParamKind::Constant(_))
    };
    let needed = example::parameters(operation);
    let params = operation.params.iter().filter(is_shown);
    let made = is_made_from_shapes(operation).then_some(shapes::NOTE);
    let notes: Vec<_> =
        [made, operation.note, operation.deprecated].into_iter().flatten().collect();
    let prices = match operation.price {
        Price::ByModel(lines) => lines
            .iter()
            .map(
                |line| json!({"model": line.model, "effort": line.effort, "credits": line.credits}),
            )
            .collect(),
        _ => Value::Null,
    };

    json!({
        "id": operation.id,
        "tag": operation.tag,
        "method": operation.method.as_str(),
        "path": operation.path,
        "summary": operation.summary,
        "note": notes.join(" "),
        "price": price(operation),
        "prices": prices,
        "paging": paging(operation),
        "params": params.map(|param| of_param(param, &needed)).collect::<Value>(),
        "table": table_of(operation, tables),
    })
}

/// Returns the name of the SQL table that is most similar to the rows of an operation. At least three columns of the
/// table, and at least half of its columns, must also be fields of these rows. The column `block_date` is not counted.
/// Returns `None` if no table is similar, or if the rows are not records.
fn table_of(operation: &Operation, tables: &Value) -> Option<String> {
    let (Answer::Rows { row: Type::Record(name), .. }
    | Answer::One { data: Type::Record(name), .. }) = operation.answer
    else {
        return None;
    };
    let fields = generated_tables::record(name)?.fields;
    let shared = |table: &Value| {
        let columns = table["columns"].as_array().map_or(&[][..], Vec::as_slice);
        let names = columns.iter().filter_map(|column| column["name"].as_str());
        let own: Vec<_> = names.filter(|name| *name != "block_date").collect();
        let shared = own.iter().filter(|name| fields.iter().any(|field| field.name == **name));
        (shared.count(), own.len())
    };
    let tables = tables.as_array()?.iter().filter(|table| {
        let (shared, all) = shared(table);
        shared >= 3 && 2 * shared >= all
    });
    let best = tables.max_by_key(|table| {
        let (shared, all) = shared(table);
        100 * shared / all * shared
    })?;
    best["name"].as_str().map(str::to_owned)
}

fn of_param(param: &Param, needed: &[(&'static str, Value)]) -> Value {
    let value = needed.iter().find(|(name, _)| *name == param.name).map(|(_, value)| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    });
    let choices = match param.kind {
        ParamKind::Enum(values) => values,
        ParamKind::Boolean => &["true", "false"],
        _ => &[],
    };
    let place = match param.location {
        In::Path => "path",
        In::Body => "body",
        In::Header => "header",
        In::Query => "query",
    };

    json!({
        "name": param.name,
        "in": place,
        "required": param.required,
        "doc": param.doc,
        "default": param.default,
        "choices": choices,
        "value": value,
        "kind": kind_of(param),
        "type": kind(param),
        "long": place == "body" && choices.is_empty() && kind_of(param) == "text",
    })
}

fn kind_of(param: &Param) -> &'static str {
    match param.kind {
        ParamKind::Integer { .. } => "integer",
        ParamKind::Number { .. } => "number",
        ParamKind::Boolean | ParamKind::Constant(_) => "boolean",
        ParamKind::List { .. } => "list",
        ParamKind::Json(_) => "json",
        ParamKind::String { .. } | ParamKind::Enum(_) | ParamKind::Moment => "text",
    }
}

fn price(operation: &Operation) -> String {
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

fn paging(operation: &Operation) -> Option<&'static str> {
    Some(match operation.paging {
        Paging::None => return None,
        Paging::Offset { .. } => "pages by offset",
        Paging::Cursor { .. } => "pages by cursor",
        Paging::Keyset { .. } => "pages by keys",
        Paging::PaginationKey { .. } => "pages by pagination key",
    })
}

fn kind(param: &Param) -> String {
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
        ParamKind::Enum(values) => format!("one of {}", values.len()),
        ParamKind::List { .. } => "list".to_owned(),
        ParamKind::Moment => "Unix seconds or YYYY-MM-DD".to_owned(),
        ParamKind::Json(_) => "JSON".to_owned(),
        ParamKind::Constant(value) => format!("always {value}"),
    }
}
