//! Writes a jq program that keeps only the needed fields of the rows of an operation.

use crypto_intel::catalogue::Operation;
use crypto_intel_api::generated::tables::record;
use crypto_intel_core::{RecordRow, Type};
use crypto_intel_search::record_of;

/// Returns a jq program that outputs each row as an object of the needed columns. The field of a nested record, such as
/// `.stats.likes`, becomes a column, such as `stats_likes`. `is_needed` returns true for the name of a needed column.
pub(super) fn projection(operation: &Operation, is_needed: impl Fn(&str) -> bool) -> String {
    let mut paths = Vec::new();
    if let Some(row) = record_of(operation) {
        add(&mut paths, row, "", "");
    }
    let fields: Vec<_> = paths
        .iter()
        .filter(|(column, _)| is_needed(column))
        .map(|(column, path)| {
            if format!(".{column}") == *path { column.clone() } else { format!("{column}: {path}") }
        })
        .collect();
    format!("if type == \"array\" then . else [.] end | map({{{}}})", fields.join(", "))
}

/// Appends a pair of column name and jq path to `paths` for each field of a record and of its nested records. A
/// financial metric becomes two columns: its value and its status.
fn add(paths: &mut Vec<(String, String)>, row: &RecordRow, column: &str, path: &str) {
    for field in row.fields {
        let name = if column.is_empty() {
            field.name.to_owned()
        } else {
            format!("{column}_{}", field.name)
        };
        let path = format!("{path}.{}", field.name);
        let inner = match field.ty {
            Type::Record(name) => record(name),
            _ => None,
        };
        let has = |name: &str| {
            inner.is_some_and(|inner| inner.fields.iter().any(|field| field.name == name))
        };
        match inner {
            Some(_) if has("status") && has("value") => {
                paths.push((format!("{name}_status"), format!("{path}.status")));
                paths.push((name, format!("{path}.value")));
            }
            // Records can be recursive.
            Some(inner) if name.len() < 60 => add(paths, inner, &name, &path),
            _ => paths.push((name, path)),
        }
    }
}
