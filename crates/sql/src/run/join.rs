//! Runs joins. The rows of the right side are kept in memory. The rows of the left side are processed one by one.
//!
//! The inputs are the sources of both sides and the join keys. The output is the joined rows, one by one.

use std::collections::HashMap;

use super::Taker;
use super::plan::{Join, Source};
use crate::ast::{Side, Strictness};
use crate::node::{Env, Node};
use crate::problem::{Problem, Result};
use crate::running::{Row, Running};
use crate::value::Value;

/// Rows of a join's right side, with an index by join key. `matched` has one flag per row. The flag is true if the row
/// has been joined with a left row.
struct RightRows {
    rows: Vec<Row>,
    by_key: HashMap<Row, Vec<usize>>,
    matched: Vec<bool>,
}

/// Passes the joined rows to `taker`. Returns true if `taker` accepts more rows.
pub(super) fn scan(
    join: &Join,
    width: usize,
    running: &Running<'_>,
    taker: &mut Taker<'_>,
) -> Result<bool> {
    let mut held = hold(join, &join.right, width, running)?;
    let mut joined = vec![Value::Null; width];
    let wants_more = join.left.scan(width, running, &mut |left| {
        running.tick()?;
        joined.clone_from_slice(left);
        join_row(join, &mut held, &mut joined, running, taker)
    })?;
    if !wants_more {
        return Ok(false);
    }

    // Pass the right rows that have no partner.
    let keeps_right = matches!(join.side, Side::Right | Side::Full);
    let only_met = matches!(join.strictness, Strictness::Semi);
    if !keeps_right || only_met {
        return Ok(true);
    }
    for (row, matched) in held.rows.iter().zip(&held.matched) {
        if *matched {
            continue;
        }
        running.tick()?;
        for (slot, none) in &join.left_slots {
            joined[*slot] = none.clone();
        }
        set_right_columns(join, row, &mut joined);
        merge(join, &mut joined, false, running)?;
        if !taker(&joined)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn hold(join: &Join, right: &Source, width: usize, running: &Running<'_>) -> Result<RightRows> {
    let mut held = RightRows { rows: Vec::new(), by_key: HashMap::new(), matched: Vec::new() };
    right.scan(width, running, &mut |row| {
        let mut env = Env::new(row, running);
        let key = key(join.keys.iter().map(|(_, right)| right), &mut env)?;
        let cells: Row = join.right_slots.iter().map(|(slot, _)| row[*slot].clone()).collect();
        running.hold_row(&cells)?;
        if let Some(key) = key {
            if !key.is_empty() {
                running.hold_row(&key)?;
            }
            held.by_key.entry(key).or_default().push(held.rows.len());
        }
        held.rows.push(cells);
        held.matched.push(false);
        Ok(true)
    })?;
    Ok(held)
}

/// Evaluates the join keys of a row. Returns `None` if one of them is NULL, because NULL is not equal to any value.
fn key<'a>(
    nodes: impl Iterator<Item = &'a std::sync::Arc<Node>>,
    env: &mut Env<'_>,
) -> Result<Option<Row>> {
    let mut key = Vec::new();
    for node in nodes {
        let value = node.eval(env)?;
        if value.is_null() {
            return Ok(None);
        }
        key.push(value);
    }
    Ok(Some(key))
}

fn set_right_columns(join: &Join, right: &[Value], joined: &mut Row) {
    for ((slot, _), value) in join.right_slots.iter().zip(right) {
        joined[*slot] = value.clone();
    }
}

/// Sets the columns of USING in a joined row. The values are from the left side if `from_left` is true, otherwise from
/// the right side.
fn merge(join: &Join, joined: &mut Row, from_left: bool, running: &Running<'_>) -> Result<()> {
    for (slot, left, right) in &join.merged {
        let node = if from_left { left } else { right };
        let value = node.eval(&mut Env::new(joined, running))?;
        joined[*slot] = value;
    }
    Ok(())
}

/// Joins one left row with the right rows that match this left row, and passes the joined rows to `taker`. Returns true
/// if `taker` accepts more rows.
fn join_row(
    join: &Join,
    held: &mut RightRows,
    joined: &mut Row,
    running: &Running<'_>,
    taker: &mut Taker<'_>,
) -> Result<bool> {
    let RightRows { rows, by_key, matched } = held;
    let found = key(join.keys.iter().map(|(left, _)| left), &mut Env::new(joined, running))?;
    let empty = Vec::new();
    let candidates = found.and_then(|key| by_key.get(&key)).unwrap_or(&empty);
    let mut met = false;

    if let Some(best) = nearest(join, candidates, rows, joined, running)? {
        set_right_columns(join, &rows[best], joined);
        merge(join, joined, true, running)?;
        return taker(joined);
    }

    let is_asof = join.asof.is_some();
    let is_any_inner = matches!((join.strictness, join.side), (Strictness::Any, Side::Inner));
    // Without a condition on both sides, ClickHouse stores one right row per key, and uses this row once.
    let is_used = is_any_inner && !join.is_mixed && candidates.iter().any(|at| matched[*at]);
    for at in candidates.iter().filter(|_| !is_asof && !is_used) {
        running.tick()?;
        set_right_columns(join, &rows[*at], joined);
        if let Some(rest) = &join.rest
            && !rest.holds(&mut Env::new(joined, running))?
        {
            continue;
        }

        let taken_before = matched[*at];
        met = true;
        matched[*at] = true;
        match (join.strictness, join.side) {
            (Strictness::Anti, _) => continue,
            // These joins use each right row at most once.
            (Strictness::Any | Strictness::Semi, Side::Right) if taken_before => continue,
            _ => {}
        }

        merge(join, joined, true, running)?;
        if !taker(joined)? {
            return Ok(false);
        }
        let once = matches!(
            (join.strictness, join.side),
            (Strictness::Any | Strictness::Semi, Side::Left)
                | (Strictness::Any, Side::Inner | Side::Full)
        );
        if once {
            break;
        }
    }

    let keeps_left = match join.strictness {
        Strictness::Semi => false,
        Strictness::Anti => join.side == Side::Left && !met,
        _ => matches!(join.side, Side::Left | Side::Full) && !met,
    };
    if !keeps_left {
        return Ok(true);
    }
    for (slot, none) in &join.right_slots {
        joined[*slot] = none.clone();
    }
    merge(join, joined, true, running)?;
    taker(joined)
}

/// Returns the index of the right row that ASOF JOIN selects for a left row. For the inequality `l.time >= r.time`, for
/// example, the selected row has the latest `r.time` that is not after `l.time`. Returns `None` if no right row in
/// `candidates` fulfils the inequality, and for joins other than ASOF JOIN.
fn nearest(
    join: &Join,
    candidates: &[usize],
    rows: &[Row],
    joined: &mut Row,
    running: &Running<'_>,
) -> Result<Option<usize>> {
    let Some(asof) = &join.asof else { return Ok(None) };
    let wanted = asof.left.eval(&mut Env::new(joined, running))?;

    let mut best: Option<(usize, Value)> = None;
    for at in candidates {
        running.tick()?;
        set_right_columns(join, &rows[*at], joined);
        let value = asof.right.eval(&mut Env::new(joined, running))?;
        if value.is_null() || wanted.is_null() {
            continue;
        }
        if value.is_nan() || wanted.is_nan() {
            return Err(Problem::text("the inequality of an ASOF JOIN does not support NaN"));
        }

        let order = value.order(&wanted);
        let is_past = if asof.smaller { order.is_lt() } else { order.is_gt() };
        let fits = is_past || (asof.or_equal && order.is_eq());
        if !fits {
            continue;
        }

        let is_nearer = best.as_ref().is_none_or(|(_, best)| {
            if asof.smaller { value.order(best).is_gt() } else { value.order(best).is_lt() }
        });
        if is_nearer {
            best = Some((*at, value));
        }
    }
    Ok(best.map(|(at, _)| at))
}
