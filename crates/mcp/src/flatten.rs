//! Flattens a row into cells, so that a table writes the names of nested fields only once.
//!
//! The input is the JSON text of a row. The output is cells. Each cell has a dotted path such as `author.name` and a
//! JSON text. Numbers keep the digits that the service sent.

use crypto_intel_core::private::OrderedFields;
use serde_json::value::RawValue;

/// Field of a row, with its path and its JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Field names on the path from the row to this field, separated by dots.
    pub(crate) path: String,
    pub(crate) json: String,
}

impl Cell {
    fn new(path: String, json: &str) -> Self {
        Cell { path, json: json.to_owned() }
    }
}

/// Layout of a financial metric in a table: one cell or two cells. A metric is an object such as
/// `{"value":12.5,"status":"available"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figures {
    /// One cell, for tables that people or agents read. The cell contains the value of the metric, or the status if the
    /// value is null.
    ValueOrStatus,
    /// Two cells for each financial metric, for computations. One cell contains the value, which may be null. The other
    /// cell contains the status. The path of the status cell ends with `_status`, as in `revenue_status`.
    ValueAndStatus,
}

/// Flattens nested objects down to `depth` levels. With a depth of 1, nested objects stay unchanged. Returns `None` if
/// the row is not an object.
pub(crate) fn flatten(row: &RawValue, depth: usize, figures: Figures) -> Option<Vec<Cell>> {
    let members: OrderedFields<&RawValue> = serde_json::from_str(row.get()).ok()?;
    let mut cells = Vec::new();
    add(&members, "", depth, figures, &mut cells);
    Some(cells)
}

fn add(
    OrderedFields(members): &OrderedFields<&RawValue>,
    above: &str,
    depth: usize,
    figures: Figures,
    cells: &mut Vec<Cell>,
) {
    for (name, value) in members {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let inner = serde_json::from_str::<OrderedFields<&RawValue>>(value.get()).ok();
        let inner = inner.filter(|inner| depth > 1 && !inner.0.is_empty());
        match (inner.as_ref().map(|inner| figure(inner)), &inner) {
            (Some(Some((value, status))), _) => match figures {
                Figures::ValueOrStatus if value == "null" => cells.push(Cell::new(path, status)),
                Figures::ValueOrStatus => cells.push(Cell::new(path, value)),
                Figures::ValueAndStatus => {
                    cells.push(Cell::new(format!("{path}_status"), status));
                    cells.push(Cell::new(path, value));
                }
            },
            (_, Some(inner)) => add(inner, &path, depth - 1, figures, cells),
            (_, None) => cells.push(Cell::new(path, value.get())),
        }
    }
}

/// Returns the value and the status of a metric. Returns `None` if the object is not a metric of a financial statement.
pub(crate) fn figure<'a>(
    OrderedFields(members): &OrderedFields<&'a RawValue>,
) -> Option<(&'a str, &'a str)> {
    let find =
        |name: &str| members.iter().find(|(known, _)| known == name).map(|(_, value)| value.get());
    Some((find("value")?, find("status")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    fn cells(row: &str, figures: Figures) -> Vec<(String, String)> {
        let row: Json = serde_json::from_str(row).expect("JSON");
        flatten(&row, 3, figures)
            .expect("an object")
            .into_iter()
            .map(|cell| (cell.path, cell.json))
            .collect()
    }

    #[test]
    fn nested_fields_get_dotted_paths_and_keep_their_digits() {
        let row = r#"{"a":1.10,"b":{"c":"x","d":{"e":{"f":2}}},"g":[],"h":{}}"#;
        let expected =
            [("a", "1.10"), ("b.c", "\"x\""), ("b.d.e", r#"{"f":2}"#), ("g", "[]"), ("h", "{}")];
        assert_eq!(
            cells(row, Figures::ValueOrStatus),
            expected.map(|(path, json)| (path.to_owned(), json.to_owned()))
        );
    }

    #[test]
    fn figure_without_value_shows_its_status_and_never_zero() {
        let row = r#"{"revenue":{"status":"available","value":12.50,"quality_reason_codes":[]},
            "ebit":{"status":"unavailable","value":null}}"#;
        let owned = |(path, json): (&str, &str)| (path.to_owned(), json.to_owned());
        let expected = [("revenue", "12.50"), ("ebit", "\"unavailable\"")];
        assert_eq!(cells(row, Figures::ValueOrStatus), expected.map(owned));
        let expected = [
            ("revenue_status", "\"available\""),
            ("revenue", "12.50"),
            ("ebit_status", "\"unavailable\""),
            ("ebit", "null"),
        ];
        assert_eq!(cells(row, Figures::ValueAndStatus), expected.map(owned));
    }
}
