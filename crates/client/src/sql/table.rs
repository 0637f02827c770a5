//! Query result as a table: [`Table`]. A program can read a table without a Rust type for the rows.
//!
//! A table holds the column names, and the JSON text of each value. A table can convert its rows to JSON objects, to
//! CSV, or to values of a Rust type that the program defines.

use std::collections::HashMap;

use crypto_intel_core::private::OrderedFields;
use crypto_intel_core::{Error, ErrorKind, Json, JsonObject};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::answer::{Cell, Ordered, ResultRows, decode_row};
use crate::completeness::{Completeness, CompletenessState};
use crate::key::mask_key_like;
use crate::sql_quotes::double_quoted_values;

/// Query result as a table. The columns are in the order of the response, and each value is the JSON text that the
/// service sent. Times are Unix seconds, also in date columns.
#[derive(Debug, Clone, Default)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    row_count: Option<u64>,
    has_more: Option<bool>,
    double_quoted_values: Vec<String>,
}

impl Table {
    /// Creates the table of a query result.
    pub(super) fn from_answer(query: &str, answer: ResultRows<Ordered>) -> Self {
        Table { double_quoted_values: double_quoted_values(query), ..Table::from(answer) }
    }

    /// Returns the strings in double quotes that the author of the query probably meant as values; see
    /// [`Sql::double_quoted_values`](super::Sql::double_quoted_values). If the list is not empty, the query may have
    /// returned other rows than the author wanted.
    #[must_use]
    pub fn double_quoted_values(&self) -> &[String] {
        &self.double_quoted_values
    }

    /// Returns the column names. They may be missing if the table has no rows.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the JSON text of each value, row by row. Each row has one value for each column.
    #[must_use]
    pub fn cells(&self) -> &[Vec<Box<RawValue>>] {
        &self.rows
    }

    /// Returns the number of rows in this table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if the table has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the number of rows of the whole query result, if the service reports it. The table may have fewer rows.
    #[must_use]
    pub fn row_count(&self) -> Option<u64> {
        self.row_count
    }

    /// Returns the completeness of the table. The state is [`CompletenessState::MoreAvailable`] if the service reports
    /// that the query result has more rows than the table.
    ///
    /// A query result has no further pages. To get more rows, increase [`Sql::max_rows`](super::Sql::max_rows), or
    /// order the query by a key and restrict the next query to higher keys.
    #[must_use]
    pub fn completeness(&self) -> Completeness {
        let state = match self.has_more {
            Some(true) => CompletenessState::MoreAvailable,
            _ => CompletenessState::Complete,
        };
        let total = self.row_count.filter(|count| *count > self.rows.len() as u64);
        Completeness::new(state).with_total(total)
    }

    /// Returns the rows as values of `T`. `T` is usually a struct whose fields have the names of the columns.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`] if a row cannot be decoded as `T`. The message contains the number of the row,
    /// counted from 0.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(index, cells)| {
            decode_row(&self.columns, cells).map_err(|error| {
                // The message contains data of the row, which may include an API key. A table has no client that masks
                // known keys, so this masks everything that looks like a key.
                let mut message = format!("row {index}: {error}");
                mask_key_like(&mut message);
                Error::new(ErrorKind::Decode, message)
            })
        })
        .collect()
    }

    /// Returns the rows as JSON objects, each with its columns in alphabetical order. Numbers keep all digits when an
    /// object is serialized. [`Json`] has methods to read a number exactly.
    #[must_use]
    pub fn json(&self) -> Vec<JsonObject> {
        let object = |cells: &Vec<Cell>| {
            let values = cells.iter().map(|cell| {
                // The text was already parsed as JSON, so this cannot fail.
                serde_json::from_str::<Json>(cell.get()).unwrap_or_default()
            });
            self.columns.iter().cloned().zip(values).collect()
        };
        self.rows.iter().map(object).collect()
    }

    /// Returns each row as the text of a JSON object. Each value has the JSON text that the service sent.
    pub fn object_texts(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|cells| {
            let members = self.columns.iter().zip(cells);
            let members: Vec<String> = members
                .map(|(name, cell)| format!("{}:{cell}", serde_json::Value::from(name.as_str())))
                .collect();
            format!("{{{}}}", members.join(","))
        })
    }

    /// Returns the table as CSV with a header line. Values are separated by commas and quoted if necessary, and lines
    /// end with a line feed. A `null` becomes an empty field. A list or an object becomes its JSON text. A table
    /// without columns becomes an empty text.
    #[must_use]
    pub fn csv(&self) -> String {
        if self.columns.is_empty() {
            return String::new();
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |record: &mut dyn Iterator<Item = String>| {
            // Writing to memory cannot fail, and all rows have the same number of fields.
            let _ = writer.write_record(record);
        };
        write(&mut self.columns.iter().cloned());
        for cells in &self.rows {
            write(&mut cells.iter().map(|cell| csv_text(cell)));
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Returns the text of a CSV field for a JSON value. A string becomes its text without quotes. `null` becomes an empty
/// text. Any other value becomes its JSON text.
fn csv_text(cell: &RawValue) -> String {
    let text = cell.get();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str(text).unwrap_or_else(|_| text.to_owned()),
        Some(b'n') => String::new(),
        _ => text.to_owned(),
    }
}

/// Builds a table from a response. If a row has no value for a column, the table contains `null` there.
impl From<ResultRows<Ordered>> for Table {
    fn from(answer: ResultRows<Ordered>) -> Self {
        let (row_count, has_more) = (answer.row_count, answer.has_more());
        let mut columns = answer.columns;
        let mut places: HashMap<String, usize> =
            columns.iter().enumerate().map(|(place, name)| (name.clone(), place)).collect();
        let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(answer.rows.len());

        for OrderedFields(members) in answer.rows {
            let mut cells: Vec<Cell> = Vec::with_capacity(columns.len().max(members.len()));
            for (index, (name, cell)) in members.into_iter().enumerate() {
                // Rows have similar columns, so a column usually has the same index as in the previous row. This saves
                // the lookup by name.
                let place = if columns.get(index) == Some(&name) {
                    index
                } else {
                    *places.entry(name).or_insert_with_key(|name| {
                        columns.push(name.clone());
                        columns.len() - 1
                    })
                };

                while cells.len() <= place {
                    cells.push(RawValue::NULL.to_owned());
                }

                cells[place] = cell;
            }

            rows.push(cells);
        }

        for cells in &mut rows {
            while cells.len() < columns.len() {
                cells.push(RawValue::NULL.to_owned());
            }
        }

        Table { columns, rows, row_count, has_more, double_quoted_values: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;
    use crate::sql::answer::Typed;

    fn table(text: &str) -> Table {
        serde_json::from_str::<ResultRows<Ordered>>(text).unwrap().into()
    }

    fn decode_error(text: &str) -> String {
        let error = serde_json::from_str::<ResultRows<Ordered>>(text).err().unwrap().to_string();
        error.split(" at line").next().unwrap_or_default().to_owned()
    }

    const OBJECTS: &str =
        r#"[{"day": 1, "volume": 1.50, "note": null}, {"day": 2, "volume": "x", "note": [1]}]"#;
    const LISTS: &str = r#"{"rows": [[1, 1.50, null], [2, "x", [1]]], "row_count": 7,
        "columns": ["day", {"name": "volume", "type": "Float64"}, "note"]}"#;

    #[test]
    fn objects_and_lists_decode_alike_with_or_without_envelope() {
        let meta = r#""meta": {"credits_used": 4, "cached": false}"#;
        for data in [OBJECTS, LISTS] {
            for text in [data.to_owned(), format!(r#"{{{meta}, "data": {data}, "new": 1}}"#)] {
                let table = table(&text);
                assert_eq!(table.columns(), ["day", "volume", "note"]);
                assert_eq!(table.csv(), "day,volume,note\n1,1.50,\n2,x,[1]\n");
                let rows = serde_json::to_string(&table.json()).unwrap();
                assert!(rows.starts_with(r#"[{"day":1,"note":null,"volume":1.50},"#), "{rows}");
                assert_eq!(table.row_count(), (data == LISTS).then_some(7));
                let answer: ResultRows<Typed<BTreeMap<String, Value>>> =
                    serde_json::from_str(&text).unwrap();
                let rows: Vec<BTreeMap<String, Value>> = table.rows().unwrap();
                assert_eq!(answer.rows.into_iter().map(|Typed(row)| row).collect::<Vec<_>>(), rows);
            }
        }
    }

    #[test]
    fn empty_results_become_empty_tables() {
        for text in ["[]", r#"{"data": null}"#, r#"{"data": []}"#, r#"{"rows": null}"#] {
            let table = table(text);
            assert!(table.is_empty(), "{text}");
            assert_eq!(table.csv(), "");
            assert_eq!(table.rows::<Value>().unwrap(), Vec::<Value>::new());
        }
        assert_eq!(table(r#"{"columns": ["a", "b"], "rows": []}"#).csv(), "a,b\n");
    }

    #[test]
    fn columns_are_union_in_response_order() {
        let table = table(r#"[{"b": 1, "a": 2}, {"a": 3, "c": 4}, {}, {"b": 5, "b": 6}]"#);
        assert_eq!(table.csv(), "b,a,c\n1,2,\n,3,4\n,,\n6,,\n");
    }

    #[test]
    fn csv_quotes_separators_quotes_and_line_feeds() {
        let table = table(r#"[{"a,b": "say \"hi\"", "n": "two\nlines"}, {"a,b": "é", "n": true}]"#);
        assert_eq!(table.csv(), "\"a,b\",n\n\"say \"\"hi\"\"\",\"two\nlines\"\né,true\n");
    }

    #[test]
    fn csv_and_rows_keep_all_digits() {
        let table = table(r#"[{"amount": 123456789012345678901234567890, "x": 0.1000}]"#);
        assert_eq!(table.csv(), "amount,x\n123456789012345678901234567890,0.1000\n");
        let rows: Vec<BTreeMap<String, crypto_intel_core::Number>> = table.rows().unwrap();
        assert_eq!(rows[0]["amount"].as_str(), "123456789012345678901234567890");
    }

    #[test]
    fn decode_errors_name_the_mismatch() {
        assert_eq!(decode_error("{}"), "missing field `data`");
        assert_eq!(
            decode_error("3"),
            "invalid type: integer `3`, expected a list of rows, an object with `data`, or an object with `columns` and `rows`"
        );
        assert_eq!(
            decode_error(r#"{"columns": ["a"], "rows": [[1], [1, 2]]}"#),
            "row 1: 2 values for 1 columns"
        );
        assert_eq!(
            decode_error(r#"{"columns": [1], "rows": []}"#),
            "a column must be a name, or an object with a `name`"
        );
        let error = table(r#"[{"a": 1}, {"a": "x"}]"#).rows::<BTreeMap<String, i64>>();
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.message().starts_with("row 1: invalid type: string \"x\""), "{error}");
    }
}
