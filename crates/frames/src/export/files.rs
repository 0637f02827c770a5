//! Data files that an export is writing. Another thread writes the files while the next rows are fetched and decoded.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::Format;
use super::partition::Divider;
use super::settings::Export;
use super::writer::Writer;
use crate::Error;
use crate::plan::Plan;

/// Unfinished data files of an export. The files exist only in memory. At most one batch at a time is written to the
/// files.
pub(super) struct Files {
    open: Arc<Mutex<Open>>,
    writing: Option<JoinHandle<Result<(), Error>>>,
    bytes: usize,
    count: usize,
    is_whole: bool,
}

impl Files {
    pub(super) fn new(export: &Export, plan: &Plan) -> Result<Files, Error> {
        let divider = export.partition.as_ref();
        let divider =
            divider.map(|by| Divider::new(by, plan.operation.id, &plan.schema)).transpose()?;
        let schema = divider.as_ref().map_or(&plan.schema, |divider| &divider.schema).clone();
        let (format, origin) = (export.format, export.origin());
        let open = Open { format, origin, divider, schema, writers: BTreeMap::new() };
        let open = Arc::new(Mutex::new(open));
        Ok(Files { open, writing: None, bytes: 0, count: 0, is_whole: true })
    }

    /// Waits until the previous batch is written, then starts to write `batch` on another thread.
    pub(super) async fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        self.wait_for_write().await?;
        let open = self.open.clone();
        let write = move || lock(&open).write(&batch);

        // A thread pool needs a Tokio runtime. Without a runtime, this thread writes.
        match Handle::try_current() {
            Ok(runtime) => self.writing = Some(runtime.spawn_blocking(write)),
            Err(_) => self.take_in(write())?,
        }
        Ok(())
    }

    /// Opens an empty file if no file is open, so that an export without rows still has a file. A partitioned export
    /// gets no empty file, because the folder name of a partition is a value from its rows.
    pub(super) async fn open_empty(&mut self) -> Result<(), Error> {
        self.wait_for_write().await?;
        let mut open = lock(&self.open);
        if open.writers.is_empty() && open.divider.is_none() {
            let writer = Writer::new(open.format, &open.schema, &open.origin)?;
            open.writers.insert(String::new(), writer);
        }
        Ok(())
    }

    /// Returns the memory size of the open files in bytes. A batch that another thread still writes is not counted, so
    /// the size does not depend on the speed of this thread. An export begins a new file at a certain size, so every
    /// run begins its files at the same rows.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of open files. If another thread writes the most recent batch, the files that this batch
    /// opens are not counted. The number therefore does not depend on the speed of the thread.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns true if no write has failed. After a failed write, some rows are missing in the files.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Finishes the files. Returns one pair per file: the name of the partition's folder, and the content of the file.
    /// The name is empty if the export has no partition. `meta` is the metadata of the last page.
    pub(super) async fn finish(&mut self, meta: &Value) -> Result<Vec<(String, Vec<u8>)>, Error> {
        self.wait_for_write().await?;
        let writers = std::mem::take(&mut lock(&self.open).writers);
        (self.bytes, self.count) = (0, 0);
        writers.into_iter().map(|(folder, writer)| Ok((folder, writer.finish(meta)?))).collect()
    }

    /// Waits until the current write has ended. Returns an error if the write failed.
    async fn wait_for_write(&mut self) -> Result<(), Error> {
        let Some(writing) = self.writing.take() else { return Ok(()) };
        let outcome = match writing.await.map_err(|failed| failed.try_into_panic()) {
            Ok(outcome) => outcome,
            Err(Ok(panic)) => resume_unwind(panic),
            Err(Err(cancelled)) => Err(object_store::Error::from(cancelled).into()),
        };
        self.take_in(outcome)
    }

    fn take_in(&mut self, outcome: Result<(), Error>) -> Result<(), Error> {
        let open = lock(&self.open);
        self.bytes = open.writers.values().map(Writer::bytes).sum();
        self.count = open.writers.len();
        self.is_whole &= outcome.is_ok();
        outcome
    }
}

/// Locks the open files. A poisoned lock is accepted: a panic during a write ends the export, so the incomplete files
/// of this export are never used.
fn lock(open: &Mutex<Open>) -> MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Open files, one for each partition folder.
struct Open {
    format: Format,
    origin: String,
    divider: Option<Divider>,
    schema: SchemaRef,
    writers: BTreeMap<String, Writer>,
}

impl Open {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let parts = match &self.divider {
            Some(divider) => divider.divide(batch)?,
            None => BTreeMap::from([(String::new(), batch.clone())]),
        };
        for (folder, rows) in parts {
            // If the fields of the operation are not documented, its only batch determines the schema.
            if self.schema.fields().is_empty() {
                self.schema = rows.schema();
            }
            let writer = match self.writers.entry(folder) {
                Entry::Occupied(open) => open.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(Writer::new(self.format, &self.schema, &self.origin)?)
                }
            };
            writer.write(&rows)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    fn batch(column: ArrayRef) -> RecordBatch {
        RecordBatch::try_from_iter([("a", column)]).expect("a batch")
    }

    /// Tests the state after a failed write. The write fails because the schema of the batch differs from the schema of
    /// the file.
    #[tokio::test]
    async fn after_a_failed_write_the_files_are_not_whole() {
        let numbers = batch(Arc::new(Int64Array::from(vec![1, 2])));
        let texts = batch(Arc::new(StringArray::from(vec!["b"])));
        let open = Open {
            format: Format::Parquet,
            origin: String::new(),
            divider: None,
            schema: numbers.schema(),
            writers: BTreeMap::new(),
        };
        let open = Arc::new(Mutex::new(open));
        let mut files = Files { open, writing: None, bytes: 0, count: 0, is_whole: true };

        // The next write reports the error of the write before it.
        files.write(numbers.clone()).await.expect("it begins");
        files.write(texts).await.expect("the one before went well");
        assert!(files.is_whole());
        files.write(numbers).await.expect_err("the one before failed");
        assert!(!files.is_whole());

        // Later writes do not repair this.
        files.finish(&Value::Null).await.expect("nothing is being written");
        assert!(!files.is_whole());
    }
}
