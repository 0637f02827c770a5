//! SQL jobs of a saved sandbox.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::account::Identity;

/// The jobs of a saved sandbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SavedJobs {
    /// Number of jobs so far. Identifiers depend on it.
    pub(super) made: u64,
    /// Failures of each caller, and the Unix time until which its queries are rejected.
    pub(super) breakers: Vec<(Identity, u32, i64)>,
    /// Jobs, oldest first.
    pub(super) jobs: Vec<SavedJob>,
}

/// One job. A job that waits or runs has no end.
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

/// The order of a job.
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

/// Final state of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JobEnd {
    Succeeded(Arc<JobRows>),
    Failed(Failure),
    Canceled,
}

/// Rows and bytes that a job has read.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) percent: f64,
}

/// Reason why a job failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) code: String,
    pub(super) message: String,
    /// True if submitting the query again may succeed.
    pub(super) retryable: bool,
    /// Recommended action in the service's words.
    pub(super) action: String,
}

/// Rows of a job, in both formats.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobRows {
    pub(super) count: usize,
    pub(super) json: String,
    pub(super) csv: String,
}
