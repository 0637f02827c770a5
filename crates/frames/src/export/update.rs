//! Updates an export: requests the rows from a start time on, and merges these rows with the rows in the folder.
//! [`Export::update`] describes how the start time is chosen.
//!
//! The input is an export and the folder of its earlier runs. If the update completes, the folder contains all rows
//! until now. If the run ends early, the folder still contains the earlier rows.
//!
//! During an update, two more folders are next to the folder `NAME`. `_NAME.update` contains the new rows, and a later
//! run can continue it after a kill. `_NAME.merged` contains the merged files. At the end, `_NAME.merged` replaces
//! `NAME`.

use std::collections::HashMap;
use std::fs::{File, copy, create_dir_all, hard_link, write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use arrow_array::cast::AsArray;
use arrow_array::types::TimestampMillisecondType;
use arrow_array::{ArrayRef, RecordBatch, TimestampMillisecondArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use arrow_select::concat::concat_batches;
use chrono::{DateTime, NaiveDate, NaiveTime};
use crypto_intel::UnixMillis;
use crypto_intel_core::Value;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::Format;
use super::as_of::{HISTORY, REPLACED_AT, files, parts, read as read_file};
use super::checkpoint::{Checkpoint, ExportFolder, part_name, random_id};
use super::exchange::{exchange, fault, remove, remove_rest, sibling_folder};
use super::folder_lock::lock_folder;
use super::merge::{Merged, Order, merge, millis};
use super::report::{Changes, Gap, Outcome, Report};
use super::run::{about_the_data, first_checkpoint, report, run_from};
use super::settings::Export;
use super::writer::Writer;
use crate::error::Error;
use crate::plan::Plan;
use crate::provenance::FETCHED_AT;

/// Result of one run that requests rows. A run of a new export requests the whole list. A run of an update requests
/// only the rows from the start time on.
struct Reading {
    report: Report,
    /// True if this run continued from the checkpoint of an earlier, unfinished run. The earlier run had already begun
    /// to request the rows.
    was_resumed: bool,
    /// Number of pages that this run has requested, without the pages of earlier runs.
    pages: u64,
}

/// Updates the export in the folder. If the folder contains no export, the function first requests the whole list. If
/// an earlier export was interrupted, the function first requests the rest of the list. Runs another update as long as
/// newer rows may be missing.
pub(super) async fn update(mut export: Export, folder: &Path) -> Result<Report, Error> {
    let order = Order::new(export.call.operation())?;
    check(&export)?;
    let plan = Plan::new(export.call.operation(), &export.table_options())?;
    let first = first_checkpoint(&export, &plan)?;
    let mut locks = vec![lock_folder(folder)?];
    let mut changes = Changes::default();
    let mut rows = ExportFolder::local(folder)?.read(&first).await?.map_or(0, |found| found.rows);

    loop {
        let found = ExportFolder::local(folder)?.read(&first).await?;
        clean_up(folder, found.as_ref()).await?;
        let done = match found {
            Some(state) if state.complete => {
                let update = Update { export: &export, folder, order, schema: &plan.schema, state };
                let new = sibling_folder(folder, "merged")?;
                let done = update.read(&plan).await?;
                if done.report.outcome == Outcome::Complete {
                    // After the exchange, the lock file of the new folder is the lock file of `folder`.
                    locks.push(lock_folder(&new)?);
                    update.finish(&new, &mut changes).await?;
                }
                done
            }
            found => {
                let before = found.as_ref().map_or(0, |found| found.pages);
                let was_resumed = found.is_some();
                let report =
                    run_from(export.clone(), ExportFolder::local(folder)?, first.clone()).await?;
                Reading { report, was_resumed, pages: report.pages - before }
            }
        };

        let Some(state) = ExportFolder::local(folder)?.read(&first).await? else {
            return Err(fault(folder, &"another process has removed the checkpoint"));
        };
        let report = report(done.report.outcome, &state);
        let has_grown = report.rows > rows;
        rows = report.rows;
        let update = Update { export: &export, folder, order, schema: &plan.schema, state };
        // Another update is needed in two cases. First, if an earlier run began this update, rows that are newer than
        // that run are missing. Second, some operations return only the first rows of a long time range, so later rows
        // may be missing.
        let goes_on = done.was_resumed || has_grown && update.lags()?;
        if report.outcome != Outcome::Complete || !goes_on {
            return Ok(Report { changes: Some(changes), ..report });
        }
        export.spend(done.pages);
    }
}

/// Returns an error for settings that an update does not support.
fn check(export: &Export) -> Result<(), Error> {
    let reason = match export {
        Export { format, .. } if *format != Format::Parquet => "an update needs Parquet files",
        Export { partition: Some(_), .. } => "an update does not support partitions",
        Export { max_rows: Some(_), .. } => {
            "an update reads to the end of the list, so `max_rows` must not be set; set `max_credits` instead"
        }
        _ => return Ok(()),
    };
    Err(Error::NoTable { operation: export.call.operation().id, reason: reason.to_owned() })
}

/// Removes the folders that remained after an interrupted update. These are `_NAME.merged`, and also `_NAME.update` if
/// the rows in `_NAME.update` are already merged.
async fn clean_up(folder: &Path, state: Option<&Checkpoint>) -> Result<(), Error> {
    let (merged, reading) = (sibling_folder(folder, "merged")?, sibling_folder(folder, "update")?);
    remove(&merged)?;
    remove_rest(&reading)?;
    if !reading.is_dir() {
        return Ok(());
    }
    let found = ExportFolder::local(&reading)?.read_any().await?;
    let is_next =
        |found: &Checkpoint| state.is_some_and(|state| found.generation > state.generation);
    match found {
        Some(found) if !is_next(&found) => remove(&reading),
        _ => Ok(()),
    }
}

/// Inputs of one update: the settings of the export, the folder, and the checkpoint in this folder.
struct Update<'a> {
    export: &'a Export,
    folder: &'a Path,
    order: Order,
    schema: &'a SchemaRef,
    /// Checkpoint of the export in `folder`.
    state: Checkpoint,
}

impl Update<'_> {
    /// Requests the rows from a start time on, and writes the rows into the folder `_NAME.update`, next to the export's
    /// folder `NAME`. The start time comes from the checkpoint of an unfinished update, or from [`Update::since`].
    /// Without a start time, the function requests the whole list.
    async fn read(&self, plan: &Plan) -> Result<Reading, Error> {
        let folder = sibling_folder(self.folder, "update")?;
        let _lock = lock_folder(&folder)?;
        let found = ExportFolder::local(&folder)?.read_any().await?;
        let since = match &found {
            Some(found) => found.since,
            None => self.since()?,
        };

        let mut reading = self.export.clone();
        if let (Some(since), Some((index, _))) = (since, self.since_param()) {
            reading.call.set(index, since);
        }
        let mut first = first_checkpoint(&reading, plan)?;
        first.generation = self.state.generation + 1;
        first.since = since;
        let report = run_from(reading, ExportFolder::local(&folder)?, first).await?;
        let before = found.as_ref().map_or(0, |found| found.pages);
        Ok(Reading { report, was_resumed: found.is_some(), pages: report.pages - before })
    }

    fn since_param(&self) -> Option<(usize, &'static str)> {
        let name = self.order.since?;
        Some((self.order.operation.param(name)?.0, name))
    }

    /// Returns the start of the time range to request, in Unix seconds. Returns `None` if the operation has no
    /// parameter for the earliest time, or if the folder has no rows.
    fn since(&self) -> Result<Option<i64>, Error> {
        let Some((_, param)) = self.since_param() else { return Ok(None) };
        let Some(last) = self.last_time()? else { return Ok(None) };
        let watermark = self.state.meta.get("watermark").and_then(serde_json::Value::as_i64);
        let settled = [Some(last.div_euclid(1_000)), watermark, self.state.began_at];
        let settled = settled.into_iter().flatten().min().unwrap_or(last.div_euclid(1_000));

        let overlap = self.export.overlap.unwrap_or_default().as_secs();
        // One second earlier, because some operations exclude the start of a time range.
        let since = settled.saturating_sub_unsigned(overlap).saturating_sub(1);
        let own = self.export.call.get(param).and_then(unix_seconds);
        Ok(Some(own.map_or(since, |own| own.max(since))))
    }

    /// Returns true if another update could receive later rows. This is the case if the latest row is older than the
    /// last update by more than the overlap. For example, the last update was on 10 March, the overlap is two days, and
    /// the latest row is from 5 March.
    fn lags(&self) -> Result<bool, Error> {
        let last = self.last_time()?.map(|last| last.div_euclid(1_000));
        let overlap = self.export.overlap.unwrap_or_default().as_secs();
        let lags = |(last, now): (i64, i64)| last < now.saturating_sub_unsigned(overlap);
        Ok(self.order.since.is_some() && last.zip(self.state.began_at).is_some_and(lags))
    }

    /// Returns the time of the latest row in the folder, in Unix milliseconds.
    fn last_time(&self) -> Result<Option<i64>, Error> {
        let ranges = parts(self.folder)?.into_iter().map(|file| time_range(&file, self.order.time));
        let ends: Vec<_> = ranges.collect::<Result<_, _>>()?;
        Ok(ends.into_iter().flatten().map(|(_, last)| last).max())
    }

    /// Merges the rows that the update has received with the stored rows of the export, and writes the result into the
    /// folder `new`. Then replaces the export's folder with `new`. Adds the number of changed rows to `changes`.
    async fn finish(&self, new: &Path, changes: &mut Changes) -> Result<(), Error> {
        let reading = sibling_folder(self.folder, "update")?;
        let Some(read) = ExportFolder::local(&reading)?.read_any().await? else {
            return Err(fault(&reading, &"another process has removed this folder"));
        };
        let state = self.build(&reading, read, new, changes)?;
        ExportFolder::local(new)?.save(&state).await?;
        exchange(self.folder, new)?;
        remove(new)?;
        remove(&reading)
    }

    /// Writes the merged files into the folder `new`, and returns the checkpoint for this folder. The caller writes the
    /// checkpoint.
    fn build(
        &self,
        reading: &Path,
        read: Checkpoint,
        new: &Path,
        changes: &mut Changes,
    ) -> Result<Checkpoint, Error> {
        let rows = concat_batches(self.schema, &read_files(&parts(reading)?)?)?;
        let start = self.order.times(&rows)?.into_iter().min();
        let files = parts(self.folder)?;
        let mut rewritten = self.with_repeated_keys(&files, &rows)?;
        let (mut kept, mut old, mut last) = (0, Vec::new(), None);
        for (number, file) in files.iter().enumerate() {
            let range = time_range(file, self.order.time)?;
            last = last.max(range.map(|(_, last)| last));
            let is_covered = |(_, last): (i64, i64)| start.is_some_and(|start| last >= start);
            rewritten[number] |= range.is_none_or(is_covered);
            if rewritten[number] {
                old.extend(read_file(file)?);
            } else {
                link(file, new)?;
                kept += 1;
            }
        }

        let before = old.iter().map(RecordBatch::num_rows).sum::<usize>() as u64;
        let merged = merge(&self.order, self.schema, &old, &rows)?;
        let after = merged.rows.num_rows() as u64;
        self.write_history(&merged, &rows, new)?;
        self.count(&merged, last, start, &read, changes);

        let mut state = self.state.clone();
        let written = self.write_parts(&merged.rows, state.next_part, kept == 0, &read, new)?;
        state.id = random_id();
        state.generation += 1;
        state.next_part += written;
        state.files = kept + written;
        state.rows = state.rows + after - before;
        state.pages += read.pages;
        state.credits_used += read.credits_used;
        state.gaps.extend(gap(last, start, &read));
        (state.meta, state.began_at) = (read.meta, read.began_at);
        state.set_written_at(SystemTime::now());
        Ok(state)
    }

    /// Returns one flag per file. The flag is true if a row of the file has the same key as another row. The other row
    /// can be a new row, a row of this file or a row of another file.
    fn with_repeated_keys(&self, files: &[PathBuf], new: &RecordBatch) -> Result<Vec<bool>, Error> {
        let mut repeated = vec![false; files.len()];
        let new = self.order.key_hashes(new)?.into_iter().map(|key| (key, None));
        let mut seen: HashMap<u64, Option<usize>> = new.collect();
        for (number, file) in files.iter().enumerate() {
            for batch in read_columns(file, self.order.key)? {
                for key in self.order.key_hashes(&batch)? {
                    let Some(other) = seen.insert(key, Some(number)) else { continue };
                    repeated[number] = true;
                    if let Some(other) = other {
                        repeated[other] = true;
                    }
                }
            }
        }
        Ok(repeated)
    }

    fn count(
        &self,
        merged: &Merged,
        last: Option<i64>,
        start: Option<i64>,
        read: &Checkpoint,
        changes: &mut Changes,
    ) {
        let replaced = merged.replaced_by.iter().flatten().count() as u64;
        changes.added += merged.added;
        changes.replaced += replaced;
        changes.removed += merged.removed;
        changes.gap = changes.gap.or(gap(last, start, read));
    }

    /// Writes the rows into files, and returns the number of files. If `needs_file` is true and `rows` is empty, the
    /// function writes one empty file.
    fn write_parts(
        &self,
        rows: &RecordBatch,
        next: u64,
        needs_file: bool,
        read: &Checkpoint,
        new: &Path,
    ) -> Result<u64, Error> {
        let size = usize::try_from(self.export.rows_per_file).unwrap_or(usize::MAX);
        let mut number = 0;
        for start in (0..rows.num_rows().max(usize::from(needs_file))).step_by(size) {
            let slice = rows.slice(start, size.min(rows.num_rows() - start));
            let name = part_name(next + number, self.export.format.extension());
            self.write_file(&slice, read, &new.join(name))?;
            number += 1;
        }
        Ok(number)
    }

    fn write_file(&self, rows: &RecordBatch, read: &Checkpoint, file: &Path) -> Result<(), Error> {
        let mut writer = Writer::new(Format::Parquet, &rows.schema(), &self.export.origin())?;
        writer.write(rows)?;
        let bytes = writer.finish(&about_the_data(&read.meta))?;
        write(file, bytes).map_err(|error| fault(file, &error))
    }

    /// Writes the replaced and removed rows into the folder [`HISTORY`]. Does nothing if the table has no provenance
    /// columns, which contain the origin of each row.
    fn write_history(
        &self,
        merged: &Merged,
        new_rows: &RecordBatch,
        new: &Path,
    ) -> Result<(), Error> {
        let folder = new.join(HISTORY);
        let earlier = files(&self.folder.join(HISTORY))?;
        let Some(fetched) = new_rows.column_by_name(FETCHED_AT) else { return Ok(()) };
        let has_new = merged.superseded.num_rows() > 0;
        if earlier.is_empty() && !has_new {
            return Ok(());
        }
        create_dir_all(&folder).map_err(|error| fault(&folder, &error))?;
        for file in earlier {
            link(&file, &folder)?;
        }
        if !has_new {
            return Ok(());
        }

        let fetched = fetched.as_primitive::<TimestampMillisecondType>();
        let last = fetched.iter().flatten().max().unwrap_or_default();
        let times = merged.replaced_by.iter().map(|row| row.map_or(last, |row| fetched.value(row)));
        let times: TimestampMillisecondArray = times.map(Some).collect();
        let file = folder.join(part_name(self.state.generation, "parquet"));
        let bytes = with_time(&merged.superseded, times)?;
        self.write_file(&bytes, &self.state, &file)
    }
}

/// Returns a copy of `rows` with the additional column [`REPLACED_AT`]. `times` contains the values of this column.
fn with_time(rows: &RecordBatch, times: TimestampMillisecondArray) -> Result<RecordBatch, Error> {
    let ty = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let field = Arc::new(Field::new(REPLACED_AT, ty, false));
    let schema = rows.schema();
    let fields: Vec<_> = schema.fields().iter().cloned().chain([field]).collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let times: ArrayRef = Arc::new(times.with_timezone("UTC"));
    let columns = rows.columns().iter().cloned().chain([times]).collect();
    Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
}

/// Returns the gap between the time range of the stored rows and the time range of the new rows. Returns `None` if the
/// two ranges touch or overlap.
fn gap(last: Option<i64>, start: Option<i64>, read: &Checkpoint) -> Option<Gap> {
    let last = last?;
    let now = || read.began_at.map(|seconds| seconds.saturating_mul(1_000));
    let before = start.or_else(now)?;
    (before > last).then_some(Gap { after: UnixMillis(last), before: UnixMillis(before) })
}

/// Returns the earliest and latest row time of a file, in Unix milliseconds. Returns `None` for a file without rows.
fn time_range(file: &Path, column: &str) -> Result<Option<(i64, i64)>, Error> {
    let mut range: Option<(i64, i64)> = None;
    for batch in read_columns(file, &[column])? {
        let times = (0..batch.num_rows()).filter_map(|row| millis(batch.column(0), row));
        for time in times {
            range = Some(range.map_or((time, time), |(from, to)| (from.min(time), to.max(time))));
        }
    }
    Ok(range)
}

/// Reads the named columns of a Parquet file. Returns no rows if `columns` is empty.
fn read_columns(file: &Path, columns: &[&str]) -> Result<Vec<RecordBatch>, Error> {
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let open = File::open(file).map_err(|error| fault(file, &error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(open)?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    Ok(builder.with_projection(mask).build()?.collect::<Result<_, _>>()?)
}

/// Reads all rows of these Parquet files.
fn read_files(files: &[PathBuf]) -> Result<Vec<RecordBatch>, Error> {
    let batches: Vec<_> = files.iter().map(|file| read_file(file)).collect::<Result<_, _>>()?;
    Ok(batches.into_iter().flatten().collect())
}

/// Creates a hard link in `folder` to `file`. Both names can share the data, because the content of `file` never
/// changes. If the hard link fails, the function copies the file into `folder`.
fn link(file: &Path, folder: &Path) -> Result<(), Error> {
    let Some(name) = file.file_name() else { return Ok(()) };
    let target = folder.join(name);
    hard_link(file, &target)
        .or_else(|_| copy(file, &target).map(drop))
        .map_err(|error| fault(&target, &error))
}

/// Converts the argument of a time parameter to Unix seconds. Returns `None` if the argument is not a number, a date or
/// an RFC 3339 timestamp.
fn unix_seconds(value: &Value) -> Option<i64> {
    let text = match value {
        Value::Integer(seconds) => return Some(*seconds),
        Value::Text(text) => text,
        _ => return None,
    };
    let day = || text.parse::<NaiveDate>().ok().map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let time = || DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc()).or_else(day);
    text.parse().ok().or_else(|| time().map(|time| time.timestamp()))
}
