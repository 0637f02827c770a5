//! Writes rows with as few tokens as possible.
//!
//! In: rows as JSON objects. Out: a table whose column names are written once. Values that are equal in all rows are written
//! once beside the table, and so are evenly spaced times. Pictures, links and further opaque ids are left out, and their names
//! are listed. A long series has a summary. Digits stay as the service sent them, but `5.0` is written `5`. jq still sees the
//! whole rows.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::flatten::{Figures, flatten};
use crate::json::{Json, Members, json_from_text, to_json};
use crate::tokens;

/// Minimum number of rows for a table. Fewer rows are shorter as objects.
const MIN_ROWS: usize = 3;
/// Nested objects deeper than this stay JSON in one cell.
const DEPTH: usize = 3;
/// Texts in a table are shortened to this number of characters.
const MAX_TEXT: usize = 100;
/// Lists in a table are shortened to this number of items if they have more than [`MAX_LIST`] characters.
const MAX_ITEMS: usize = 3;
const MAX_LIST: usize = 40;
/// Maximum number of columns in the summary of a series.
const SUMMARY_COLUMNS: usize = 6;
/// Parts of field names that mean a picture.
const PICTURES: &[&str] =
    &["image", "avatar", "logo", "icon", "banner", "thumbnail", "photo", "picture", "cover"];

/// Fields of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fields {
    /// Without pictures, links and further ids. Equal values and even steps are written once, and long texts are
    /// shortened.
    Telling,
    /// All fields, each in its row, for rows that the caller selected with jq.
    All,
}

/// A column of whole numbers with equal differences: `"time":{"from":0,"step":60}`.
#[derive(Debug)]
struct Steps {
    name: String,
    from: i64,
    step: i64,
    /// Value of the last row if only that row deviates, such as the time of an unfinished hour.
    last: Option<i64>,
}

impl Steps {
    fn json(&self, with_last: bool) -> String {
        let last = self.last.filter(|_| with_last);
        let last = last.map(|last| format!(",\"last\":{last}")).unwrap_or_default();
        let name = to_json(&self.name);
        format!("{name}:{{\"from\":{},\"step\":{}{last}}}", self.from, self.step)
    }
}

/// Rows as a table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Values that are equal in all rows, as JSON fields.
    same: Vec<String>,
    /// Names of columns that are null in all rows.
    empty: Vec<String>,
    /// Names of columns with pictures, links, and translations of another column.
    left_out: Vec<String>,
    /// Columns whose values equal those of an earlier column, as JSON fields: `"close_time":"end_time"`.
    equal: Vec<String>,
    /// Columns of whole numbers with equal differences.
    steps: Vec<Steps>,
    /// Whether a column contains ascending or descending times.
    is_series: bool,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether a text was shortened.
    pub(crate) shortened: bool,
}

impl Table {
    /// Builds a table; `None` if there are less than three rows or a row is not an object.
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
            steps: Vec::new(),
            is_series: false,
            columns: Vec::new(),
            rows: vec![Vec::new(); rows.len()],
            shortened: false,
        };
        let translations: Vec<String> =
            names.iter().filter_map(|name| translation(name, &names)).collect();

        let mut has_opaque_id = false;
        for (name, values) in names.into_iter().zip(cells) {
            let is_opaque_id = is_opaque_id(&values);
            let is_further_id = is_opaque_id && (has_opaque_id || name.ends_with("hash"));
            has_opaque_id |= is_opaque_id && !is_further_id;
            match fields {
                Fields::All => table.add(name, values),
                Fields::Telling if is_further_id || translations.contains(&name) => {
                    table.left_out.push(name);
                }
                Fields::Telling => table.add_telling(name, values, has_id),
            }
        }

        table.is_series = (0..table.columns.len())
            .any(|index| table.numbers(index).is_some_and(|numbers| is_time(&numbers)));
        if fields == Fields::Telling {
            table.take_steps();
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
        let values: Vec<String> =
            values.iter().map(|value| plain_number(value).to_owned()).collect();
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

    /// Moves columns with equal differences out of the rows. One column stays.
    fn take_steps(&mut self) {
        let mut index = 0;
        while index < self.columns.len() && self.columns.len() > 1 {
            let Some((from, step, last)) = self.step(index) else {
                index += 1;
                continue;
            };
            let name = self.columns.remove(index);
            self.rows.iter_mut().for_each(|row| drop(row.remove(index)));
            self.steps.push(Steps { name, from, step, last });
        }
    }

    /// First value, difference, and a last value that differs, of a column of whole numbers with equal differences.
    fn step(&self, column: usize) -> Option<(i64, i64, Option<i64>)> {
        let numbers: Option<Vec<i64>> =
            self.rows.iter().map(|row| row[column].parse().ok()).collect();
        let numbers = numbers?;
        let step = numbers[1].checked_sub(numbers[0])?;
        let is_even = |pair: &[i64]| pair[1].checked_sub(pair[0]) == Some(step);
        let (last, before) = numbers.split_last()?;
        let ends_evenly = is_even(&numbers[numbers.len() - 2..]);
        let is_long = ends_evenly || before.len() >= MIN_ROWS;
        (is_long && before.windows(2).all(is_even))
            .then(|| (numbers[0], step, (!ends_evenly).then_some(*last)))
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

    /// The first rows as JSON. Rows of one column are plain values. If rows are left out and the rows are a series, a summary of all rows comes first.
    pub(crate) fn json(&self, rows: usize) -> Json {
        let row = |row: &Vec<String>| match row.as_slice() {
            [only] => only.clone(),
            cells => format!("[{}]", cells.join(",")),
        };
        let body: Vec<_> = self.rows[..rows].iter().map(row).collect();
        json_from_text(format!(
            "{{{}\"rows\":[{}]}}",
            self.head(rows < self.rows.len()),
            body.join(",")
        ))
    }

    /// All fields before the rows.
    fn head(&self, with_summary: bool) -> String {
        let mut head = String::new();
        if !self.same.is_empty() {
            head += &format!("\"same_in_all_rows\":{{{}}},", self.same.join(","));
        }
        // With a summary, not all rows are shown.
        let steps: Vec<_> = self.steps.iter().map(|steps| steps.json(!with_summary)).collect();
        for (name, members) in [("equal_columns", &self.equal), ("steps", &steps)] {
            if !members.is_empty() {
                head += &format!("\"{name}\":{{{}}},", members.join(","));
            }
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
        if !self.is_series {
            return None;
        }
        let lines = (0..self.columns.len()).filter_map(|index| {
            let numbers = self.numbers(index).filter(|numbers| !is_time(numbers))?;
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

/// All columns of rows for computations: dotted names of nested fields, and JSON texts. `None` if a row is not an object.
pub(crate) fn all_columns(rows: &[Json]) -> Option<Columns> {
    columns_of(rows, DEPTH, Figures::ValueAndStatus)
}

fn columns(rows: &[Json], fields: Fields) -> Option<Columns> {
    columns_of(rows, if fields == Fields::All { 1 } else { DEPTH }, Figures::ValueOrStatus)
}

/// Names of columns, and their values.
type Columns = (Vec<String>, Vec<Vec<String>>);

/// Names of all columns in order of appearance, and their values. A field that a row lacks is null.
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
            let cells: Vec<_> = cells.iter().map(|column| plain_number(&column[item])).collect();
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

/// Returns true for ids without meaning for a reader: UUIDs, hashes, very long numbers, and lists of them. A table
/// shows only the first column of such ids, which identifies the row, and no transaction hashes.
fn is_opaque_id(values: &[String]) -> bool {
    let is_opaque = |text: &str| {
        let hash = text.strip_prefix("0x").filter(|hash| hash.len() == 64);
        let is_hex =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_uuid =
            text.len() == 36 && text.split('-').count() == 5 && text.split('-').all(is_hex);
        is_uuid
            || hash.is_some_and(is_hex)
            || (text.len() > 30 && text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut texts = values
        .iter()
        .filter(|value| *value != "null" && *value != "[]")
        .flat_map(|value| value.split(',').map(|part| part.trim_matches(['[', ']', '"'])))
        .peekable();
    texts.peek().is_some() && texts.all(is_opaque)
}

/// A number without the `.0` of a whole one.
fn plain_number(json: &str) -> &str {
    let whole = json.strip_suffix(".0").unwrap_or(json);
    let is_number = whole.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if is_number { whole } else { json }
}

/// Shortens a long text or list, and returns whether it was shortened.
fn shorten(json: &str) -> (String, bool) {
    if json.len() > MAX_LIST
        && let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json)
        && items.len() > MAX_ITEMS
    {
        let first: Vec<_> = items[..MAX_ITEMS].iter().map(|item| item.get()).collect();
        let rest = items.len() - MAX_ITEMS;
        return (format!("[{},\"… (+{rest} items)\"]", first.join(",")), true);
    }
    if json.len() <= MAX_TEXT {
        return (json.to_owned(), false);
    }
    let Ok(text) = serde_json::from_str::<String>(json) else { return (json.to_owned(), false) };
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else { return (json.to_owned(), false) };
    let rest = text[end..].chars().count();
    (to_json(&format!("{}… (+{rest} characters)", &text[..end])).get().to_owned(), true)
}

/// Writes the lists of three or more objects inside a single object as tables. `None` if the value is not an object.
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
