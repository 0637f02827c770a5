//! Writes rows with as few tokens as possible.
//!
//! In: rows as JSON objects. Out: a table whose column names are written once. Values that are equal in all rows are written
//! once beside the table. Pictures and links are left out, and their names are listed. A long series has a summary. Digits
//! stay as the service sent them. jq and `read_result` still see the whole rows.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::flatten::flatten;
use crate::json::{Json, Members, json_from_text, to_json};
use crate::tokens;

/// Minimum number of rows for a table. Fewer rows are shorter as objects.
const MIN_ROWS: usize = 3;
/// Nested objects deeper than this stay JSON in one cell.
const DEPTH: usize = 3;
/// Texts in a table are shortened to this number of characters.
const MAX_TEXT: usize = 200;
/// Maximum number of columns in the summary of a series.
const SUMMARY_COLUMNS: usize = 6;
/// Parts of the names of fields with pictures.
const PICTURES: &[&str] =
    &["image", "avatar", "logo", "icon", "banner", "thumbnail", "photo", "picture", "cover"];

/// Fields of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fields {
    /// Without pictures and links; equal values once; long texts shortened.
    Telling,
    /// All fields, each in its row, for rows that the caller selected with jq.
    All,
}

/// Rows as a table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Values that are equal in all rows, as JSON members.
    same: Vec<String>,
    /// Names of columns that are null in all rows.
    empty: Vec<String>,
    /// Names of columns with pictures, links, and translations of another column.
    left_out: Vec<String>,
    /// Columns whose values equal those of an earlier column, as JSON members: `"close_time":"end_time"`.
    equal: Vec<String>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether a text was shortened.
    pub(crate) shortened: bool,
}

impl Table {
    /// Builds a table; `None` if there are less than three rows or a row is no object.
    pub(crate) fn new(rows: &[Json], fields: Fields) -> Option<Table> {
        if rows.len() < MIN_ROWS {
            return None;
        }
        let (names, cells) = columns(rows, fields)?;
        let has_id = names.iter().any(|name| name == "id" || name.ends_with("_id"));

        let mut table = Table {
            same: Vec::new(),
            empty: Vec::new(),
            left_out: Vec::new(),
            equal: Vec::new(),
            columns: Vec::new(),
            rows: vec![Vec::new(); rows.len()],
            shortened: false,
        };
        let translations: Vec<String> =
            names.iter().filter_map(|name| translation(name, &names)).collect();
        for (name, values) in names.into_iter().zip(cells) {
            if fields == Fields::Telling && translations.contains(&name) {
                table.left_out.push(name);
                continue;
            }
            match fields {
                Fields::Telling => table.add_telling(name, values, has_id),
                Fields::All => table.add(name, values),
            }
        }
        // A table needs a column. Rows that are all equal are shorter as objects, too.
        (!table.columns.is_empty()).then_some(table)
    }

    fn add(&mut self, name: String, values: Vec<String>) {
        self.columns.push(name);
        for (row, value) in self.rows.iter_mut().zip(values) {
            row.push(value);
        }
    }

    fn add_telling(&mut self, name: String, values: Vec<String>, has_id: bool) {
        if is_picture_or_link(&name, &values, has_id) {
            self.left_out.push(name);
            return;
        }

        let (name, values) = with_nested_columns(name, values);
        if values.iter().all(|value| value == "null") {
            self.empty.push(name);
        } else if values.iter().all(|value| *value == values[0]) {
            let (value, shortened) = shorten(&values[0]);
            self.shortened |= shortened;
            self.same.push(format!("{}:{value}", to_json(&name).get()));
        } else if let Some(other) = self.equal_column(&values) {
            self.equal.push(format!("{}:{}", to_json(&name).get(), to_json(other).get()));
        } else {
            let short = values.iter().map(|value| shorten(value));
            let (values, shortened): (Vec<_>, Vec<_>) = short.unzip();
            self.shortened |= shortened.contains(&true);
            self.add(name, values);
        }
    }

    /// Name of the column that has these values.
    fn equal_column(&self, values: &[String]) -> Option<&String> {
        let is_equal =
            |index: &usize| self.rows.iter().zip(values).all(|(row, value)| row[*index] == *value);
        let index = (0..self.columns.len()).find(is_equal)?;
        self.columns.get(index)
    }

    /// Number of rows that fit `budget` tokens, from the first.
    pub(crate) fn rows_within(&self, budget: usize) -> usize {
        let mut left = budget.saturating_sub(tokens::estimate(&self.head(true)));
        let fits = |row: &&Vec<String>| {
            let cost = tokens::estimate(&row.join(",")) + 1;
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        };
        self.rows.iter().take_while(fits).count()
    }

    /// The first rows as JSON. If rows are left out and the rows are a series, a summary of all rows comes first.
    pub(crate) fn json(&self, rows: usize) -> Json {
        let body: Vec<_> =
            self.rows[..rows].iter().map(|row| format!("[{}]", row.join(","))).collect();
        json_from_text(format!(
            "{{{}\"rows\":[{}]}}",
            self.head(rows < self.rows.len()),
            body.join(",")
        ))
    }

    /// All members before the rows.
    fn head(&self, with_summary: bool) -> String {
        let mut head = String::new();
        if !self.same.is_empty() {
            head += &format!("\"same_in_all_rows\":{{{}}},", self.same.join(","));
        }
        if !self.equal.is_empty() {
            head += &format!("\"equal_columns\":{{{}}},", self.equal.join(","));
        }
        for (name, columns) in [("null_in_all_rows", &self.empty), ("left_out", &self.left_out)] {
            if !columns.is_empty() {
                head += &format!("\"{name}\":{},", to_json(columns).get());
            }
        }
        if let Some(summary) = self.summary().filter(|_| with_summary) {
            head += &format!("\"summary\":{{{summary}}},");
        }
        head + &format!("\"columns\":{},", to_json(&self.columns).get())
    }

    /// First, last, least and greatest value of each numeric column, if the rows are a series in time.
    fn summary(&self) -> Option<String> {
        let is_time = |index: usize| self.numbers(index).is_some_and(|numbers| is_time(&numbers));
        let time = (0..self.columns.len()).find(|index| is_time(*index))?;
        let lines = (0..self.columns.len()).filter(|index| *index != time).filter_map(|index| {
            let numbers = self.numbers(index)?;
            let by_value = |one: &usize, other: &usize| numbers[*one].total_cmp(&numbers[*other]);
            let least = (0..numbers.len()).min_by(by_value)?;
            let greatest = (0..numbers.len()).max_by(by_value)?;
            let text = |row: usize| self.rows[row][index].as_str();
            let last = numbers.len() - 1;
            Some(format!(
                "{}:{{\"first\":{},\"last\":{},\"min\":{},\"max\":{}}}",
                to_json(&self.columns[index]).get(),
                text(0),
                text(last),
                text(least),
                text(greatest)
            ))
        });
        let lines: Vec<_> = lines.take(SUMMARY_COLUMNS).collect();
        (!lines.is_empty()).then(|| lines.join(","))
    }

    /// Values of a column, if all are numbers.
    fn numbers(&self, column: usize) -> Option<Vec<f64>> {
        self.rows.iter().map(|row| row[column].parse::<f64>().ok()).collect()
    }
}

/// Returns the name if the column is a translation of an English column: `summary.zh` beside `summary.en`.
fn translation(name: &str, names: &[String]) -> Option<String> {
    let (above, language) = name.rsplit_once('.')?;
    let is_language = language.len() == 2
        && language != "en"
        && language.bytes().all(|byte| byte.is_ascii_lowercase());
    let english = format!("{above}.en");
    (is_language && names.contains(&english)).then(|| name.to_owned())
}

/// Returns true for ascending or descending numbers that can be Unix times in seconds or milliseconds.
fn is_time(numbers: &[f64]) -> bool {
    let in_range = |time: &f64| (9e8..4e9).contains(time) || (9e11..4e12).contains(time);
    numbers.iter().all(in_range)
        && (numbers.is_sorted_by(|one, next| one < next)
            || numbers.is_sorted_by(|one, next| one > next))
}

/// All columns of rows: dotted names of nested fields, and JSON texts. `None` if a row is no object.
pub(crate) fn all_columns(rows: &[Json]) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    columns(rows, Fields::Telling)
}

/// Names of all columns in order of appearance, and their values. A field that a row lacks is null.
fn columns(rows: &[Json], fields: Fields) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let mut names: Vec<String> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut values: Vec<Vec<String>> = Vec::new();

    for (row, json) in rows.iter().enumerate() {
        for cell in flatten(json, if fields == Fields::All { 1 } else { DEPTH })? {
            let column = *index.entry(cell.path.clone()).or_insert_with(|| {
                names.push(cell.path);
                values.push(vec!["null".to_owned(); rows.len()]);
                names.len() - 1
            });
            values[column][row] = cell.json;
        }
    }

    // A field that is an object in one row and null in another has a column that is null everywhere.
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

/// Writes the names of a column with lists of objects once: `etfs[ticker,flow_usd]`, and each object as a list of values.
fn with_nested_columns(name: String, values: Vec<String>) -> (String, Vec<String>) {
    // Pictures of the inner objects are left out with their columns.
    let lists: Option<Vec<Vec<Json>>> =
        values.iter().map(|value| serde_json::from_str(value).ok()).collect();
    let Some(lists) = lists else { return (name, values) };
    let items: Vec<Json> = lists.iter().flatten().cloned().collect();
    let Some((names, cells)) = columns(&items, Fields::All).filter(|(names, _)| !names.is_empty())
    else {
        return (name, values);
    };

    let mut item = 0;
    let short = lists.iter().map(|list| {
        let items = list.iter().map(|_| {
            let cells: Vec<_> = cells.iter().map(|column| column[item].as_str()).collect();
            item += 1;
            format!("[{}]", cells.join(","))
        });
        format!("[{}]", items.collect::<Vec<_>>().join(","))
    });
    let short = short.collect();
    (format!("{name}[{}]", names.join(",")), short)
}

/// Returns true for pictures, and for links in rows that have an identifier.
fn is_picture_or_link(name: &str, values: &[String], has_id: bool) -> bool {
    let mut present = values.iter().filter(|value| *value != "null" && *value != "[]").peekable();
    if present.peek().is_none() {
        return false;
    }
    let is_url = |value: &String| {
        let text = value.trim_start_matches(['[', '"']);
        text.starts_with("http://") || text.starts_with("https://")
    };
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_picture = PICTURES.iter().any(|part| last.contains(part));
    let is_media = |value: &String| value.starts_with("[{") && value.contains("://");
    let is_media_list = last == "media" && values.iter().any(is_media);
    is_media_list || (present.all(is_url) && (is_picture || has_id))
}

/// Shortens a long text, and returns whether it was shortened.
fn shorten(json: &str) -> (String, bool) {
    if json.len() <= MAX_TEXT || !json.starts_with('"') {
        return (json.to_owned(), false);
    }
    let Ok(text) = serde_json::from_str::<String>(json) else { return (json.to_owned(), false) };
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else { return (json.to_owned(), false) };
    let rest = text[end..].chars().count();
    (to_json(&format!("{}… (+{rest} characters)", &text[..end])).get().to_owned(), true)
}

/// Writes the lists of three or more objects inside a single object as tables. `None` if the value is no object.
pub(crate) fn one(value: &RawValue) -> Option<Json> {
    let Members(members) = serde_json::from_str(value.get()).ok()?;
    let shown = members.iter().map(|(name, value)| {
        let json = table_of_list(value).unwrap_or_else(|| (*value).to_owned());
        format!("{}:{}", to_json(name).get(), json.get())
    });
    let body = shown.collect::<Vec<_>>().join(",");
    RawValue::from_string(format!("{{{body}}}")).ok()
}

fn table_of_list(value: &RawValue) -> Option<Json> {
    let rows: Vec<Json> = serde_json::from_str(value.get()).ok()?;
    Table::new(&rows, Fields::Telling).map(|table| table.json(rows.len()))
}
