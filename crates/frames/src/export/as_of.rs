//! Reads the rows that an export contained at an earlier time. Also lists the Parquet files of an export.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow_array::types::TimestampMillisecondType;
use arrow_array::{Array, BooleanArray, RecordBatch, cast::AsArray};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::checkpoint::part_number;
use super::exchange::fault;
use crate::error::Error;
use crate::provenance::FETCHED_AT;

/// Name of the folder for rows that updates have replaced or removed. This folder is inside the folder of the export.
pub(super) const HISTORY: &str = "_history";

/// Name of the column with the time at which a row was replaced or removed. Only the files in [`HISTORY`] have this
/// column. For a replaced row, the column contains the time of the response with the new values. For a removed row, the
/// column contains the time of the last response of the update.
pub(super) const REPLACED_AT: &str = "_replaced_at";

/// Returns the rows that an export in a local folder contained at `time`. Omits rows that the export received later.
/// Includes rows that an update ([`Export::update`](super::Export::update)) replaced or removed later. Rows that a
/// refresh replaced later are missing, because a refresh deletes all earlier rows.
///
/// The export must have the columns of [`Options::provenance`](crate::Options::provenance). The time of a row is the
/// time of its response, in whole seconds. The order of the rows is not defined.
///
/// # Errors
/// Returns [`Error::Place`] if the folder has no Parquet file or the files have no provenance columns. Also returns an
/// error if a file cannot be read.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// # let parent = tempfile::tempdir()?;
/// # let folder = parent.path().join("prices");
/// use std::time::{Duration, SystemTime};
/// use crypto_intel_frames::{Options, export::{ExportExt, read_as_of}};
///
/// let prices = client.market_price("BTC").export().options(Options::default().provenance(true));
/// prices.update(Duration::from_secs(86_400)).to_folder(&folder).await?;
///
/// let yesterday = SystemTime::now() - Duration::from_secs(86_400);
/// assert!(read_as_of(&folder, yesterday)?.is_empty());
/// # Ok(())
/// # }
/// ```
pub fn read_as_of(folder: impl AsRef<Path>, time: SystemTime) -> Result<Vec<RecordBatch>, Error> {
    let folder = folder.as_ref();
    let time = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    };

    let parts = parts(folder)?;
    if parts.is_empty() {
        return Err(fault(folder, &"the folder has no Parquet files of an export"));
    }
    let mut found = Vec::new();
    for file in parts.into_iter().chain(files(&folder.join(HISTORY))?) {
        for batch in read(&file)? {
            let rows = known_at(&batch, time).ok_or_else(|| {
                let reason = "the rows have no column `_fetched_at`; \
                              start a new export with the option `provenance`";
                fault(folder, &reason)
            })?;
            let mut rows = filter_record_batch(&batch, &rows)?;
            if let Ok(index) = rows.schema().index_of(REPLACED_AT) {
                rows.remove_column(index);
            }
            found.extend(Some(rows).filter(|rows| rows.num_rows() > 0));
        }
    }
    Ok(found)
}

/// Returns a mask with one flag per row. The flag is true if the export contained the row at `time`, in Unix
/// milliseconds. Returns `None` if the batch has no column with the time of each response.
/// [`Options::provenance`](crate::Options::provenance) adds this column.
fn known_at(batch: &RecordBatch, time: i64) -> Option<BooleanArray> {
    let column =
        |name: &str| batch.column_by_name(name)?.as_primitive_opt::<TimestampMillisecondType>();
    let (fetched, replaced) = (column(FETCHED_AT)?, column(REPLACED_AT));
    let is_known = |row: usize| {
        let is_replaced = replaced.is_some_and(|column| column.value(row) <= time);
        fetched.is_valid(row) && fetched.value(row) <= time && !is_replaced
    };
    Some((0..batch.num_rows()).map(|row| Some(is_known(row))).collect())
}

/// Lists the Parquet files that contain the current rows of an export, sorted by the number in the file name. For
/// example, `part-00003.parquet` has the number 3.
pub(super) fn parts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let number = |file: &PathBuf| file.file_name()?.to_str().and_then(part_number);
    let mut parts = files(folder)?;
    parts.retain(|file| number(file).is_some());
    parts.sort_by_key(number);
    Ok(parts)
}

/// Lists the Parquet files of a folder, sorted by name. The list is empty if the folder does not exist.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| fault(folder, &error))? {
        let file = entry.map_err(|error| fault(folder, &error))?.path();
        found.extend(Some(file).filter(|file| file.extension().is_some_and(|is| is == "parquet")));
    }
    found.sort();
    Ok(found)
}

/// Reads all rows of a Parquet file.
pub(super) fn read(file: &Path) -> Result<Vec<RecordBatch>, Error> {
    let open = File::open(file).map_err(|error| fault(file, &error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(open)?.build()?;
    Ok(reader.collect::<Result<_, _>>()?)
}
