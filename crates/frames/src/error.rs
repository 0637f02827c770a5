//! Errors of reading responses as tables.

use arrow_schema::ArrowError;

/// An error of frames.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The call failed. Kind, retries and credits are those of this error.
    #[error(transparent)]
    Call(#[from] crypto_intel::Error),
    /// The operation or its options cannot be read as a table.
    #[error("{operation}: {reason}")]
    NoTable {
        /// Operation of the request.
        operation: &'static str,
        /// Reason, with an alternative.
        reason: String,
    },
    /// A value fits no column or a field has no column, and the options contain no column for such values.
    #[error("{operation}: row {row}: {what} at `{place}` (column `{column}`)")]
    Misfit {
        /// Operation of the request.
        operation: &'static str,
        /// Number of the row, counted from 0.
        row: u64,
        /// The column; empty if the error is about the whole row.
        column: String,
        /// Path in the row, as a JSON pointer.
        place: String,
        /// Description of the fault.
        what: String,
    },
    /// Arrow rejected a batch or a file.
    #[error("arrow: {0}")]
    Arrow(#[from] ArrowError),
    /// Parquet rejected a file.
    #[cfg(feature = "export")]
    #[error("parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The target of an export failed.
    #[cfg(feature = "export")]
    #[error("store: {0}")]
    Store(#[from] object_store::Error),
    /// The folder of an export contains something that this export cannot continue.
    #[cfg(feature = "export")]
    #[error("export to `{place}`: {reason}")]
    Place {
        /// Folder of the export.
        place: String,
        /// Reason, and how to continue.
        reason: String,
    },
}
