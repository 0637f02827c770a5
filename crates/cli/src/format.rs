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
    /// JSON on one line, in which column names and equal values are written once.
    Compact,
}

impl Format {
    /// Names of the formats.
    pub(crate) const NAMES: &[&str] = if cfg!(feature = "agents") {
        &["table", "json", "ndjson", "csv", "compact"]
    } else {
        &["table", "json", "ndjson", "csv"]
    };
    /// The shortest format for agents.
    pub(crate) const COMPACT: Format =
        if cfg!(feature = "agents") { Format::Compact } else { Format::Json };

    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "table" => Ok(Format::Table),
            "json" => Ok(Format::Json),
            "ndjson" => Ok(Format::Ndjson),
            "csv" => Ok(Format::Csv),
            "compact" if cfg!(feature = "agents") => Ok(Format::Compact),
            _ => Err(Failure::usage(format!("there is no output format `{name}`"))
                .next(format!("the formats are {}", Format::NAMES.join(", ")))),
        }
    }
}
