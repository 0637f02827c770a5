//! Flattens a row into cells, so that names of nested fields are written once in a table.
//!
//! In: the JSON text of a row. Out: cells with dotted paths (`author.name`) and JSON texts, digits as the service sent them.

use serde_json::value::RawValue;

use crate::json::Members;

/// A field of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Names from the row to the field, separated by dots.
    pub(crate) path: String,
    pub(crate) json: String,
}

/// Flattens objects down to `depth`; 1 leaves nested objects as they are. `None` if the row is no object.
pub(crate) fn flatten(row: &RawValue, depth: usize) -> Option<Vec<Cell>> {
    let members: Members<'_> = serde_json::from_str(row.get()).ok()?;
    let mut cells = Vec::new();
    add(&members, "", depth, &mut cells);
    Some(cells)
}

fn add(Members(members): &Members<'_>, above: &str, depth: usize, cells: &mut Vec<Cell>) {
    for (name, value) in members {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let inner = serde_json::from_str::<Members<'_>>(value.get()).ok();
        match inner.filter(|inner| depth > 1 && !inner.0.is_empty()) {
            Some(inner) => match figure(&inner) {
                Some(json) => cells.push(Cell { path, json }),
                None => add(&inner, &path, depth - 1, cells),
            },
            None => cells.push(Cell { path, json: value.get().to_owned() }),
        }
    }
}

/// Text of a figure of a financial statement: its value, or the status that says why there is none. `None` if the object is
/// no figure.
fn figure(Members(members): &Members<'_>) -> Option<String> {
    let find =
        |name: &str| members.iter().find(|(known, _)| known == name).map(|(_, value)| value.get());
    let (status, _codes) = (find("status")?, find("quality_reason_codes")?);
    match find("value").filter(|value| *value != "null") {
        Some(value) => Some(value.to_owned()),
        None => Some(status.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    fn cells(row: &str) -> Vec<(String, String)> {
        let row: Json = serde_json::from_str(row).expect("JSON");
        flatten(&row, 3)
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
        assert_eq!(cells(row), expected.map(|(path, json)| (path.to_owned(), json.to_owned())));
    }

    #[test]
    fn figure_without_value_shows_its_status_and_never_zero() {
        let row = r#"{"revenue":{"status":"available","value":12.50,"quality_reason_codes":[]},
            "ebit":{"status":"unavailable","value":null,"quality_reason_codes":["no_data"]}}"#;
        let expected = [("revenue", "12.50"), ("ebit", "\"unavailable\"")];
        assert_eq!(cells(row), expected.map(|(path, json)| (path.to_owned(), json.to_owned())));
    }
}
