//! Lists as files of a folder.

use std::future::Future;
use std::time::Duration;

use crypto_intel::DynamicRequest;
use crypto_intel_frames::Error;
use crypto_intel_frames::export::{ExportExt, Format, Outcome, Partition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why it ended, and how many rows, files, pages and credits it took, in all runs.
pub(crate) type Exported = (&'static str, u64, u64, u64, i64);

/// An export, as `settings` say: `format`, `column` or `day` to divide by, `rows_per_file`, and the
/// limits `items`, `credits` and `seconds`.
pub(crate) fn export(
    request: DynamicRequest,
    folder: String,
    settings: &Bound<'_, PyDict>,
) -> PyResult<impl Future<Output = Result<Exported, Error>> + Send + 'static> {
    let mut export = request.export();
    for (name, value) in settings {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        export = match name.as_str() {
            "format" => export.format(format(&value.extract::<String>()?)?),
            "column" => export.partition_by(Partition::Column(value.extract()?)),
            "day" => export.partition_by(Partition::Day(value.extract()?)),
            "rows_per_file" => export.rows_per_file(value.extract()?),
            "items" => export.max_rows(value.extract()?),
            "credits" => export.max_credits(value.extract()?),
            "seconds" => {
                let seconds = Duration::try_from_secs_f64(value.extract()?);
                let fault = |error| PyValueError::new_err(format!("max_seconds: {error}"));
                export.max_time(seconds.map_err(fault)?)
            }
            _ => return Err(PyValueError::new_err(format!("exports have no limit of {name}"))),
        };
    }

    Ok(async move {
        let report = export.to_folder(folder).await?;
        let outcome = outcome(report.outcome);
        Ok((outcome, report.rows, report.files, report.pages, report.credits_used))
    })
}

fn format(name: &str) -> PyResult<Format> {
    match name {
        "parquet" => Ok(Format::Parquet),
        "arrow" => Ok(Format::ArrowIpc),
        "csv" => Ok(Format::Csv),
        "ndjson" => Ok(Format::NdJson),
        _ => Err(PyValueError::new_err(format!(
            "no format `{name}`; there are parquet, arrow, csv and ndjson"
        ))),
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Complete => "complete",
        Outcome::RowLimit => "row limit",
        Outcome::CreditLimit => "credit limit",
        Outcome::TimeLimit => "time limit",
        _ => "limit",
    }
}
