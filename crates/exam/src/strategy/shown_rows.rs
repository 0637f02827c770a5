//! Converts the data of a tool result to rows. The data are a list of rows, or a compact table. A compact table stores
//! a value only once if all rows have this value.

use serde_json::{Map, Value};

/// Strings that a tool result contains in place of a financial metric without a value.
const MISSING: [&str; 2] = ["missing", "not_applicable"];

/// Returns the rows of a tool result. In a compact table, dots in column names become underscores: the column
/// `stats.likes` becomes the field `stats_likes`. A single value or object becomes one row.
pub(super) fn rows_of(answer: &Value) -> Vec<Value> {
    let mut rows = raw_rows(&answer["service_data"]);
    rows.iter_mut().for_each(with_null_fields);
    for value in rows.iter_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if value.as_str().is_some_and(|text| MISSING.contains(&text)) {
            *value = Value::Null;
        }
    }
    rows
}

/// Sets the fields named in the list `null_fields` of an object to `null`. Removes the lists `null_fields` and
/// `left_out`. Changes nested objects in the same way.
fn with_null_fields(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(with_null_fields),
        Value::Object(members) => {
            members.remove("left_out");
            let names = members.remove("null_fields");
            for name in names.iter().filter_map(Value::as_array).flatten() {
                members.insert(name.as_str().unwrap_or_default().to_owned(), Value::Null);
            }
            members.values_mut().for_each(with_null_fields);
        }
        _ => {}
    }
}

fn raw_rows(data: &Value) -> Vec<Value> {
    if let Some(columns) = data["columns"].as_array().filter(|_| data["rows"].is_array()) {
        let rows = data["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_last =
            |index: i64| usize::try_from(index).is_ok_and(|index| index + 1 == rows.len());
        let row = |(index, cells)| of_table(data, columns, (index, is_last(index)), cells);
        return (0..).zip(rows).map(row).collect();
    }
    match data {
        Value::Array(rows) => rows.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    }
}

fn of_table(
    data: &Value,
    columns: &[Value],
    (index, is_last): (i64, bool),
    cells: &Value,
) -> Value {
    let mut row = Map::new();
    let text = |name: &Value| name.as_str().unwrap_or_default().replace('.', "_");
    for (name, value) in data["same_in_all_rows"].as_object().into_iter().flatten() {
        row.insert(name.replace('.', "_"), value.clone());
    }
    for name in data["null_in_all_rows"].as_array().into_iter().flatten() {
        row.insert(text(name), Value::Null);
    }

    for (name, steps) in data["steps"].as_object().into_iter().flatten() {
        let number = |name: &str| steps[name].as_i64().unwrap_or_default();
        let even = number("from") + index * number("step");
        let last = steps["last"].as_i64().filter(|_| is_last);
        row.insert(name.replace('.', "_"), last.unwrap_or(even).into());
    }

    // In a table with one column, each row is a value instead of a list.
    let only = [cells.clone()];
    let cells = if columns.len() == 1 {
        &only[..]
    } else {
        cells.as_array().map(Vec::as_slice).unwrap_or_default()
    };
    for (name, value) in columns.iter().zip(cells) {
        let texts = data["codes"][name.as_str().unwrap_or_default()].as_array();
        let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
        let decoded = texts.zip(index).and_then(|(texts, index)| texts.get(index));
        row.insert(text(name), decoded.unwrap_or(value).clone());
    }

    for (name, other) in data["equal_columns"].as_object().into_iter().flatten() {
        let value = row.get(&text(other)).cloned().unwrap_or_default();
        row.insert(name.replace('.', "_"), value);
    }
    row.into()
}
