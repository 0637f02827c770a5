//! Functions that the dialect has and the engine lacks.

mod aggregates;
mod arrays;
mod collect;
mod numbers;
mod scalars;
pub(super) mod time;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};

/// Longest text that a function makes.
const LONGEST: usize = 1 << 20;

/// Adds all of them.
pub(super) fn register(engine: &Connection) -> Result<()> {
    scalars::register(engine)?;
    numbers::register(engine)?;
    arrays::register(engine)?;
    aggregates::register(engine)?;
    collect::register(engine)
}

type Work = fn(&Context<'_>) -> Result<Value>;

/// Adds functions of single values: name, number of values (-1 for any), and what they do.
fn add(engine: &Connection, functions: &[(&str, i32, Work)]) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    for (name, values, work) in functions {
        engine.create_scalar_function(*name, *values, flags, *work)?;
    }
    Ok(())
}

/// The error of a query whose values do not fit.
fn fail(message: impl Into<String>) -> Error {
    Error::UserFunctionError(message.into().into())
}

/// A text, or `None` for nothing; numbers are written out.
fn text_of(context: &Context<'_>, at: usize) -> Option<String> {
    text(context.get_raw(at))
}

fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(shown(number)),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// A number as the dialect writes it: whole ones without a point.
fn shown(number: f64) -> String {
    if number == number.trunc() && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        number.to_string()
    }
}

/// A number, or `None` for nothing.
fn number(context: &Context<'_>, at: usize) -> Result<Option<f64>> {
    #[expect(clippy::cast_precision_loss, reason = "the function is one of fractions")]
    match context.get_raw(at) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        ValueRef::Real(number) => Ok(Some(number)),
        ValueRef::Text(_) | ValueRef::Blob(_) => Err(fail("a number is wanted, not a text")),
    }
}

/// A whole number, or `None` for nothing; fractions are cut.
fn whole(context: &Context<'_>, at: usize) -> Result<Option<i64>> {
    match context.get_raw(at) {
        ValueRef::Integer(number) => Ok(Some(number)),
        _ => Ok(number(context, at)?.map(cut)),
    }
}

/// A fraction without its digits behind the point.
#[expect(clippy::cast_possible_truncation, reason = "what lies beyond ends at the border")]
fn cut(number: f64) -> i64 {
    number as i64
}

/// NULL for nothing, and for what is no number.
fn real(number: Option<f64>) -> Value {
    match number {
        Some(number) if number.is_finite() => Value::Real(number),
        _ => Value::Null,
    }
}

/// A value that outlives the row it stands in.
fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Value::Text(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}
