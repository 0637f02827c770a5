//! Writes answers and lists to files in a folder.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use crypto_intel::DynamicRequest;
use crypto_intel_frames::export::{Export, ExportExt, Format, Outcome, Partition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::notices::{Queue, Receiver};
use crate::settings::{present, seconds};
use crate::tables::options;
use crate::wait::Pending;

/// Prepares an export with these settings, by the names of `ExportSettings` in `crypto_intel._export`, and the limits
/// `items` and `credits`. `origin` names the data source, if the base URL is not suitable.
///
/// The result has the fields of `Exported`: the outcome, and the rows, files, pages and credits used of all runs. The
/// last field is the Unix time of the rows if this run had nothing left to do.
pub(crate) fn export(
    request: DynamicRequest,
    origin: Option<String>,
    folder: String,
    settings: &Bound<'_, PyDict>,
) -> PyResult<Pending> {
    let mut export = request.export();
    let notices = Arc::new(Queue::default());
    if let Some(origin) = origin {
        export = export.from_origin(origin);
    }
    for (name, value) in present(settings) {
        let name: String = name.extract()?;
        export = set(export, &name, &value, &notices)?;
    }

    let call = async move {
        let report = export.to_folder(folder).await?;
        let outcome = outcome(report.outcome);
        let since = report.unchanged_since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let since = since.map(|time| time.as_secs());
        let fields = (outcome, report.rows, report.files, report.pages, report.credits_used, since);
        Ok::<_, crypto_intel_frames::Error>(fields)
    };
    Ok(Pending::with_notices(call, notices))
}

fn set(
    export: Export,
    name: &str,
    value: &Bound<'_, PyAny>,
    notices: &Arc<Queue>,
) -> PyResult<Export> {
    Ok(match name {
        "format" => export.format(format(&value.extract::<String>()?)?),
        "partition_by" => export.partition_by(Partition::Column(value.extract()?)),
        "partition_by_day" => export.partition_by(Partition::Day(value.extract()?)),
        "rows_per_file" => export.rows_per_file(value.extract()?),
        "side_by_side" => export.side_by_side(value.extract()?),
        "refresh" => export.refresh(value.extract()?),
        "origin" => export.from_origin(value.extract::<String>()?),
        "journal_folder" => export.journal_folder(value.extract::<std::path::PathBuf>()?),
        "table" => export.options(options(value.cast::<PyDict>()?)?),
        "items" => export.max_rows(value.extract()?),
        "credits" => export.max_credits(value.extract()?),
        "max_seconds" => export.max_time(seconds(name, value)?),
        "on_progress" => {
            let receiver = Receiver::of_call(value.clone().unbind(), notices.clone());
            export.on_progress(move |now| {
                let seconds = now.elapsed.as_secs_f64();
                receiver.call((
                    now.rows,
                    now.rows_written,
                    now.files,
                    now.pages,
                    now.credits_used,
                    seconds,
                ));
            })
        }
        _ => return Err(PyValueError::new_err(format!("exports have no setting `{name}`"))),
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
