//! A SQL query that was submitted as a job.

use crate::account::Identity;

use super::super::plan::Plan;
use super::super::tables::Estimate;

/// A SQL query that was submitted as a job, with its owner and its limits.
#[derive(Debug)]
pub(in super::super) struct Order {
    pub(in super::super) owner: Identity,
    pub(in super::super) sql: String,
    pub(in super::super) max_rows: i64,
    pub(in super::super) plan: Plan,
    pub(in super::super) estimate: Estimate,
}
