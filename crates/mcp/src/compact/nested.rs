//! Shortens a column that contains lists of objects.

use super::Fields;
use super::columns::columns;
use super::informative::{MAX_ITEMS, is_picture_or_link, plain_number};
use crate::json::{Json, to_json};

/// A column with lists of objects. The column name contains the field names of the objects, such as
/// `etfs[ticker,flow_usd]`. Each object in a cell becomes a list of values without field names.
#[derive(Debug)]
pub(super) struct Nested {
    /// Name of the shortened column, and its value in each row. `None` if the lists `same`, `equal` and `left_out`
    /// contain all fields of the objects.
    pub(super) column: Option<(String, Vec<String>)>,
    /// Fields that have the same value in all objects of the column. Each entry is a JSON field such as
    /// `"etfs.asset":"BTC"`.
    pub(super) same: Vec<String>,
    /// Fields that repeat another value. Each entry is a JSON field. `"etfs.day":"day"` means that the field `day` of
    /// each object has the value of the column `day` in the same row. `"etfs.b":"etfs.a"` means that the field `b` of
    /// each object has the value of the field `a` in the same object.
    pub(super) equal: Vec<String>,
    /// Names of omitted fields, such as `etfs.logo_url`. The values of these fields are pictures or links.
    pub(super) left_out: Vec<String>,
    /// True if the cells contain only the first objects of longer lists. The column name then contains the original
    /// list lengths, such as `first 3 of 4 to 6 items`.
    pub(super) is_cut: bool,
}

impl Nested {
    /// Shortens the cells of the column `name`. `row` contains the names and values of all columns of the table.
    /// Returns `None` in these cases:
    ///
    /// - A cell is not a list of objects.
    /// - The lists contain no field.
    /// - The lists `same`, `equal` and `left_out` of the result would contain all fields, so that no column remains.
    ///   The table can then not show the lengths of the lists. This case does not apply if each list has exactly one
    ///   object.
    pub(super) fn new(
        name: &str,
        values: &[String],
        row: &[(String, Vec<String>)],
    ) -> Option<Nested> {
        let lists: Option<Vec<Vec<Json>>> =
            values.iter().map(|value| serde_json::from_str(value).ok()).collect();
        let lists = lists?;
        let items: Vec<Json> = lists.iter().flatten().cloned().collect();
        let (names, cells) = columns(&items, Fields::All).filter(|(names, _)| !names.is_empty())?;

        let (mut same, mut equal, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept: Vec<(&String, &Vec<String>)> = Vec::new();
        for (field, cells) in names.iter().zip(&cells) {
            let member =
                |value: &str| format!("{}:{value}", to_json(&format!("{name}.{field}")).get());
            let earlier = kept.iter().find(|(_, others)| *others == cells);
            let is_of_row = |(outer, values): &&(String, Vec<String>)| {
                outer == field
                    && rows_of_items(&lists).zip(cells).all(|(row, cell)| values[row] == *cell)
            };
            if row.iter().any(|column| is_of_row(&column)) {
                equal.push(member(to_json(field).get()));
            } else if is_picture_or_link(field, cells, true) {
                left_out.push(format!("{name}.{field}"));
            } else if items.len() > 1 && cells.iter().all(|cell| *cell == cells[0]) {
                same.push(member(plain_number(&cells[0])));
            } else if let Some((other, _)) = earlier {
                equal.push(member(to_json(&format!("{name}.{other}")).get()));
            } else {
                kept.push((field, cells));
            }
        }

        // If no field remains, the lengths of the lists are not shown, so all lists must have one object.
        if kept.is_empty() {
            let is_single = lists.iter().all(|list| list.len() == 1);
            let is_cut = false;
            return is_single.then_some(Nested { column: None, same, equal, left_out, is_cut });
        }
        let lengths = || lists.iter().map(Vec::len);
        let (least, greatest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        let is_cut = greatest > MAX_ITEMS + 1;
        let shown = if is_cut { MAX_ITEMS } else { greatest };
        let mut item = 0;
        let values = lists.iter().map(|list| {
            let objects = (item..item + list.len()).take(shown).map(|item| {
                let cells: Vec<_> =
                    kept.iter().map(|(_, cells)| plain_number(&cells[item])).collect();
                format!("[{}]", cells.join(","))
            });
            let objects = objects.collect::<Vec<_>>().join(",");
            item += list.len();
            format!("[{objects}]")
        });

        let values = values.collect();
        let fields: Vec<_> = kept.iter().map(|(field, _)| field.as_str()).collect();
        let note = match is_cut {
            true if least == greatest => format!(" first {MAX_ITEMS} of {least} items"),
            true => format!(" first {MAX_ITEMS} of {least} to {greatest} items"),
            false => String::new(),
        };
        let column = Some((format!("{name}[{}]{note}", fields.join(",")), values));
        Some(Nested { column, same, equal, left_out, is_cut })
    }
}

/// Iterates over the objects of all lists. For each object, returns the index of the row that contains the object.
fn rows_of_items(lists: &[Vec<Json>]) -> impl Iterator<Item = usize> {
    lists.iter().enumerate().flat_map(|(row, list)| list.iter().map(move |_| row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(values: &[&str], row: &[(String, Vec<String>)]) -> Nested {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        Nested::new("list", &values, row).expect("lists of objects")
    }

    #[test]
    fn lists_are_cut_to_their_first_objects_and_the_name_says_so() {
        let four = r#"[{"a":1},{"a":2},{"a":3},{"a":4}]"#;
        let six = r#"[{"a":1},{"a":2},{"a":3},{"a":4},{"a":5},{"a":6}]"#;
        let (name, values) = nested(&[four, six], &[]).column.expect("a column");
        assert_eq!(name, "list[a] first 3 of 4 to 6 items");
        assert_eq!(values, ["[[1],[2],[3]]", "[[1],[2],[3]]"]);
        assert!(!nested(&[four, four], &[]).is_cut);
    }

    #[test]
    fn lists_that_repeat_their_row_need_no_column() {
        let row = [("a".to_owned(), vec!["1".to_owned(), "2".to_owned()])];
        let repeated = nested(&[r#"[{"a":1}]"#, r#"[{"a":2}]"#], &row);
        assert!(repeated.column.is_none());
        assert_eq!(repeated.equal, [r#""list.a":"a""#]);
    }
}
