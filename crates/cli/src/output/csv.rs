//! Writes rows as CSV. Nested fields become columns such as `a.b`, and lists become JSON text.
//!
//! The input is JSON rows and the names of expected columns. The output is a header line and one line per row.

use std::collections::HashSet;

use super::node::Node;
use crate::failure::{Exit, Failure};

/// Formats rows as CSV with a header. `known` contains the expected columns. The header has the expected columns that
/// exist in any row, followed by the other columns of the rows. Without rows, the header has all expected columns.
pub(crate) fn write(rows: &[Node], known: &[String]) -> Result<String, Failure> {
    let filled = names(rows);
    let mut columns = columns(rows, known);
    columns.retain(|column| rows.is_empty() || filled.contains(column));
    Ok(header(&columns)? + &lines(rows, &columns)?)
}

/// Returns the columns of the header: first the expected columns in `known`, then all other columns of the rows. An
/// expected column `a` that contains only objects is replaced by one column per field of these objects, such as `a.b`.
pub(crate) fn columns(rows: &[Node], known: &[String]) -> Vec<String> {
    let names = names(rows);
    let mut columns: Vec<String> = Vec::new();
    for column in known {
        let is_below =
            |name: &&String| name.strip_prefix(column).is_some_and(|rest| rest.starts_with('.'));
        if names.contains(column) || !names.iter().any(|name| is_below(&name)) {
            columns.push(column.clone());
        }
        columns.extend(names.iter().filter(is_below).cloned());
    }
    columns.extend(names);

    let mut seen = HashSet::new();
    columns.retain(|column| seen.insert(column.clone()));
    columns
}

/// Returns the distinct paths of all values in the rows, in order of appearance.
fn names(rows: &[Node]) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = rows.iter().flat_map(flat).map(|(name, _)| name);
    all.filter(|name| seen.insert(name.clone())).collect()
}

/// Formats the header line of the CSV output.
pub(crate) fn header(columns: &[String]) -> Result<String, Failure> {
    if columns.is_empty() { Ok(String::new()) } else { csv_text(&[columns.to_vec()]) }
}

/// Formats one CSV line per row, with the values in the order of `columns`.
pub(crate) fn lines(rows: &[Node], columns: &[String]) -> Result<String, Failure> {
    let line = |row: &Node| {
        let values = flat(row);
        let cell = |column: &String| {
            let found = values.iter().find(|(name, _)| name == column);
            found.map(|(_, node)| text(node)).unwrap_or_default()
        };
        columns.iter().map(cell).collect()
    };
    csv_text(&rows.iter().map(line).collect::<Vec<Vec<String>>>())
}

fn csv_text(records: &[Vec<String>]) -> Result<String, Failure> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let failed = |error: ::csv::Error| Failure::new(Exit::Local, format!("CSV: {error}"));
    for record in records {
        writer.write_record(record).map_err(failed)?;
    }
    let bytes =
        writer.into_inner().map_err(|error| Failure::new(Exit::Local, error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the values of a row with their paths, such as `a.b`. A row that is not an object has a single value.
fn flat(row: &Node) -> Vec<(String, &Node)> {
    let mut values = Vec::new();
    collect("", row, &mut values);
    values
}

fn collect<'a>(path: &str, node: &'a Node, values: &mut Vec<(String, &'a Node)>) {
    match node {
        Node::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(&path, value, values);
            }
        }
        _ => {
            let name = if path.is_empty() { "value" } else { path };
            values.push((name.to_owned(), node));
        }
    }
}

/// Returns the text of a value as the service sent it. Returns an empty text for null.
fn text(node: &Node) -> String {
    match node {
        Node::Null => String::new(),
        Node::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact_and_quoted_where_needed() {
        let rows: Vec<Node> =
            [r#"{"b":1.10,"a":"x,\"y\"","n":{"m":null,"l":[1,2]}}"#, r#"{"b":2,"new":true}"#]
                .iter()
                .map(|row| Node::parse(row))
                .collect();
        let known = ["a", "b", "n", "unused"].map(str::to_owned).to_vec();
        let expected = "a,b,n.m,n.l,new\n\"x,\"\"y\"\"\",1.10,,\"[1,2]\",\n,2,,,true\n";
        assert_eq!(write(&rows, &known).expect("CSV"), expected);
    }

    #[test]
    fn no_rows_are_a_header() {
        assert_eq!(write(&[], &["a".to_owned()]).expect("CSV"), "a\n");
    }
}
