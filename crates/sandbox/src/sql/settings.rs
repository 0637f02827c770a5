//! Limits of the SQL operations. The builder of the sandbox can change all limits except `rows_to_read`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits of the SQL operations.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Time limit of a synchronous query.
    pub(crate) window: Duration,
    /// Time limit of a SQL job.
    pub(crate) job_time: Duration,
    /// Maximum number of SQL jobs that run at the same time.
    pub(crate) workers: usize,
    /// Maximum number of SQL jobs that wait in the queue.
    pub(crate) queue: usize,
    /// Pause of a SQL job after each day of data that it reads from a table.
    pub(crate) pace: Duration,
    /// Maximum number of rows that a query may read from tables. The number is estimated before the query runs.
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
