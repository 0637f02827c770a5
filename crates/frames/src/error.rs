//! Errors of conversions to Arrow tables, and of exports to files.

use arrow_schema::ArrowError;

/// Error of a conversion of rows to Arrow tables, or of an export to files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A call failed. The inner error contains the kind of the failure, the number of attempts and the credits used.
    #[error(transparent)]
    Call(#[from] crypto_intel::Error),
    /// The rows of the operation cannot be converted to a table with these options.
    #[error("{operation}: {reason}")]
    NoTable {
        /// Identifier of the operation.
        operation: &'static str,
        /// Reason for the error, often with an alternative to the rejected options.
        reason: String,
    },
    /// A row does not fit the table: the row is not valid JSON, is too large, has a value of a wrong type, or has a
    /// field without a column. The options determine whether a wrong type or a missing column is an error.
    #[error("{operation}: row {row}: {what}{}", at(place, column))]
    Misfit {
        /// Identifier of the operation.
        operation: &'static str,
        /// Index of the row among all rows that were read, counted from 0.
        row: u64,
        /// Name of the row's field that caused the error. Empty if the error concerns the whole row.
        column: String,
        /// JSON pointer of the value in the row.
        place: String,
        /// Description of the error, such as `"n/a" is not a number`.
        what: String,
    },
    /// Arrow rejected a batch or a file.
    #[error("arrow: {0}")]
    Arrow(#[from] ArrowError),
    /// Parquet rejected a file.
    #[cfg(feature = "export")]
    #[error("parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The object store or local file system of an export returned an error.
    #[cfg(feature = "export")]
    #[error("store: {0}")]
    Store(#[from] object_store::Error),
    /// The folder of an export cannot be used, for example because it contains another export.
    #[cfg(feature = "export")]
    #[error("export to `{place}`: {reason}")]
    Place {
        /// Folder of the export.
        place: String,
        /// Reason for the error, often with a suggested solution.
        reason: String,
    },
}

/// Returns the end of the message of [`Error::Misfit`]: the pointer and the column of the value. Empty if the error
/// concerns the whole row.
fn at(place: &str, column: &str) -> String {
    match place {
        "" => String::new(),
        place => format!(" at `{place}` (column `{column}`)"),
    }
}
