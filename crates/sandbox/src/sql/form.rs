//! Format of the rows of a SQL job.

/// Format of the rows of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Csv,
}
