//! Formats in which a SQL job returns its rows: JSON and CSV.

/// Format in which a SQL job returns its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Csv,
}
