//! CSV: members of members have columns of their own, `a.b`; lists are JSON.

use super::node::Node;
use crate::failure::{Exit, Failure};

/// The rows with a header. The header has the known columns that any row fills, then the others.
pub(crate) fn write(rows: &[Node], known: Vec<String>) -> Result<String, Failure> {
    let flat: Vec<Vec<(String, &Node)>> = rows.iter().map(flat).collect();
    let has = |column: &str| flat.iter().flatten().any(|(name, _)| name == column);
    let below = |name: &str, column: &str| {
        name.strip_prefix(column).is_some_and(|rest| rest.starts_with('.'))
    };

    let mut columns: Vec<String> = Vec::new();
    for column in &known {
        if has(column) || flat.is_empty() {
            columns.push(column.clone());
        }
        for (name, _) in flat.iter().flatten().filter(|(name, _)| below(name, column)) {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
    }
    for (name, _) in flat.iter().flatten() {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }

    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let failed = |error: ::csv::Error| Failure::new(Exit::Local, format!("CSV: {error}"));
    if !columns.is_empty() {
        writer.write_record(&columns).map_err(failed)?;
    }
    for row in &flat {
        let cell = |column: &String| {
            let found = row.iter().find(|(name, _)| name == column);
            found.map(|(_, node)| text(node)).unwrap_or_default()
        };
        writer.write_record(columns.iter().map(cell)).map_err(failed)?;
    }
    let bytes =
        writer.into_inner().map_err(|error| Failure::new(Exit::Local, error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The values of a row by path. A row that is no object has one column.
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

/// Exactly what was sent; nothing for null.
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
        assert_eq!(write(&rows, known).expect("CSV"), expected);
    }

    #[test]
    fn no_rows_are_a_header() {
        assert_eq!(write(&[], vec!["a".to_owned()]).expect("CSV"), "a\n");
    }
}
