//! The tables that queries read: traits that the user of the engine implements.

use std::borrow::Cow;
use std::sync::Arc;

use crate::problem::Problem;
use crate::value::Value;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name of the column.
    pub name: Cow<'static, str>,
    /// The type as in `CREATE TABLE`, for example `Nullable(Float64)`: see [`Type::read`](crate::Type::read).
    pub ty: &'static str,
    /// A description for `DESCRIBE TABLE`.
    pub comment: &'static str,
}

/// First and last day to read, counted from 1970-01-01. `None` for a bound that the query does not set.
pub type Span = (Option<i64>, Option<i64>);

/// Receives one row: one value for each requested column, in the order of the request. Each value has the type of
/// its column.
pub type Sink<'a> = dyn FnMut(Vec<Value>) -> Result<(), Problem> + 'a;

/// The column that contains the day of a row. Tables are read day by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The name of the column, whose type is `Date`.
    pub column: &'static str,
    /// The name of the `DateTime` column with the time of the row, if the table has one.
    pub time: Option<&'static str>,
    /// Maximum number of days that a query may read. The query must then set a first day. `None` if the table may be
    /// read without bounds.
    pub most_days: Option<i64>,
}

/// A table that queries can read.
pub trait Table: Send + Sync {
    /// Returns the columns of the table.
    fn columns(&self) -> Vec<Column>;

    /// Returns the column that contains the day, if the table has one.
    fn window(&self) -> Option<Window>;

    /// Returns the first and last existing day of a range. A table without a day column returns the same day twice.
    fn days(&self, span: Span) -> (i64, i64);

    /// Estimates the number of rows in a range of days.
    fn estimate(&self, span: Span) -> i64;

    /// Passes the rows of one day to `sink`. `wanted` contains positions in [`columns`](Table::columns).
    ///
    /// # Errors
    /// Returns an error of `sink` at once.
    fn read(&self, day: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem>;
}

/// A set of tables with names.
pub trait Database: Send + Sync {
    /// Returns the name of the database: `agent` in `agent.trades`. If it is empty, tables have no prefix.
    fn name(&self) -> &str;

    /// Finds a table by its name without the database.
    fn table(&self, name: &str) -> Option<Arc<dyn Table>>;
}

/// A database without tables, for queries such as `SELECT 1`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Empty;

impl Database for Empty {
    fn name(&self) -> &str {
        "default"
    }

    fn table(&self, _: &str) -> Option<Arc<dyn Table>> {
        None
    }
}
