//! Converts errors to Python exceptions. The Python module `crypto_intel._errors` has an exception class for each kind
//! of error.

use crypto_intel_frames::Error as FramesError;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An error that can be converted to a Python exception.
pub(crate) trait Raise: Send + 'static {
    fn raise(&self, py: Python<'_>) -> PyErr;
}

impl Raise for crypto_intel::Error {
    fn raise(&self, py: Python<'_>) -> PyErr {
        exception(py, self).unwrap_or_else(|failed| failed)
    }
}

impl Raise for FramesError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            FramesError::Call(error) => error.raise(py),
            FramesError::Place { .. } | FramesError::Store(_) => {
                PyOSError::new_err(self.to_string())
            }
            other => PyValueError::new_err(other.to_string()),
        }
    }
}

fn exception(py: Python<'_>, error: &crypto_intel::Error) -> PyResult<PyErr> {
    let about = PyDict::new(py);
    about.set_item("status", error.status().map(|status| status.as_u16()))?;
    about.set_item("code", error.code())?;
    about.set_item("operation", error.operation())?;
    about.set_item("request_id", error.request_id())?;
    about.set_item("retry_after", error.retry_after().map(|wait| wait.as_secs_f64()))?;
    about.set_item("attempts", error.attempts())?;
    about.set_item("is_retryable", error.is_retryable())?;

    let make = py.import("crypto_intel._errors")?.getattr("_make")?;
    let kind = format!("{:?}", error.kind());
    Ok(PyErr::from_value(make.call1((kind, error.to_string(), about))?))
}
