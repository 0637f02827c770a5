//! In-memory tables with values from JSON, such as the rows of an HTTP response.
//!
//! The input is one list of JSON texts per column. The output is a [`Table`], with column types inferred from the
//! values.

use crate::problem::Problem;
use crate::table::{Column, Sink, Span, Table, Window};
use crate::value::Value;

/// A table of rows in memory. A column has the first of these types that fits all its values:
///
/// | values | type |
/// |---|---|
/// | `true`, `false` | `Nullable(Bool)` |
/// | integers of at most 64 bits | `Nullable(Int64)` |
/// | numbers | `Nullable(Float64)` |
/// | all others | `Nullable(String)`: the string, or the JSON text of a value that is not a string |
///
/// A `null` becomes NULL and does not change the type. A column with only `null` is `Nullable(String)`.
#[derive(Debug, Clone, Default)]
pub struct JsonTable {
    columns: Vec<Column>,
    /// Values of the table, one list per column.
    values: Vec<Vec<Value>>,
    rows: usize,
}

impl JsonTable {
    /// Creates a table with `rows` rows. Each column has a name and one JSON text per row. If a column has fewer texts
    /// than rows, the other values are NULL. If a column has more texts than rows, only the first `rows` texts are
    /// stored.
    #[must_use]
    pub fn new<'a>(rows: usize, columns: impl IntoIterator<Item = (String, Vec<&'a str>)>) -> Self {
        let mut table = JsonTable { rows, ..JsonTable::default() };
        for (name, texts) in columns {
            let kind = ColumnKind::of_all(&texts);
            table.columns.push(Column { name: name.into(), ty: kind.type_name(), comment: "" });
            let mut values: Vec<Value> = texts.iter().map(|text| kind.value(text)).collect();
            values.resize(rows, Value::Null);
            table.values.push(values);
        }
        table
    }
}

impl Table for JsonTable {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn window(&self) -> Option<Window> {
        None
    }

    fn days(&self, _: Span) -> (i64, i64) {
        (0, 0)
    }

    fn estimate(&self, _: Span) -> i64 {
        i64::try_from(self.rows).unwrap_or(i64::MAX)
    }

    fn read(&self, _: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem> {
        for row in 0..self.rows {
            sink(wanted.iter().map(|column| self.values[*column][row].clone()).collect())?;
        }
        Ok(())
    }
}

/// Type of a column. The variants are sorted from the narrowest to the widest type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Boolean,
    Integer,
    Number,
    Text,
}

impl ColumnKind {
    /// Returns the narrowest type that fits all JSON texts of a column. A column with only `null` is text.
    fn of_all(texts: &[&str]) -> ColumnKind {
        let kinds =
            texts.iter().filter(|text| **text != "null").map(|text| ColumnKind::of_value(text));
        let joined = kinds.reduce(|one, other| match (one, other) {
            _ if one == other => one,
            (ColumnKind::Integer, ColumnKind::Number)
            | (ColumnKind::Number, ColumnKind::Integer) => ColumnKind::Number,
            _ => ColumnKind::Text,
        });
        joined.unwrap_or(ColumnKind::Text)
    }

    fn of_value(text: &str) -> ColumnKind {
        match text {
            "true" | "false" => ColumnKind::Boolean,
            _ if text.parse::<i64>().is_ok() => ColumnKind::Integer,
            _ if text.parse::<f64>().is_ok() => ColumnKind::Number,
            _ => ColumnKind::Text,
        }
    }

    fn type_name(self) -> &'static str {
        match self {
            ColumnKind::Boolean => "Nullable(Bool)",
            ColumnKind::Integer => "Nullable(Int64)",
            ColumnKind::Number => "Nullable(Float64)",
            ColumnKind::Text => "Nullable(String)",
        }
    }

    fn value(self, text: &str) -> Value {
        if text == "null" {
            return Value::Null;
        }
        match self {
            ColumnKind::Boolean => Value::Int((text == "true").into()),
            ColumnKind::Integer => text.parse().map_or(Value::Null, Value::Int),
            ColumnKind::Number => text.parse().map_or(Value::Null, Value::Float),
            ColumnKind::Text => match serde_json::from_str::<String>(text) {
                Ok(plain) => Value::text(plain),
                Err(_) => Value::text(text),
            },
        }
    }
}
