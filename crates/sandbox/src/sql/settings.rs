//! Settings of SQL.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits of the SQL operations.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Time limit of a synchronous query.
    pub(crate) window: Duration,
    /// Time limit of a job.
    pub(crate) job_time: Duration,
    /// Maximum running jobs.
    pub(crate) workers: usize,
    /// Maximum queued jobs.
    pub(crate) queue: usize,
    /// Pause of a job after each day of a table that it reads.
    pub(crate) pace: Duration,
    /// Maximum rows that a query may read from tables.
    pub(crate) rows_to_read: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            window: Duration::from_secs(30),
            job_time: Duration::from_secs(300),
            workers: 2,
            queue: 16,
            pace: Duration::ZERO,
            rows_to_read: 2_000_000,
        }
    }
}
