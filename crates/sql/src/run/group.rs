//! Runs GROUP BY.
//!
//! The input is rows one by one, and the output is one row per group with its keys and aggregates.

use std::collections::HashMap;

use super::Taker;
use super::plan::Group;
use crate::aggregates::State;
use crate::node::Env;
use crate::problem::Result;
use crate::running::{Row, Running};
use crate::value::Value;

/// Groups collected so far.
pub(super) struct Groups<'a> {
    group: &'a Group,
    /// One map from keys to group for each grouping set.
    maps: Vec<HashMap<Row, usize>>,
    found: Vec<(Row, Vec<Box<dyn State>>)>,
    /// Total bytes of the keys and states of all groups.
    held: usize,
}

impl<'a> Groups<'a> {
    pub(super) fn new(group: &'a Group) -> Self {
        let maps = group.sets.iter().map(|_| HashMap::new()).collect();
        Groups { group, maps, found: Vec::new(), held: 0 }
    }

    /// Adds a row to its group in each grouping set.
    pub(super) fn add(&mut self, row: &[Value], running: &Running<'_>) -> Result<()> {
        running.tick()?;
        let mut env = Env::new(row, running);
        let keys: Row =
            self.group.keys.iter().map(|key| key.eval(&mut env)).collect::<Result<_>>()?;
        let mut args = Vec::with_capacity(self.group.aggregates.len());
        for aggregate in &self.group.aggregates {
            let values: Row =
                aggregate.args.iter().map(|arg| arg.eval(&mut env)).collect::<Result<_>>()?;
            args.push(values);
        }

        for kind in 0..self.maps.len() {
            let at = self.place(kind, &keys, running)?;
            for (state, args) in self.found[at].1.iter_mut().zip(&args) {
                let before = state.size();
                state.add(args)?;
                let now = state.size();
                running.hold_instead(before, now)?;
                self.held = (self.held + now).saturating_sub(before);
            }
        }
        Ok(())
    }

    /// Returns the index of the group of a row. Creates the group if it does not exist.
    fn place(&mut self, kind: usize, keys: &[Value], running: &Running<'_>) -> Result<usize> {
        let counts = &self.group.sets[kind];
        let all = counts.iter().all(|counts| *counts);
        let key: Row = if all {
            keys.to_vec()
        } else {
            let pairs = keys.iter().zip(counts).zip(&self.group.defaults);
            pairs
                .map(|((key, counts), none)| if *counts { key.clone() } else { none.clone() })
                .collect()
        };
        if let Some(at) = self.maps[kind].get(&key) {
            return Ok(*at);
        }

        let states: Vec<Box<dyn State>> =
            self.group.aggregates.iter().map(|aggregate| (aggregate.made.start)()).collect();
        // The key is stored twice, and the map has room for more entries than it holds.
        let size = 2 * key.iter().map(Value::size).sum::<usize>()
            + states.iter().map(|state| state.size() + 32).sum::<usize>()
            + 240;
        running.hold(size)?;
        self.held += size;
        self.found.push((key.clone(), states));
        self.maps[kind].insert(key, self.found.len() - 1);
        Ok(self.found.len() - 1)
    }

    /// Passes one row with keys and results per group. Returns true if more rows are wanted.
    pub(super) fn finish(mut self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        if self.found.is_empty() && self.group.always {
            let keys = self.group.defaults.clone();
            let states = self.group.aggregates.iter().map(|aggregate| (aggregate.made.start)());
            self.found.push((keys, states.collect()));
        }

        self.maps.clear();
        let mut wants_more = true;
        for (mut row, states) in std::mem::take(&mut self.found) {
            running.tick()?;
            for state in states {
                // The result briefly exists together with its state, and is at most as large.
                let size = state.size();
                running.work(size / size_of::<Value>())?;
                running.hold(size)?;
                row.push(state.finish()?);
                running.release(size);
            }
            wants_more = taker(&row)?;
            if !wants_more {
                break;
            }
        }
        running.release(self.held);
        Ok(wants_more)
    }
}
