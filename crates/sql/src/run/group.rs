//! GROUP BY.

use std::collections::HashMap;

use super::plan::Group;
use super::scan::Taker;
use super::{Row, Running};
use crate::aggregates::State;
use crate::node::Env;
use crate::problem::Result;
use crate::value::Value;

/// The groups so far.
pub(super) struct Groups<'a> {
    group: &'a Group,
    /// One map for each kind of group.
    maps: Vec<HashMap<Row, usize>>,
    found: Vec<(Row, Vec<Box<dyn State>>)>,
    /// Rows since the memory of all states was added up.
    unmeasured: usize,
    measured: usize,
}

/// Rows after which states are measured.
const MEASURE: usize = 256;

impl<'a> Groups<'a> {
    pub(super) fn new(group: &'a Group) -> Self {
        let maps = group.sets.iter().map(|_| HashMap::new()).collect();
        Groups { group, maps, found: Vec::new(), unmeasured: 0, measured: 0 }
    }

    /// Adds a row to its group, or to one of each kind.
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
                state.add(args)?;
            }
        }
        self.measure(running)
    }

    /// Where the group of a row is, which is made if there is none.
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
        running.hold_row(&key)?;
        running.hold(100 * self.group.aggregates.len() + 100)?;
        let states = self.group.aggregates.iter().map(|aggregate| (aggregate.made.start)());
        self.found.push((key.clone(), states.collect()));
        self.maps[kind].insert(key, self.found.len() - 1);
        Ok(self.found.len() - 1)
    }

    /// Adds up what the states hold, now and then: each time twice as long after.
    fn measure(&mut self, running: &Running<'_>) -> Result<()> {
        self.unmeasured += 1;
        if self.unmeasured < MEASURE.max(self.found.len()) {
            return Ok(());
        }
        self.unmeasured = 0;
        let size = self.found.iter().flat_map(|(_, states)| states).map(|state| state.size()).sum();
        running.release(self.measured);
        self.measured = size;
        running.hold(size)
    }

    /// Gives a row of keys and results for each group: whether more are wanted.
    pub(super) fn finish(mut self, running: &Running<'_>, taker: &mut Taker<'_>) -> Result<bool> {
        if self.found.is_empty() && self.group.always {
            let keys = self.group.defaults.clone();
            let states = self.group.aggregates.iter().map(|aggregate| (aggregate.made.start)());
            self.found.push((keys, states.collect()));
        }
        for (mut row, states) in std::mem::take(&mut self.found) {
            running.tick()?;
            for state in states {
                row.push(state.finish()?);
            }
            if !taker(&row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
