//! Passes tables to Python with the Arrow PyCapsule interface. Many Python libraries, such as pyarrow, polars, pandas
//! and DuckDB, can read such tables.

use std::thread::ThreadId;
use std::time::Duration;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use crypto_intel::catalogue::OPERATIONS;
use crypto_intel_frames::arrow_schema::{ArrowError, SchemaRef};
use crypto_intel_frames::{
    Columns, Enums, Figures, Frames, Nested, Numbers, Options, Times, Unknown, preflight_columns,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use serde::Deserialize;
use tokio::runtime::Runtime;

use crate::completeness::State;
use crate::errors::Raise;
use crate::settings::present;
use crate::wait::{runtime, wait};

/// Reads the options of tables from a Python dictionary. The keys are the field names of `TableOptions` in the Python
/// module `crypto_intel._table`. The value of `preflight` is the body of a response as bytes.
pub(crate) fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options::default();
    for (name, value) in present(given) {
        let name: String = name.extract()?;
        if name == "batch_rows" {
            options = options.batch_rows(value.extract()?);
            continue;
        }
        if name == "provenance" {
            options = options.provenance(value.extract()?);
            continue;
        }
        if name == "preflight" {
            options = options.columns(preflight(&value.extract::<Vec<u8>>()?)?);
            continue;
        }

        let word: String = value.extract()?;
        options = match (name.as_str(), word.as_str()) {
            ("figures", "text") => options.figure_values(Numbers::Text),
            ("figures", "double") => options.figure_values(Numbers::Float),
            ("figure_layout", "struct") => options.figures(Figures::Struct),
            ("figure_layout", "columns") => options.figures(Figures::Columns),
            ("numbers", "text") => options.numbers(Numbers::Text),
            ("numbers", "double") => options.numbers(Numbers::Float),
            ("enums", "dictionary") => options.enums(Enums::Dictionary),
            ("enums", "text") => options.enums(Enums::Text),
            ("times", "as-sent") => options.times(Times::AsSent),
            ("times", "milliseconds") => options.times(Times::Millis),
            ("unknown", "drop") => options.unknown(Unknown::Drop),
            ("unknown", "error") => options.unknown(Unknown::Refuse),
            ("unknown", "keep") => options,
            ("flatten", separator) => options.nested(Nested::Flat(separator.to_owned())),
            _ => {
                let what = format!("the table option `{name}` cannot be {word:?}");
                return Err(PyValueError::new_err(what));
            }
        };
    }
    Ok(options)
}

/// Returns the preferred column types for the result of a SQL query. `body` is the response to a preflight request, in
/// which the service checks the query.
fn preflight(body: &[u8]) -> PyResult<Columns> {
    #[derive(Deserialize)]
    struct Checked {
        data: crypto_intel::onchain::SqlPreflight,
    }
    let checked: Checked = serde_json::from_slice(body).map_err(|error| {
        PyValueError::new_err(format!("`preflight` is not the result of an SQL preflight: {error}"))
    })?;
    Ok(preflight_columns(&checked.data))
}

/// Returns an Arrow stream without rows. Its schema is the schema of the rows of an operation.
#[pyfunction]
pub(crate) fn schema<'py>(
    operation: &str,
    table: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let known = OPERATIONS.iter().find(|known| known.id == operation);
    let unknown = || PyValueError::new_err(format!("there is no operation {operation}"));
    let schema = crypto_intel_frames::schema_of(known.ok_or_else(unknown)?, &options(table)?);
    capsule_of_batches(table.py(), schema.map_err(|error| error.raise(table.py()))?, Vec::new())
}

pub(crate) fn capsule_of_batches(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let batches = batches.into_iter().map(Ok);
    capsule(py, Box::new(RecordBatchIterator::new(batches, schema)))
}

/// Creates a PyCapsule for a stream of batches. Each batch is read when the consumer of the stream requests the batch.
/// If the OpenAPI document does not describe the rows, the function reads the first batch before it returns, and uses
/// the schema of this batch for the stream. With `Columns::Json`, the function reads no batch, because the schema is
/// known.
pub(crate) fn capsule_of_frames(
    py: Python<'_>,
    frames: Frames,
) -> PyResult<(Bound<'_, PyCapsule>, State)> {
    let runtime = runtime()?;
    let (mut frames, state) = (frames, State::default());
    let schema = wait(py, frames.ready())?.map_err(|error| error.raise(py))?;
    let thread = std::thread::current().id();
    let reader = Reader { frames, runtime, schema, thread, rows: 0, state: state.clone() };
    Ok((capsule(py, Box::new(reader))?, state))
}

struct Reader {
    frames: Frames,
    runtime: &'static Runtime,
    schema: SchemaRef,
    /// Thread that created the stream. While this thread reads a batch, it regularly takes the interpreter lock to
    /// check for Ctrl-C. Other threads read without the interpreter lock.
    thread: ThreadId,
    rows: u64,
    state: State,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Another thread of the consumer does not hold the interpreter lock, and must not wait for it: the thread that
        // waits for this other thread may hold the lock.
        let is_asker = std::thread::current().id() == self.thread;
        let frames = &mut self.frames;
        let attached = is_asker.then(|| Python::try_attach(|py| interruptible(py, frames)));
        let read = match attached.flatten() {
            Some(read) => read,
            None => self.runtime.block_on(frames.try_next()).map_err(|error| error.to_string()),
        };
        if let Ok(Some(batch)) = &read {
            self.rows += batch.num_rows() as u64;
        }
        self.state.set(self.rows, &self.frames.completeness());
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

/// Raises `KeyboardInterrupt` a second time, after a short delay. The consumer of the stream replaces the first
/// exception by its own error, so Ctrl-C would have no effect. Without the delay, the consumer could replace the second
/// exception too.
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
