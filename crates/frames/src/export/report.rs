//! Progress and result of an export.

use std::time::{Duration, SystemTime};

use crypto_intel::UnixMillis;
use serde::{Deserialize, Serialize};

/// Progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of rows in the files of the folder, plus rows that were read and are not in files yet.
    pub rows: u64,
    /// Number of rows in the files of the folder. If this run ends now, the next run continues after these rows.
    pub rows_written: u64,
    /// Number of files in the folder.
    pub files: u64,
    /// Number of pages that were read, in all runs of the export.
    pub pages: u64,
    /// Sum of the credits used that the service reported, in all runs that wrote a checkpoint.
    pub credits_used: i64,
    /// Time since the start of this run.
    pub elapsed: Duration,
}

/// Result of one run of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Reason for the end of the run.
    pub outcome: Outcome,
    /// Number of rows in the folder.
    pub rows: u64,
    /// Number of files in the folder.
    pub files: u64,
    /// Number of pages that were read, in all runs of the export.
    pub pages: u64,
    /// Sum of the credits used that the service reported, in all runs that wrote a checkpoint.
    pub credits_used: i64,
    /// Time at which an earlier run wrote the last rows. Set only if the export was already finished and this run sent
    /// no request. [`Export::refresh`](super::Export::refresh) requests the rows again.
    pub unchanged_since: Option<SystemTime>,
    /// Changes that this run made to the rows of an earlier run. `None` without
    /// [`Export::update`](super::Export::update).
    pub changes: Option<Changes>,
}

/// Changes that an update made to the rows of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Number of new rows, which were not in the folder before.
    pub added: u64,
    /// Number of rows that were replaced because their values have changed.
    pub replaced: u64,
    /// Number of rows that were removed: the service returned the rows of their time range, but not these rows.
    pub removed: u64,
    /// First gap between the rows of the folder and the rows of this run. Rows in the gap may be missing permanently,
    /// because the service did not return them.
    pub gap: Option<Gap>,
}

/// Time range between the last row of an earlier run and the first row of an update. Rows in this range may be missing,
/// because the time ranges of the two runs do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Time of the last row before the gap.
    pub after: UnixMillis,
    /// Time of the first row after the gap. If the update found no row, the time of the update.
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
    /// The list price of the next page would exceed `max_credits`. The next run continues the export.
    CreditLimit,
    /// `max_time` has passed. The next run continues the export.
    TimeLimit,
    /// The future of [`Export::stop_on`](super::Export::stop_on) completed. The next run continues the export.
    Stopped,
}
