//! The result of a query, as JSON and as CSV.

use rusqlite::types::Value;

use super::compile::Ty;

/// Columns and rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(super) columns: Vec<(String, Ty)>,
    pub(super) rows: Vec<Vec<Value>>,
}

impl Table {
    /// A list of objects, members in the order of the columns.
    pub(crate) fn json(&self) -> String {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|(name, _)| serde_json::Value::from(name.as_str()).to_string())
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
                text.push_str(&cell(value, self.columns[at].1));
            }
            text.push('}');
        }

        text.push(']');
        text
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let cells = self.rows.iter().flatten();
        cells.map(|cell| super::run::size_of(cell) + size_of::<Value>()).sum()
    }

    /// Lines of values, the first of them the names of the columns.
    pub(crate) fn csv(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        };
        line(&mut self.columns.iter().map(|(name, _)| name.clone()));
        for row in &self.rows {
            line(&mut row.iter().zip(&self.columns).map(|(value, (_, ty))| match value {
                Value::Null => String::new(),
                Value::Text(text) => text.clone(),
                other => cell(other, *ty),
            }));
        }
        text
    }
}

/// A value as JSON. Dates are Unix seconds, as they are held. What is no number is null.
fn cell(value: &Value, ty: Ty) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) if !number.is_finite() => "null".to_owned(),
        // Whole numbers have no point, as the dialect writes them.
        Value::Real(number) if *number == number.trunc() && number.abs() < 9e15 => {
            format!("{number:.0}")
        }
        Value::Real(number) => serde_json::Value::from(*number).to_string(),
        // Arrays are JSON already, made by the engine or by us.
        Value::Text(text) if ty == Ty::Array && text.starts_with('[') => text.clone(),
        Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::Blob(bytes) => {
            serde_json::Value::from(String::from_utf8_lossy(bytes).as_ref()).to_string()
        }
    }
}

/// A cell in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_hold_the_same() {
        let columns = [("b", Ty::Text), ("a \"x\"", Ty::Float), ("list", Ty::Array)];
        let table = Table {
            columns: columns.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
            rows: vec![
                vec![Value::Text("1,\"2\"".into()), Value::Real(2.0), Value::Text("[1,2]".into())],
                vec![Value::Null, Value::Real(f64::INFINITY), Value::Null],
            ],
        };
        assert_eq!(
            table.json(),
            r#"[{"b":"1,\"2\"","a \"x\"":2,"list":[1,2]},{"b":null,"a \"x\"":null,"list":null}]"#
        );
        assert_eq!(table.csv(), "b,\"a \"\"x\"\"\",list\n\"1,\"\"2\"\"\",2,\"[1,2]\"\n,null,\n");
    }

    #[test]
    fn large_numbers_keep_their_digits() {
        assert_eq!(cell(&Value::Integer(i64::MAX), Ty::Int), "9223372036854775807");
        assert_eq!(cell(&Value::Real(-0.0), Ty::Float), "-0");
        assert_eq!(cell(&Value::Real(0.1), Ty::Float), "0.1");
    }
}
