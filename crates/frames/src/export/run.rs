//! The export itself: pages into files, files into the folder, and the checkpoint after them.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use crypto_intel_core::{Charge, Paging};
use tokio::time::Instant;

use super::Partition;
use super::checkpoint::{Checkpoint, Place, part_name};
use super::files::Files;
use super::settings::{Export, OnProgress, Stop};
use crate::Error;
use crate::decoder::Decoder;
use crate::plan::Plan;
use crate::reader::{Read, Reader};

/// Bytes after which files are written whatever their rows, so that memory stays bounded.
const MOST_BYTES: usize = 32 << 20;

/// Files that are open at once. A file costs memory even when it holds few rows.
const MOST_FILES: usize = 256;

/// How far an export has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Rows in the folder, and of those that were read for the next files.
    pub rows: u64,
    /// Files in the folder.
    pub files: u64,
    /// Pages that were read, in all runs.
    pub pages: u64,
    /// Credits the service said it used, in all runs that came to a checkpoint.
    pub credits_used: i64,
    /// Time of this run.
    pub elapsed: Duration,
}

/// Result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Why it ended.
    pub outcome: Outcome,
    /// Rows in the folder.
    pub rows: u64,
    /// Files in the folder.
    pub files: u64,
    /// Pages that were read, in all runs.
    pub pages: u64,
    /// Credits the service said it used, in all runs that came to a checkpoint.
    pub credits_used: i64,
}

/// Why a run ended without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The list is in the folder, to its end.
    Complete,
    /// As many rows as were asked for are.
    RowLimit,
    /// The next page would have cost more than was allowed. Another run goes on.
    CreditLimit,
    /// The time was up. Another run goes on.
    TimeLimit,
    /// The signal of [`Export::stop_on`] came. Another run goes on.
    Stopped,
}

pub(super) async fn run(mut export: Export, mut place: Place) -> Result<Report, Error> {
    let options = export.table_options();
    let plan = Plan::new(export.call.operation(), &options)?;
    let files = Files::new(&export, &plan)?;

    let columns = plan.schema.fields().iter();
    let columns = columns.map(|field| (field.name().clone(), field.data_type().to_string()));
    let fresh = Checkpoint::new(
        export.request()?,
        export.format.extension().to_owned(),
        export.partition.as_ref().map_or("none".to_owned(), Partition::to_string),
        columns.collect(),
    );

    let checkpoint = place.open(fresh).await?;
    let reached = export.max_rows.is_some_and(|limit| checkpoint.rows >= limit);
    if checkpoint.complete || reached {
        let outcome = if checkpoint.complete { Outcome::Complete } else { Outcome::RowLimit };
        return Ok(report(outcome, &checkpoint));
    }

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
        stop: std::mem::replace(&mut export.stop, Box::pin(std::future::pending())),
        since: Instant::now(),
        export,
        place,
        files,
        reader,
    };
    run.run().await
}

struct Run {
    export: Export,
    place: Place,
    reader: Reader,
    decoder: Decoder,
    files: Files,
    /// The checkpoint in the folder.
    saved: Checkpoint,
    /// The next checkpoint, which counts the open files too.
    next: Checkpoint,
    on_progress: Option<OnProgress>,
    stop: Stop,
    since: Instant,
}

/// Next step of a run.
enum Next {
    Page(Read),
    Failure(Error),
    End,
    Stop,
}

impl Run {
    async fn run(mut self) -> Result<Report, Error> {
        let mut ended = None;
        while ended.is_none() {
            let taken = match self.next().await {
                Next::Page(read) => self.take(&read).await,
                Next::Failure(error) => Err(error),
                Next::End => Ok(Some(self.end())),
                Next::Stop => Ok(Some(Outcome::Stopped)),
            };

            match taken {
                Ok(outcome) => ended = outcome,
                // Complete rows are kept: they were paid for.
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
            self.tell();
        }
        Ok(report(ended.unwrap_or(Outcome::Complete), &self.saved))
    }

    /// The next page, unless the export is stopped before it is there.
    async fn next(&mut self) -> Next {
        poll_fn(|cx| {
            if self.stop.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Next::Stop);
            }
            self.reader.poll_page(cx).map(|page| match page {
                Some(Ok(read)) => Next::Page(read),
                Some(Err(error)) => Next::Failure(error.into()),
                None => Next::End,
            })
        })
        .await
    }

    /// Puts the rows of a page into files; the outcome if it was the last one.
    async fn take(&mut self, read: &Read) -> Result<Option<Outcome>, Error> {
        // Charged, whether all of its rows are taken or not.
        self.next.pages += 1;
        self.next.credits_used += read.page.credits_used().unwrap_or(0);

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

        self.next.skip = 0;
        self.next.resume.clone_from(&read.resume);
        self.next.complete = read.resume.is_none();
        let is_over = self.export.max_time.is_some_and(|limit| self.since.elapsed() >= limit);
        Ok((is_over && !self.next.complete).then_some(Outcome::TimeLimit))
    }

    /// No page follows: the list is at its end, or a limit is.
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

    /// Writes the files, then the checkpoint that counts them.
    async fn commit(&mut self) -> Result<(), Error> {
        self.flush().await?;
        let written = self.files.finish().await?;
        if !written.is_empty() {
            let name = part_name(self.next.next_part, self.export.format.extension());
            for (folder, bytes) in written {
                self.place.put(&folder, &name, bytes).await?;
                self.next.files += 1;
            }
            self.next.next_part += 1;
        }

        self.place.save(&self.next).await?;
        self.saved = self.next.clone();
        Ok(())
    }

    fn tell(&mut self) {
        let progress = Progress {
            rows: self.next.rows,
            files: self.saved.files,
            pages: self.next.pages,
            credits_used: self.next.credits_used,
            elapsed: self.since.elapsed(),
        };
        if let Some(tell) = &mut self.on_progress {
            tell(&progress);
        }
    }
}

fn report(outcome: Outcome, checkpoint: &Checkpoint) -> Report {
    Report {
        outcome,
        rows: checkpoint.rows,
        files: checkpoint.files,
        pages: checkpoint.pages,
        credits_used: checkpoint.credits_used,
    }
}
