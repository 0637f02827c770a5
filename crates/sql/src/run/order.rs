//! Runs ORDER BY and WITH FILL.
//!
//! The input is rows with their sort keys. The output is the sorted rows, including the rows that WITH FILL inserts.

use std::cmp::Ordering;

use super::plan::{FillRange, FillStep, SortKey};
use crate::problem::{Problem, Result};
use crate::running::{Row, Running};
use crate::time;
use crate::types::Type;
use crate::value::{Value, default};

/// Compares two rows by their sort keys.
pub(super) fn compare(a: &[Value], b: &[Value], keys: &[SortKey]) -> Ordering {
    for ((a, b), key) in a.iter().zip(b).zip(keys) {
        let order = a.order_as_key(b, key.descending, key.nulls_first);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// A row with its sort keys.
pub(super) struct Sorted {
    pub(super) keys: Row,
    pub(super) row: Row,
    /// True if the row was inserted by WITH FILL.
    pub(super) filled: bool,
}

/// Input of the function [`fill`]: the sort keys of the query, and the default values for inserted rows.
pub(super) struct Filling<'a> {
    pub(super) keys: &'a [SortKey],
    /// Indexes of result columns, one index for each sort key. `None` for a sort key that is not a result column.
    pub(super) places: Vec<Option<usize>>,
    /// Default value of each result column. An inserted row contains these default values. Exceptions are the column
    /// with WITH FILL and the sort keys before this column.
    pub(super) defaults: Row,
}

/// Inserts the missing rows of WITH FILL between the sorted rows.
pub(super) fn fill(
    rows: Vec<Sorted>,
    filling: &Filling<'_>,
    running: &Running<'_>,
) -> Result<Vec<Sorted>> {
    let Some(at) = filling.keys.iter().position(|key| key.fill.is_some()) else { return Ok(rows) };
    let key = &filling.keys[at];
    let Some(fill) = &key.fill else { return Ok(rows) };
    let mut done: Vec<Sorted> = Vec::new();
    let mut group: Vec<Sorted> = Vec::new();
    let empty = rows.is_empty();
    for row in rows {
        let same = group.first().is_none_or(|first| first.keys[..at] == row.keys[..at]);
        if !same {
            fill_group(std::mem::take(&mut group), at, key, fill, filling, running, &mut done)?;
        }
        group.push(row);
    }
    if !group.is_empty() || (empty && fill.from.is_some()) {
        fill_group(group, at, key, fill, filling, running, &mut done)?;
    }
    Ok(done)
}

/// Inserts missing rows into a group of sorted rows. In `ORDER BY a, b WITH FILL`, the rows of a group have equal
/// values of `a`. If the group contains `b` = 1 and `b` = 4, rows with 2 and 3 are inserted. With `TO 7`, rows with 5
/// and 6 are appended.
fn fill_group(
    rows: Vec<Sorted>,
    at: usize,
    key: &SortKey,
    fill: &FillRange,
    filling: &Filling<'_>,
    running: &Running<'_>,
    done: &mut Vec<Sorted>,
) -> Result<()> {
    let before = |a: &Value, b: &Value| {
        let order = a.order(b);
        if key.descending { order.is_gt() } else { order.is_lt() }
    };
    let prefix: Row = match rows.first() {
        Some(first) => first.keys[..at].to_vec(),
        None => filling.keys[..at].iter().map(|key| default(&key.node.ty)).collect(),
    };
    let mut next = fill.from.clone().or_else(|| rows.first().map(|first| first.keys[at].clone()));
    let within = |value: &Value| fill.to.as_ref().is_none_or(|to| before(value, to));

    let put = |value: &Value, done: &mut Vec<Sorted>| -> Result<()> {
        let mut row = filling.defaults.clone();
        let mut keys = prefix.clone();
        keys.push(value.clone());
        for (place, key) in filling.places.iter().zip(&keys) {
            if let Some(place) = place {
                row[*place] = key.clone();
            }
        }
        running.hold_row(&row)?;
        done.push(Sorted { keys, row, filled: true });
        Ok(())
    };

    for row in rows {
        let value = row.keys[at].clone();
        if !value.is_null() {
            while let Some(missing) = next.clone() {
                if !before(&missing, &value) || !within(&missing) {
                    break;
                }
                put(&missing, done)?;
                next = Some(step(&missing, &fill.step, &key.node.ty)?);
            }
            if next.as_ref() == Some(&value) {
                next = Some(step(&value, &fill.step, &key.node.ty)?);
            }
        }
        done.push(row);
    }

    if fill.to.is_some() {
        while let Some(missing) = next.clone() {
            if !within(&missing) {
                break;
            }
            put(&missing, done)?;
            next = Some(step(&missing, &fill.step, &key.node.ty)?);
        }
    }
    Ok(())
}

/// Adds one STEP of WITH FILL to a value.
fn step(value: &Value, step: &FillStep, ty: &Type) -> Result<Value> {
    let overflow = || Problem::text("the next value of WITH FILL is outside the supported range");
    let next = match (value, step) {
        (Value::Int(number), FillStep::Number(Value::Int(step))) => {
            Value::Int(number.checked_add(*step).ok_or_else(overflow)?)
        }
        (Value::Int(number), FillStep::Days(days)) => {
            Value::Int(later(*number, ty.bare(), |_| *days).ok_or_else(overflow)?)
        }
        (Value::Int(number), FillStep::Months(months)) => {
            let days = |day| time::add_months(day, *months) - day;
            Value::Int(later(*number, ty.bare(), days).ok_or_else(overflow)?)
        }
        (value, FillStep::Number(step)) => Value::Float(value.float() + step.float()),
        _ => return Err(Problem::text("WITH FILL is not supported for values of this type")),
    };
    let range = match ty.bare() {
        Type::Date => 0..=crate::text::LAST_DAY.into(),
        Type::Date32 => time::ZERO_DATE32.into()..=time::LAST_DATE32.into(),
        Type::DateTime(_) => 0..=u32::MAX.into(),
        Type::DateTime64(scale, _) => time::tick_range(*scale),
        _ => return Ok(next),
    };
    if range.contains(&next.int()) { Ok(next) } else { Err(overflow()) }
}

/// Adds days to a date or a time of the type `ty`. `days` computes the number of days to add from the local date, which
/// is in days since 1970. The local clock time does not change, even if a day is shorter or longer than 24 hours.
fn later(number: i128, ty: &Type, days: impl Fn(i64) -> i64) -> Option<i128> {
    let ticks = if let Type::DateTime64(scale, _) = ty { 10_i128.pow((*scale).into()) } else { 1 };
    let whole = i64::try_from(number.div_euclid(ticks)).ok()?;
    if ty.is_date() {
        return Some(number + i128::from(days(whole)));
    }
    let zone = ty.zone();
    let days = days(zone.local(whole).div_euclid(time::DAY));
    let next = i128::from(zone.add_days(whole, days));
    // A local day that a zone skips would repeat the same time forever.
    (next != i128::from(whole)).then(|| next * ticks + number.rem_euclid(ticks))
}
