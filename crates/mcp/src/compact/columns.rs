//! Converts rows to columns. Each field of a row becomes a column. The fields of a nested object become columns too,
//! such as `author.name`. With [`Fields::All`], a nested object becomes one column with JSON text.

use std::collections::HashMap;

use super::Fields;
use crate::flatten::{Figures, flatten};
use crate::json::Json;

/// Maximum nesting depth of fields that become columns. A deeper object becomes one cell with JSON text.
const DEPTH: usize = 3;

/// Returns all columns of the rows, for computations. The column of a nested field has a name such as `author.name`.
/// The values are JSON texts. Returns `None` if a row is not an object.
pub(crate) fn all_columns(rows: &[Json]) -> Option<Columns> {
    columns_of(rows, DEPTH, Figures::ValueAndStatus)
}

pub(super) fn columns(rows: &[Json], fields: Fields) -> Option<Columns> {
    columns_of(rows, if fields == Fields::All { 1 } else { DEPTH }, Figures::ValueOrStatus)
}

/// Names of the columns, and one list of JSON texts per column.
pub(super) type Columns = (Vec<String>, Vec<Vec<String>>);

/// Returns the names and values of the columns, in the order of first appearance. The value of a missing field is
/// `null`. Returns `None` if a row is not an object.
fn columns_of(rows: &[Json], depth: usize, figures: Figures) -> Option<Columns> {
    let mut names: Vec<String> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut values: Vec<Vec<String>> = Vec::new();

    for (row, json) in rows.iter().enumerate() {
        for cell in flatten(json, depth, figures)? {
            let column = *index.entry(cell.path.clone()).or_insert_with(|| {
                names.push(cell.path);
                values.push(vec!["null".to_owned(); rows.len()]);
                names.len() - 1
            });
            values[column][row] = cell.json;
        }
    }

    // If a field is an object in some rows and null in the others, the column of the field itself contains only nulls.
    let is_nested = |name: &str| {
        names.iter().any(|other| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
    };
    let keep: Vec<bool> = names
        .iter()
        .zip(&values)
        .map(|(name, values)| !(is_nested(name) && values.iter().all(|value| value == "null")))
        .collect();

    let kept = names.into_iter().zip(values).zip(keep).filter(|(_, keep)| *keep);
    Some(kept.map(|(column, _)| column).unzip())
}
