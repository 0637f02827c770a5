//! The native half of the Python package `crypto_intel`: calls, lists, tables, streams of text and
//! the sandbox. What users see is in `python/crypto_intel`.

mod answer;
mod arguments;
mod client;
mod errors;
mod export;
mod process;
mod sandbox;
mod tables;
mod text;
mod wait;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<client::Client>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<client::Batches>()?;
    module.add_class::<sandbox::Sandbox>()?;
    module.add_class::<text::TextStream>()?;
    module.add_class::<wait::Task>()?;
    Ok(())
}
