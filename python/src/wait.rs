//! Waiting from Python: without the lock of the interpreter, and not deaf to Ctrl-C.

use std::future::Future;
use std::sync::OnceLock;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

/// Time after which signals are looked at: soon enough for somebody who waits.
const LOOK: Duration = Duration::from_millis(50);

/// The one runtime of the process. It has threads of its own, so that a sandbox answers while
/// Python is elsewhere.
pub(crate) fn runtime() -> PyResult<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Waits for `future`. Ctrl-C drops it, which cancels its request, and is raised.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send,
) -> PyResult<T> {
    let runtime = runtime()?;
    let mut future = Box::pin(future);
    loop {
        let step = py.detach(|| {
            runtime.block_on(async { tokio::time::timeout(LOOK, future.as_mut()).await })
        });
        match step {
            Ok(value) => return Ok(value),
            Err(_) => py.check_signals()?,
        }
    }
}
