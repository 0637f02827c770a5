//! Shortens columns in which texts or long numbers repeat. A separate list contains each value once, and the cells
//! contain indexes of this list instead of the values.

use std::collections::HashMap;

use crate::json::to_json;

/// Minimum length of a number that is replaced by an index, in characters.
const MIN_NUMBER: usize = 8;
/// Minimum saving in bytes, if the values of a column are replaced by indexes into a separate list of values. The
/// length of the list reduces the saving. If the column saves less, it keeps its values.
const MIN_SAVED: usize = 24;

/// Replaces repeated values by indexes, in each column where this saves enough bytes. Returns the changed rows, and one
/// list of values for each column with indexes. A list is JSON text, such as `"status":["open","closed"]`.
pub(super) fn with_codes(
    columns: &[String],
    rows: &[Vec<String>],
) -> (Vec<String>, Vec<Vec<String>>) {
    let (mut codes, mut rows) = (Vec::new(), rows.to_vec());
    for (index, name) in columns.iter().enumerate() {
        let Some((texts, cells)) = repeated_texts(&rows, index) else { continue };
        let list = format!("{}:[{}]", to_json(name).get(), texts.join(","));
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        let before: usize = rows.iter().map(|row| row[index].len()).sum();
        let after: usize = list.len() + cells.iter().map(String::len).sum::<usize>();

        if after + MIN_SAVED <= before {
            codes.push(list);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row[index] = cell);
        }
    }
    (codes, rows)
}

/// Returns the distinct values of a column, in the order of first appearance. Also returns the index of each row's
/// value in this list. Returns `None` if a value is a short number or a boolean, or if no value repeats.
fn repeated_texts(rows: &[Vec<String>], column: usize) -> Option<(Vec<String>, Vec<usize>)> {
    let mut texts: Vec<String> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut cells = Vec::with_capacity(rows.len());
    for row in rows {
        let value = row[column].as_str();
        // Short numbers would look like indexes. Booleans are short already.
        if !value.starts_with(['"', '[', 'n']) && value.len() < MIN_NUMBER {
            return None;
        }
        let index = *known.entry(value).or_insert_with(|| {
            texts.push(value.to_owned());
            texts.len() - 1
        });
        cells.push(index);
    }
    (texts.len() < rows.len()).then_some((texts, cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_repeat_become_indexes_and_numbers_stay() {
        let columns = ["n", "status", "side"].map(str::to_owned);
        let row = |n: usize| {
            let status = if n.is_multiple_of(3) { "\"finalized by a vote\"" } else { "null" };
            vec![n.to_string(), status.to_owned(), "\"a\"".to_owned()]
        };
        let rows: Vec<_> = (0..9).map(row).collect();
        let (codes, short) = with_codes(&columns, &rows);
        assert_eq!(codes, [r#""status":["finalized by a vote",null]"#]);
        assert_eq!(short[0], ["0", "0", "\"a\""]);
        assert_eq!(short[1], ["1", "1", "\"a\""]);

        // Two rows of different texts.
        assert!(with_codes(&columns, &rows[..2]).0.is_empty());
    }
}
