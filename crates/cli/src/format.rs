//! Output formats of `cintel`.

use crate::failure::Failure;

/// Output format of `cintel`, as selected by `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Table for human readers, with rounded numbers.
    Table,
    /// One JSON value for all rows.
    Json,
    /// Newline-delimited JSON: one row per line.
    Ndjson,
    /// Comma-separated values with a header.
    Csv,
    /// JSON on one line. Column names and repeated values are written only once.
    Compact,
}

impl Format {
    /// Names of the formats that `--output` accepts.
    pub(crate) const NAMES: &[&str] = if cfg!(feature = "agents") {
        &["table", "json", "ndjson", "csv", "compact"]
    } else {
        &["table", "json", "ndjson", "csv"]
    };
    /// Output format with the fewest characters, for AI agents.
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
