//! Settings of SQL.

use std::time::Duration;

/// Limits of the SQL operations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// How long a query that is waited for may run.
    pub(crate) window: Duration,
    /// How long a job may run.
    pub(crate) job_time: Duration,
    /// Jobs that run side by side.
    pub(crate) workers: usize,
    /// Jobs that wait for one of them.
    pub(crate) queue: usize,
    /// How long a job rests after each day of a table that it reads.
    pub(crate) pace: Duration,
    /// Rows of tables that a query may read.
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
