//! Tables by the Arrow PyCapsule interface, which pyarrow, polars, pandas and DuckDB take.

use std::ffi::CString;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use crypto_intel_frames::Frames;
use crypto_intel_frames::arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::wait::runtime;

pub(crate) fn capsule_of_batches(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let batches = batches.into_iter().map(Ok);
    capsule(py, Box::new(RecordBatchIterator::new(batches, schema)))
}

/// The batches are read as they are asked for.
pub(crate) fn capsule_of_frames(
    py: Python<'_>,
    frames: Frames,
) -> PyResult<Bound<'_, PyCapsule>> {
    let runtime = runtime()?;
    let schema = frames.schema();
    capsule(py, Box::new(Reader { frames, runtime, schema }))
}

struct Reader {
    frames: Frames,
    runtime: &'static tokio::runtime::Runtime,
    schema: SchemaRef,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.runtime.block_on(self.frames.try_next());
        next.map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
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
    let name = CString::from(c"arrow_array_stream");
    PyCapsule::new(py, FFI_ArrowArrayStream::new(reader), Some(name))
}
