//! Runs a plan. Rows flow from the tables through the steps of the query; see `running` for its limits.

mod frames;
mod group;
mod join;
mod order;
pub(crate) mod plan;
mod scan;
mod select;
pub(crate) mod subquery;
mod windows;

use crate::problem::Result;
use crate::value::Value;

/// Receives a row. Returns true if it wants another row.
pub(crate) type Taker<'a> = dyn FnMut(&[Value]) -> Result<bool> + 'a;
