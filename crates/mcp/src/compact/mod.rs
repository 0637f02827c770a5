//! Writes rows as tables, with as few tokens as possible.
//!
//! The input is rows as JSON objects. The output is a table as JSON, which contains each column name only once.
//!
//! If a column has the same value in all rows, the table contains this value once, outside the rows. If a column
//! contains evenly spaced whole numbers, such as times, the table contains only the start and the step. Columns with
//! translations, pictures, links or opaque ids are omitted, and the table lists their names. A long time series whose
//! rows are not all shown gets a summary. Rows that the caller selected with jq keep all values. Numbers keep the
//! digits that the service sent, except that `5.0` becomes `5`. jq programs still receive the complete rows.

mod codes;
mod columns;
mod informative;
mod nested;
mod object;

use crate::json::{Json, json_from_text, to_json};
use crate::tokens;

pub(crate) use columns::all_columns;
pub(crate) use object::{with_tables, without_noise};

use codes::with_codes;
use columns::columns;
use informative::{
    has_slug, is_accepted, is_opaque_id, is_picture_or_link, plain_number, shorten, translation,
};
use nested::Nested;

/// Minimum number of rows for a table. A single row is shorter as a JSON object.
const MIN_ROWS: usize = 2;
/// Minimum number of evenly spaced whole numbers in a column that is written as start and step, such as
/// `"time":{"from":0,"step":60}`. The last number of the column may break the even spacing. It then does not count
/// towards this minimum.
const MIN_STEPS: usize = 3;
/// Maximum number of attempts to fit more rows into the token budget, after a first estimate of the number of rows. The
/// estimate counts each text in full. But the JSON can contain a short index, such as `0`, in place of a repeated text,
/// so more rows may fit.
const MAX_REFILLS: usize = 3;
/// Maximum number of columns of a table with a summary. A table with more columns gets no summary, even if it is a time
/// series.
const SUMMARY_COLUMNS: usize = 6;
/// Minimum number of rows of a table with a summary. A time series with fewer rows gets no summary.
const SUMMARY_ROWS: usize = 40;

/// Rule that decides which fields of the rows become columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fields {
    /// The fields that are useful to an agent. Translations, pictures and most opaque ids are omitted. Links are
    /// omitted if the rows have an id. Repeated values are written once, and long texts and lists are shortened.
    Informative,
    /// All fields, unchanged, for rows that the caller selected with jq.
    All,
}

/// A column of evenly spaced whole numbers. It is written as start and step, such as `"time":{"from":0,"step":60}`.
#[derive(Debug)]
struct Steps {
    name: String,
    from: i64,
    step: i64,
    /// Value of the last row, if all values except the last are evenly spaced. An example is the time of an unfinished
    /// hour. `None` if all values are evenly spaced.
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

/// Table of rows, which can be written as JSON.
#[derive(Debug)]
pub(crate) struct Table {
    /// Columns with one value that is the same in all rows. Each entry is a JSON field such as `"asset":"BTC"`.
    same: Vec<String>,
    /// Names of columns that are null in all rows.
    empty: Vec<String>,
    /// Names of omitted columns. These columns contain pictures, links, translations of another column, or opaque ids.
    left_out: Vec<String>,
    /// Columns with the same values as an earlier column. Each entry is a JSON field: `"close_time":"end_time"` means
    /// that `close_time` has the values of `end_time`.
    equal: Vec<String>,
    /// Columns of evenly spaced whole numbers, such as 0, 60, 120. `rows` does not contain the values of these columns.
    steps: Vec<Steps>,
    /// True if the rows are a time series. This is the case if a column contains ascending or descending times.
    is_series: bool,
    /// True if [`Table::json`] may replace repeated texts and long numbers by short indexes. The JSON field `codes`
    /// contains the replaced values.
    has_codes: bool,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// True if a text or a list was shortened.
    pub(crate) shortened: bool,
}

impl Table {
    /// Builds a table. Returns `None` if there are fewer than two rows, if a row is not an object, or if the table has
    /// no column. With [`Fields::Informative`], a table of equal rows has no column.
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
            has_codes: fields == Fields::Informative,
            columns: Vec::new(),
            rows: vec![Vec::new(); rows.len()],
            shortened: false,
        };
        let translations: Vec<String> =
            names.iter().filter_map(|name| translation(name, &names)).collect();

        let slugs: Vec<String> =
            names.iter().filter(|name| has_slug(name, &names, &cells)).cloned().collect();

        let mut has_opaque_id = false;
        let whole: Vec<(String, Vec<String>)> = names.iter().cloned().zip(cells.clone()).collect();
        for (name, values) in names.into_iter().zip(cells) {
            let is_opaque_id = is_opaque_id(&values);
            let has_other = has_opaque_id || slugs.contains(&name) || !is_accepted(&name);
            let is_further_id = is_opaque_id && has_other;
            has_opaque_id |= is_opaque_id && !is_further_id;
            match fields {
                Fields::All => table.add(name, values),
                Fields::Informative if is_further_id || translations.contains(&name) => {
                    table.left_out.push(name);
                }
                Fields::Informative => table.add_informative(name, values, has_id, &whole),
            }
        }

        table.is_series = (0..table.columns.len())
            .any(|index| table.numbers(index).is_some_and(|numbers| is_time(&numbers)));
        if fields == Fields::Informative {
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

    fn add_informative(
        &mut self,
        name: String,
        values: Vec<String>,
        has_id: bool,
        row: &[(String, Vec<String>)],
    ) {
        if is_picture_or_link(&name, &values, has_id) {
            self.left_out.push(name);
            return;
        }

        let (name, values) = match Nested::new(&name, &values, row) {
            Some(nested) => {
                self.same.extend(nested.same);
                self.equal.extend(nested.equal);
                self.left_out.extend(nested.left_out);
                self.shortened |= nested.is_cut;
                let Some(column) = nested.column else { return };
                column
            }
            None => (name, values),
        };

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

    /// Moves columns of evenly spaced whole numbers from `rows` to `steps`. At least one column stays in `rows`.
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

    /// Returns the first number and the step of a column of evenly spaced whole numbers. If only the last number breaks
    /// the spacing, also returns the last number. For example, 0, 60, 120 and 150 give `(0, 60, Some(150))`. Returns
    /// `None` for other columns, and if fewer than [`MIN_STEPS`] numbers are evenly spaced.
    fn step(&self, column: usize) -> Option<(i64, i64, Option<i64>)> {
        let numbers: Option<Vec<i64>> =
            self.rows.iter().map(|row| row[column].parse().ok()).collect();
        let numbers = numbers?;
        let step = numbers[1].checked_sub(numbers[0])?;
        let is_even = |pair: &[i64]| pair[1].checked_sub(pair[0]) == Some(step);
        let (last, before) = numbers.split_last()?;
        let ends_evenly = is_even(&numbers[numbers.len() - 2..]);
        let is_long = numbers.len() >= MIN_STEPS && (ends_evenly || before.len() >= MIN_STEPS);
        (is_long && before.windows(2).all(is_even))
            .then(|| (numbers[0], step, (!ends_evenly).then_some(*last)))
    }

    /// Compares each column in `rows` with `values`, which contains one value per row. Returns the name of the first
    /// column with these values.
    fn equal_column(&self, values: &[String]) -> Option<&String> {
        let is_equal =
            |index: &usize| self.rows.iter().zip(values).all(|(row, value)| row[*index] == *value);
        let index = (0..self.columns.len()).find(is_equal)?;
        self.columns.get(index)
    }

    /// Estimates the number of rows at the start of the table that fit into `budget` tokens. The tokens of the JSON
    /// fields before the rows, such as the column names, also count.
    pub(crate) fn rows_within(&self, budget: usize) -> usize {
        let mut left = budget.saturating_sub(tokens::estimate(&self.head(true)));
        let fits = |row: &&Vec<String>| {
            let cost = tokens::estimate(&row.join(",")) + 1;
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        };
        let mut taken = self.rows.iter().take_while(fits).count();

        // Indexes in place of texts shorten the rows, so more rows may fit.
        for _ in 0..MAX_REFILLS {
            let cost = tokens::estimate(self.json(taken).get()).max(1);
            let more = (taken.saturating_mul(budget) / cost).min(self.rows.len());
            if more <= taken || tokens::estimate(self.json(more).get()) > budget {
                break;
            }
            taken = more;
        }
        taken
    }

    /// Returns the first `rows` rows as JSON. If there is only one column, each row is a plain value. If some rows of a
    /// long time series with few columns are omitted, the JSON contains a summary of all rows.
    pub(crate) fn json(&self, rows: usize) -> Json {
        let rows = &self.rows[..rows];
        let (codes, rows) = match self.has_codes {
            true => with_codes(&self.columns, rows),
            false => (Vec::new(), rows.to_vec()),
        };
        let row = |row: &Vec<String>| match row.as_slice() {
            [only] => only.clone(),
            cells => format!("[{}]", cells.join(",")),
        };
        let codes = match codes.as_slice() {
            [] => String::new(),
            codes => format!("\"codes\":{{{}}},", codes.join(",")),
        };
        let body: Vec<_> = rows.iter().map(row).collect();
        json_from_text(format!(
            "{{{}{codes}\"rows\":[{}]}}",
            self.head(rows.len() < self.rows.len()),
            body.join(",")
        ))
    }

    /// Returns at most `max_rows` rows as JSON. If rows are omitted, the field `rows_left_out` contains their number.
    pub(crate) fn cut_json(&self, max_rows: usize) -> Json {
        let json = self.json(max_rows.min(self.rows.len()));
        match self.rows.len().saturating_sub(max_rows) {
            0 => json,
            rest => {
                let members = json.get().strip_suffix('}').unwrap_or_default();
                json_from_text(format!("{members},\"rows_left_out\":{rest}}}"))
            }
        }
    }

    /// Returns the JSON fields that precede the rows. If `with_summary` is true, the fields include the summary of a
    /// long time series.
    fn head(&self, with_summary: bool) -> String {
        let mut head = String::new();
        if !self.same.is_empty() {
            head += &format!("\"same_in_all_rows\":{{{}}},", self.same.join(","));
        }
        // With a summary, the last row is not shown, so its deviating value is not needed.
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

    /// Returns the last, minimum and maximum value of each numeric column that is not a time. Returns `None` if the
    /// rows are not a long time series with few columns.
    fn summary(&self) -> Option<String> {
        let is_long = self.rows.len() >= SUMMARY_ROWS;
        if !self.is_series || !is_long || self.columns.len() > SUMMARY_COLUMNS {
            return None;
        }
        let lines = (0..self.columns.len()).filter_map(|index| {
            let numbers = self.numbers(index).filter(|numbers| !is_time(numbers))?;
            let by_value = |one: &usize, other: &usize| numbers[*one].total_cmp(&numbers[*other]);
            let least = (0..numbers.len()).min_by(by_value)?;
            let greatest = (0..numbers.len()).max_by(by_value)?;
            let text = |row: usize| self.rows[row][index].as_str();
            Some(format!(
                "{}:{{\"last\":{},\"min\":{},\"max\":{}}}",
                to_json(&self.columns[index]).get(),
                text(numbers.len() - 1),
                text(least),
                text(greatest)
            ))
        });
        let lines: Vec<_> = lines.collect();
        (!lines.is_empty()).then(|| lines.join(","))
    }

    /// Returns the values of a column as numbers. Returns `None` if a value is not a number.
    fn numbers(&self, column: usize) -> Option<Vec<f64>> {
        self.rows.iter().map(|row| row[column].parse::<f64>().ok()).collect()
    }
}

/// Returns true if the numbers are strictly ascending or descending, and each number is a plausible Unix time in
/// seconds or milliseconds.
fn is_time(numbers: &[f64]) -> bool {
    let in_range = |time: &f64| (9e8..4e9).contains(time) || (9e11..4e12).contains(time);
    numbers.iter().all(in_range)
        && (numbers.is_sorted_by(|one, next| one < next)
            || numbers.is_sorted_by(|one, next| one > next))
}
