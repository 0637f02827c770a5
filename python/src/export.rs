//! Writes the rows of answers and lists to files in a folder.
//!
//! The input is a request, a folder and settings. The output is a pending call, whose result contains the outcome, the
//! number of rows and the number of files.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use crypto_intel::{DynamicRequest, ErrorKind, UnixMillis};
use crypto_intel_frames::arrow_schema::Schema;
use crypto_intel_frames::export::{
    DryRun, Export, ExportExt, Format, Outcome, Partition, PreparedSync, Report, SyncPlan, Synced,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::errors::Raise;

use crate::notices::{Queue, Receiver};
use crate::settings::{present, seconds};
use crate::tables::{capsule_of_batches, options};
use crate::wait::Pending;

/// Prepares an export. The keys of `settings` are the field names of `ExportSettings` in the Python module
/// `crypto_intel._export`, and the limits `items` and `credits`. `origin` is the name of the data source. If `origin`
/// is `None`, the base URL is used as the name.
///
/// The result of the pending call is the tuple [`Fields`]. Python converts this tuple to its class `Exported`.
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
        Ok::<_, crypto_intel_frames::Error>(fields(&report))
    };
    Ok(Pending::with_notices(call, notices))
}

/// Changes that an update made to the rows of an export. The first three fields are the numbers of added, replaced and
/// removed rows. The last field is the start and end, in Unix seconds, of a gap in which rows may be missing.
type ChangedRows = (u64, u64, u64, Option<(i64, i64)>);

/// Result of an export as a Python tuple. Its fields are:
///
/// 1. the outcome
/// 2. number of rows
/// 3. number of files
/// 4. number of pages
/// 5. credits used by all runs
/// 6. Unix time of the last written rows, if an earlier run had already finished the export
/// 7. changes, if the run was an update
type Fields = (&'static str, u64, u64, u64, i64, Option<u64>, Option<ChangedRows>);

fn fields(report: &Report) -> Fields {
    let since = report.unchanged_since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let seconds = |time: UnixMillis| time.to_seconds().0;
    let changes = report.changes.map(|changes| {
        let gap = changes.gap.map(|gap| (seconds(gap.after), seconds(gap.before)));
        (changes.added, changes.replaced, changes.removed, gap)
    });
    let outcome = outcome(report.outcome);
    let since = since.map(|time| time.as_secs());
    (outcome, report.rows, report.files, report.pages, report.credits_used, since, changes)
}

/// Parses an export plan from JSON text, and prepares its exports.
pub(crate) fn prepare(
    client: &crypto_intel::Client,
    origin: Option<String>,
    plan: &str,
) -> Result<PreparedSync, crypto_intel_frames::Error> {
    let invalid = |error: serde_json::Error| {
        crypto_intel::Error::new(ErrorKind::InvalidRequest, format!("plan: {error}"))
    };
    let plan: SyncPlan = serde_json::from_str(plan).map_err(invalid)?;
    let sync = plan.prepare(client)?;
    Ok(match origin {
        Some(origin) => sync.each(|export| export.from_origin(origin.clone())),
        None => sync,
    })
}

/// Returns the maximum cost of each export in an export plan. Each tuple contains the name of the export, its maximum
/// number of requests, and its maximum list price in credits. An unknown number is `None`.
pub(crate) fn bill(sync: &PreparedSync) -> Vec<(String, Option<u64>, Option<u64>)> {
    let exports = sync.bill().exports.into_iter();
    let price = |cost: &DryRun| cost.list_price.and_then(|price| price.credits());
    exports.map(|(name, cost)| (name, cost.requests, price(&cost).map(|price| price.0))).collect()
}

/// Runs the exports of a plan. There is one result per export. Each result contains the name of the export, and either
/// the [`Fields`] of the export or an error message.
pub(crate) fn sync(sync: PreparedSync, folder: String) -> Pending {
    Pending::new(async move {
        let results = sync.run(folder, |_, _| (), std::future::pending()).await;
        let part = |synced: Synced| match synced.result {
            Ok(report) => (synced.name, Some(fields(&report)), None),
            Err(error) => (synced.name, None, Some(error.to_string())),
        };
        Ok::<_, crypto_intel_frames::Error>(results.into_iter().map(part).collect::<Vec<_>>())
    })
}

/// Returns the rows that an export contained at the Unix time `time`, as a stream of batches. The export must have
/// provenance columns, such as the time of the response.
#[pyfunction]
pub(crate) fn read_as_of(
    py: Python<'_>,
    folder: String,
    time: f64,
) -> PyResult<Bound<'_, PyCapsule>> {
    let since = Duration::try_from_secs_f64(time)
        .map_err(|_| PyValueError::new_err("`time` must be 1970 or later"))?;
    let batches = py.detach(|| crypto_intel_frames::export::read_as_of(folder, UNIX_EPOCH + since));
    let batches = batches.map_err(|error| error.raise(py))?;
    let schema = batches.first().map_or_else(|| Schema::empty().into(), |batch| batch.schema());
    capsule_of_batches(py, schema, batches)
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
        "update" => export.update(seconds(name, value)?),
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
            "there is no format `{name}`; the formats are parquet, arrow, csv and ndjson"
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
