//! A column whose cells are lists of objects.

use super::Fields;
use super::columns::columns;
use super::telling::{is_picture_or_link, plain_number};
use crate::json::{Json, to_json};

/// A column with lists of objects, whose fields are named once: `etfs[ticker,flow_usd]`. Each object is a list of values.
#[derive(Debug)]
pub(super) struct Nested {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    /// Fields that are equal in all objects, as JSON members: `"etfs.asset":"BTC"`.
    pub(super) same: Vec<String>,
    /// Fields that equal an earlier field, as JSON members.
    pub(super) equal: Vec<String>,
    /// Names of fields with pictures and links.
    pub(super) left_out: Vec<String>,
}

impl Nested {
    /// Reads the cells of a column. `None` if a cell is no list of objects, or no cell has an object. `row` are the columns
    /// around it.
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

        // Lists need a field.
        if kept.is_empty() {
            return None;
        }
        let mut item = 0;
        let lists = lists.iter().map(|list| {
            let objects = list.iter().map(|_| {
                let cells: Vec<_> =
                    kept.iter().map(|(_, cells)| plain_number(&cells[item])).collect();
                item += 1;
                format!("[{}]", cells.join(","))
            });
            format!("[{}]", objects.collect::<Vec<_>>().join(","))
        });
        let values = lists.collect();
        let fields: Vec<_> = kept.iter().map(|(field, _)| field.as_str()).collect();
        Some(Nested {
            name: format!("{name}[{}]", fields.join(",")),
            values,
            same,
            equal,
            left_out,
        })
    }
}

/// Index of the row of each object.
fn rows_of_items(lists: &[Vec<Json>]) -> impl Iterator<Item = usize> {
    lists.iter().enumerate().flat_map(|(row, list)| list.iter().map(move |_| row))
}
