//! Definition of a SQL table, and of its rows.
//!
//! A table has a name, columns, a range of days, and a source that generates its rows. The SQL engine reads a table day
//! by day.

use crypto_intel_sql::{Column, Problem, Sink, Value};
use serde_json::{Value as Json, json};

use crate::context::Context;
use crypto_intel_world::timestamp::DAY;
use crypto_intel_world::value::Value as Given;
use crypto_intel_world::{HISTORY, Row};

/// Name of the column that contains the day of a row.
pub(in crate::sql) const DATE: &str = "block_date";

/// Source that generates the rows of a SQL table.
pub(in crate::sql) trait Source: Send + Sync {
    fn columns(&self) -> Vec<Column>;

    /// Generates the rows of a day, and passes them to `sink`. `day` is the number of days since 1970-01-01. `wanted`
    /// contains the indexes of the columns to generate. If the rows of the table do not belong to days, the source
    /// ignores `day` and generates all rows.
    ///
    /// # Errors
    /// Returns the errors of `sink`.
    fn read(
        &self,
        ctx: &Context<'_>,
        day: i64,
        wanted: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), Problem>;
}

/// First and last day of a range, in days since 1970-01-01.
pub(super) type Days = (i64, i64);

/// Function that returns the number of rows within a range of days without generating the rows.
pub(super) type Count = dyn Fn(&Context<'_>, Days) -> i64 + Send + Sync;

/// A SQL table.
pub(in crate::sql) struct Table {
    /// Name of the table without the prefix `agent.`.
    pub(in crate::sql) name: String,
    pub(super) source: Box<dyn Source>,
    /// Number of days before today for which the table has rows. `None` if the rows do not belong to days, as in the
    /// table `tokens`.
    pub(in crate::sql) days: Option<i64>,
    /// Approximate number of rows per day. If the rows do not belong to days, this is the total number of rows.
    pub(super) rows: i64,
    /// Function that counts the rows within a range of days. If the rows do not belong to days, the function counts all
    /// rows.
    pub(super) count: Box<Count>,
    /// True if every query on this table must set the first day that it reads, for example with
    /// `block_date >= today() - 7`. This day must be at most 365 days before the last day that the query reads.
    pub(in crate::sql) is_large: bool,
    pub(super) key: &'static str,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Table {
    pub(in crate::sql) fn columns(&self) -> Vec<Column> {
        self.source.columns()
    }

    /// Returns the first and last day of `span` for which the table has rows. If no such day exists, the first day is
    /// after the last day. If `self.days` is `None`, both returned days are today. Days are counted since 1970-01-01,
    /// and `now` is in Unix seconds.
    pub(in crate::sql) fn days_in(&self, span: (Option<i64>, Option<i64>), now: i64) -> (i64, i64) {
        let today = now.div_euclid(DAY);
        let Some(back) = self.days else { return (today, today) };
        let first = span.0.unwrap_or(i64::MIN).max(today - back);
        (first, span.1.unwrap_or(i64::MAX).min(today))
    }

    /// Estimates how many rows, bytes, index marks and parts a query reads from the table. `span` contains the first
    /// and the last day that the query reads, as days since 1970-01-01, or `None` without a limit. `now` is in Unix
    /// seconds.
    pub(in crate::sql) fn estimate(&self, span: (Option<i64>, Option<i64>), now: i64) -> Estimate {
        let (first, last) = self.days_in(span, now);
        let days = (last - first + 1).max(0);
        let rows = days.saturating_mul(self.rows);
        Estimate {
            // A table has one part per month of data.
            parts: if rows == 0 { 0 } else { days / 30 + 1 },
            rows,
            marks: (rows + GRANULE - 1) / GRANULE,
            bytes: rows.saturating_mul(self.row_bytes()),
        }
    }

    fn row_bytes(&self) -> i64 {
        self.columns().iter().map(|column| if column.ty.contains("String") { 40 } else { 8 }).sum()
    }

    pub(in crate::sql) fn read(
        &self,
        ctx: &Context<'_>,
        day: i64,
        wanted: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), Problem> {
        self.source.read(ctx, day, wanted, sink)
    }

    /// Returns the JSON object that describes the table in the response of the operation `onchain-schema`.
    pub(in crate::sql) fn described(&self, ctx: &Context<'_>) -> Json {
        let columns: Vec<_> = self
            .columns()
            .iter()
            .map(
                |column| json!({"name": column.name, "type": column.ty, "comment": column.comment}),
            )
            .collect();
        let rows = (self.count)(ctx, self.days_in((None, None), ctx.now));
        json!({
            "database": "agent", "table": self.name, "columns": columns,
            "engine": "MergeTree",
            "partition_key": if self.days.is_some() { "toYYYYMM(block_date)" } else { "" },
            "primary_key": self.key, "sorting_key": self.key,
            "total_bytes": rows.saturating_mul(self.row_bytes()), "total_rows": rows,
            "physical_sources": [{
                "database": "agent", "table": self.name, "engine": "MergeTree",
            }],
        })
    }
}

/// Number of rows for which the primary index of a table has one entry. This entry is called a mark.
const GRANULE: i64 = 8_192;

/// Estimated cost of reading a table: the number of parts, rows, index marks and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::sql) struct Estimate {
    pub(in crate::sql) parts: i64,
    pub(in crate::sql) rows: i64,
    pub(in crate::sql) marks: i64,
    pub(in crate::sql) bytes: i64,
}

impl Estimate {
    pub(in crate::sql) fn json(self) -> Json {
        json!({"parts": self.parts, "rows": self.rows, "marks": self.marks, "bytes": self.bytes})
    }

    pub(in crate::sql) fn plus(self, other: Estimate) -> Estimate {
        Estimate {
            parts: self.parts + other.parts,
            rows: self.rows.saturating_add(other.rows),
            marks: self.marks + other.marks,
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

/// A column of a table whose rows have the type `R`. It consists of a name, a SQL type, a comment, and a function that
/// returns the column's value for a row.
pub(super) type Cell<R> = (&'static str, &'static str, &'static str, fn(&R) -> Value);

/// Source that generates the rows of a table day by day. Generates only the requested columns.
pub(super) struct Daily<R: 'static> {
    pub(super) cells: &'static [Cell<R>],
    pub(super) chain: &'static str,
    pub(super) make: fn(&Context<'_>, &'static str, i64) -> Vec<R>,
}

impl<R: 'static> Source for Daily<R> {
    fn columns(&self) -> Vec<Column> {
        let columns = self.cells.iter();
        columns.map(|(name, ty, comment, _)| Column { name: (*name).into(), ty, comment }).collect()
    }

    fn read(
        &self,
        ctx: &Context<'_>,
        day: i64,
        wanted: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), Problem> {
        for row in (self.make)(ctx, self.chain, day) {
            sink(wanted.iter().map(|at| (self.cells[*at].3)(&row)).collect())?;
        }
        Ok(())
    }
}

/// Source whose rows are records, such as the rows of a data endpoint. Each column is a field of the record.
pub(super) struct Shown {
    pub(super) columns: &'static [(&'static str, &'static str, &'static str)],
    pub(super) make: fn(&Context<'_>, i64) -> Vec<Row>,
}

impl Source for Shown {
    fn columns(&self) -> Vec<Column> {
        let columns = self.columns.iter();
        columns.map(|(name, ty, comment)| Column { name: (*name).into(), ty, comment }).collect()
    }

    fn read(
        &self,
        ctx: &Context<'_>,
        day: i64,
        wanted: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), Problem> {
        for row in (self.make)(ctx, day) {
            let row = row.whole();
            let cell = |at: &usize| value(row.given.get(self.columns[*at].0), self.columns[*at].1);
            sink(wanted.iter().map(cell).collect())?;
        }
        Ok(())
    }
}

/// Converts a field of a record to the value of a column with the SQL type `ty`. If `ty` is `Date`, the field must
/// contain a time in Unix seconds.
fn value(member: Option<&Given>, ty: &str) -> Value {
    match member {
        None | Some(Given::Null) => Value::Null,
        Some(Given::Bool(truth)) => Value::Int(i128::from(*truth)),
        Some(Given::Number(number)) => match number.as_i64() {
            Some(time) if ty == "Date" => Value::Int(time.div_euclid(DAY).into()),
            Some(whole) => Value::Int(whole.into()),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
        Some(Given::String(text)) => Value::text(text),
        Some(nested) => Value::text(serde_json::Value::from(nested.clone()).to_string()),
    }
}

/// Number of days before today for which most tables have rows.
pub(super) const DAYS: i64 = HISTORY / DAY;
