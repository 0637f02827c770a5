//! Aggregate functions that select one value of a group: `min`, `max`, `any` (the first value) and `anyLast`. `argMin`
//! and `argMax` select the value from the row in which another column has its minimum or maximum.

use std::cmp::Ordering;

use super::{AggregateCall, Made, State};
use crate::problem::Result;
use crate::value::{Value, default};

pub(super) const NAMES: &[&str] = &["min", "max", "any", "anyLast", "argMin", "argMax"];

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    let wanted = match asked.name {
        "min" | "argMin" => Some(Ordering::Less),
        "max" | "argMax" => Some(Ordering::Greater),
        "any" | "anyLast" => None,
        _ => return None,
    };
    Some(build(asked, wanted))
}

fn build(asked: &AggregateCall<'_>, wanted: Option<Ordering>) -> Result<Made> {
    let by_other = asked.name.starts_with("arg");
    asked.takes(if by_other { 2..=2 } else { 1..=1 })?;
    // ClickHouse sorts NULL inside lists differently with and without GROUP BY.
    if wanted.is_some() && asked.types[usize::from(by_other)].has_nullable_member() {
        return Err(asked.fault("lists and tuples with NULL cannot be compared"));
    }
    let ty = asked.types[0].clone();
    let other = default(&ty);
    let last = asked.name == "anyLast";
    Made::new(ty, move || Pick { best: None, by_other, wanted, last, other: other.clone() })
}

struct Pick {
    /// The selected value and the value that was compared to select it. The two values differ only for `argMin` and
    /// `argMax`, which compare the values of the second argument.
    best: Option<(Value, Value)>,
    by_other: bool,
    wanted: Option<Ordering>,
    last: bool,
    other: Value,
}

impl State for Pick {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let by = &args[usize::from(self.by_other)];
        let is_better = match (&self.best, self.wanted) {
            (None, _) => true,
            (Some(_), None) => self.last,
            // A number replaces a NaN that was selected before.
            (Some((_, best)), Some(_)) if best.is_nan() => !by.is_nan(),
            (Some((_, best)), Some(wanted)) => !by.is_nan() && by.order(best) == wanted,
        };
        if is_better {
            self.best = Some((args[0].clone(), by.clone()));
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(self.best.as_ref().map_or_else(|| self.other.clone(), |(value, _)| value.clone()))
    }

    fn size(&self) -> usize {
        self.best.as_ref().map_or(64, |(value, by)| value.size() + by.size() + 64)
    }
}
