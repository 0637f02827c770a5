//! Window functions.

use std::collections::HashMap;

use super::frames::Partition;
use super::order::compare;
use super::plan::{Aggregate, Edge, Window, WindowFunction};
use super::{Row, Running};
use crate::node::{Env, Node};
use crate::problem::Result;
use crate::value::Value;

/// Adds the value of a window function to every row.
pub(super) fn add(rows: &mut [Row], window: &Window, running: &Running<'_>) -> Result<()> {
    for places in partitions(rows, window, running)? {
        let (places, keys) = sorted(rows, places, window, running)?;
        let partition = Partition { keys: &keys, order: &window.order };
        let values = of_partition(rows, &places, &partition, window, running)?;
        for (place, value) in places.into_iter().zip(values) {
            running.hold(value.size())?;
            rows[place].push(value);
        }
    }
    Ok(())
}

/// The rows of each partition, in the order in which partitions begin.
fn partitions(rows: &[Row], window: &Window, running: &Running<'_>) -> Result<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut by_key: HashMap<Row, usize> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        running.tick()?;
        let mut env = Env::new(row, running);
        let key: Row =
            window.partition.iter().map(|node| node.eval(&mut env)).collect::<Result<_>>()?;
        let at = *by_key.entry(key).or_insert_with(|| {
            found.push(Vec::new());
            found.len() - 1
        });
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
    let mut keyed = Vec::with_capacity(places.len());
    for place in places {
        let mut env = Env::new(&rows[place], running);
        let keys: Row =
            window.order.iter().map(|key| key.node.eval(&mut env)).collect::<Result<_>>()?;
        keyed.push((keys, place));
    }
    keyed.sort_by(|(a, _), (b, _)| compare(a, b, &window.order));
    Ok(keyed.into_iter().map(|(keys, place)| (place, keys)).unzip())
}

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
        #[expect(clippy::cast_precision_loss, reason = "places of rows, which are few")]
        let share =
            |a: usize, b: usize| Value::Float(if b == 0 { 0.0 } else { a as f64 / b as f64 });

        values.push(match &window.function {
            WindowFunction::RowNumber => number(at + 1),
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
                let frame =
                    if *in_frame { partition.frame(at, &peers, &window.frame) } else { 0..count };
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
                let frame = partition.frame(at, &peers, &window.frame);
                let is_first = matches!(window.function, WindowFunction::First(..));
                match if is_first { frame.clone().next() } else { frame.clone().next_back() } {
                    Some(place) => eval(value, place)?,
                    None => none.clone(),
                }
            }
            WindowFunction::Nth(value, n, none) => {
                let n = usize::try_from(eval(n, at)?.int()).unwrap_or(0);
                let frame = partition.frame(at, &peers, &window.frame);
                match n.checked_sub(1).and_then(|n| frame.clone().nth(n)) {
                    Some(place) => eval(value, place)?,
                    None => none.clone(),
                }
            }
            WindowFunction::Aggregate(_) => Value::Null,
        });
    }
    Ok(values)
}

/// In which of so many parts a row is; the first parts have one row more.
fn tile(at: usize, count: usize, parts: usize) -> usize {
    let (small, larger) = (count / parts, count % parts);
    let in_larger = larger * (small + 1);
    if at < in_larger { at / (small + 1) + 1 } else { (at - in_larger) / small.max(1) + larger + 1 }
}

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

    let mut values = Vec::with_capacity(count);
    let mut state = (aggregate.made.start)();
    let (mut added, mut last) = (0, None);
    let mut peers = 0..0;
    for at in 0..count {
        running.tick()?;
        if !peers.contains(&at) {
            peers = partition.peers(at);
        }
        let frame = partition.frame(at, &peers, &window.frame);
        if let Some((before, value)) = &last
            && *before == frame
        {
            let value: &Value = value;
            values.push(value.clone());
            continue;
        }
        // A frame that only grows is added to; any other is added up anew.
        let grows = window.frame.start == Edge::First && frame.end >= added;
        if !grows {
            state = (aggregate.made.start)();
            added = frame.start;
        }
        for row in &args[added.min(frame.end)..frame.end] {
            running.tick()?;
            state.add(row)?;
        }
        added = frame.end;
        let value = state.finish()?;
        last = Some((frame, value.clone()));
        values.push(value);
    }
    Ok(values)
}
