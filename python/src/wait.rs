//! Waits for futures from Python, without the interpreter lock, and with checks for Ctrl-C.

use std::future::Future;
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;

use crate::errors::Raise;
use crate::process::PerProcess;

/// Interval of checks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// The runtime of this process. It has its own threads, so that a sandbox responds while Python
/// runs other code. A forked child gets its own runtime.
pub(crate) fn runtime() -> PyResult<&'static Runtime> {
    static RUNTIME: PerProcess<Runtime> = PerProcess::new();
    RUNTIME.get_or_make(|_| {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    })
}

/// Waits for `future`. Ctrl-C drops it, which cancels its request, and is raised in Python.
pub(crate) fn wait<T: Send>(py: Python<'_>, future: impl Future<Output = T> + Send) -> PyResult<T> {
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

/// Waits for a call, and raises its error.
pub(crate) fn called<T: Send, E: Raise>(
    py: Python<'_>,
    call: impl Future<Output = Result<T, E>> + Send,
) -> PyResult<T> {
    wait(py, call)?.map_err(|error| error.raise(py))
}

/// A call that runs in the background.
#[pyclass(frozen)]
pub(crate) struct Task(AbortHandle);

impl Task {
    /// Starts a call. At its end, `done(value, error)` is called in another thread.
    pub(crate) fn begin<T, E: Raise>(
        call: impl Future<Output = Result<T, E>> + Send + 'static,
        done: Py<PyAny>,
    ) -> PyResult<Task>
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        let task = runtime()?.spawn(async move {
            let result = call.await;
            // Another thread that waits for the runtime may hold the lock.
            let told = tokio::task::spawn_blocking(move || tell(result, &done));
            // The interpreter may have ended.
            let _ = told.await;
        });
        Ok(Task(task.abort_handle()))
    }
}

#[pymethods]
impl Task {
    /// Drops the call, which cancels its request.
    fn cancel(&self) {
        self.0.abort();
    }
}

fn tell<T: for<'py> IntoPyObject<'py>, E: Raise>(result: Result<T, E>, done: &Py<PyAny>) {
    Python::try_attach(|py| {
        let result = match result {
            Ok(value) => value.into_py_any(py),
            Err(error) => Err(error.raise(py)),
        };
        let told = match result {
            Ok(value) => done.call1(py, (value, py.None())),
            Err(error) => done.call1(py, (py.None(), error)),
        };
        if let Err(error) = told {
            error.write_unraisable(py, Some(done.bind(py)));
        }
    });
}
