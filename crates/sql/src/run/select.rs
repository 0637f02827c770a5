//! Runs one SELECT. The clauses are evaluated in the order that SQL defines.
//!
//! The input is the plan of the SELECT. The output is its rows, one by one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::group::Groups;
use super::order::{Filling, Sorted, compare, fill};
use super::plan::{Explode, Lifted, Select};
use super::{Taker, windows};
use crate::node::{Env, Node};
use crate::problem::Result;
use crate::running::{Row, Running};
use crate::value::{Value, default};

impl Select {
    /// Runs the SELECT and passes its result rows to `taker`. If `taker` accepts no more rows, returns false and may
    /// skip the remaining rows. Otherwise returns true.
    pub(crate) fn run(&self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        for node in &self.lifted.constants {
            node.eval(&mut Env::new(&[], running))?;
        }
        if self.limit == Some(0) {
            return Ok(true);
        }

        let mut end = End::new(self, running, taker);
        if self.windows.is_empty() {
            self.grouped(running, &mut |row| end.process_row(row))?;
        } else {
            let mut rows: Vec<Row> = Vec::new();
            self.grouped(running, &mut |row| {
                running.hold_row(row)?;
                rows.push(row.to_vec());
                Ok(true)
            })?;
            for window in &self.windows {
                windows::add(&mut rows, window, running)?;
            }
            for row in rows {
                running.tick()?;
                if !end.process_row(&row)? {
                    break;
                }
            }
        }
        end.finish()
    }

    /// Passes each row after GROUP BY and HAVING to `taker`.
    fn grouped(&self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        let mut having = |row: &[Value]| -> Result<bool> {
            if let Some(having) = &self.having
                && !having.holds(&mut Env::new(row, running))?
            {
                return Ok(true);
            }
            explode(&self.late, row, running, taker)
        };
        let Some(group) = &self.group else {
            return self.filtered(running, &mut having);
        };
        let mut groups = Groups::new(group);
        self.filtered(running, &mut |row| {
            groups.add(row, running)?;
            Ok(true)
        })?;
        groups.finish(running, &mut having)
    }

    /// Runs ARRAY JOIN and WHERE, and passes each resulting row to `taker`. Returns true if `taker` accepts more rows.
    fn filtered(&self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        self.source.scan(self.width, running, &mut |row| {
            running.tick()?;
            let mut is_empty = true;
            let wants_more = explode(&self.array_joins, row, running, &mut |row| {
                is_empty = false;
                if let Some(filter) = &self.filter
                    && !filter.holds(&mut Env::new(row, running))?
                {
                    return Ok(true);
                }
                taker(row)
            })?;
            if is_empty {
                self.lifted.evaluate(&mut Env::new(row, running))?;
            }
            Ok(wants_more)
        })
    }
}

impl Lifted {
    /// Evaluates the expressions in `conditions` and, if all conditions are true, the expressions in `values`. This
    /// method is for a row with empty arrays, from which ARRAY JOIN creates no rows. The results are dropped, but an
    /// error ends the query.
    fn evaluate(&self, env: &mut Env<'_>) -> Result<()> {
        for condition in &self.conditions {
            if !condition.holds(env)? {
                return Ok(());
            }
        }
        self.values.iter().try_for_each(|node| node.eval(env).map(|_| ()))
    }
}

/// Runs ARRAY JOIN for a row: passes one row per element of the arrays to `taker`. Returns true if `taker` accepts more
/// rows.
fn explode(
    all: &[Explode],
    row: &[Value],
    running: &Running<'_>,
    taker: &mut Taker<'_>,
) -> Result<bool> {
    let Some((first, rest)) = all.split_first() else { return taker(row) };
    let mut arrays = Vec::with_capacity(first.arrays.len());
    for (array, ..) in &first.arrays {
        arrays.push(array.eval(&mut Env::new(row, running))?);
    }
    let size = arrays.iter().map(|array| array.items().len()).max().unwrap_or(0);
    if arrays.iter().any(|array| array.items().len() != size) {
        let message = "ARRAY JOIN takes arrays of equal lengths";
        return Err(crate::problem::Problem::text(message));
    }

    let mut made = row.to_vec();
    let width = first.arrays.iter().map(|(_, slot, _)| slot + 1).max().unwrap_or(0);
    made.resize(made.len().max(width), Value::Null);
    if size == 0 && first.left {
        for (_, slot, none) in &first.arrays {
            made[*slot] = none.clone();
        }
        return explode(rest, &made, running, taker);
    }
    for at in 0..size {
        running.tick()?;
        for ((_, slot, _), array) in first.arrays.iter().zip(&arrays) {
            made[*slot] = array.items()[at].clone();
        }
        if !explode(rest, &made, running, taker)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// State of the clauses of a SELECT that are evaluated after the window functions: QUALIFY, the list of result
/// expressions, DISTINCT, ORDER BY and the limits.
struct End<'a, 'b> {
    select: &'a Select,
    running: &'a Running<'a>,
    taker: &'a mut Taker<'b>,
    seen: HashSet<Row>,
    seen_on: HashSet<Row>,
    by: HashMap<Row, usize>,
    sorted: Vec<Sorted>,
    skipped: usize,
    given: usize,
    /// True if `taker` accepts more rows.
    open: bool,
}

impl<'a, 'b> End<'a, 'b> {
    fn new(select: &'a Select, running: &'a Running<'a>, taker: &'a mut Taker<'b>) -> Self {
        End {
            select,
            running,
            taker,
            seen: HashSet::new(),
            seen_on: HashSet::new(),
            by: HashMap::new(),
            sorted: Vec::new(),
            skipped: 0,
            given: 0,
            open: true,
        }
    }

    fn all(&self, nodes: &[std::sync::Arc<Node>], row: &[Value]) -> Result<Row> {
        let mut env = Env::new(row, self.running);
        nodes.iter().map(|node| node.eval(&mut env)).collect()
    }

    /// Returns true if DISTINCT keeps the row, because no equal row came before. With ORDER BY, 0 and -0 count as
    /// equal.
    fn is_new(&mut self, list: &Row) -> Result<bool> {
        let key = if self.select.order.is_empty() {
            Cow::Borrowed(list)
        } else {
            Cow::Owned(list.iter().cloned().map(Value::with_positive_zero).collect())
        };
        if self.seen.contains(&*key) {
            return Ok(false);
        }
        self.running.hold_row(&key)?;
        self.seen.insert(key.into_owned());
        Ok(true)
    }

    /// Applies the last clauses of a SELECT, such as QUALIFY and DISTINCT, to one row. Returns false if no more rows
    /// are needed, for example because LIMIT is reached.
    fn process_row(&mut self, row: &[Value]) -> Result<bool> {
        let select = self.select;
        if let Some(qualify) = &select.qualify
            && !qualify.holds(&mut Env::new(row, self.running))?
        {
            return Ok(true);
        }
        let mut list = self.all(&select.list, row)?;
        if select.distinct && !self.is_new(&list)? {
            return Ok(true);
        }
        if !select.distinct_on.is_empty() && select.order.is_empty() {
            let on = self.all(&select.distinct_on, row)?;
            if self.seen_on.contains(&on) {
                return Ok(true);
            }
            self.running.hold_row(&on)?;
            self.seen_on.insert(on);
        }

        // The keys of LIMIT BY and DISTINCT ON are appended to the row.
        if let Some(limit_by) = &select.limit_by {
            list.extend(self.all(&limit_by.by, row)?);
        }
        if select.order.is_empty() {
            return if self.is_within_limit_by(&mut list)? { self.give(&list) } else { Ok(true) };
        }
        if !select.distinct_on.is_empty() {
            list.extend(self.all(&select.distinct_on, row)?);
        }
        let nodes: Vec<_> =
            select.order.iter().map(|key| std::sync::Arc::clone(&key.node)).collect();
        let keys = self.all(&nodes, row)?;
        self.running.hold_row(&keys)?;
        self.running.hold_row(&list)?;
        self.sorted.push(Sorted { keys, row: list, filled: false });
        Ok(true)
    }

    /// Removes the keys of LIMIT BY from the end of a row. Returns true if LIMIT BY keeps the row.
    fn is_within_limit_by(&mut self, row: &mut Row) -> Result<bool> {
        let Some(limit_by) = &self.select.limit_by else { return Ok(true) };
        let key = row.split_off(self.select.list.len());
        if !self.by.contains_key(&key) {
            self.running.hold_row(&key)?;
        }
        let count = self.by.entry(key).or_default();
        *count += 1;
        let wanted = limit_by.offset..limit_by.offset.saturating_add(limit_by.limit);
        Ok(wanted.contains(&(*count - 1)))
    }

    /// Applies OFFSET and LIMIT to a row, and passes the row to `taker` if these clauses keep it. Returns false if the
    /// LIMIT is reached or if `taker` accepts no more rows.
    fn give(&mut self, row: &[Value]) -> Result<bool> {
        let select = self.select;
        if self.skipped < select.offset {
            self.skipped += 1;
            return Ok(true);
        }
        if select.limit.is_some_and(|limit| self.given >= limit) {
            return Ok(false);
        }
        self.given += 1;
        self.open = (self.taker)(row)?;
        Ok(self.open && select.limit.is_none_or(|limit| self.given < limit))
    }

    /// Sorts the rows that were collected for ORDER BY, and passes them to `taker`. Returns true if `taker` accepts
    /// more rows.
    fn finish(mut self) -> Result<bool> {
        if self.select.order.is_empty() {
            return Ok(self.open);
        }
        let select = self.select;
        let mut rows = std::mem::take(&mut self.sorted);
        rows.sort_by(|a, b| compare(&a.keys, &b.keys, &select.order));
        if !select.distinct_on.is_empty() {
            let from = rows.first().map_or(0, |row| row.row.len() - select.distinct_on.len());
            rows.retain_mut(|row| self.seen_on.insert(row.row.split_off(from)));
        }
        let mut kept = Vec::with_capacity(rows.len());
        for mut row in rows {
            if self.is_within_limit_by(&mut row.row)? {
                kept.push(row);
            }
        }
        let rows = self.filled(kept)?;

        let mut last: Option<Row> = None;
        for Sorted { keys, row, .. } in rows {
            self.running.tick()?;
            let is_full = select.limit.is_some_and(|limit| self.given >= limit);
            if is_full {
                let ties = select.with_ties && last.as_ref() == Some(&keys);
                if !ties {
                    break;
                }
                self.open = (self.taker)(&row)?;
            } else {
                let before = self.given;
                self.give(&row)?;
                if self.given > before {
                    last = Some(keys);
                }
            }
            if !self.open {
                break;
            }
        }
        Ok(self.open)
    }

    fn filled(&self, rows: Vec<Sorted>) -> Result<Vec<Sorted>> {
        let select = self.select;
        let keys = &select.order;
        if keys.iter().all(|key| key.fill.is_none()) {
            return Ok(rows);
        }

        let place = |node: &Node| select.list.iter().position(|known| known.key == node.key);
        let filling = Filling {
            keys,
            places: keys.iter().map(|key| place(&key.node)).collect(),
            defaults: select.list.iter().map(|node| default(&node.ty)).collect(),
        };
        let mut rows = fill(rows, &filling, self.running)?;

        for at in 0..rows.len() {
            let (before, here) = rows.split_at_mut(at);
            if !here[0].filled {
                continue;
            }
            for (column, node) in &select.interpolate {
                // The first row continues a row of default values.
                let last = before.last().map_or(&filling.defaults, |row| &row.row);
                here[0].row[*column] = match node {
                    Some(node) => node.eval(&mut Env::new(last, self.running))?,
                    None => last[*column].clone(),
                };
            }
        }
        Ok(rows)
    }
}
