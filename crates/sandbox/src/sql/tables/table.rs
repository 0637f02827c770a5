//! Tables and their rows.
//!
//! A table contains its columns, its days, and a source of rows. The SQL engine reads it day by day.

use crypto_intel_sql::{Column, Problem, Sink, Value};
use serde_json::{Value as Json, json};

use crate::context::Context;
use crypto_intel_world::timestamp::DAY;
use crypto_intel_world::value::Value as Given;
use crypto_intel_world::{HISTORY, Row};

/// Name of the column with the day.
pub(in crate::sql) const DATE: &str = "block_date";

/// Computes the rows of a table.
pub(in crate::sql) trait Source: Send + Sync {
    fn columns(&self) -> Vec<Column>;

    /// Passes the rows of a day since 1970, or all rows of a table without days.
    fn read(
        &self,
        ctx: &Context<'_>,
        day: i64,
        wanted: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), Problem>;
}

/// First and last day, counted from 1970.
pub(super) type Days = (i64, i64);

/// Counts rows without computing them.
pub(super) type Count = dyn Fn(&Context<'_>, Days) -> i64 + Send + Sync;

/// A table.
pub(in crate::sql) struct Table {
    /// Name without `agent.`.
    pub(in crate::sql) name: String,
    pub(super) source: Box<dyn Source>,
    /// Number of days in the table. `None` for a table without days.
    pub(in crate::sql) days: Option<i64>,
    /// Approximate rows per day, or in total for a table without days.
    pub(super) rows: i64,
    /// Counts the rows of some days, or all.
    pub(super) count: Box<Count>,
    /// True if queries must limit the days.
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

    /// Returns the first and last day with data within a time range.
    pub(in crate::sql) fn days_in(&self, span: (Option<i64>, Option<i64>), now: i64) -> (i64, i64) {
        let today = now.div_euclid(DAY);
        let Some(back) = self.days else { return (today, today) };
        let first = span.0.unwrap_or(i64::MIN).max(today - back);
        (first, span.1.unwrap_or(i64::MAX).min(today))
    }

    /// Estimates the number of rows within a time range.
    pub(in crate::sql) fn estimate(&self, span: (Option<i64>, Option<i64>), now: i64) -> Estimate {
        let (first, last) = self.days_in(span, now);
        let days = (last - first + 1).max(0);
        let rows = days.saturating_mul(self.rows);
        Estimate {
            // One part per month.
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

    /// Writes the description of the table in the schema response.
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

/// Rows per index mark.
const GRANULE: i64 = 8_192;

/// Cost of reading a table.
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

/// A column of rows of type `R`: name, type, comment, and a function that reads its value.
pub(super) type Cell<R> = (&'static str, &'static str, &'static str, fn(&R) -> Value);

/// Rows that are computed per day, with only the requested columns.
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

/// Rows of an endpoint. Each field is a column.
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

/// Converts a field to the value of a column. Days are Unix seconds, as in the service.
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

/// Number of days in tables with days.
pub(super) const DAYS: i64 = HISTORY / DAY;
