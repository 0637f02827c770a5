//! Runs query plans. The rows of the tables pass one by one through the steps of the query. The module `running` checks
//! the limits of the query.

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

/// Function that receives a row. It returns true if it accepts more rows.
pub(crate) type Taker<'a> = dyn FnMut(&[Value]) -> Result<bool> + 'a;
