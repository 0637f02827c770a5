//! Errors on the way from a response to a table.

use arrow_schema::ArrowError;

/// An error of frames.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The call failed; what it says of kinds, retries and credits holds here too.
    #[error(transparent)]
    Call(#[from] crypto_intel::Error),
    /// The operation, or the options for it, make no table.
    #[error("{operation}: {reason}")]
    NoTable {
        /// The operation.
        operation: &'static str,
        /// Reason, and an alternative.
        reason: String,
    },
    /// A value that does not fit its column, or a member that no column has, and the options leave
    /// nowhere to keep it.
    #[error("{operation}: row {row}: {what} at `{place}` (column `{column}`)")]
    Misfit {
        /// The operation.
        operation: &'static str,
        /// The row, counted from 0 at the beginning of the reading.
        row: u64,
        /// The column; empty where the whole row is meant.
        column: String,
        /// The place in the row, as a JSON pointer.
        place: String,
        /// Description of the fault.
        what: String,
    },
    /// Arrow refused a batch or a file.
    #[error("arrow: {0}")]
    Arrow(#[from] ArrowError),
    /// Parquet refused a file.
    #[cfg(feature = "export")]
    #[error("parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The place that an export goes to failed.
    #[cfg(feature = "export")]
    #[error("store: {0}")]
    Store(#[from] object_store::Error),
    /// The folder of an export contains something that this export cannot continue.
    #[cfg(feature = "export")]
    #[error("export to `{place}`: {reason}")]
    Place {
        /// The folder.
        place: String,
        /// Reason, and how to go on.
        reason: String,
    },
}
