//! Reads the sources of rows in FROM.
//!
//! The input is a source in the plan: a table, a join or a subquery. The output is its rows, one by one.

use std::sync::PoisonError;

use super::plan::{Body, Plan, Source};
use super::{Taker, join};
use crate::ast::Set;
use crate::functions::conversion::convert;
use crate::problem::{Problem, Result};
use crate::running::{Row, Running};
use crate::types::Type;
use crate::value::{Value, default};

/// Maximum number of iterations of a recursive query.
const ROUNDS: usize = 1_000;

impl Source {
    /// Passes each row of the source to `taker`. A row is a list of `width` values. Returns true if `taker` accepts
    /// more rows.
    pub(crate) fn scan(
        &self,
        width: usize,
        running: &Running<'_>,
        taker: &mut Taker<'_>,
    ) -> Result<bool> {
        match self {
            Source::One => taker(&vec![Value::Null; width]),
            Source::Numbers { from, count, slot } => {
                let mut row = vec![Value::Null; width];
                for number in *from..from.saturating_add(*count) {
                    running.tick()?;
                    if let Some(slot) = slot {
                        row[*slot] = Value::Int(number.into());
                    }
                    if !taker(&row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }

            Source::Plan { plan, slots } => {
                let mut row = vec![Value::Null; width];
                plan.run(running, &mut |given| {
                    fill_slots(given, slots, &mut row);
                    taker(&row)
                })
            }
            Source::Working { rows, slots } => {
                let known = rows.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let mut row = vec![Value::Null; width];
                for given in &known {
                    running.tick()?;
                    fill_slots(given, slots, &mut row);
                    if !taker(&row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }

            Source::Table { .. } => self.scan_table(width, running, taker),
            Source::Join(join) => join::scan(join, width, running, taker),
        }
    }

    fn scan_table(
        &self,
        width: usize,
        running: &Running<'_>,
        taker: &mut Taker<'_>,
    ) -> Result<bool> {
        let Source::Table { table, span, columns } = self else { return Ok(true) };
        let wanted: Vec<usize> = columns.iter().map(|(column, ..)| *column).collect();
        let (first, last) = table.days(*span);
        let mut row = vec![Value::Null; width];

        for day in first..=last {
            running.check()?;
            let mut wants_more = true;
            let read = table.read(day, &wanted, &mut |cells| {
                running.count_row(&cells);
                running.tick()?;
                for (cell, (_, slot, ty)) in cells.into_iter().zip(columns) {
                    row[*slot] = fitted(cell, ty);
                }
                wants_more = taker(&row)?;
                // Only an error can stop the table from reading the rest of the day.
                if wants_more { Ok(()) } else { Err(Problem::Stopped) }
            });

            if !wants_more {
                return Ok(false);
            }
            read?;
            running.count_day();
            running.pause()?;
        }
        Ok(true)
    }

    /// Returns the number of days that are read, added up over all tables of the source. For example, a join of two
    /// tables with 7 days each has 14 days.
    pub(crate) fn days(&self) -> u64 {
        match self {
            Source::Table { table, span, .. } => {
                let (first, last) = table.days(*span);
                u64::try_from(last - first + 1).unwrap_or(0)
            }
            Source::Plan { plan, .. } => plan.days(),
            Source::Join(join) => join.left.days() + join.right.days(),
            _ => 0,
        }
    }
}

/// Converts a value of a table to the type of its column. Tables can return integers for float columns, and NULL for
/// columns that are not Nullable.
fn fitted(value: Value, ty: &Type) -> Value {
    match (&value, ty.bare()) {
        (Value::Null, _) if !ty.is_nullable() => default(ty),
        #[expect(clippy::cast_precision_loss, reason = "prices and amounts")]
        (Value::Int(number), Type::Float64 | Type::Float32) => Value::Float(*number as f64),
        _ => value,
    }
}

fn fill_slots(given: &[Value], slots: &[Option<usize>], row: &mut Row) {
    for (value, slot) in given.iter().zip(slots) {
        if let Some(slot) = slot {
            row[*slot] = value.clone();
        }
    }
}

impl Plan {
    pub(crate) fn days(&self) -> u64 {
        match &self.body {
            Body::Select(select) => select.source.days(),
            Body::Set(_, parts) => parts.iter().map(|part| part.days()).sum(),
            Body::Recursive { start, next, .. } => start.days() + next.days(),
            Body::Rows(_) => 0,
        }
    }

    /// Runs the query and passes its result rows to `taker`. If `taker` accepts no more rows, returns false and may
    /// skip the remaining rows. Otherwise returns true.
    pub(crate) fn run(&self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        match &self.body {
            Body::Select(select) => select.run(running, taker),
            Body::Rows(rows) => {
                for row in rows {
                    if !taker(row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Body::Set(set, parts) => self.run_set(*set, parts, running, taker),
            Body::Recursive { .. } => self.run_recursive(running, taker),
        }
    }

    /// Runs a recursive query. Runs `start` once. After that, runs `next` with the rows of the previous round, until a
    /// round returns no rows.
    fn run_recursive(&self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        let Body::Recursive { start, next, working } = &self.body else { return Ok(true) };
        let mut rows = self.converted(start, running)?;
        for round in 0.. {
            if rows.is_empty() {
                return Ok(true);
            }
            if round > ROUNDS {
                let message = format!("the recursive query was stopped after {ROUNDS} rounds");
                return Err(Problem::TooMuch(message));
            }

            for row in &rows {
                running.tick()?;
                if !taker(row)? {
                    return Ok(false);
                }
            }
            *working.0.lock().unwrap_or_else(PoisonError::into_inner) = rows;
            rows = self.converted(next, running)?;
        }
        Ok(true)
    }

    /// Runs `part`, for example the left side of an INTERSECT. Returns the rows of `part`, with all values converted to
    /// the column types of this query.
    fn converted(&self, part: &Plan, running: &Running<'_>) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        part.run(running, &mut |row| {
            let row = self.convert(row, part)?;
            running.hold_row(&row)?;
            rows.push(row);
            Ok(true)
        })?;
        Ok(rows)
    }

    fn convert(&self, row: &[Value], part: &Plan) -> Result<Row> {
        let types = part.columns.iter().zip(&self.columns);
        let cells = row.iter().zip(types);
        cells
            .map(
                |(value, ((_, from), (_, to)))| {
                    if from == to { Ok(value.clone()) } else { convert(value, from, to) }
                },
            )
            .collect()
    }

    /// Runs UNION, INTERSECT or EXCEPT, and passes the result rows to `taker`. UNION DISTINCT passes equal rows only
    /// once. INTERSECT and EXCEPT first count equal rows in the right part, and then select rows of the left part.
    fn run_set(
        &self,
        set: Set,
        parts: &[std::sync::Arc<Plan>],
        running: &Running<'_>,
        taker: &mut Taker<'_>,
    ) -> Result<bool> {
        if let Set::UnionAll | Set::UnionDistinct = set {
            let mut seen = std::collections::HashSet::new();
            for part in parts {
                let wants_more = part.run(running, &mut |row| {
                    running.tick()?;
                    let row = self.convert(row, part)?;
                    if set == Set::UnionDistinct {
                        running.hold_row(&row)?;
                        if !seen.insert(row.clone()) {
                            return Ok(true);
                        }
                    }
                    taker(&row)
                })?;

                if !wants_more {
                    return Ok(false);
                }
            }
            return Ok(true);
        }

        let mut counts: std::collections::HashMap<Row, usize> = std::collections::HashMap::new();
        for row in self.converted(&parts[1], running)? {
            *counts.entry(row).or_default() += 1;
        }

        let mut given = std::collections::HashSet::new();
        for row in self.converted(&parts[0], running)? {
            running.tick()?;
            let known = counts.get_mut(&row);
            let is_wanted = match (set, known) {
                (Set::Intersect(true) | Set::Except(true), known) => {
                    known.is_some() == matches!(set, Set::Intersect(_)) && given.insert(row.clone())
                }
                (Set::Intersect(false), Some(count)) if *count > 0 => {
                    *count -= 1;
                    true
                }
                (Set::Except(false), Some(count)) if *count > 0 => {
                    *count -= 1;
                    false
                }
                (Set::Except(false), _) => true,
                _ => false,
            };

            if is_wanted && !taker(&row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
