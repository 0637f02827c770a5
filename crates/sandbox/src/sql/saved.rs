//! Types that serialize SQL jobs for the saved state of a sandbox.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::account::Identity;

/// All SQL jobs of a saved sandbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SavedJobs {
    /// Number of jobs created so far. Job ids depend on this number.
    pub(super) made: u64,
    /// State of each caller's circuit breaker. Each entry has the caller, the number of consecutive failures, and a
    /// Unix time in seconds. New jobs of the caller are rejected until this time.
    pub(super) breakers: Vec<(Identity, u32, i64)>,
    /// Stored jobs, oldest first.
    pub(super) jobs: Vec<SavedJob>,
}

/// A SQL job in the saved state of a sandbox. `end` is `None` for a job that was queued or running.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedJob {
    #[serde(flatten)]
    pub(super) order: JobOrder,
    pub(super) started_at: Option<i64>,
    pub(super) finished_at: Option<i64>,
    pub(super) elapsed_ms: u64,
    pub(super) cancellation_requested: bool,
    pub(super) progress: Progress,
    pub(super) end: Option<JobEnd>,
}

/// Properties of a SQL job that are fixed when it is submitted, such as its id, its owner and its query.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobOrder {
    pub(super) id: String,
    pub(super) query_id: String,
    pub(super) request_id: String,
    pub(super) owner: Identity,
    pub(super) sql: String,
    pub(super) executed_sql: String,
    pub(super) normalised: String,
    pub(super) max_rows: i64,
    pub(super) created_at: i64,
    pub(super) estimated_rows: i64,
    pub(super) estimated_bytes: i64,
}

/// Final state of a SQL job.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JobEnd {
    Succeeded(Arc<JobRows>),
    Failed(Failure),
    Canceled,
}

/// Number of rows and bytes that a SQL job has read, and its progress in percent.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) percent: f64,
}

/// Error of a failed SQL job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) code: String,
    pub(super) message: String,
    /// True if a new job with the same query may succeed.
    pub(super) retryable: bool,
    /// Action that the service recommends to the caller, such as `narrow_query`.
    pub(super) action: String,
}

/// Rows of a SQL job's result, as JSON text and as CSV text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobRows {
    pub(super) count: usize,
    pub(super) json: String,
    pub(super) csv: String,
}
