//! Tables with the Arrow PyCapsule interface, which pyarrow, polars, pandas and DuckDB read.

use std::thread::ThreadId;
use std::time::Duration;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use crypto_intel_frames::arrow_schema::{ArrowError, SchemaRef};
use crypto_intel_frames::{Frames, Numbers, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use tokio::runtime::Runtime;

use crate::errors::Raise;
use crate::wait::{runtime, wait};

/// Options of tables for Python: the values of figures as exact text, or as doubles.
pub(crate) fn options(figures: &str) -> PyResult<Options> {
    let numbers = match figures {
        "text" => Numbers::Text,
        "double" => Numbers::Float,
        other => {
            let what = format!("`figures` must be \"text\" or \"double\", not {other:?}");
            return Err(PyValueError::new_err(what));
        }
    };
    Ok(Options::default().figure_values(numbers))
}

pub(crate) fn capsule_of_batches(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let batches = batches.into_iter().map(Ok);
    capsule(py, Box::new(RecordBatchIterator::new(batches, schema)))
}

/// Creates a capsule. Batches are read on request.
pub(crate) fn capsule_of_frames(py: Python<'_>, frames: Frames) -> PyResult<Bound<'_, PyCapsule>> {
    let runtime = runtime()?;
    let mut frames = frames;
    let schema = wait(py, frames.ready())?.map_err(|error| error.raise(py))?;
    let thread = std::thread::current().id();
    capsule(py, Box::new(Reader { frames, runtime, schema, thread }))
}

struct Reader {
    frames: Frames,
    runtime: &'static Runtime,
    schema: SchemaRef,
    /// The thread that requested the stream. It may hold the interpreter lock.
    thread: ThreadId,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Another thread of the consumer has no lock, and the thread that waits for it may hold the
        // lock.
        let is_asker = std::thread::current().id() == self.thread;
        let frames = &mut self.frames;
        let attached = is_asker.then(|| Python::try_attach(|py| interruptible(py, frames)));
        let read = match attached.flatten() {
            Some(read) => read,
            None => self.runtime.block_on(frames.try_next()).map_err(|error| error.to_string()),
        };
        // Consumers show only the text of an error.
        read.map_err(ArrowError::CDataInterface).transpose()
    }
}

fn interruptible(py: Python<'_>, frames: &mut Frames) -> Result<Option<RecordBatch>, String> {
    match wait(py, frames.try_next()) {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(stopped) => {
            std::thread::spawn(interrupt);
            Err(stopped.to_string())
        }
    }
}

/// Raises Ctrl-C once more. The consumer converts the first one to its own error, and exceptions
/// raised during that are lost.
fn interrupt() {
    std::thread::sleep(Duration::from_millis(50));
    Python::try_attach(|py| py.import("_thread")?.call_method0("interrupt_main").map(drop));
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

fn capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}
