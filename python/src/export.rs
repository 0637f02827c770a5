//! Writes lists to files in a folder.

use std::future::Future;
use std::time::{Duration, UNIX_EPOCH};

use crypto_intel::DynamicRequest;
use crypto_intel_frames::Error;
use crypto_intel_frames::export::{ExportExt, Format, Outcome, Partition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Fields of `Exported` in `crypto_intel._export`: the outcome, and the rows, files, pages and credits used of all
/// runs. The last field is the Unix time of the rows if this run found nothing left to do.
pub(crate) type Exported = (&'static str, u64, u64, u64, i64, Option<u64>);

/// Prepares an export with these settings: `format`, the partition `column` or `day`, `rows_per_file`, `refresh`, and
/// the limits `items`, `credits` and `seconds`. `origin` names the data source if the base URL does not.
pub(crate) fn export(
    request: DynamicRequest,
    origin: Option<String>,
    folder: String,
    settings: &Bound<'_, PyDict>,
) -> PyResult<impl Future<Output = Result<Exported, Error>> + Send + 'static> {
    let mut export = request.export();
    if let Some(origin) = origin {
        export = export.from_origin(origin);
    }
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
            "refresh" => export.refresh(value.extract()?),
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
        let since = report.unchanged_since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let since = since.map(|time| time.as_secs());
        Ok((outcome, report.rows, report.files, report.pages, report.credits_used, since))
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
