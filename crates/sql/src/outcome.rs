//! Query results, and their output as JSON or CSV.
//!
//! The input is the rows of a query, and the names and types of the columns. The output is the text of an HTTP
//! response.

use crate::time::{DAY, in_calendar};
use crate::types::{INT64, Type};
use crate::value::Value;

/// Columns and rows of a query result.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    columns: Vec<(String, Type)>,
    rows: Vec<Vec<Value>>,
    cut: bool,
}

impl Outcome {
    pub(crate) fn new(columns: Vec<(String, Type)>, rows: Vec<Vec<Value>>, cut: bool) -> Self {
        Outcome { columns, rows, cut }
    }

    /// Creates a result with one column `name` and one row, which contains the integer `number`.
    #[must_use]
    pub fn of_number(name: &str, number: i64) -> Self {
        let rows = vec![vec![Value::Int(number.into())]];
        Outcome::new(vec![(name.to_owned(), INT64)], rows, false)
    }

    /// Returns the names and types of the columns. Several columns can have the same name.
    #[must_use]
    pub fn columns(&self) -> &[(String, Type)] {
        &self.columns
    }

    /// Returns the rows. Each row has one value per column.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }

    /// Returns true if rows are missing because a limit was reached.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Removes the last column. Returns the value of the removed column in the first row, or `None` if the query result
    /// has no rows.
    pub fn pop_column(&mut self) -> Option<Value> {
        self.columns.pop();
        let mut first = None;
        for row in &mut self.rows {
            let value = row.pop();
            first = first.or(value);
        }
        first
    }

    /// Returns the approximate size of the rows in memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.iter().flatten().map(Value::size).sum()
    }

    /// Returns a JSON array with one object per row and one field per column. Dates and times are Unix seconds. NaN and
    /// infinity are null. Integers of types with more than 64 bits are strings, because many JSON parsers would round
    /// them. If several columns have the same name, later names get a number as suffix, as in `b_2`.
    #[must_use]
    pub fn json(&self) -> String {
        let names: Vec<String> = self
            .unique_names()
            .into_iter()
            .map(|name| serde_json::Value::from(name).to_string())
            .collect();
        let mut text = String::from("[");
        for (number, row) in self.rows.iter().enumerate() {
            text.push_str(if number == 0 { "{" } else { ",{" });
            for (at, value) in row.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&names[at]);
                text.push(':');
                json(value, &self.columns[at].1, &mut text);
            }
            text.push('}');
        }
        text.push(']');
        text
    }

    fn unique_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in &self.columns {
            let mut unique = name.clone();
            let mut number = 2;
            while names.contains(&unique) {
                unique = format!("{name}_{number}");
                number += 1;
            }
            names.push(unique);
        }
        names
    }

    /// Returns the result as CSV text. The first line contains the column names.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| in_quotes(&cell)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        };
        line(&mut self.unique_names().into_iter());
        for row in &self.rows {
            line(&mut row.iter().zip(&self.columns).map(|(value, (_, ty))| match value {
                Value::Null => String::new(),
                Value::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                other => {
                    let mut cell = String::new();
                    json(other, ty, &mut cell);
                    if cell == "null" { String::new() } else { cell.trim_matches('"').to_owned() }
                }
            }));
        }
        text
    }

    /// Returns each value as a string in the format of `toString`, grouped by row. Tests compare these strings.
    #[must_use]
    pub fn texts(&self) -> Vec<Vec<String>> {
        let cell = |(value, (_, ty)): (&Value, &(String, Type))| crate::text::string(value, ty);
        self.rows.iter().map(|row| row.iter().zip(&self.columns).map(cell).collect()).collect()
    }
}

/// Appends a value to `out` as JSON text.
fn json(value: &Value, ty: &Type, out: &mut String) {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    match (value, ty) {
        (Value::Null, _) => out.push_str("null"),
        (value, Type::Nullable(of) | Type::LowCardinality(of)) => json(value, of, out),
        (Value::Text(bytes), _) => out.push_str(&text(&String::from_utf8_lossy(bytes))),

        (value, Type::Array(of)) => {
            write_items(['[', ']'], value.items(), out, |item, out| json(item, of, out));
        }
        (value, Type::Tuple(members)) => {
            let mut types = members.iter().map(|(_, ty)| ty);
            write_items(['[', ']'], value.items(), out, |item, out| {
                json(item, types.next().unwrap_or(&INT64), out);
            });
        }
        (value, Type::Map(key, of)) => write_items(['{', '}'], value.items(), out, |pair, out| {
            if let [k, v] = pair.items() {
                out.push_str(&text(&crate::text::string(k, key)));
                out.push(':');
                json(v, of, out);
            }
        }),

        (Value::Int(number), Type::Bool) => {
            out.push_str(if *number == 0 { "false" } else { "true" })
        }
        (Value::Int(days), Type::Date | Type::Date32) => {
            let day = in_calendar(i64::try_from(*days).unwrap_or_default());
            out.push_str(&(day * DAY).to_string());
        }
        (Value::Int(ticks), Type::DateTime64(scale, _)) => {
            out.push_str(&crate::text::decimal(*ticks, *scale));
        }
        (Value::Int(digits), Type::Decimal { scale, .. }) => {
            out.push_str(&crate::text::decimal(*digits, *scale));
        }

        (Value::Wide(_) | Value::UWide(_), _) => {
            out.push_str(&text(&crate::text::string(value, ty)));
        }
        (Value::Float(number), _) if !number.is_finite() => out.push_str("null"),
        (Value::Float(number), ty) => out.push_str(&match ty {
            Type::Float32 => crate::text::float32(*number),
            _ => crate::text::float(*number),
        }),
        (value, _) => out.push_str(&value.int().to_string()),
    }
}

/// Appends a JSON list or object to `out`: the bracket `open`, the items with commas between them, and the bracket
/// `close`. `one` appends a single item.
fn write_items(
    [open, close]: [char; 2],
    items: &[Value],
    out: &mut String,
    mut one: impl FnMut(&Value, &mut String),
) {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        one(item, out);
    }
    out.push(close);
}

/// Puts a CSV cell in double quotes if it contains a comma, a quote or a line break.
fn in_quotes(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
