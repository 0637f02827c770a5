//! Traits for the tables that queries read. The user of the engine implements these traits.

use std::borrow::Cow;
use std::sync::Arc;

use crate::problem::Problem;
use crate::value::Value;

/// Description of a table column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: Cow<'static, str>,
    /// Type as written in `CREATE TABLE`, for example `Nullable(Float64)`. [`Type::read`](crate::Type::read) parses it.
    pub ty: &'static str,
    /// Description of the column, which `DESCRIBE TABLE` returns.
    pub comment: &'static str,
}

/// First and last day to read, in days since 1970-01-01. `None` for a bound that the query does not set.
pub type Span = (Option<i64>, Option<i64>);

/// Function that receives one row from a table. The row has one value per requested column, in the requested order.
/// Each value has the type of its column. A value of a float column can also be an integer. NULL in a column that is
/// not Nullable becomes the default value of the type.
pub type Sink<'a> = dyn FnMut(Vec<Value>) -> Result<(), Problem> + 'a;

/// Columns that contain the day and the time of a row. A table with a day column is read day by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Name of the column that contains the day. Its type is `Date`.
    pub column: &'static str,
    /// Name of the `DateTime` column that contains the time of the row. `None` if the table has no such column.
    pub time: Option<&'static str>,
    /// Maximum difference in days between the first and the last day that a query reads: 7 allows the days from
    /// `today() - 7` to `today()`. With a maximum, a query must have a condition for the first day, such as `day >=
    /// today() - 7`. `None` means no maximum.
    pub most_days: Option<i64>,
}

/// A table that queries can read.
pub trait Table: Send + Sync {
    /// Returns the columns of the table.
    fn columns(&self) -> Vec<Column>;

    /// Returns the day column of the table, the time column, and the maximum number of days to read. Returns `None` if
    /// the table has no day column.
    fn window(&self) -> Option<Window>;

    /// Returns the first and the last day with data in the range `span`. A table without a day column returns the same
    /// day twice.
    fn days(&self, span: Span) -> (i64, i64);

    /// Returns the estimated number of rows in a range of days.
    fn estimate(&self, span: Span) -> i64;

    /// Passes the rows of one day to `sink`. `wanted` contains the indexes of the requested columns in
    /// [`columns`](Table::columns).
    ///
    /// # Errors
    /// If `sink` returns an error, reading stops and this error is returned.
    fn read(&self, day: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem>;
}

/// A set of named tables.
pub trait Database: Send + Sync {
    /// Returns the name of the database, such as `agent` in `agent.trades`. If the name is empty, queries write table
    /// names without a prefix.
    fn name(&self) -> &str;

    /// Returns the table with this name. The name does not contain the name of the database.
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
