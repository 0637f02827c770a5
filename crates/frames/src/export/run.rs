//! Runs an export: decodes pages, writes data files into the folder, and then writes the checkpoint.

use std::future::poll_fn;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::SystemTime;

use crypto_intel_core::{HasMeta, Paging};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::Instant;

use super::checkpoint::{Checkpoint, ExportFolder, part_name};
use super::files::Files;
use super::journal::Journal;
use super::partition::Partition;
use super::report::{Outcome, Progress, Report};
use super::settings::{Export, OnProgress, Stop};
use crate::Error;
use crate::decoder::Decoder;
use crate::plan::Plan;
use crate::provenance::{Origin, request_of};
use crate::reader::{Read, Reader};

/// Maximum memory of the open files in bytes. After each page, an export checks this limit. If the limit is reached,
/// the export writes the open files to the folder, even if they have few rows.
const MOST_BYTES: usize = 32 << 20;

/// Maximum number of open files. An export that reaches the maximum finishes its open files and writes them to the
/// folder. Open files exist only in memory, and each file uses memory even if it has few rows.
const MOST_FILES: usize = 256;

/// Runs an export. Continues from the checkpoint in the folder, if there is one.
pub(super) async fn run(export: Export, place: ExportFolder) -> Result<Report, Error> {
    let plan = Plan::new(export.call.operation(), &export.table_options())?;
    let first = first_checkpoint(&export, &plan)?;
    run_from(export, place, first).await
}

/// Runs an export. Continues from the checkpoint in the folder. If the folder has no checkpoint, starts with the
/// checkpoint `first`.
pub(super) async fn run_from(
    mut export: Export,
    mut place: ExportFolder,
    first: Checkpoint,
) -> Result<Report, Error> {
    let options = export.table_options();
    let plan = Plan::new(export.call.operation(), &options)?;
    let files = Files::new(&export, &plan)?;

    let found = place.read(&first).await?;
    if let Some(found) = &found {
        let reached = export.max_rows.is_some_and(|limit| found.rows >= limit);
        if found.complete || reached {
            place.remove_uncounted(found).await?;
            let outcome = if found.complete { Outcome::Complete } else { Outcome::RowLimit };
            let unchanged_since = found.written_at();
            return Ok(Report { unchanged_since, ..report(outcome, found) });
        }
    }

    // The journal is locked before the checkpoint is written, so that a rejected run does not disturb the other run.
    let journal = place.journal(found.as_ref().unwrap_or(&first), export.journal_folder.as_deref());
    let journal = journal?;
    let checkpoint = place.begin(found, first).await?;
    let handle = journal.handle(&export.call);
    export.call = export.call.with_handle(handle);

    let reader = match export.call.operation().paging {
        Paging::None => Reader::of_call(export.call.clone()),
        _ => {
            let pager = export.pager(checkpoint.rows - checkpoint.skip);
            Reader::of_pager(match checkpoint.resume.clone() {
                Some(token) => pager.resume_from(token),
                None => pager,
            })
        }
    };

    let run = Run {
        decoder: Decoder::new(plan, &options),
        next: checkpoint.clone(),
        saved: checkpoint,
        on_progress: export.on_progress.take(),
        stop: export.stop.clone(),
        since: Instant::now(),
        request: options.provenance.then(|| request_of(&export.call)).flatten(),
        export,
        place,
        files,
        reader,
        journal,
        in_files: Vec::new(),
    };
    run.run().await
}

/// Creates the checkpoint of an export that has not read any page.
pub(super) fn first_checkpoint(export: &Export, plan: &Plan) -> Result<Checkpoint, Error> {
    let columns = plan.schema.fields().iter();
    let columns = columns.map(|field| (field.name().clone(), field.data_type().to_string()));
    Ok(Checkpoint::new(
        export.request()?,
        export.origin(),
        export.format.extension().to_owned(),
        export.partition.as_ref().map_or("none".to_owned(), Partition::to_string),
        columns.collect(),
    ))
}

/// Returns the metadata of a page without the fields `credits_used` and `cached`, so that equal data produce equal
/// files.
pub(super) fn about_the_data(meta: &Value) -> Value {
    let mut meta = meta.clone();
    if let Value::Object(members) = &mut meta {
        members.retain(|name, _| !["credits_used", "cached"].contains(&name.as_str()));
    }
    meta
}

struct Run {
    export: Export,
    /// HTTP request of the export without the API key, for the provenance columns, which contain the origin of each
    /// row. `None` if the table has no such columns.
    request: Option<Arc<str>>,
    place: ExportFolder,
    reader: Reader,
    journal: Arc<Journal>,
    /// Journal numbers of the responses that this run has read to the end since the last checkpoint. The next
    /// checkpoint counts all rows of these responses. After the checkpoint, the run removes the responses from the
    /// journal.
    in_files: Vec<u64>,
    decoder: Decoder,
    files: Files,
    /// Checkpoint that is stored in the folder.
    saved: Checkpoint,
    /// Next checkpoint to store. It also counts rows that have been read but are not in the folder yet.
    next: Checkpoint,
    on_progress: Option<OnProgress>,
    stop: Stop,
    since: Instant,
}

/// Event that a run handles next: a received page, a failed call, the end of the pages, or the signal to stop. The
/// pages end at the end of the list, or at a limit for rows or credits.
enum Next {
    Page(Box<Read>),
    Failure(Error),
    End,
    Stop,
}

impl Run {
    async fn run(mut self) -> Result<Report, Error> {
        let mut ended = None;
        while ended.is_none() {
            let taken = match self.next().await {
                Next::Page(read) => {
                    let taken = self.take(&read).await;
                    // If a row of the page cannot be read, the next run requests the page again.
                    if let (Err(_), Some(entry)) = (&taken, read.entry) {
                        self.journal.forget(entry);
                    }
                    taken
                }
                Next::Failure(error) => Err(error),
                Next::End => Ok(Some(self.end())),
                Next::Stop => Ok(Some(Outcome::Stopped)),
            };

            match taken {
                Ok(outcome) => ended = outcome,
                // The rows before the error are written, because the caller has paid for them.
                Err(error) => {
                    if self.files.is_whole() {
                        self.commit().await?;
                    }
                    return Err(error);
                }
            }
            if ended.is_some() || self.is_due() {
                self.commit().await?;
            }
            self.report_progress();
        }
        self.journal.close();
        Ok(report(ended.unwrap_or(Outcome::Complete), &self.saved))
    }

    /// Waits for the next page, the end of the list, or the signal to stop.
    async fn next(&mut self) -> Next {
        poll_fn(|cx| {
            if self.stop.poll_unpin(cx).is_ready() {
                return Poll::Ready(Next::Stop);
            }
            self.reader.poll_page(cx).map(|page| match page {
                Some(Ok(read)) => Next::Page(Box::new(read)),
                Some(Err(error)) => Next::Failure(error.into()),
                None => Next::End,
            })
        })
        .await
    }

    /// Decodes the rows of a page, and passes full batches to the open files. If the run ends after this page, returns
    /// the outcome of the run. Otherwise returns `None`.
    async fn take(&mut self, read: &Read) -> Result<Option<Outcome>, Error> {
        // An earlier run has already counted this page, when it read the first rows.
        let is_counted = read.reused && self.next.skip > 0;
        if !is_counted {
            self.next.pages += 1;
            self.next.credits_used += read.page.reported().credits_used.unwrap_or(0);
        }

        self.next.meta = read.page.meta().clone();
        let answered_at = read.origin.fetched_at.map(|millis| millis.div_euclid(1_000));
        self.next.began_at = self.next.began_at.or(answered_at);
        let request = self.request.clone();
        self.decoder.set_origin(|| Origin { request, ..read.origin.clone() });

        let rows = read.page.rows();
        let begin = usize::try_from(self.next.skip).unwrap_or(usize::MAX).min(rows);
        for row in begin..rows {
            if self.export.max_rows.is_some_and(|limit| self.next.rows >= limit) {
                return Ok(Some(Outcome::RowLimit));
            }
            self.decoder.push(read.page.row(row))?;
            self.next.rows += 1;
            self.next.skip += 1;
            if self.decoder.is_full() {
                self.flush().await?;
            }
        }

        self.in_files.extend(read.entry);
        self.next.skip = 0;
        self.next.resume.clone_from(&read.resume);
        self.next.complete = read.resume.is_none();
        let is_over = self.export.max_time.is_some_and(|limit| self.since.elapsed() >= limit);
        Ok((is_over && !self.next.complete).then_some(Outcome::TimeLimit))
    }

    /// Returns the reason why the reader has no further page: the end of the list, the limit for rows, or the limit for
    /// credits.
    fn end(&self) -> Outcome {
        let has_rows = self.export.max_rows.is_none_or(|limit| self.next.rows < limit);
        match (self.next.complete, has_rows) {
            (true, _) => Outcome::Complete,
            (false, false) => Outcome::RowLimit,
            (false, true) => Outcome::CreditLimit,
        }
    }

    async fn flush(&mut self) -> Result<(), Error> {
        match self.decoder.finish()? {
            Some(batch) => self.files.write(batch).await,
            None => Ok(()),
        }
    }

    fn is_due(&self) -> bool {
        self.next.rows - self.saved.rows >= self.export.rows_per_file
            || self.files.bytes() >= MOST_BYTES
            || self.files.count() >= MOST_FILES
    }

    /// Writes the open files into the folder. Then writes a checkpoint with the new numbers of files and rows.
    async fn commit(&mut self) -> Result<(), Error> {
        self.flush().await?;
        // An export without rows writes a file with the schema, so that readers find a table.
        if self.next.complete && self.next.files == 0 {
            self.files.open_empty().await?;
        }
        let written = self.files.finish(&about_the_data(&self.next.meta)).await?;
        if !written.is_empty() {
            let name = part_name(self.next.next_part, self.export.format.extension());
            for (folder, bytes) in written {
                self.place.put(&folder, &name, bytes).await?;
                self.next.files += 1;
            }
            self.next.next_part += 1;
        }

        self.next.set_written_at(SystemTime::now());
        self.place.save(&self.next).await?;
        self.saved = self.next.clone();
        for entry in self.in_files.drain(..) {
            self.journal.forget(entry);
        }
        if self.saved.complete {
            self.journal.remove();
        }
        Ok(())
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            rows: self.next.rows,
            rows_written: self.saved.rows,
            files: self.saved.files,
            pages: self.next.pages,
            credits_used: self.next.credits_used,
            elapsed: self.since.elapsed(),
        };
        if let Some(tell) = &self.on_progress {
            tell.lock().unwrap_or_else(PoisonError::into_inner)(&progress);
        }
    }
}

pub(super) fn report(outcome: Outcome, checkpoint: &Checkpoint) -> Report {
    Report {
        outcome,
        rows: checkpoint.rows,
        files: checkpoint.files,
        pages: checkpoint.pages,
        credits_used: checkpoint.credits_used,
        unchanged_since: None,
        changes: None,
    }
}
