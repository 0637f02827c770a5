//! Progress and result of an export.

use std::time::{Duration, SystemTime};

use crypto_intel::UnixMillis;
use serde::{Deserialize, Serialize};

/// Progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Rows in the files of the folder, plus rows that were read for the next files.
    pub rows: u64,
    /// Rows in the files of the folder. Another run continues after these rows.
    pub rows_written: u64,
    /// Files in the folder.
    pub files: u64,
    /// Pages that were read, in all runs.
    pub pages: u64,
    /// Sum of the credits used that the service reported, in all runs that wrote a checkpoint.
    pub credits_used: i64,
    /// Time since the start of this run.
    pub elapsed: Duration,
}

/// Result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Reason for the end of the run.
    pub outcome: Outcome,
    /// Rows in the folder.
    pub rows: u64,
    /// Files in the folder.
    pub files: u64,
    /// Pages that were read, in all runs.
    pub pages: u64,
    /// Sum of the credits used that the service reported, in all runs that wrote a checkpoint.
    pub credits_used: i64,
    /// Time at which an earlier run wrote the last rows, if this run found nothing left to do and sent no request.
    /// The data are as old as that run; [`Export::refresh`](super::Export::refresh) reads them again.
    pub unchanged_since: Option<SystemTime>,
    /// Changes of the rows by this run, if it updated an export; see [`Export::update`](super::Export::update).
    pub changes: Option<Changes>,
}

/// Changes of the rows of an export by an update.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Number of rows that were not in the folder.
    pub added: u64,
    /// Number of rows with new values.
    pub replaced: u64,
    /// Number of rows that the service no longer returns for a time range from which it returns other rows.
    pub removed: u64,
    /// The first gap between the rows of the folder and the rows of this run. Rows in the gap may be missing for
    /// ever, since the service did not return them.
    pub gap: Option<Gap>,
}

/// A time range without rows, between rows of two runs. The service returned no row that both runs have read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Time of the last row before the gap.
    pub after: UnixMillis,
    /// Time of the first row after the gap, or of the update if it found no row.
    pub before: UnixMillis,
}

/// Reason why a run ended without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The folder contains the whole list.
    Complete,
    /// The folder contains as many rows as `max_rows` allows.
    RowLimit,
    /// The next page would exceed `max_credits`. Another run continues.
    CreditLimit,
    /// `max_time` has passed. Another run continues.
    TimeLimit,
    /// The future of [`Export::stop_on`](super::Export::stop_on) completed. Another run continues.
    Stopped,
}
