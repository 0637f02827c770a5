//! Runs GROUP BY.
//!
//! The input is the rows of a SELECT, one by one. The output is one row per group, with the keys and the results of the
//! aggregate functions.

use std::collections::HashMap;

use super::Taker;
use super::plan::Group;
use crate::aggregates::State;
use crate::node::Env;
use crate::problem::Result;
use crate::running::{Row, Running};
use crate::value::Value;

/// Groups collected so far, with the states of their aggregate functions.
pub(super) struct Groups<'a> {
    group: &'a Group,
    /// One map per grouping set. A map contains the index of each group in `found`, by the keys of the group.
    maps: Vec<HashMap<Row, usize>>,
    found: Vec<(Row, Vec<Box<dyn State>>)>,
    /// Total size in bytes of the keys and states of all groups.
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
            let at = self.group_index(kind, &keys, running)?;
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

    /// Returns the index of the group to which a row belongs in the grouping set with index `kind`. Creates the group
    /// if it does not exist.
    fn group_index(&mut self, kind: usize, keys: &[Value], running: &Running<'_>) -> Result<usize> {
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
        // The key is stored twice, and a hash map allocates space for more entries than it contains.
        let size = 2 * key.iter().map(Value::size).sum::<usize>()
            + states.iter().map(|state| state.size() + 32).sum::<usize>()
            + 240;
        running.hold(size)?;
        self.held += size;
        self.found.push((key.clone(), states));
        self.maps[kind].insert(key, self.found.len() - 1);
        Ok(self.found.len() - 1)
    }

    /// Passes one row per group to `taker`. A row contains the keys and the results of the aggregate functions. Returns
    /// true if `taker` accepts more rows.
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
                // For a short time, the result and the state are both in memory. The size of the state is used as an
                // estimate of the size of the result.
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
