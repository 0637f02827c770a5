//! In-memory tables with the rows of operations. SQL queries over these tables run in this process.

use std::collections::BTreeMap;
use std::sync::Arc;

use crypto_intel_sql::{Control, Database, JsonTable, Limits, Parsed, Prepared, Table};
use serde_json::{Map, Value};

/// Tables in memory: the rows of each table, by table name.
#[derive(Debug, Default)]
pub(crate) struct Tables(BTreeMap<String, Vec<Map<String, Value>>>);

struct Memory(BTreeMap<String, Arc<JsonTable>>);

impl Database for Memory {
    fn name(&self) -> &str {
        ""
    }

    fn table(&self, name: &str) -> Option<Arc<dyn Table>> {
        self.0.get(name).map(|table| Arc::clone(table) as Arc<dyn Table>)
    }
}

impl Tables {
    /// Adds rows to a table. If `label` is set, each added row gets this value in a column with the name `label`.
    pub(crate) fn add(&mut self, table: &str, rows: Vec<Value>, label: Option<&str>) {
        let rows = rows.into_iter().map(|row| {
            let mut flat = flatten(row);
            if let Some(label) = label {
                flat.insert("label".to_owned(), label.into());
            }
            flat
        });
        self.0.entry(table.to_owned()).or_default().extend(rows);
    }

    /// Runs an SQL query, and returns its rows. The columns of each row have the order of the query.
    pub(crate) fn rows(&self, query: &str) -> Result<Vec<Vec<(String, Value)>>, String> {
        let failed = |problem: crypto_intel_sql::Problem| format!("{problem}: {query}");
        let database = Arc::new(Memory(
            self.0.iter().map(|(name, rows)| (name.clone(), Arc::new(table(rows)))).collect(),
        ));
        let parsed = Parsed::read(query).map_err(failed)?;
        let prepared = Prepared::new(&parsed, database, 0).map_err(failed)?;
        let outcome = prepared.run(&Limits::default(), &Control::default()).map_err(failed)?;

        let rows: Vec<Map<String, Value>> =
            serde_json::from_str(&outcome.json()).map_err(|error| error.to_string())?;
        let names = outcome.columns();
        let ordered = |row: Map<String, Value>| {
            names.iter().map(|(name, _)| (name.clone(), row[name].clone())).collect()
        };
        Ok(rows.into_iter().map(ordered).collect())
    }

    /// Runs an SQL query, and returns its first row as an answer. A row with one column becomes one value, and a longer
    /// row becomes a list. The answer is `null` if no row exists, or if all values are `null`.
    pub(crate) fn answer(&self, query: &str) -> Result<Value, String> {
        let Some(row) = self.rows(query)?.into_iter().next() else { return Ok(Value::Null) };
        Ok(of_row(row.into_iter().map(|(_, value)| value).collect()))
    }
}

/// Converts the values of a row to an answer. If all values are `null`, the answer is `null`. Otherwise, a row
/// with one value becomes this value, and a longer row becomes a list.
pub(crate) fn of_row(mut values: Vec<Value>) -> Value {
    match values.len() {
        _ if values.iter().all(Value::is_null) => Value::Null,
        1 => values.remove(0),
        _ => values.into(),
    }
}

fn table(rows: &[Map<String, Value>]) -> JsonTable {
    let mut columns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        for (name, value) in row {
            let column = columns.entry(name).or_default();
            column.resize(index, "null".to_owned());
            column.push(value.to_string());
        }
    }
    let texts = columns
        .iter()
        .map(|(name, texts)| ((*name).to_owned(), texts.iter().map(String::as_str).collect()));
    JsonTable::new(rows.len(), texts)
}

/// Flattens nested objects of a row: `stats.likes` becomes `stats_likes`. A financial metric becomes two columns: its
/// value and its status.
pub(crate) fn flatten(row: Value) -> Map<String, Value> {
    let mut flat = Map::new();
    match row {
        Value::Object(members) => {
            members.into_iter().for_each(|(name, value)| add(&mut flat, name, value))
        }
        other => drop(flat.insert("value".to_owned(), other)),
    }
    flat
}

fn add(flat: &mut Map<String, Value>, name: String, value: Value) {
    match value {
        Value::Object(mut figure)
            if figure.contains_key("status") && figure.contains_key("value") =>
        {
            flat.insert(format!("{name}_status"), figure["status"].take());
            flat.insert(name, figure["value"].take());
        }
        Value::Object(members) => {
            members
                .into_iter()
                .for_each(|(inner, value)| add(flat, format!("{name}_{inner}"), value));
        }
        other => drop(flat.insert(name, other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn query_over_nested_rows_gives_a_value_a_list_or_null() {
        let mut tables = Tables::default();
        let rows = vec![
            json!({"a": 1, "b": {"c": 2.5}}),
            json!({"a": 2, "f": {"status": "unavailable", "value": null}}),
        ];
        tables.add("t", rows, Some("x"));
        let cases = [
            ("SELECT max(a) FROM t", json!(2)),
            ("SELECT a, b_c, label FROM t ORDER BY a LIMIT 1", json!([1, 2.5, "x"])),
            ("SELECT f FROM t WHERE f_status = 'unavailable'", json!(null)),
            ("SELECT a FROM t WHERE a > 2", json!(null)),
        ];
        for (query, expected) in cases {
            assert_eq!(tables.answer(query).expect("a result"), expected, "{query}");
        }
    }
}
