//! The forms of output.

use crate::failure::Failure;

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// One document.
    Json,
    /// One document a line and row.
    Ndjson,
    /// Comma-separated, with a header.
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
