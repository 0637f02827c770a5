//! Waits for futures on behalf of Python, without the interpreter lock. Regularly checks for Ctrl-C while it waits.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crypto_intel::extend::BoxFuture;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;

use crate::errors::Raise;
use crate::notices::{Queue, deliver};
use crate::process::PerProcess;

/// Interval between checks for signals, such as Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Returns the Tokio runtime of this process. The runtime has its own threads, so that a sandbox in this process
/// responds while Python runs other code. A forked child process gets its own runtime.
pub(crate) fn runtime() -> PyResult<&'static Runtime> {
    static RUNTIME: PerProcess<Runtime> = PerProcess::new();
    RUNTIME.get_or_make(|_| {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    })
}

/// Waits for `future`. During the wait, delivers notices such as log records to Python. After Ctrl-C, drops the future,
/// which cancels the HTTP request, and raises `KeyboardInterrupt`.
pub(crate) fn wait<T: Send>(py: Python<'_>, future: impl Future<Output = T> + Send) -> PyResult<T> {
    wait_with(py, future, &Queue::default())
}

/// Waits for `future` like [`wait`], and delivers the notices in the queue `notices` to Python. If a receiver of a
/// notice raises an exception, drops the future and raises this exception.
fn wait_with<T: Send>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send,
    notices: &Queue,
) -> PyResult<T> {
    let runtime = runtime()?;
    let mut future = Box::pin(future);
    loop {
        let step = py.detach(|| {
            runtime.block_on(async { tokio::time::timeout(LOOK, future.as_mut()).await })
        });
        deliver(py);
        notices.deliver(py)?;
        match step {
            Ok(value) => return Ok(value),
            Err(_) => py.check_signals()?,
        }
    }
}

/// Function that converts the result of a call. It returns a Python object, or a Python exception if the call failed.
type Finish = Box<dyn for<'py> FnOnce(Python<'py>) -> PyResult<Py<PyAny>> + Send>;

/// A call that has not begun. Start the call once, either with `wait` or with `start` and a callback.
#[pyclass(frozen)]
pub(crate) struct Pending {
    call: Mutex<Option<BoxFuture<Finish>>>,
    /// Queue of the progress notices of this call. They are delivered to Python while Python waits for the call.
    notices: Arc<Queue>,
}

impl Pending {
    pub(crate) fn new<T, E: Raise>(
        call: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Pending
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        Pending::with_notices(call, Arc::default())
    }

    /// Creates a pending call. The notices that the call adds to the queue `notices` are delivered while Python waits
    /// for the call.
    pub(crate) fn with_notices<T, E: Raise>(
        call: impl Future<Output = Result<T, E>> + Send + 'static,
        notices: Arc<Queue>,
    ) -> Pending
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        let call: BoxFuture<Finish> = Box::pin(async move {
            let result = call.await;
            let finish: Finish = Box::new(move |py| match result {
                Ok(value) => value.into_py_any(py),
                Err(error) => Err(error.raise(py)),
            });
            finish
        });
        Pending { call: Mutex::new(Some(call)), notices }
    }

    fn take(&self) -> PyResult<BoxFuture<Finish>> {
        let call = self.call.lock().unwrap_or_else(PoisonError::into_inner).take();
        call.ok_or_else(|| PyRuntimeError::new_err("the call has already begun"))
    }
}

#[pymethods]
impl Pending {
    /// Sends the call and waits for its result.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wait_with(py, self.take()?, &self.notices)?(py)
    }

    /// Passes the queued notices of the call to Python.
    fn deliver(&self, py: Python<'_>) -> PyResult<()> {
        self.notices.deliver(py)
    }

    /// Starts the call in the background. At its end, `done(value, error)` is called in another thread.
    fn start(&self, done: Py<PyAny>) -> PyResult<Task> {
        let call = self.take()?;
        let task = runtime()?.spawn(async move {
            let finish = call.await;
            // Another thread that waits for the runtime may hold the interpreter lock.
            let told = tokio::task::spawn_blocking(move || notify(finish, &done));
            // The interpreter may have ended.
            let _ = told.await;
        });
        Ok(Task(task.abort_handle()))
    }
}

/// A call that runs in the background.
#[pyclass(frozen)]
pub(crate) struct Task(AbortHandle);

#[pymethods]
impl Task {
    /// Drops the call, which cancels its request.
    fn cancel(&self) {
        self.0.abort();
    }
}

fn notify(finish: Finish, done: &Py<PyAny>) {
    Python::try_attach(|py| {
        let told = match finish(py) {
            Ok(value) => done.call1(py, (value, py.None())),
            Err(error) => done.call1(py, (py.None(), error)),
        };
        if let Err(error) = told {
            error.write_unraisable(py, Some(done.bind(py)));
        }
    });
}
