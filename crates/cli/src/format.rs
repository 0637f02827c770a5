//! Output formats.

use crate::failure::Failure;

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A table for people.
    Table,
    /// One JSON value.
    Json,
    /// One JSON object per line and row.
    Ndjson,
    /// Comma-separated values with a header.
    Csv,
}

impl Format {
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "table" => Ok(Format::Table),
            "json" => Ok(Format::Json),
            "ndjson" => Ok(Format::Ndjson),
            "csv" => Ok(Format::Csv),
            _ => Err(Failure::usage(format!("there is no output format `{name}`"))
                .next("the formats are table, json, ndjson and csv")),
        }
    }
}
