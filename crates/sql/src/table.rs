//! What a query reads from.

use std::sync::Arc;

use crate::problem::Problem;
use crate::value::Value;

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type as the dialect declares it: see [`Type::read`](crate::Type::read).
    pub ty: &'static str,
    /// What it holds, in words.
    pub comment: &'static str,
}

/// First and last day since 1970 that are wanted, as far as a query says.
pub type Span = (Option<i64>, Option<i64>);

/// Takes one row: the wanted columns in the order in which they were asked for, each a value of
/// the type of its column.
pub type Sink<'a> = dyn FnMut(Vec<Value>) -> Result<(), Problem> + 'a;

/// The column that says the day of a row, by which a table is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its name. It is a `Date`.
    pub column: &'static str,
    /// The column that says the moment, if there is one: a `DateTime` of that day.
    pub time: Option<&'static str>,
    /// Most days that a query may read; it must say from which day on. `None` for a table that
    /// may be read without any bound.
    pub most_days: Option<i64>,
}

/// A table.
pub trait Table: Send + Sync {
    /// Its columns.
    fn columns(&self) -> Vec<Column>;

    /// The column of days, if it has one.
    fn window(&self) -> Option<Window>;

    /// First and last day to be read of a span. A table without days has one.
    fn days(&self, span: Span) -> (i64, i64);

    /// About how many rows there are in a span.
    fn estimate(&self, span: Span) -> i64;

    /// Gives the rows of one day.
    ///
    /// # Errors
    /// What `sink` answers, at once.
    fn read(&self, day: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem>;
}

/// Tables by name.
pub trait Database: Send + Sync {
    /// The name before the dot of each table.
    fn name(&self) -> &str;

    /// The table called so, without the name of the database.
    fn table(&self, name: &str) -> Option<Arc<dyn Table>>;
}

/// A database without tables: for queries that need none.
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
