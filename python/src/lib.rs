//! Native part of the Python package `crypto_intel`. It contains calls, lists, tables, streams and the sandbox. The
//! public API of the package is in `python/crypto_intel`.

mod answer;
mod arguments;
mod attempts;
mod client;
mod completeness;
mod errors;
mod events;
mod export;
mod jobs;
mod money;
mod notices;
mod process;
mod resolve;
mod rows;
mod sandbox;
mod settings;
mod tables;
mod wait;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    notices::install();
    module.add_class::<answer::Answer>()?;
    module.add_class::<client::Client>()?;
    module.add_class::<completeness::State>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<jobs::SqlJob>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<sandbox::Sandbox>()?;
    module.add_class::<wait::Pending>()?;
    module.add_class::<wait::Task>()?;
    module.add_class::<watch::Watch>()?;
    module.add_function(wrap_pyfunction!(export::read_as_of, module)?)?;
    module.add_function(wrap_pyfunction!(money::catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(notices::deliver, module)?)?;
    module.add_function(wrap_pyfunction!(notices::set_log_level, module)?)?;
    module.add_function(wrap_pyfunction!(tables::schema, module)?)?;
    Ok(())
}
