//! Errors as the exceptions of `crypto_intel._errors`, a class for each kind.

use crypto_intel_frames::Error as FramesError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) fn raised(py: Python<'_>, error: &crypto_intel::Error) -> PyErr {
    exception(py, error).unwrap_or_else(|failed| failed)
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

pub(crate) fn of_frames(py: Python<'_>, error: &FramesError) -> PyErr {
    match error {
        FramesError::Call(error) => raised(py, error),
        other => PyValueError::new_err(other.to_string()),
    }
}
