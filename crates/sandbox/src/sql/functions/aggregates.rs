//! Aggregates that keep a few numbers: first and last values, extremes, moments.

use std::cmp::Ordering;

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

use super::{number, owned, real, text_of};

pub(super) fn register(engine: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    engine.create_aggregate_function("ch_any", 1, flags, Any { last: false })?;
    engine.create_aggregate_function("ch_any_last", 1, flags, Any { last: true })?;
    engine.create_aggregate_function("ch_arg_max", 2, flags, Arg { wanted: Ordering::Greater })?;
    engine.create_aggregate_function("ch_arg_min", 2, flags, Arg { wanted: Ordering::Less })?;
    engine.create_aggregate_function("ch_moment", -1, flags, Moment)
}

/// The first value that is not NULL, or the last.
struct Any {
    last: bool,
}

impl Aggregate<Option<Value>, Value> for Any {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, kept: &mut Option<Value>) -> Result<()> {
        let value = context.get_raw(0);
        if value != ValueRef::Null && (self.last || kept.is_none()) {
            *kept = Some(owned(value));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, kept: Option<Option<Value>>) -> Result<Value> {
        Ok(kept.flatten().unwrap_or(Value::Null))
    }
}

/// The value beside the largest, or the smallest, other value; of equals the first.
struct Arg {
    wanted: Ordering,
}

impl Aggregate<Option<(Value, Value)>, Value> for Arg {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<(Value, Value)>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, kept: &mut Option<(Value, Value)>) -> Result<()> {
        let key = context.get_raw(1);
        if key == ValueRef::Null || context.get_raw(0) == ValueRef::Null {
            return Ok(());
        }
        let is_better = match kept {
            Some((_, best)) => compare(key, (&*best).into()) == self.wanted,
            None => true,
        };
        if is_better {
            *kept = Some((owned(context.get_raw(0)), owned(key)));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, kept: Option<Option<(Value, Value)>>) -> Result<Value> {
        Ok(kept.flatten().map_or(Value::Null, |(value, _)| value))
    }
}

/// Numbers by size, texts by bytes, numbers first.
#[expect(clippy::cast_precision_loss, reason = "only between a whole number and a fraction")]
pub(super) fn compare(a: ValueRef<'_>, b: ValueRef<'_>) -> Ordering {
    match (a, b) {
        (ValueRef::Integer(a), ValueRef::Integer(b)) => a.cmp(&b),
        (ValueRef::Real(a), ValueRef::Real(b)) => a.total_cmp(&b),
        (ValueRef::Integer(a), ValueRef::Real(b)) => (a as f64).total_cmp(&b),
        (ValueRef::Real(a), ValueRef::Integer(b)) => a.total_cmp(&(b as f64)),
        (ValueRef::Text(a) | ValueRef::Blob(a), ValueRef::Text(b) | ValueRef::Blob(b)) => a.cmp(b),
        (ValueRef::Text(_) | ValueRef::Blob(_), _) => Ordering::Greater,
        (_, ValueRef::Text(_) | ValueRef::Blob(_)) => Ordering::Less,
        (ValueRef::Null, ValueRef::Null) => Ordering::Equal,
        (ValueRef::Null, _) => Ordering::Less,
        (_, ValueRef::Null) => Ordering::Greater,
    }
}

/// Variances and correlations, by means that are corrected with each row.
struct Moment;

/// Running means and sums of squares.
#[derive(Debug, Default)]
struct Sums {
    name: String,
    count: f64,
    mean_x: f64,
    mean_y: f64,
    squares_x: f64,
    squares_y: f64,
    products: f64,
    weighted: f64,
    weights: f64,
}

impl Aggregate<Sums, Value> for Moment {
    fn init(&self, context: &mut Context<'_>) -> Result<Sums> {
        Ok(Sums { name: text_of(context, 0).unwrap_or_default(), ..Sums::default() })
    }

    fn step(&self, context: &mut Context<'_>, sums: &mut Sums) -> Result<()> {
        let y = if context.len() > 2 { number(context, 2)? } else { Some(0.0) };
        let (Some(x), Some(y)) = (number(context, 1)?, y) else { return Ok(()) };
        sums.count += 1.0;
        let (off_x, off_y) = (x - sums.mean_x, y - sums.mean_y);
        sums.mean_x += off_x / sums.count;
        sums.mean_y += off_y / sums.count;
        sums.squares_x += off_x * (x - sums.mean_x);
        sums.squares_y += off_y * (y - sums.mean_y);
        sums.products += off_x * (y - sums.mean_y);
        sums.weighted += x * y;
        sums.weights += y;
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sums: Option<Sums>) -> Result<Value> {
        let Some(sums) = sums else { return Ok(Value::Null) };
        let n = sums.count;
        Ok(real(Some(match sums.name.as_str() {
            "varpop" => sums.squares_x / n,
            "varsamp" => sums.squares_x / (n - 1.0),
            "stddevpop" => (sums.squares_x / n).sqrt(),
            "stddevsamp" => (sums.squares_x / (n - 1.0)).sqrt(),
            "covarpop" => sums.products / n,
            "covarsamp" => sums.products / (n - 1.0),
            "avgweighted" => sums.weighted / sums.weights,
            _ => sums.products / (sums.squares_x * sums.squares_y).sqrt(),
        })))
    }
}
