//! Runs window functions.
//!
//! The input is all rows and a window function. The output is the rows with one more column, which contains the values
//! of the function.

use std::collections::HashMap;
use std::ops::Range;

use super::frames::Partition;
use super::order::compare;
use super::plan::{Aggregate, Edge, Frame, Window, WindowFunction};
use crate::aggregates::State;
use crate::node::{Env, Node};
use crate::problem::{Problem, Result};
use crate::running::{Row, Running};
use crate::value::Value;

/// Appends the value of a window function to each row.
pub(super) fn add(rows: &mut [Row], window: &Window, running: &Running<'_>) -> Result<()> {
    for places in partitions(rows, window, running)? {
        let (places, keys) = sorted(rows, places, window, running)?;
        let partition = Partition { keys: &keys, order: &window.order };
        let values = of_partition(rows, &places, &partition, window, running)?;
        for (place, value) in places.into_iter().zip(values) {
            rows[place].push(value);
        }
    }
    Ok(())
}

/// Returns the row indexes of each partition. The partition that contains the first row of `rows` comes first.
fn partitions(rows: &[Row], window: &Window, running: &Running<'_>) -> Result<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut by_key: HashMap<Row, usize> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        running.tick()?;
        let mut env = Env::new(row, running);
        let key: Row =
            window.partition.iter().map(|node| node.eval(&mut env)).collect::<Result<_>>()?;
        let key: Row = key.into_iter().map(Value::with_positive_zero).collect();
        let at = match by_key.get(&key) {
            Some(at) => *at,
            None => {
                running.hold_row(&key)?;
                by_key.insert(key, found.len());
                found.push(Vec::new());
                found.len() - 1
            }
        };
        found[at].push(place);
    }
    Ok(found)
}

fn sorted(
    rows: &[Row],
    places: Vec<usize>,
    window: &Window,
    running: &Running<'_>,
) -> Result<(Vec<usize>, Vec<Row>)> {
    let frame = &window.frame;
    let is_distance = |edge: &Edge| matches!(edge, Edge::At(_));
    let has_distance = frame.is_range && (is_distance(&frame.start) || is_distance(&frame.end));
    let mut keyed = Vec::with_capacity(places.len());
    for place in places {
        let mut env = Env::new(&rows[place], running);
        let keys: Row =
            window.order.iter().map(|key| key.node.eval(&mut env)).collect::<Result<_>>()?;
        running.hold_row(&keys)?;
        if has_distance && keys.iter().any(|key| key.is_null() || key.is_nan()) {
            return Err(Problem::text(
                "a numeric bound of RANGE does not support NULL or NaN in ORDER BY",
            ));
        }
        keyed.push((keys, place));
    }
    keyed.sort_by(|(a, _), (b, _)| compare(a, b, &window.order));
    Ok(keyed.into_iter().map(|(keys, place)| (place, keys)).unzip())
}

/// Returns the value of a window function for each row of a partition, in the sort order of the partition.
fn of_partition(
    rows: &[Row],
    places: &[usize],
    partition: &Partition<'_>,
    window: &Window,
    running: &Running<'_>,
) -> Result<Vec<Value>> {
    let eval = |node: &Node, at: usize| node.eval(&mut Env::new(&rows[places[at]], running));
    if let WindowFunction::Aggregate(aggregate) = &window.function {
        return aggregated(aggregate, partition, window, &eval, running);
    }

    let count = places.len();
    let mut values = Vec::with_capacity(count);
    let mut peers = 0..0;
    let mut rank = 0;
    for at in 0..count {
        running.tick()?;
        if !peers.contains(&at) {
            peers = partition.peers(at);
            rank += 1;
        }

        let number = |n: usize| Value::Int(i128::try_from(n).unwrap_or(0));
        #[expect(clippy::cast_precision_loss, reason = "row indexes are small")]
        let share =
            |a: usize, b: usize| Value::Float(if b == 0 { 0.0 } else { a as f64 / b as f64 });

        // ClickHouse evaluates the arguments for all rows, so their errors end the query even if no frame contains the
        // row.
        for node in window.function.values() {
            eval(node, at)?;
        }

        let value = match &window.function {
            WindowFunction::RowNumber => number(at + 1),
            // With a frame in ROWS, ClickHouse gives equal rows different ranks.
            WindowFunction::Rank | WindowFunction::DenseRank if !window.frame.is_range => {
                number(at + 1)
            }
            WindowFunction::Rank => number(peers.start + 1),
            WindowFunction::DenseRank => number(rank),
            WindowFunction::PercentRank => share(peers.start, count - 1),
            WindowFunction::CumeDist => share(peers.end, count),
            WindowFunction::Ntile(parts) => {
                let parts = usize::try_from(eval(parts, at)?.int()).unwrap_or(1).max(1);
                number(tile(at, count, parts))
            }

            WindowFunction::Shift { value, by, other, back, in_frame, none } => {
                let by = eval(by, at)?.int();
                let by = if *back { -by } else { by };
                let frame = if *in_frame {
                    frame(partition, at, &peers, window, running)?
                } else {
                    0..count
                };
                let wanted = i128::try_from(at).unwrap_or(0) + by;
                match usize::try_from(wanted).ok().filter(|place| frame.contains(place)) {
                    Some(place) => eval(value, place)?,
                    None => match other {
                        Some(other) => eval(other, at)?,
                        None => none.clone(),
                    },
                }
            }

            WindowFunction::First(value, none) | WindowFunction::Last(value, none) => {
                let frame = frame(partition, at, &peers, window, running)?;
                let is_first = matches!(window.function, WindowFunction::First(..));
                match if is_first { frame.clone().next() } else { frame.clone().next_back() } {
                    Some(place) => eval(value, place)?,
                    None => none.clone(),
                }
            }
            WindowFunction::Nth(value, n, none) => {
                let n = usize::try_from(eval(n, at)?.int()).unwrap_or(0);
                let frame = frame(partition, at, &peers, window, running)?;
                match n.checked_sub(1).and_then(|n| frame.clone().nth(n)) {
                    Some(place) => eval(value, place)?,
                    None => none.clone(),
                }
            }
            WindowFunction::Aggregate(_) => Value::Null,
        };
        running.hold(value.size())?;
        values.push(value);
    }
    Ok(values)
}

/// Returns the bucket number of `ntile` for a row. If the rows cannot be divided equally, the first buckets have one
/// row more.
fn tile(at: usize, count: usize, parts: usize) -> usize {
    let (small, larger) = (count / parts, count % parts);
    let in_larger = larger * (small + 1);
    if at < in_larger { at / (small + 1) + 1 } else { (at - in_larger) / small.max(1) + larger + 1 }
}

/// Returns the frame of a row. For a frame such as `RANGE 5 PRECEDING`, the function searches all rows of the
/// partition, and counts these rows as work for the time limit.
fn frame(
    partition: &Partition<'_>,
    at: usize,
    peers: &Range<usize>,
    window: &Window,
    running: &Running<'_>,
) -> Result<Range<usize>> {
    let Frame { is_range, start, end } = window.frame;
    if is_range && [start, end].iter().any(|edge| matches!(edge, Edge::At(_))) {
        running.work(partition.keys.len())?;
    }
    Ok(partition.frame(at, peers, &window.frame))
}

/// Returns one value per row of a partition: the result of an aggregate function over the frame of the row.
fn aggregated(
    aggregate: &Aggregate,
    partition: &Partition<'_>,
    window: &Window,
    eval: &dyn Fn(&Node, usize) -> Result<Value>,
    running: &Running<'_>,
) -> Result<Vec<Value>> {
    let count = partition.keys.len();
    let mut args = Vec::with_capacity(count);
    for at in 0..count {
        let row: Row = aggregate.args.iter().map(|node| eval(node, at)).collect::<Result<_>>()?;
        running.hold_row(&row)?;
        args.push(row);
    }

    let mut growing = Growing::new(aggregate, running)?;
    let mut last = 0..0;
    let mut peers = 0..0;
    for at in 0..count {
        running.tick()?;
        if !peers.contains(&at) {
            peers = partition.peers(at);
        }
        let frame = frame(partition, at, &peers, window, running)?;
        if at > 0 && frame == last {
            growing.repeat_value()?;
            continue;
        }

        // If the frame only grows, the state is kept and the new rows are added. Otherwise the state is computed again.
        let grows = window.frame.start == Edge::First && frame.end >= last.end;
        let added = if grows { last.end } else { frame.start };
        if !grows {
            growing.restart()?;
        }
        for row in &args[added.min(frame.end)..frame.end] {
            running.tick()?;
            growing.add(row)?;
        }
        growing.push_value()?;
        last = frame;
    }
    growing.finish()
}

/// State of an aggregate function call with OVER, such as `sum(x) OVER (ORDER BY y)`. `values` contains the results of
/// the call for the rows that are already processed.
struct Growing<'a> {
    aggregate: &'a Aggregate,
    running: &'a Running<'a>,
    state: Box<dyn State>,
    /// Size of `state` in bytes. This size is counted against the memory limit.
    held: usize,
    values: Vec<Value>,
    /// Elements of `values` that the method `share` later replaces by lists, for example for `groupArray`. Each pair
    /// contains the index of the element, and the length n of its list. The list consists of the first n elements of
    /// the result of `state`.
    prefixes: Vec<(usize, usize)>,
}

impl<'a> Growing<'a> {
    fn new(aggregate: &'a Aggregate, running: &'a Running<'a>) -> Result<Self> {
        let state = (aggregate.made.start)();
        let held = state.size();
        running.hold(held)?;
        Ok(Growing { aggregate, running, state, held, values: Vec::new(), prefixes: Vec::new() })
    }

    fn add(&mut self, row: &[Value]) -> Result<()> {
        self.state.add(row)?;
        let size = self.state.size();
        self.running.hold_instead(self.held, size)?;
        self.held = size;
        Ok(())
    }

    /// Appends the current result of the state to `values`. Some functions, such as `groupArray`, return a list to
    /// which later rows only append elements. For these functions, the method appends NULL. [`Self::share`] later
    /// replaces the NULL with the list, so that the lists of several rows share memory.
    fn push_value(&mut self) -> Result<()> {
        let value = match self.state.growing_len() {
            Some(len) => {
                self.prefixes.push((self.values.len(), len));
                Value::Null
            }
            None => {
                self.running.work(self.held / size_of::<Value>())?;
                self.state.finish()?
            }
        };
        self.running.hold(value.size())?;
        self.values.push(value);
        Ok(())
    }

    /// Appends a copy of the last element of `values` to `values`. If a row has the same frame as the row before it,
    /// both rows have the same value.
    fn repeat_value(&mut self) -> Result<()> {
        if let Some((at, len)) = self.prefixes.last().copied()
            && at + 1 == self.values.len()
        {
            self.prefixes.push((self.values.len(), len));
        }
        let value = self.values.last().cloned().unwrap_or_default();
        self.running.hold(value.size())?;
        self.values.push(value);
        Ok(())
    }

    /// Replaces the temporary NULL elements of `values` by lists, and clears `prefixes`. For example, if `prefixes`
    /// contains the pair (4, 3), `values[4]` becomes a list with the first 3 elements of the result of `state`. All
    /// these lists share the memory of this result.
    fn share(&mut self) -> Result<()> {
        if self.prefixes.is_empty() {
            return Ok(());
        }
        self.running.hold(self.held)?;
        let whole = self.state.finish()?;
        for (at, len) in self.prefixes.drain(..) {
            if let Value::List(list) = &whole {
                self.values[at] = Value::List(list.prefix(len));
            }
        }
        // The lists stay in memory after the state is replaced.
        self.running.hold_instead(self.held, whole.size())
    }

    fn restart(&mut self) -> Result<()> {
        self.share()?;
        self.state = (self.aggregate.made.start)();
        let size = self.state.size();
        self.running.hold_instead(self.held, size)?;
        self.held = size;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Value>> {
        self.share()?;
        self.running.release(self.held);
        Ok(self.values)
    }
}
