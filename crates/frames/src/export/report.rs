//! Progress and result of an export.

use std::time::{Duration, SystemTime};

use crypto_intel::UnixMillis;
use serde::{Deserialize, Serialize};

/// Progress of an export.
///
/// An update of a complete export counts only the rows, files, pages and credits of the update. The earlier rows and
/// files of the export are not counted. If the update continues after an interruption, its interrupted runs are counted
/// too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of rows that all runs of the export have read. Some of these rows may not be in files yet.
    pub rows: u64,
    /// Number of rows in the data files at the last checkpoint. If the run is killed before the next checkpoint, the
    /// next run continues after these rows.
    pub rows_written: u64,
    /// Number of files in the folder.
    pub files: u64,
    /// Number of pages that all runs of the export have read.
    pub pages: u64,
    /// Credits used, as reported by the service. The sum includes all runs that have written a checkpoint.
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
    /// Number of pages that all runs of the export have read.
    pub pages: u64,
    /// Credits used, as reported by the service. The sum includes all runs that have written a checkpoint.
    pub credits_used: i64,
    /// Time at which an earlier run wrote the last rows. Set only if an earlier run finished the export, so that
    /// this run sent no request. To request the rows again, use [`Export::refresh`](super::Export::refresh).
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
    /// Number of removed rows. The update removes a stored row if the service no longer returns the row. But it keeps
    /// all rows that are older than the earliest received row. For example, if the earliest received row is from 10:00,
    /// only stored rows from 10:00 or later can be removed.
    pub removed: u64,
    /// First gap between the stored rows and the rows of this run. Rows in the gap may be missing permanently, because
    /// the service did not return them. `None` if no rows are missing.
    pub gap: Option<Gap>,
}

/// Time range between the last stored row and the first row that an update received. Rows in this range may be missing,
/// because the stored rows and the received rows do not overlap in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Time of the last stored row. The gap begins after this time.
    pub after: UnixMillis,
    /// Time of the first row after the gap. If the update received no row, this is the time of the update.
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
